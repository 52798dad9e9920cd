import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { type DisplayedVersion, isVersion } from "../../../database/statement.ts";
import type { SessionDeps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { hasHeldDomain } from "../../../models/organization-domain/organization-domain.ts";
import {
  type ConnectionState,
  findConnection,
  lockConnection,
  type SsoConnection,
  updateConnection,
} from "../../../models/sso-connection/sso-connection.ts";
import { lacksPermission } from "../../steps/authorization/authorize-member.ts";
import { lockCaller } from "../../steps/authorization/authorize-role-edit.ts";
import { authorizeLifting, type LiftingDeps, noticeLifted } from "../../steps/authorization/lifted-requirement.ts";
import { ACTIVATION_CONDITIONS, type ActivationCondition, activationConditions } from "./activation-conditions.ts";
import { withoutEndedRequest } from "./activation-request.ts";
import { type ConnectionInput, connectionAuditEvent } from "./audit-connection.ts";
import { authorizeGrantedRoles } from "./authorize-granted-roles.ts";
import { mayGrantAccess, type SsoConnectionDeps } from "./create.ts";
import { endConnectionAccess } from "./end-connection-access.ts";
import { CHANGED_SINCE, type ConnectionView, NO_SUCH_CONNECTION, withServiceKeys } from "./read.ts";

type StatusProblem = Refusal<"conflict" | "not_found">;
type ActivationProblem = StatusProblem | Refusal<"forbidden">;

const INCOMPLETE = refusal("conflict", "The connection needs an issuer, a client id and a client secret or key.");
const INCOMPLETE_SAML = refusal("conflict", "The connection needs an entity id, a sign-on URL and a certificate.");
const NO_DOMAIN = refusal("conflict", "The organization needs a verified domain.");
const OWNERS_CONFIRM = refusal(
  "forbidden",
  "A set-up link requested the activation: an owner activates the connection.",
);
const NOT_TESTED = refusal("conflict", "The connection needs a successful test since the last change of its settings.");

/**
 * POST /v1/orgs/:org_id/sso/connections/:id/activate (docs/contract.md, section 29.6). An active connection stays
 * active, and the user who activated the connection stays responsible.
 */
export async function activateConnection(
  deps: SsoConnectionDeps & LiftingDeps,
  input: ConnectionInput & {
    /** The version that the caller has read; undefined: no comparison. */
    readonly displayed?: DisplayedVersion | undefined;
  },
): Promise<Result<ConnectionView, ActivationProblem>> {
  const activated = await deps.database.transaction<Result<SsoConnection, ActivationProblem>>(
    "sso_connection.activate",
    async (sql) => {
      const connection = await lockConnection(sql, input.caller.organizationId, input.connectionId);
      if (!connection) return err(NO_SUCH_CONNECTION);
      if (connection.status === "active") return ok(connection);
      if (input.displayed && !isVersion(connection.updatedAt, input.displayed)) return err(CHANGED_SINCE);
      const missing = await missingPrecondition(sql, connection);
      if (missing) return err(missing);
      const power = await lockCaller(sql, input.caller, "sso.manage");
      if (!power.ok) return power;
      const requested = await withoutEndedRequest(sql, connection, new Date(deps.clock.now()));
      if (requested.activationRequestedAt !== null && power.value.role !== "owner") return err(OWNERS_CONFIRM);
      const authorized = await authorizeGrantedRoles(sql, input.caller.organizationId, power.value);
      if (!authorized.ok) return authorized;
      if (!mayGrantAccess(power.value, connection)) return err(lacksPermission("applications.manage"));
      const lifting = await authorizeTrust(deps, sql, input, connection);
      if (!lifting.ok) return lifting;
      return await persistStatus(deps, sql, input, lifting.value, {
        ...connection,
        status: "active",
        activatedBy: input.caller.responsibleId,
        activationRequestedAt: null,
        claims: null,
        renewsPower: true,
      });
    },
  );
  return await resultOf(deps, activated);
}

/** POST …/:id/deactivate: no new sign-in begins or ends through the connection, and its sessions end. Idempotent. */
export async function deactivateConnection(
  deps: SsoConnectionDeps & SessionDeps & LiftingDeps,
  input: ConnectionInput,
): Promise<Result<ConnectionView, ActivationProblem>> {
  const deactivated = await deps.database.transaction<Result<SsoConnection, ActivationProblem>>(
    "sso_connection.deactivate",
    async (sql) => {
      const connection = await lockConnection(sql, input.caller.organizationId, input.connectionId);
      if (!connection) return err(NO_SUCH_CONNECTION);
      if (connection.status !== "active") return ok(connection);
      const lifting = await authorizeLifting(sql, input.caller, "single_sign_on", new Date(deps.clock.now()));
      if (!lifting.ok) return lifting;
      const after = { ...connection, status: "inactive", activationRequestedAt: null } as const;
      return await persistStatus(deps, sql, input, lifting.value, after);
    },
  );
  const result = await resultOf(deps, deactivated);
  // Repeated for an inactive connection: a replica may have crashed between the change and the end of the sessions.
  if (result.ok) await endConnectionAccess(deps, input);
  return result;
}

/** The problem of the first condition of an activation that a locked connection does not meet. */
export async function missingPrecondition(
  sql: Sql,
  connection: SsoConnection,
): Promise<Refusal<"conflict"> | undefined> {
  return firstMissing(connection, ACTIVATION_CONDITIONS, await hasHeldDomain(sql, connection.organizationId));
}

/** The problem of a connection that can send no request to the identity provider. */
export function missingSettings(connection: SsoConnection): Refusal<"conflict"> | undefined {
  return firstMissing(connection, ["values", "credential"], false);
}

function firstMissing(
  connection: SsoConnection,
  conditions: readonly ActivationCondition[],
  hasDomain: boolean,
): Refusal<"conflict"> | undefined {
  const met = activationConditions(connection, hasDomain);
  const missing = conditions.find((condition) => !met[condition]);
  if (missing === undefined) return undefined;
  if (missing === "domain") return NO_DOMAIN;
  if (missing === "test") return NOT_TESTED;
  return connection.protocol === "saml" ? INCOMPLETE_SAML : INCOMPLETE;
}

/** A second factor of the identity provider replaces the required second factor of the service. */
async function authorizeTrust(
  deps: SsoConnectionDeps,
  sql: Sql,
  { caller }: ConnectionInput,
  { config }: SsoConnection,
): Promise<Result<boolean, Refusal<"forbidden">>> {
  if (config.mfa_trust === "never") return ok(false);
  return await authorizeLifting(sql, caller, "second_factor", new Date(deps.clock.now()));
}

/** `lifts`: an enforced policy relied on the former status. */
async function persistStatus(
  deps: SsoConnectionDeps & LiftingDeps,
  sql: Sql,
  input: ConnectionInput,
  lifts: boolean,
  after: SsoConnection & Pick<ConnectionState, "claims" | "renewsPower">,
): Promise<Result<SsoConnection, StatusProblem>> {
  const at = new Date(deps.clock.now());
  const action = after.status === "active" ? "sso.connection.activated" : "sso.connection.deactivated";
  const entry = connectionAuditEvent(deps, input, action, at);
  await sql`
    with updated as (${updateConnection(sql, after.id, after, at)})
    ${insertAudit(sql, entry, sql`from updated`)}`;
  if (lifts) await noticeLifted(deps, sql, after.organizationId, { setting: after.name, client: input.client, at });
  const updated = await findConnection(sql, after.organizationId, after.id);
  return updated ? ok(updated) : err(NO_SUCH_CONNECTION);
}

async function resultOf<Problem extends Refusal>(
  deps: SsoConnectionDeps & LiftingDeps,
  changed: Result<SsoConnection, Problem>,
): Promise<Result<ConnectionView, Problem>> {
  if (!changed.ok) return changed;
  deps.outbox.wake();
  await deps.ssoDirectory.changed();
  return ok(await withServiceKeys(deps, changed.value));
}
