/** The closed set of rules that input can break, with the meaning (docs/contract.md, section 2.6). */
export const INPUT_RULES = {
  required: "The field is absent or empty.",
  type: "The value has another JSON type.",
  format: "The value is not in the documented form.",
  too_short: "The text or list is shorter than the minimum.",
  too_long: "The text, list or body is longer than the maximum.",
  too_small: "The number is below the minimum.",
  too_large: "The number is above the maximum.",
  unknown_value: "The value is not in the documented set.",
  common_password: "The password is on a list of common passwords.",
  incorrect: "The code or credential is well-formed and wrong.",
  conflicting: "The value excludes or contradicts another value.",
  not_allowed: "The deployment does not accept the value.",
  malformed: "The body or header cannot be read.",
} as const;

export type InputRule = keyof typeof INPUT_RULES;

/** One invalid field. Members of nested objects are joined by dots; the body as a whole is `body`. */
export interface InvalidField {
  readonly field: string;
  readonly rule: InputRule;
}
