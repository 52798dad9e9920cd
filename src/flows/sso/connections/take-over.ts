/** The responsibility for an active connection (docs/contract.md, sections 29.6 and 32.9). */
import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { type DisplayedVersion, isVersion } from "../../../database/statement.ts";
import type { Deps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { findConnectionHolder, type HolderRow, listClaimsHolders } from "../../../models/channel/channel-holder.ts";
import {
  findConnection,
  lockConnection,
  type SsoConnection,
  updateConnection,
} from "../../../models/sso-connection/sso-connection.ts";
import { type MemberPower, mayChange } from "../../../vocabulary/member-power.ts";
import { lacksPermission, type OrganizationCaller } from "../../steps/authorization/authorize-member.ts";
import { lockCaller } from "../../steps/authorization/authorize-role-edit.ts";
import { memberPower, NO_POWER, powerOfHolder } from "../../steps/power/holder-power.ts";
import { type ConnectionInput, connectionAuditEvent } from "./audit-connection.ts";
import { authorizeGrantedRoles } from "./authorize-granted-roles.ts";
import { mayGrantAccess, type SsoConnectionDeps } from "./create.ts";
import { CHANGED_SINCE, type ConnectionView, NO_SUCH_CONNECTION, withServiceKeys } from "./read.ts";

type TakeOverProblem = Refusal<"conflict" | "forbidden" | "not_found">;

const NOT_ACTIVE = refusal("conflict", "The connection is not active: the activation makes a member responsible.");
const BELOW_CONNECTION = refusal(
  "forbidden",
  "The person who is responsible for the connection has a permission that you do not have.",
);

/**
 * POST /v1/orgs/:org_id/sso/connections/:id/take-over (docs/contract.md, section 29.6): the caller is responsible for
 * the settings of an active connection. The caller has every power behind the connection, so that no member is locked
 * out. Idempotent.
 */
export async function takeConnectionOver(
  deps: SsoConnectionDeps,
  input: ConnectionInput & {
    /** The version that the caller has read; undefined: no comparison. */
    readonly displayed?: DisplayedVersion | undefined;
  },
): Promise<Result<ConnectionView, TakeOverProblem>> {
  const taken = await deps.database.transaction<Result<SsoConnection, TakeOverProblem>>(
    "sso_connection.take_over",
    async (sql) => {
      const { caller, connectionId } = input;
      const connection = await lockConnection(sql, caller.organizationId, connectionId);
      if (!connection) return err(NO_SUCH_CONNECTION);
      if (connection.status !== "active") return err(NOT_ACTIVE);
      if (input.displayed && !isVersion(connection.updatedAt, input.displayed)) return err(CHANGED_SINCE);
      const power = await lockCaller(sql, caller, "sso.manage");
      if (!power.ok) return power;
      const authorized = await authorizeTakeOver(sql, connection, power.value);
      if (!authorized.ok) return authorized;
      if (await isResponsible(sql, connection, caller.responsibleId, power.value)) return ok(connection);
      return await persistTakeOver(deps, sql, input, connection);
    },
  );
  if (!taken.ok) return taken;
  await deps.ssoDirectory.changed();
  return ok(await withServiceKeys(deps, taken.value));
}

async function authorizeTakeOver(
  sql: Sql,
  connection: SsoConnection,
  power: MemberPower,
): Promise<Result<void, Refusal<"forbidden">>> {
  const holder = await findConnectionHolder(sql, connection);
  if (holder && !mayChange(power, powerOfHolder(holder))) return err(BELOW_CONNECTION);
  if (!mayGrantAccess(power, connection)) return err(lacksPermission("applications.manage"));
  return await authorizeGrantedRoles(sql, connection.organizationId, power);
}

/** Whether a user is responsible for the links and for the claims of a connection, with every present power. */
async function isResponsible(
  sql: Sql,
  connection: Pick<SsoConnection, "activatedBy" | "id" | "organizationId">,
  userId: string,
  present: MemberPower,
): Promise<boolean> {
  const holder = await findConnectionHolder(sql, connection);
  const claims = (await listClaimsHolders(sql, connection.organizationId)).find(({ id }) => id === connection.id);
  const holders = [holder, claims].filter((each) => each !== undefined);
  return holders.every((each) => each.personId === userId && mayChange(memberPower(each) ?? NO_POWER, present));
}

async function persistTakeOver(
  deps: SsoConnectionDeps,
  sql: Sql,
  input: ConnectionInput,
  connection: SsoConnection,
): Promise<Result<SsoConnection, Refusal<"not_found">>> {
  const at = new Date(deps.clock.now());
  const entry = connectionAuditEvent(deps, input, "sso.connection.updated", at, { fields: "activated_by" });
  const state = { ...connection, activatedBy: input.caller.responsibleId, claims: null, renewsPower: true };
  await sql`
    with updated as (${updateConnection(sql, connection.id, state, at)})
    ${insertAudit(sql, entry, sql`from updated`)}`;
  const updated = await findConnection(sql, connection.organizationId, connection.id);
  return updated ? ok(updated) : err(NO_SUCH_CONNECTION);
}

/** Who is responsible for an active connection, for its page. */
export interface Responsibility {
  /** Null: the account was deleted. */
  readonly name: string | null;
  /** The reader may become responsible, and is not. */
  readonly mayTakeOver: boolean;
}

/** Undefined: the connection is not active. */
export async function readResponsibility(
  { database }: Pick<Deps, "database">,
  caller: OrganizationCaller,
  connection: SsoConnection,
): Promise<Responsibility | undefined> {
  if (connection.status !== "active") return undefined;
  return await database.run("sso_connection.find_holder", async (sql) => {
    const holder: HolderRow | undefined = await findConnectionHolder(sql, connection);
    const isOwn = await isResponsible(sql, connection, caller.actor.userId, caller);
    const mayTakeOver = !isOwn && (await authorizeTakeOver(sql, connection, caller)).ok;
    return { name: holder?.personName ?? null, mayTakeOver };
  });
}
