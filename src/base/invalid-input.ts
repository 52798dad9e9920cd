import type { Refusal } from "./problem.ts";

/** The closed set of rules that input can break, with their meaning (docs/contract.md, section 2.6). */
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

/** A broken rule with its text for the error message. */
export interface InputFlaw {
  readonly rule: InputRule;
  /** Completes the message after the field's name; never contains the submitted value. */
  readonly text: string;
}

export interface FieldFlaw extends InputFlaw {
  readonly field: string;
  /** Where the message says so more precisely, such as `allowed_ips.0`; default: the field. */
  readonly path?: string;
}

/** Creates an `invalid_input` refusal of one field. `cause` is for the log only. */
export function invalidInput(field: string, rule: InputRule, text: string, cause?: string): Refusal<"invalid_input"> {
  const invalid = invalidFields([{ field, rule, text }]);
  return cause === undefined ? invalid : { ...invalid, cause };
}

/**
 * Creates an `invalid_input` refusal of all invalid fields of a request. The message names the first flaw, `fields`
 * every field once.
 */
export function invalidFields(flaws: readonly [FieldFlaw, ...FieldFlaw[]]): Refusal<"invalid_input"> {
  const [{ field, path = field, text }] = flaws;
  const firstOfEach = flaws.filter((flaw, index) => flaws.findIndex((each) => each.field === flaw.field) === index);
  const fields = firstOfEach.map((flaw) => ({ field: flaw.field, rule: flaw.rule }));
  return { code: "invalid_input", message: `${path}: ${text}`, fields };
}

/** Creates an `invalid_input` refusal of the request as a whole; `message` is a sentence. */
export function invalidRequest(field: "body" | "host", rule: InputRule, message: string): Refusal<"invalid_input"> {
  return { code: "invalid_input", message, fields: [{ field, rule }] };
}

/** Whether a list of flaws has any, as the type of `invalidFields` needs it. */
export function hasFlaws(flaws: readonly FieldFlaw[]): flaws is readonly [FieldFlaw, ...FieldFlaw[]] {
  return flaws.length > 0;
}
