import { isDeepStrictEqual } from "node:util";
import { type FieldFlaw, hasFlaws, type InputFlaw, invalidFields } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { lockName } from "../../database/statement.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import {
  SSO_BREAK_GLASS_MAX,
  SSO_CLAIM_NAME_MAX_CHARACTERS,
  SSO_ROLE_RULES_MAX,
  SSO_ROLE_VALUE_MAX_CHARACTERS,
} from "../../limits/sso-limits.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { isAtLeast } from "../../models/member/member.ts";
import { findPolicy, type RoleRule, type SsoPolicy, savePolicy } from "../../models/sso-policy/sso-policy.ts";
import { textFlaw } from "../sso-connections/setting-flaws.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { MemberCaller, OrganizationCaller } from "../steps/authorization/authorize-member.ts";

export {
  GUEST_RULES,
  JIT_MODES,
  MAPPED_ROLES,
  ROLE_SYNCS,
  SSO_MODES,
} from "../../models/sso-policy/sso-policy.ts";

export type PolicySettings = Omit<SsoPolicy, "pausedUntil" | "revision" | "updatedAt">;

export interface ReplacePolicyInput {
  /** An owner with a step-up. */
  readonly caller: MemberCaller;
  readonly settings: PolicySettings;
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

const ABOVE_CALLER = refusal("forbidden", "You cannot grant a role above your own.");
const NOT_ENFORCEABLE = refusal("conflict", "This release does not enforce single sign-on: mode required is refused.");
const NO_OWN_FACTOR = refusal(
  "conflict",
  "This release asks for no factor of its own after single sign-on: require_own_factor true is refused.",
);
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
  deps: StoreDeps & Pick<Deps, "ssoDirectory">,
  { caller, settings, client }: ReplacePolicyInput,
): Promise<Result<SsoPolicy, Refusal<"conflict" | "forbidden" | "invalid_input">>> {
  const mapped = [settings.defaultRole, ...settings.roleRules.map(({ role }) => role)];
  if (!mapped.every((role) => isAtLeast(caller.role, role))) return err(ABOVE_CALLER);
  const flaws = policyFlaws(settings);
  if (hasFlaws(flaws)) return err(invalidFields(flaws));
  if (settings.mode === "required") return err(NOT_ENFORCEABLE);
  if (settings.requireOwnFactor) return err(NO_OWN_FACTOR);
  const { organizationId } = caller;
  const at = new Date(deps.clock.now());
  const replaced = await deps.database.transaction("sso_policy.replace", async (sql) => {
    await lockName(sql, `sso policy of ${organizationId}`);
    const before = await findPolicy(sql, organizationId);
    const fields = changedMembers(before, settings);
    if (fields.length === 0 && before.updatedAt !== null) return before;
    const resource = { type: "organization", id: organizationId } as const;
    const metadata = { fields: fields.join(" "), mode: settings.mode };
    const entry = userAuditEvent(deps, caller.actor, client, { action: "sso.policy.updated", at, resource, metadata });
    const next = { ...settings, pausedUntil: before.pausedUntil };
    await sql`
      with saved as (${savePolicy(sql, organizationId, next, at)}) ${insertAudit(sql, entry, sql`from saved`)}`;
    return await findPolicy(sql, organizationId);
  });
  await deps.ssoDirectory.changed();
  return ok(replaced);
}

function changedMembers(before: PolicySettings, after: PolicySettings): readonly string[] {
  const members = Object.keys(POLICY_MEMBERS) as (keyof PolicySettings)[];
  return members
    .filter((member) => !isDeepStrictEqual(before[member], after[member]))
    .map((member) => POLICY_MEMBERS[member]);
}

function policyFlaws({ mode, requiredAt, breakGlass, roleRules }: PolicySettings): readonly FieldFlaw[] {
  const flaws: readonly (readonly [string, InputFlaw | undefined])[] = [
    ["required_at", requiredAt !== null && mode !== "required" ? WITHOUT_ENFORCEMENT : undefined],
    ["break_glass", tooManyFlaw(breakGlass, SSO_BREAK_GLASS_MAX)],
    ["role_rules", tooManyFlaw(roleRules, SSO_ROLE_RULES_MAX) ?? rulesFlaw(roleRules)],
  ];
  return flaws.flatMap(([field, flaw]) => (flaw ? [{ field, ...flaw }] : []));
}

function tooManyFlaw(list: readonly unknown[], max: number): InputFlaw | undefined {
  return list.length > max ? { rule: "too_long", text: `at most ${max}` } : undefined;
}

function rulesFlaw(rules: readonly RoleRule[]): InputFlaw | undefined {
  const flaws = rules.map(
    ({ from, value }) =>
      textFlaw(from, SSO_CLAIM_NAME_MAX_CHARACTERS) ?? textFlaw(value, SSO_ROLE_VALUE_MAX_CHARACTERS),
  );
  return flaws.find((flaw) => flaw !== undefined);
}
