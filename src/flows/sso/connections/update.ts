import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { type DisplayedVersion, isVersion } from "../../../database/statement.ts";
import type { SessionDeps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { storeMetadataReport } from "../../../models/sso-connection/metadata-report.ts";
import { insertServiceKey, type ServiceKey } from "../../../models/sso-connection/service-key.ts";
import {
  type ConnectionState,
  deleteIdentities,
  findConnection,
  hasIdentities,
  lockConnection,
  type SsoConnection,
  updateConnection,
} from "../../../models/sso-connection/sso-connection.ts";
import { findLinkedPower } from "../../../models/sso-identity/linked-power.ts";
import { holds, type MemberPower, mayChange } from "../../../vocabulary/member-power.ts";
import { needsServiceKey } from "../../../vocabulary/sso/protocol-config.ts";
import { isSetupLink, lacksPermission } from "../../steps/authorization/authorize-member.ts";
import { lockCaller } from "../../steps/authorization/authorize-role-edit.ts";
import {
  authorizeLifting,
  type LiftingDeps,
  noticeLifted,
  type Requirement,
} from "../../steps/authorization/lifted-requirement.ts";
import { endConfirmation } from "../../steps/channels/confirm-connections.ts";
import { NO_POWER } from "../../steps/power/holder-power.ts";
import { type ConnectionInput, connectionAuditEvent } from "./audit-connection.ts";
import { authorizeGrantedRoles } from "./authorize-granted-roles.ts";
import {
  applySettings,
  type ConnectionSettings,
  changedFields,
  changesRoles,
  changesSubjects,
  changesVoucher,
  type EditableState,
  isSecurityRelevant,
  needsRevision,
} from "./connection-change.ts";
import { firstServiceKey, type SsoConnectionDeps, type SsoSettingsDeps } from "./create.ts";
import { endConnectionAccess } from "./end-connection-access.ts";
import { CHANGED_SINCE, type ConnectionView, NO_SUCH_CONNECTION, withServiceKeys } from "./read.ts";
import { withMetadata } from "./submitted-metadata.ts";

export interface UpdateConnectionInput extends ConnectionInput {
  readonly settings: ConnectionSettings;
  /** Permits a change that gives stored subjects a new meaning, and unlinks all users. */
  readonly unlinkIdentities: boolean;
  /** The version that a form displayed; undefined: no comparison. */
  readonly displayed?: DisplayedVersion;
  /** The audit action; default: `sso.connection.updated`. */
  readonly action?: "sso.connection.metadata_changed";
}

type UpdateProblem = Refusal<"conflict" | "forbidden" | "invalid_input" | "not_found" | "rate_limited">;

const IDENTITIES_LINKED: Refusal<"conflict"> = {
  ...refusal(
    "conflict",
    "Users are linked to this identity provider. Repeat the change with unlink_identities to unlink the users.",
  ),
  reason: "identities_linked",
};
const ABOVE_CALLER = refusal(
  "forbidden",
  "Members with more permissions than yours sign in by this connection: one of these members makes this change.",
);
const ACTIVE = refusal("conflict", "The connection is active: an administrator of the organization changes it.");
interface Update {
  readonly after: SsoConnection;
  readonly hasUnlinked: boolean;
}

/** PATCH /v1/orgs/:org_id/sso/connections/:id (docs/contract.md, section 29.6). */
export async function updateConnectionSettings(
  deps: SsoSettingsDeps & SessionDeps & LiftingDeps,
  submitted: UpdateConnectionInput,
): Promise<Result<ConnectionView, UpdateProblem>> {
  const before = await deps.database.run("sso_connection.find", (sql) =>
    findConnection(sql, submitted.caller.organizationId, submitted.connectionId),
  );
  if (!before) return err(NO_SUCH_CONNECTION);
  const settings = await withMetadata(deps, before.organizationId, before, submitted.settings);
  if (!settings.ok) return settings;
  const input = { ...submitted, settings: settings.value };
  const applied = applySettings(deps, before.id, before, input.settings);
  if (!applied.ok) return applied;
  // Outside of the transaction: a key takes a moment. An existing key stays.
  const key = needsServiceKey(before) ? undefined : await firstServiceKey(deps, before.id, applied.value);
  const updated = await deps.database.transaction<Result<Update, UpdateProblem>>("sso_connection.update", (sql) =>
    persistUpdate(deps, sql, input, key),
  );
  if (!updated.ok) return updated;
  deps.outbox.wake();
  await deps.ssoDirectory.changed();
  if (updated.value.hasUnlinked) await endConnectionAccess(deps, input);
  return ok(await withServiceKeys(deps, updated.value.after));
}

/** Applies the settings again under the lock: a concurrent change of other members stays. */
async function persistUpdate(
  deps: SsoConnectionDeps & LiftingDeps,
  sql: Sql,
  input: UpdateConnectionInput,
  key: ServiceKey | undefined,
): Promise<Result<Update, UpdateProblem>> {
  const { caller, client, settings } = input;
  const before = await lockConnection(sql, caller.organizationId, input.connectionId);
  if (!before) return err(NO_SUCH_CONNECTION);
  if (before.status === "active" && isSetupLink(caller)) return err(ACTIVE);
  if (input.displayed && !isVersion(before.updatedAt, input.displayed)) return err(CHANGED_SINCE);
  const applied = applySettings(deps, before.id, before, settings);
  if (!applied.ok) return applied;
  const fields = changedFields(before, applied.value, settings);
  if (settings.metadataReport) await storeMetadataReport(sql, before.id, settings.metadataReport);
  if (fields.length === 0) return ok({ after: before, hasUnlinked: await hasNoLinks(sql, input, before.id) });
  const isUnlinking = changesSubjects(fields) && (await hasIdentities(sql, before.id));
  if (isUnlinking && !input.unlinkIdentities) return err(IDENTITIES_LINKED);
  const authorized = await authorizeFields(sql, caller, before, { fields, isUnlinking });
  if (!authorized.ok) return authorized;
  const at = new Date(deps.clock.now());
  const lifting = await authorizeLifted(sql, caller, liftedBy(before, applied.value, { fields, isUnlinking }), at);
  if (!lifting.ok) return lifting;
  if (isUnlinking) await deleteIdentities(sql, before.id);
  if (key) await insertServiceKey(sql, key);
  const metadata = { fields: fields.join(" "), ...(isUnlinking && { identities_unlinked: true }) };
  const entry = connectionAuditEvent(deps, input, input.action ?? "sso.connection.updated", at, metadata);
  const state = nextState(before, applied.value, { fields, userId: caller.responsibleId, at });
  await sql`
    with updated as (${updateConnection(sql, before.id, state, at)})
    ${insertAudit(sql, entry, sql`from updated`)}`;
  if (changesRoles(fields)) await endConfirmation(sql, before.id, authorized.value ?? NO_POWER);
  if (lifting.value) await noticeLifted(deps, sql, caller.organizationId, { setting: before.name, client, at });
  const after = await findConnection(sql, caller.organizationId, before.id);
  return after ? ok({ after, hasUnlinked: await hasNoLinks(sql, input, before.id) }) : err(NO_SUCH_CONNECTION);
}

/**
 * Whether a change that unlinks users leaves no user linked: a replica may have crashed between an equal change and the
 * end of the sessions, which the repetition then ends.
 */
async function hasNoLinks(sql: Sql, { unlinkIdentities }: UpdateConnectionInput, id: string): Promise<boolean> {
  return unlinkIdentities && !(await hasIdentities(sql, id));
}

/**
 * The requirements that a change of an active connection lifts: unlinked members cannot sign in by single sign-on, and
 * another identity provider, or another value, replaces the second factor.
 */
function liftedBy(
  { status }: SsoConnection,
  { config: after }: EditableState,
  { fields, isUnlinking }: ChangedFields,
): readonly Requirement[] {
  if (status !== "active") return [];
  const trustsOthers = after.mfa_trust !== "never" && changesVoucher(fields);
  return [...(isUnlinking ? (["single_sign_on"] as const) : []), ...(trustsOthers ? (["second_factor"] as const) : [])];
}

/** Returns whether the organization has one of the requirements. */
async function authorizeLifted(
  sql: Sql,
  caller: ConnectionInput["caller"],
  requirements: readonly Requirement[],
  at: Date,
): Promise<Result<boolean, Refusal<"forbidden">>> {
  let lifts = false;
  for (const requirement of requirements) {
    const lifting = await authorizeLifting(sql, caller, requirement, at);
    if (!lifting.ok) return lifting;
    lifts ||= lifting.value;
  }
  return ok(lifts);
}

interface ChangedFields {
  readonly fields: readonly string[];
  readonly isUnlinking: boolean;
}

/**
 * Authorizes a change of the party whose assertions sign users in, or of the claims that the rules for roles read,
 * under lock on the caller. Returns the power of the caller for the change of either.
 */
async function authorizeFields(
  sql: Sql,
  caller: ConnectionInput["caller"],
  { id, organizationId, status }: SsoConnection,
  { fields, isUnlinking }: ChangedFields,
): Promise<Result<MemberPower | undefined, Refusal<"forbidden">>> {
  const changesTrust = isSecurityRelevant(fields);
  if (!changesTrust && !changesRoles(fields)) return ok(undefined);
  const power = await lockCaller(sql, caller, "sso.manage");
  if (!power.ok) return power;
  if (fields.includes("id_jag") && !holds(power.value, "applications.manage")) {
    return err(lacksPermission("applications.manage"));
  }
  if (changesTrust && !isUnlinking && !(await mayVouch(sql, id, caller, power.value))) return err(ABOVE_CALLER);
  if (status !== "active") return power;
  const granted = await authorizeGrantedRoles(sql, organizationId, power.value);
  return granted.ok ? power : granted;
}

/**
 * Whether a caller may decide whose assertions sign the linked users in: a caller with a foreign key or issuer could
 * sign in as every linked member, so no linked member may have a permission that the caller lacks.
 */
async function mayVouch(
  sql: Sql,
  connectionId: string,
  caller: ConnectionInput["caller"],
  power: MemberPower,
): Promise<boolean> {
  const { organizationId } = caller;
  const exceptUserId = isSetupLink(caller) ? null : caller.responsibleId;
  const { roles, granted } = await findLinkedPower(sql, { connectionId, organizationId, exceptUserId });
  return roles.every((role) => mayChange(power, { role, granted }));
}

/**
 * A change that concerns security clears the test. The user who changes an active connection so becomes responsible for
 * links by domain, as if the user had activated the connection. A change of the claims that rules read makes the user
 * responsible for the rules, and for no link.
 */
function nextState(
  before: SsoConnection,
  after: EditableState,
  { fields, userId, at }: { readonly fields: readonly string[]; readonly userId: string; readonly at: Date },
): ConnectionState {
  const { status, testedAt, activatedBy, revision } = before;
  // An owner confirms the settings at the time of the request: every change ends the request.
  const claims = changesRoles(fields) ? { claims: { setBy: userId, at } } : {};
  const ended = { ...after, ...claims, status, activationRequestedAt: null };
  const state = { ...ended, revision: needsRevision(fields) ? revision + 1 : revision };
  if (!isSecurityRelevant(fields)) return { ...state, testedAt, activatedBy };
  if (status !== "active") return { ...state, testedAt: null, activatedBy };
  return { ...state, testedAt: null, activatedBy: userId, renewsPower: true };
}
