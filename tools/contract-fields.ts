/** The tables of fields in docs/contract.md, from the schemas of the declared endpoints (contract-tables.ts). */
import type { TObject, TSchema } from "@sinclair/typebox";

/** The members of a request body: type, whether required, and the notes of the schema. */
export function requestFields({ properties, required = [] }: TObject): string {
  const rows = Object.entries<TSchema>(properties).map(([name, schema]) => [
    `\`${name}\``,
    typeOf(schema),
    required.includes(name) ? "yes" : "no",
    notesOf(schema),
  ]);
  return table(["Field", "Type", "Required", "Notes"], rows);
}

/** The members of an object in a response. */
export function responseFields({ properties, required = [] }: TObject): string {
  const rows = Object.entries<TSchema>(properties).map(([name, schema]) => {
    const notes = notesOf(schema);
    const isAbsent = !required.includes(name) && !/\babsent\b|\bonly\b/.test(notes);
    return [`\`${name}\``, typeOf(schema), isAbsent ? [notes, "may be absent"].filter(Boolean).join("; ") : notes];
  });
  return table(["Field", "Type", "Notes"], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return lines.join("\n").replaceAll("|  |", "| |");
}

/** The schema as published: with the documented formats and bounds. */
function published(schema: TSchema): TSchema {
  return { ...schema, ...schema.documented };
}

function alternativesOf({ anyOf = [] }: TSchema): readonly TSchema[] {
  return anyOf;
}

function isNull({ type }: TSchema): boolean {
  return type === "null";
}

function typeOf(schema: TSchema): string {
  const { type, format, items, ...rest } = published(schema);
  if (rest.anyOf) {
    const kinds = new Set(alternativesOf(rest as TSchema).map((each) => (isNull(each) ? "null" : typeOf(each))));
    return [...kinds].join(" or ");
  }
  if ("const" in rest) return typeof rest.const === "boolean" ? String(rest.const) : typeof rest.const;
  if (type === "array") return `array of ${plural(typeOf(items))}`;
  if (type === "string") return format === "uuid" ? "UUID" : format === "date-time" ? "time" : "string";
  return type === "integer" ? "int" : type === "boolean" ? "bool" : (type ?? "any value");
}

function plural(type: string): string {
  return type === "UUID" ? "UUIDs" : `${type}s`;
}

/** The values or bounds, unless the description names the bounds, and the description. */
function notesOf(schema: TSchema): string {
  const whole = published(schema);
  const text = descriptionOf(whole);
  const bounds = boundsOf(whole);
  const preset = typeof whole.default === "string" ? `default \`${whole.default}\`` : "";
  const notes = [membersOf(whole), /\d/.test(text) ? "" : bounds, text, preset];
  return notes.filter(Boolean).join("; ").replaceAll("|", "\\|");
}

/** The description of `Timestamp` (src/http/schemas/common.ts). */
const TIME_FORMAT = "RFC 3339, UTC, milliseconds";

/** Members of a nested object that a cell names. */
const MEMBERS_MAX = 8;

function membersOf(schema: TSchema): string {
  const [inner, ...others] = schema.anyOf ? alternativesOf(schema).filter((each) => !isNull(each)) : [schema];
  const { properties = {} } = (others.length === 0 && inner?.type === "array" ? inner.items : inner) ?? {};
  const names = Object.keys(properties);
  return names.length > 0 && names.length <= MEMBERS_MAX ? `\`{${names.join(", ")}}\`` : "";
}

/** The description of every time is the same, and part of section 2. */
function descriptionOf(schema: TSchema): string {
  const [inner, ...others] = alternativesOf(schema).filter((each) => !isNull(each));
  const only = inner && others.length === 0 ? published(inner) : schema;
  const text: string = schema.note ?? schema.description ?? only.description ?? "";
  return text === TIME_FORMAT ? "" : text.replace(/^[A-Z](?=[a-z]*[ ,])/, lowered);
}

function lowered(letter: string): string {
  return letter.toLowerCase();
}

function boundsOf(schema: TSchema): string {
  const inner = alternativesOf(schema).filter((each) => !isNull(each));
  if (typeof schema.const === "string") return `\`${schema.const}\``;
  const values = inner.filter((each) => typeof each.const === "string").map((each) => `\`${each.const}\``);
  if (values.length > 0) return values.join(", ");
  if (inner.length === 1 && inner[0]) return boundsOf(published(inner[0]));
  const { type, minLength = 0, maxLength, minimum, maximum } = schema;
  if (type === "string" && maxLength !== undefined) {
    return minLength > 0 ? `${minLength} to ${maxLength} characters` : `at most ${maxLength} characters`;
  }
  return minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : "";
}
