/** Flaws of input: the field and the rule as data, and the rule in words, never a regular expression. */
import type { TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { type FieldFlaw, type InputFlaw, REQUIRED } from "../../base/invalid-input.ts";
import { INVALID_FIELDS_MAX } from "../../limits/input-limits.ts";
import { TEXT_FORMATS } from "./text-formats.ts";

/** The flaws of a value, one for each field, at most `INVALID_FIELDS_MAX`. `errors`: of the compiled schema. */
export function flawsOf(errors: Iterable<ValueError>): readonly [FieldFlaw, ...FieldFlaw[]] {
  const flaws = new Map<string, FieldFlaw>();
  for (const error of errors) {
    if (flaws.size === INVALID_FIELDS_MAX) break;
    const path = error.path.slice(1).replaceAll("/", ".") || "body";
    const field = fieldOf(path);
    if (!flaws.has(field)) flaws.set(field, { field, path, ...flawOf(error) });
  }
  const [first = { field: "body", rule: "malformed", text: "is not valid" } as const, ...rest] = flaws.values();
  return [first, ...rest];
}

/** The name of a member, such as `organizations.on`: without positions, because the list is the field. */
function fieldOf(path: string): string {
  const names = path.split(".").filter((name) => !/^\d+$/.test(name));
  return names.join(".");
}

function flawOf({ type, schema, value }: ValueError): InputFlaw {
  if (type === ValueErrorType.ObjectRequiredProperty || value === undefined) return REQUIRED;
  switch (type) {
    case ValueErrorType.StringMinLength:
      return schema.minLength === 1
        ? { rule: "required", text: "must not be empty" }
        : { rule: "too_short", text: `must have at least ${schema.minLength} characters` };
    case ValueErrorType.StringMaxLength:
      return { rule: "too_long", text: `must have at most ${schema.maxLength} characters` };
    case ValueErrorType.ArrayMinItems:
      return { rule: schema.minItems === 1 ? "required" : "too_short", text: `at least ${schema.minItems}` };
    case ValueErrorType.ArrayMaxItems:
      return { rule: "too_long", text: `at most ${schema.maxItems}` };
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return { rule: "too_small", text: `must be at least ${schema.minimum}` };
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return { rule: "too_large", text: `must be at most ${schema.maximum}` };
    case ValueErrorType.StringPattern:
      return { rule: "format", text: schema.rule ?? "has the wrong format" };
    default:
      return formatFlaw(schema, value) ?? { rule: ruleOf(schema, value), text: `must be ${kindOf(schema)}` };
  }
}

/** The flaw of a text whose schema, or whose alternative to null, names a format of `TEXT_FORMATS`. */
function formatFlaw(schema: TSchema, value: unknown): InputFlaw | undefined {
  if (typeof value !== "string") return undefined;
  const formats = [schema, ...(schema.anyOf ?? [])].map((each: TSchema) => TEXT_FORMATS[String(each.format)]);
  return formats.find((format) => format !== undefined)?.(value);
}

function ruleOf(schema: TSchema, value: unknown): InputFlaw["rule"] {
  if (schema.format === "uuid" && typeof value === "string") return "format";
  return isClosedSet(schema) && typeof value === "string" ? "unknown_value" : "type";
}

function isClosedSet({ anyOf, ...schema }: TSchema): boolean {
  return "const" in schema || (anyOf?.some((each: TSchema) => "const" in each) ?? false);
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
