/** The form of the policy: converts between form fields and settings. */
import { GUEST_RULES, JIT_MODES, MAPPED_ROLES, ROLE_SYNCS, SSO_MODES } from "../../flows/sso-policy/replace.ts";
import { SSO_ROLE_RULES_MAX } from "../../limits/sso-limits.ts";
import type { PolicySettings, RoleRule, SsoPolicy } from "../../models/sso-policy/sso-policy.ts";
import type { Fields } from "../page.ts";

const EMPTY_RULES = 3;
const RULE_PARTS = ["from", "value", "role"] as const;

export function ruleField(index: number, part: (typeof RULE_PARTS)[number]): string {
  return `rule-${index}-${part}`;
}

/** The displayed rules: the stored rules, then empty rules. */
export function ruleCount(values: Readonly<Record<string, string>>): number {
  const used = ruleIndexes().filter((index) => values[ruleField(index, "from")] || values[ruleField(index, "value")]);
  return Math.min((used.at(-1) ?? -1) + 1 + EMPTY_RULES, SSO_ROLE_RULES_MAX);
}

function ruleIndexes(): readonly number[] {
  return Array.from({ length: SSO_ROLE_RULES_MAX }, (_, index) => index);
}

/** The field values of a stored policy. */
export function valuesOfPolicy(policy: SsoPolicy): Record<string, string> {
  return {
    mode: policy.mode,
    jit: policy.jit,
    guests: policy.guests,
    default_role: policy.defaultRole,
    sync: policy.sync,
    ...Object.fromEntries(
      policy.roleRules.flatMap((rule, index) => RULE_PARTS.map((part) => [ruleField(index, part), rule[part]])),
    ),
  };
}

/** The submitted field values. */
export function valuesOfForm(form: Fields): Record<string, string> {
  const rules = ruleIndexes().flatMap((index) => RULE_PARTS.map((part) => ruleField(index, part)));
  const names = ["mode", "jit", "guests", "default_role", "sync", ...rules];
  return Object.fromEntries(names.map((name) => [name, form.text(name)]));
}

/**
 * An unknown value keeps the stored value. Settings without a field keep the stored values; an owner who requires
 * single sign-on without a user for emergency access becomes this user, and a time belongs to the mode `required`.
 */
export function policyIn(form: Fields, stored: SsoPolicy, ownerId: string): PolicySettings {
  const mode = memberOf(SSO_MODES, form.text("mode"), stored.mode);
  const isRequired = mode === "required";
  return {
    mode,
    requiredAt: isRequired ? stored.requiredAt : null,
    breakGlass: isRequired && stored.breakGlass.length === 0 ? [ownerId] : stored.breakGlass,
    jit: memberOf(JIT_MODES, form.text("jit"), stored.jit),
    guests: memberOf(GUEST_RULES, form.text("guests"), stored.guests),
    defaultRole: memberOf(MAPPED_ROLES, form.text("default_role"), stored.defaultRole),
    sync: memberOf(ROLE_SYNCS, form.text("sync"), stored.sync),
    requireOwnFactor: stored.requireOwnFactor,
    roleRules: ruleIndexes().flatMap((index) => ruleIn(form, index)),
  };
}

/** A rule without attribute and value is no rule. */
function ruleIn(form: Fields, index: number): readonly RoleRule[] {
  const [from, value] = [form.text(ruleField(index, "from")).trim(), form.text(ruleField(index, "value")).trim()];
  if (from === "" && value === "") return [];
  return [{ from, value, role: memberOf(MAPPED_ROLES, form.text(ruleField(index, "role")), "member") }];
}

function memberOf<const Member extends string>(members: readonly Member[], text: string, otherwise: Member): Member {
  return members.find((member) => member === text) ?? otherwise;
}
