import { isDeepStrictEqual } from "node:util";
import { type FieldFlaw, hasFlaws, type InputFlaw, invalidFields } from "../../../base/invalid-input.ts";
import { changedMeanwhile, type Refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { trimmedIdentifier } from "../../../base/stored-text.ts";
import { DAY_MS } from "../../../base/time-units.ts";
import { type DisplayedVersion, isStoredVersion, lockName } from "../../../database/statement.ts";
import type { Deps, EmailDeps } from "../../../deps.ts";
import {
  SSO_BREAK_GLASS_LISTED_MAX,
  SSO_BREAK_GLASS_MAX,
  SSO_CLAIM_NAME_MAX_CHARACTERS,
  SSO_DRY_RUN_MEMBERS_MAX,
  SSO_REQUIRED_AHEAD_DAYS_MAX,
  SSO_ROLE_RULES_MAX,
  SSO_ROLE_VALUE_MAX_CHARACTERS,
} from "../../../limits/sso-limits.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { isRoleKey } from "../../../models/organization-role/organization-role.ts";
import type { SessionEvent } from "../../../models/session/revocation.ts";
import {
  type Coverage,
  type EmergencyCandidate,
  findCoverage,
  listEmergencyCandidates,
} from "../../../models/sso-policy/enforcement.ts";
import { ssoPolicyLock } from "../../../models/sso-policy/policy-lock.ts";
import {
  findPolicy,
  type PolicySettings,
  type RoleRule,
  type SsoPolicy,
  savePolicy,
} from "../../../models/sso-policy/sso-policy.ts";
import { isBuiltInRole } from "../../../vocabulary/sso/sso-policy-settings.ts";
import { announcePolicy, logPolicyChange, type PolicyDeps } from "../../organization-policies/announce-policy.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import type { OrganizationCaller } from "../../steps/authorization/authorize-member.ts";
import { channelMetadata, notifyConfirmation } from "../../steps/channels/notify-grant.ts";
import { withdrawUnfoundedRoles } from "../../steps/roles/withdraw-unfounded-roles.ts";
import { textFlaw } from "../connections/setting-flaws.ts";
import { authorizeMappedRoles } from "./authorize-mapped-roles.ts";
import { authorizePolicyGrants } from "./authorize-policy-grants.ts";
import { missingPrerequisite } from "./required-rules.ts";

export interface ReplacePolicyInput {
  /** A caller with `policies.manage` and a step-up. */
  readonly caller: OrganizationCaller;
  readonly settings: PolicySettings;
  /** Accepts the channels whose people lack the power (docs/contract.md, section 32.9). */
  readonly confirm?: boolean | undefined;
  /** The version that the caller has read; undefined: no comparison. */
  readonly displayed?: DisplayedVersion | undefined;
  readonly client: RequestContext;
}

/** The member of the API for every setting. */
const POLICY_MEMBERS: Readonly<Record<keyof PolicySettings, string>> = {
  mode: "mode",
  requiredAt: "required_at",
  guests: "guests",
  breakGlass: "break_glass",
  jit: "jit",
  defaultRole: "default_role",
  roleRules: "role_rules",
  sync: "sync",
  requireOwnFactor: "require_own_factor",
};

const CHANGED_MEANWHILE = changedMeanwhile("The policy has changed meanwhile.");
const TOO_LATE: InputFlaw = { rule: "not_allowed", text: `at most ${SSO_REQUIRED_AHEAD_DAYS_MAX} days ahead` };
const NO_ROLE: InputFlaw = { rule: "unknown_value", text: "admin, member or the key of a role" };
const WITHOUT_ENFORCEMENT: InputFlaw = { rule: "conflicting", text: "needs the mode required" };

/** GET /v1/orgs/:org_id/sso/policy (docs/contract.md, section 29.9). */
export async function readPolicy(
  deps: Pick<Deps, "database">,
  { organizationId }: OrganizationCaller,
): Promise<Result<SsoPolicy, never>> {
  return ok(await deps.database.run("sso_policy.find", (sql) => findPolicy(sql, organizationId)));
}

/** PUT /v1/orgs/:org_id/sso/policy (docs/contract.md, section 29.9). Equal settings change and record nothing. */
export async function replacePolicy(
  deps: PolicyDeps & EmailDeps,
  { caller, settings: submitted, displayed, client, confirm = false }: ReplacePolicyInput,
): Promise<Result<SsoPolicy, Refusal<"conflict" | "forbidden" | "invalid_input">>> {
  const settings = { ...submitted, roleRules: submitted.roleRules.map(trimmedRule) };
  const flaws = policyFlaws(deps, settings);
  if (hasFlaws(flaws)) return err(invalidFields(flaws));
  const { organizationId } = caller;
  const at = new Date(deps.clock.now());
  const replaced = await deps.database.transaction<
    Result<Replaced, Refusal<"conflict" | "forbidden" | "invalid_input">>
  >("sso_policy.replace", async (sql) => {
    await lockName(sql, ssoPolicyLock(organizationId));
    const before = await findPolicy(sql, organizationId);
    if (displayed && !isStoredVersion(before.updatedAt, displayed)) return err(CHANGED_MEANWHILE);
    const fields = changedMembers(before, settings);
    if (fields.length === 0 && before.updatedAt !== null) return ok({ policy: before, events: [] });
    const authorized = await authorizeMappedRoles(sql, caller, { before, after: settings });
    if (!authorized.ok) return authorized;
    const missing = await missingPrerequisite(deps, sql, organizationId, { before, settings });
    if (missing) return err(missing);
    const granted = await authorizePolicyGrants(sql, { organizationId, before, after: settings, at }, confirm);
    if (!granted.ok) return granted;
    const resource = { type: "organization", id: organizationId } as const;
    const metadata = { fields: fields.join(" "), mode: settings.mode, ...channelMetadata(granted.value) };
    const entry = userAuditEvent(deps, caller.actor, client, {
      action: "sso.policy.updated",
      at,
      resource,
      metadata,
    });
    const next = { ...settings, pausedUntil: before.pausedUntil };
    await sql`
      with saved as (${savePolicy(sql, organizationId, next, at)}) ${insertAudit(sql, entry, sql`from saved`)}`;
    await notifyConfirmation(deps, sql, { organizationId, channels: granted.value, client, at });
    const events = await logPolicyChange(deps, sql, organizationId, "sso_policy_changed", at);
    return ok({ policy: await findPolicy(sql, organizationId), events });
  });
  if (!replaced.ok) return replaced;
  deps.outbox.wake();
  await announcePolicy(deps, replaced.value.events);
  // Repeated for equal settings: a replica may have crashed between the change and the end of the roles.
  await withdrawUnfoundedRoles(deps, { organizationId, actor: caller.actor, client });
  return ok(replaced.value.policy);
}

interface Replaced {
  readonly policy: SsoPolicy;
  /** To announce after the commit. */
  readonly events: readonly SessionEvent[];
}

/**
 * PUT /v1/orgs/:org_id/sso/policy?dry_run=true (docs/contract.md, section 29.47): the members whom the settings would
 * cover in the mode `required`. Changes nothing, and needs no prerequisite.
 */
export async function previewPolicy(
  deps: Pick<Deps, "clock" | "database">,
  { caller, settings }: Omit<ReplacePolicyInput, "client">,
): Promise<Result<Coverage, Refusal<"invalid_input">>> {
  const flaws = policyFlaws(deps, settings);
  if (hasFlaws(flaws)) return err(invalidFields(flaws));
  return ok(
    await deps.database.run("sso_policy.find_coverage", (sql) =>
      findCoverage(sql, caller.organizationId, settings, SSO_DRY_RUN_MEMBERS_MAX),
    ),
  );
}

/** The owners whom the page of the policy offers for emergency access. */
export async function readEmergencyCandidates(
  deps: Pick<Deps, "database">,
  { organizationId }: Pick<OrganizationCaller, "organizationId">,
): Promise<readonly EmergencyCandidate[]> {
  return await deps.database.run("sso_policy.list_candidates", (sql) =>
    listEmergencyCandidates(sql, organizationId, SSO_BREAK_GLASS_LISTED_MAX),
  );
}

function changedMembers(before: PolicySettings, after: PolicySettings): readonly string[] {
  const members = Object.keys(POLICY_MEMBERS) as (keyof PolicySettings)[];
  return members
    .filter((member) => !isDeepStrictEqual(before[member], after[member]))
    .map((member) => POLICY_MEMBERS[member]);
}

function policyFlaws(
  { clock }: Pick<Deps, "clock">,
  { mode, requiredAt, breakGlass, roleRules }: PolicySettings,
): readonly FieldFlaw[] {
  const isTooLate = requiredAt !== null && requiredAt.getTime() > clock.now() + SSO_REQUIRED_AHEAD_DAYS_MAX * DAY_MS;
  const flaws: readonly (readonly [string, InputFlaw | undefined])[] = [
    [
      "required_at",
      requiredAt !== null && mode !== "required" ? WITHOUT_ENFORCEMENT : isTooLate ? TOO_LATE : undefined,
    ],
    ["break_glass", tooManyFlaw(breakGlass, SSO_BREAK_GLASS_MAX)],
    ["role_rules", tooManyFlaw(roleRules, SSO_ROLE_RULES_MAX) ?? rulesFlaw(roleRules)],
    ["role_rules.role", roleRules.every(({ role }) => isMappable(role)) ? undefined : NO_ROLE],
  ];
  return flaws.flatMap(([field, flaw]) => (flaw ? [{ field, ...flaw }] : []));
}

/** A mapping never grants `owner`. */
function isMappable(role: string): boolean {
  return isBuiltInRole(role) || (isRoleKey(role) && role !== "owner");
}

function tooManyFlaw(list: readonly unknown[], max: number): InputFlaw | undefined {
  return list.length > max ? { rule: "too_long", text: `at most ${max}` } : undefined;
}

/** Rules compare names and values exactly: pasted white space and invisible characters never match. */
function trimmedRule({ from, value, role }: RoleRule): RoleRule {
  return { from: trimmedIdentifier(from), value: trimmedIdentifier(value), role };
}

function rulesFlaw(rules: readonly RoleRule[]): InputFlaw | undefined {
  const flaws = rules.map(
    ({ from, value }) =>
      textFlaw(from, SSO_CLAIM_NAME_MAX_CHARACTERS) ?? textFlaw(value, SSO_ROLE_VALUE_MAX_CHARACTERS),
  );
  return flaws.find((flaw) => flaw !== undefined);
}
