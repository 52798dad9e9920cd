/** Messages for invalid input: the field and the rule in words, never a regular expression. */
import type { TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";

/** `page_size: must be a whole number`. */
export function validationMessage(error: ValueError | undefined): string {
  if (!error) return "body: is not valid";
  const field = error.path.slice(1).replaceAll("/", ".") || "body";
  return `${field}: ${ruleOf(error)}`;
}

function ruleOf({ type, schema, value }: ValueError): string {
  if (type === ValueErrorType.ObjectRequiredProperty || value === undefined) return "is required";
  switch (type) {
    case ValueErrorType.StringMinLength:
      return schema.minLength === 1 ? "must not be empty" : `must have at least ${schema.minLength} characters`;
    case ValueErrorType.StringMaxLength:
      return `must have at most ${schema.maxLength} characters`;
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return `must be at least ${schema.minimum}`;
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return `must be at most ${schema.maximum}`;
    case ValueErrorType.StringPattern:
      return schema.rule ?? "has the wrong format";
    default:
      return `must be ${kindOf(schema)}`;
  }
}

/** Completes "must be …". */
function kindOf(schema: TSchema): string {
  if (schema.anyOf) return alternatives(schema.anyOf);
  if ("const" in schema) return String(schema.const);
  if (schema.format === "uuid") return "a UUID";
  return KINDS[String(schema.type)] ?? "of another type";
}

function alternatives(members: readonly TSchema[]): string {
  const constants = members.filter((each) => "const" in each);
  if (constants.length === members.length) return `one of ${constants.map((each) => each.const).join(", ")}`;
  return members.map(kindOf).join(" or ");
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};
