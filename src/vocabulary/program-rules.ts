/** The rules that refuse a request of a program, as the record of decisions names the rules (section 14.11). */
export const PROGRAM_RULES = {
  permission: "The program lacks the permission.",
  reach: "The organization or endpoint is outside of the reach of the program.",
  protected_user:
    "A user with a platform role, or the address of the initial owner, is protected: no program changes it.",
  widening: "A program gives no more than the program has.",
} as const;

export type ProgramRule = keyof typeof PROGRAM_RULES;

/** A problem with the rule as cause: `permission:users.write`, `reach`. The response does not contain the cause. */
export function byRule<P extends { readonly cause?: string }>(rule: ProgramRule, problem: P, detail?: string): P {
  return { ...problem, cause: detail === undefined ? rule : `${rule}:${detail}` };
}

/** The sentence about a recorded rule; undefined for other texts. */
export function sentenceOfRule(rule: string): string | undefined {
  const name = rule.split(":", 1)[0] ?? "";
  return Object.hasOwn(PROGRAM_RULES, name) ? PROGRAM_RULES[name as ProgramRule] : undefined;
}
