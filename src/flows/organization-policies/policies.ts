import { isDeepStrictEqual } from "node:util";
import { changedMeanwhile, type Refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { lockName } from "../../database/statement.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import { POLICY_DRY_RUN_MEMBERS_MAX } from "../../limits/policy-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { type Affected, findAffected } from "../../models/organization-policy/affected-members.ts";
import {
  findPolicies,
  policyInForce,
  type StoredPolicy,
  savePolicies,
} from "../../models/organization-policy/organization-policy.ts";
import type { SessionEvent } from "../../models/session/revocation.ts";
import { ssoPolicyLock } from "../../models/sso-policy/policy-lock.ts";
import { findPolicy } from "../../models/sso-policy/sso-policy.ts";
import type { PolicyInForce, PolicySettings } from "../../vocabulary/policy-settings.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { authorizeJoiningRole } from "../steps/authorization/authorize-joining-role.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import { authorizeGrant } from "../steps/channels/authorize-grant.ts";
import type { ChannelHolder } from "../steps/channels/channels.ts";
import { channelMetadata, notifyConfirmation } from "../steps/channels/notify-grant.ts";
import { announcePolicy, logPolicyChange, type PolicyDeps } from "./announce-policy.ts";
import { acceptPolicy, findLockOut } from "./lock-out.ts";
import { POLICY_MEMBERS, type SubmittedPolicies, validatePolicies } from "./policy-rules.ts";

const CHANGED_MEANWHILE = changedMeanwhile("The policies have changed since you read them.");

/** A stored policy, and the settings in force at the time of the reading. */
export interface PoliciesNow extends StoredPolicy {
  readonly inForce: PolicyInForce | null;
}

/** GET /v1/orgs/:org_id/policies (docs/contract.md, section 33.2). */
export async function readPolicies(
  deps: Pick<Deps, "clock" | "database">,
  caller: OrganizationCaller,
): Promise<Result<PoliciesNow, never>> {
  return ok(await readPoliciesNow(deps, caller));
}

/** The stored policies with the settings in force. */
export async function readPoliciesNow(
  { database, clock }: Pick<Deps, "clock" | "database">,
  { organizationId }: OrganizationCaller,
): Promise<PoliciesNow> {
  const stored = await database.run("organization_policy.find", (sql) => findPolicies(sql, organizationId));
  return withInForce(stored, new Date(clock.now()));
}

function withInForce(stored: StoredPolicy, at: Date): PoliciesNow {
  return { ...stored, inForce: policyInForce(stored, at) };
}

export interface ReplacePoliciesInput extends SubmittedPolicies {
  /** Holds `policies.manage`, with a step-up. */
  readonly caller: OrganizationCaller;
  /** Accepts a policy that locks out the caller, if a user with emergency access exists. */
  readonly confirm: boolean;
  /** Accepts the channels whose people lack the power (docs/contract.md, section 32.9). */
  readonly confirmChannels?: boolean | undefined;
  /** The revision that the caller has read; undefined: any. */
  readonly revision: number | undefined;
  readonly client: RequestContext;
}

interface Replaced {
  readonly stored: StoredPolicy;
  /** To announce after the commit. */
  readonly events: readonly SessionEvent[];
}

/** PUT /v1/orgs/:org_id/policies (docs/contract.md, section 33.2). Equal settings change and record nothing. */
export async function replacePolicies(
  deps: PolicyDeps & EmailDeps & Pick<Deps, "identityProviders">,
  input: ReplacePoliciesInput,
): Promise<Result<PoliciesNow, Refusal<"conflict" | "forbidden" | "invalid_input">>> {
  const valid = validatePolicies(deps, input);
  if (!valid.ok) return valid;
  const at = new Date(deps.clock.now());
  const replaced = await replaceIn(deps, input, valid.value, at);
  if (!replaced.ok) return replaced;
  deps.outbox.wake();
  await announcePolicy(deps, replaced.value.events);
  return ok(withInForce(replaced.value.stored, at));
}

async function replaceIn(
  deps: PolicyDeps & EmailDeps,
  input: ReplacePoliciesInput,
  settings: PolicySettings,
  at: Date,
): Promise<Result<Replaced, Refusal<"conflict" | "forbidden">>> {
  const { caller, policiesAt, confirm, revision, client } = input;
  const { organizationId } = caller;
  return await deps.database.transaction("organization_policy.replace", async (sql) => {
    await lockName(sql, `policies of ${organizationId}`);
    const before = await findPolicies(sql, organizationId);
    if (revision !== undefined && revision !== before.revision) return err(CHANGED_MEANWHILE);
    const start = startOf(policiesAt, at);
    const fields = changedMembers(before, settings, start, at);
    if (fields.length === 0) return ok({ stored: before, events: [] });
    const isOpening = settings.domainJoin === "join" && policyInForce(before, at)?.domainJoin !== "join";
    if (isOpening) await lockName(sql, ssoPolicyLock(organizationId));
    const opening = isOpening ? await authorizeOpening(sql, caller, at, input.confirmChannels ?? false) : ok([]);
    if (!opening.ok) return opening;
    const address = client.ipAddress;
    const accepted = await acceptPolicy(sql, { caller, settings, address, confirm, at });
    if (!accepted.ok) return accepted;
    const next = {
      settings: { ...settings, ...accepted.value, mfaSince: mfaSince(before, settings, start, at) },
      policiesAt: start,
      previous: start.getTime() > at.getTime() ? policyInForce(before, at) : null,
    };
    const entry = userAuditEvent(deps, caller.actor, client, {
      action: "policy.updated",
      at,
      resource: { type: "organization", id: organizationId },
      metadata: { fields: fields.join(" "), policies_at: start.toISOString(), ...channelMetadata(opening.value) },
    });
    await sql`
      with saved as (${savePolicies(sql, organizationId, next, at)}) ${insertAudit(sql, entry, sql`from saved`)}`;
    await notifyConfirmation(deps, sql, { organizationId, channels: opening.value, client, at });
    const events = await logPolicyChange(deps, sql, organizationId, "policy_changed", at);
    return ok({ stored: await findPolicies(sql, organizationId), events });
  });
}

/** Authorizes joining without a decision: the caller has the role, and so has everyone who claimed a held domain. */
async function authorizeOpening(
  sql: Sql,
  caller: OrganizationCaller,
  at: Date,
  confirm: boolean,
): Promise<Result<readonly ChannelHolder[], Refusal<"conflict" | "forbidden">>> {
  const opening = await authorizeJoiningRole(sql, caller, "policies.manage");
  if (!opening.ok) return opening;
  const { organizationId } = caller;
  const { defaultRole: role } = await findPolicy(sql, organizationId);
  const powers = [{ role, granted: [] }];
  return await authorizeGrant(sql, { organizationId, grant: "domain_join", powers, at }, confirm);
}

function startOf(policiesAt: Date | null, at: Date): Date {
  return policiesAt && policiesAt.getTime() > at.getTime() ? policiesAt : at;
}

/** The names of changed members; a start of unchanged settings counts while the settings wait. */
function changedMembers(before: StoredPolicy, after: PolicySettings, start: Date, at: Date): readonly string[] {
  const names = Object.keys(POLICY_MEMBERS) as (keyof PolicySettings)[];
  const changed: string[] = names
    .filter((name) => !isDeepStrictEqual(before.settings[name], after[name]))
    .map((name) => POLICY_MEMBERS[name]);
  const isMoved = before.policiesAt.getTime() > at.getTime() && before.policiesAt.getTime() !== start.getTime();
  return isMoved ? [...changed, "policies_at"] : changed;
}

/**
 * The start of the days of grace. Neither a change of other settings nor the cancellation of settings that wait begins
 * the days anew.
 */
function mfaSince(before: StoredPolicy, { mfa }: PolicySettings, start: Date, at: Date): string {
  const equal = [before.settings, policyInForce(before, at)].filter((each) => each?.mfa === mfa);
  const starts = equal.map((each) => Date.parse(each?.mfaSince ?? start.toISOString()));
  return new Date(Math.min(...starts, start.getTime())).toISOString();
}

/**
 * PUT /v1/orgs/:org_id/policies?dry_run=true (docs/contract.md, section 33.7): the members whom the settings would
 * affect. Changes nothing.
 */
export async function previewPolicies(
  deps: Pick<Deps, "clock" | "database" | "identityProviders">,
  { caller, ...submitted }: SubmittedPolicies & { readonly caller: OrganizationCaller },
): Promise<Result<Affected, Refusal<"invalid_input">>> {
  const valid = validatePolicies(deps, submitted);
  return valid.ok ? ok(await affectedBy(deps, caller, valid.value)) : valid;
}

async function affectedBy(
  { clock, database }: Pick<Deps, "clock" | "database">,
  { organizationId }: OrganizationCaller,
  settings: PolicySettings,
): Promise<Affected> {
  const at = new Date(clock.now());
  const stored = await database.run("organization_policy.find", (sql) => findPolicies(sql, organizationId));
  const scope = { inForce: policyInForce(stored, at), at, limit: POLICY_DRY_RUN_MEMBERS_MAX };
  return await database.run("organization_policy.find_affected", (sql) =>
    findAffected(sql, organizationId, settings, scope),
  );
}

/** What a page displays before a change is confirmed. */
export interface PolicyReview {
  /** The submitted settings in the stored form. */
  readonly settings: PolicySettings;
  readonly affected: Affected;
  /** Undefined: the settings lock out neither the caller nor all owners. */
  readonly lockOut: Refusal<"conflict"> | undefined;
}

/** The effect of submitted settings, with the lock-out that a change without `confirm` would be refused for. */
export async function reviewPolicies(
  deps: Pick<Deps, "clock" | "database" | "identityProviders">,
  { caller, client, ...submitted }: SubmittedPolicies & Pick<ReplacePoliciesInput, "caller" | "client">,
): Promise<Result<PolicyReview, Refusal<"invalid_input">>> {
  const valid = validatePolicies(deps, submitted);
  if (!valid.ok) return valid;
  const settings = valid.value;
  const attempt = { caller, settings, address: client.ipAddress, at: new Date(deps.clock.now()) };
  const [affected, lockOut] = await Promise.all([
    affectedBy(deps, caller, settings),
    deps.database.run("organization_policy.find_lock_out", (sql) => findLockOut(sql, attempt)),
  ]);
  return ok({ settings, affected, lockOut });
}
