import type { InputRule } from "../vocabulary/input-rules.ts";
import type { Refusal } from "./problem.ts";

/** A broken rule with the text for the error message. */
export interface InputFlaw {
  readonly rule: InputRule;
  /** Completes the message after the field's name; never contains the submitted value. */
  readonly text: string;
}

export interface FieldFlaw extends InputFlaw {
  readonly field: string;
  /**
   * The field as the message names it where the message is more precise, such as `allowed_ips.0`; default: the field.
   */
  readonly path?: string;
}

/** An absent member. */
export const REQUIRED = { rule: "required", text: "is required" } as const satisfies InputFlaw;

/** Creates an `invalid_input` refusal for a single field. `cause` is for the log only. */
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
