import {
  GUEST_RULES,
  JIT_MODES,
  MAPPED_ROLES,
  ROLE_SYNCS,
  SSO_MODES,
} from "../../vocabulary/sso/sso-policy-settings.ts";

/** The form of the policy: converts between form fields and settings. */

import { SSO_ROLE_RULES_MAX } from "../../limits/sso-limits.ts";
import type { EmergencyCandidate } from "../../models/sso-policy/enforcement.ts";
import type { PolicySettings, RoleRule, SsoPolicy } from "../../models/sso-policy/sso-policy.ts";
import type { Fields } from "../page.ts";
import { START_AT_ONCE, START_KEPT, startOfField } from "../start-field.ts";

const EMPTY_RULES = 3;
const SWITCH = ["on", "off"] as const;
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

/** The field with the users for emergency access was displayed. */
export const BREAK_GLASS_LISTED = "break_glass_listed";

export function breakGlassField(userId: string): string {
  return `break_glass-${userId}`;
}

/** The field values of a stored policy. */
export function valuesOfPolicy(policy: SsoPolicy): Record<string, string> {
  return {
    mode: policy.mode,
    start: policy.requiredAt === null ? START_AT_ONCE : START_KEPT,
    ...Object.fromEntries(policy.breakGlass.map((userId) => [breakGlassField(userId), "yes"])),
    jit: policy.jit,
    guests: policy.guests,
    default_role: policy.defaultRole,
    sync: policy.sync,
    own_factor: policy.requireOwnFactor ? "on" : "off",
    ...Object.fromEntries(
      policy.roleRules.flatMap((rule, index) => RULE_PARTS.map((part) => [ruleField(index, part), rule[part]])),
    ),
  };
}

/** The submitted field values. */
export function valuesOfForm(form: Fields, candidates: readonly EmergencyCandidate[]): Record<string, string> {
  const rules = ruleIndexes().flatMap((index) => RULE_PARTS.map((part) => ruleField(index, part)));
  const users = candidates.map(({ userId }) => breakGlassField(userId));
  const names = ["version", "mode", "start", "jit", "guests", "default_role", "sync", "own_factor", ...users, ...rules];
  return Object.fromEntries(names.map((name) => [name, form.text(name)]));
}

interface StoredPolicy {
  readonly stored: SsoPolicy;
  readonly candidates: readonly EmergencyCandidate[];
  /** The owner who sends the form. */
  readonly ownerId: string;
  readonly now: number;
}

/**
 * An unknown value keeps the stored value. Settings without a field keep the stored values; an owner who requires
 * single sign-on without a user for emergency access becomes this user, and a time belongs to the mode `required`.
 */
export function policyIn(form: Fields, { stored, candidates, ownerId, now }: StoredPolicy): PolicySettings {
  const mode = memberOf(SSO_MODES, form.text("mode"), stored.mode);
  const isRequired = mode === "required";
  const ticked = candidates.map(({ userId }) => userId).filter((userId) => form.has(breakGlassField(userId)));
  const breakGlass = form.has(BREAK_GLASS_LISTED) ? ticked : stored.breakGlass;
  return {
    mode,
    requiredAt: isRequired ? startOfField(form.text("start"), stored.requiredAt, now, stored.requiredAt) : null,
    breakGlass: isRequired && breakGlass.length === 0 ? [ownerId] : breakGlass,
    jit: memberOf(JIT_MODES, form.text("jit"), stored.jit),
    guests: memberOf(GUEST_RULES, form.text("guests"), stored.guests),
    defaultRole: memberOf(MAPPED_ROLES, form.text("default_role"), stored.defaultRole),
    sync: memberOf(ROLE_SYNCS, form.text("sync"), stored.sync),
    requireOwnFactor: memberOf(SWITCH, form.text("own_factor"), stored.requireOwnFactor ? "on" : "off") === "on",
    roleRules: ruleIndexes().flatMap((index) => ruleIn(form, index)),
  };
}

/** A rule without attribute and value is no rule. */
function ruleIn(form: Fields, index: number): readonly RoleRule[] {
  const [from, value] = [form.text(ruleField(index, "from")).trim(), form.text(ruleField(index, "value")).trim()];
  if (from === "" && value === "") return [];
  // The key of a custom role is validated with the settings.
  return [{ from, value, role: form.text(ruleField(index, "role")) || "member" }];
}

function memberOf<const Member extends string>(members: readonly Member[], text: string, otherwise: Member): Member {
  return members.find((member) => member === text) ?? otherwise;
}
