/** Received values of attributes: types, deviations of clients, characters. Values are stored as received. */
import { err, ok } from "../../../base/result.ts";
import { SCIM_CONTACTS_MAX, SCIM_RECORD_MAX_BYTES } from "../../../limits/directory-limits.ts";
import { type Attribute, findAttribute } from "./attribute.ts";
import { booleanOf } from "./condition.ts";
import { isRecord, type Json, type JsonRecord, listOf } from "./json.ts";
import { type ScimProblem, type ScimResult, type ScimType, scimError, scimProblem } from "./scim-problem.ts";

/** The problem of a wrong type: `invalidSyntax` in a resource, `invalidValue` in a PATCH operation. */
export type TypeProblem = Extract<ScimType, "invalidSyntax" | "invalidValue">;

/** Control and bidirectional characters, which forge log lines and reorder the neighbouring text. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** A postal address has lines. */
const LINE_BREAKS = /[\r\n\t]/g;
const FORBIDDEN_CHARACTERS: ScimProblem = {
  status: 400,
  scimType: "invalidValue",
  detail: "A value contains control characters.",
};

/**
 * Reads the known attributes of an object. Read-only, write-only and unknown attributes are ignored. `leavesOut`: an
 * optional attribute with an invalid value is left out instead of refused.
 */
export function readAttributes(
  record: JsonRecord,
  attributes: readonly Attribute[],
  problem: TypeProblem,
  leavesOut = false,
): ScimResult<JsonRecord> {
  const found: Record<string, Json> = {};
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(record)) {
    const attribute = findAttribute(attributes, name);
    if (attribute?.mutability !== "readWrite") continue;
    if (seen.has(attribute.name)) return scimError("invalidSyntax", "An attribute is present twice.");
    seen.add(attribute.name);
    const read = readValue(attribute, value, problem);
    if (!read.ok && leavesOut && !attribute.required) continue;
    if (!read.ok) return read;
    if (read.value !== undefined) found[attribute.name] = read.value;
  }
  return ok(found);
}

/** Null, an empty list (RFC 7643, section 2.5) and empty text mean that an attribute is absent. */
export function isUnassigned(value: Json): boolean {
  return (
    value === null || (typeof value === "string" && value.trim() === "") || (Array.isArray(value) && !value.length)
  );
}

/** Reads the value of an attribute; undefined for an absent value. Required attributes are validated by their owner. */
export function readValue(attribute: Attribute, value: Json, problem: TypeProblem): ScimResult<Json | undefined> {
  if (value === null || (isUnassigned(value) && !attribute.required)) return ok(undefined);
  return attribute.multiValued ? readList(attribute, value, problem) : readSingle(attribute, value, problem);
}

/** A list, or a single value in place of a list. */
function readList(attribute: Attribute, value: Json, problem: TypeProblem): ScimResult<Json | undefined> {
  const list: Json[] = [];
  for (const each of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
    const element = isUnassigned(each) ? ok(undefined) : readSingle(attribute, each, problem);
    if (!element.ok) return element;
    if (element.value !== undefined) list.push(element.value);
  }
  return ok(list.length > 0 ? list : undefined);
}

/** Reads one value of an attribute. */
export function readSingle(attribute: Attribute, value: Json, problem: TypeProblem): ScimResult<Json | undefined> {
  if (attribute.type === "complex") return readComplex(attribute, value, problem);
  if (attribute.type === "boolean") {
    const read = booleanOf(value);
    return read === undefined ? wrongType(attribute, "a boolean", problem) : ok(read);
  }
  if (typeof value !== "string") return wrongType(attribute, "a string", problem);
  const visible = attribute.name === "formatted" ? value.replace(LINE_BREAKS, " ") : value;
  return FORBIDDEN.test(visible) ? err(FORBIDDEN_CHARACTERS) : ok(value);
}

/** An object. Entra ID sends the id of a manager as text. */
function readComplex(attribute: Attribute, value: Json, problem: TypeProblem): ScimResult<Json | undefined> {
  const { name, subAttributes = [] } = attribute;
  if (name === "manager" && typeof value === "string") return readComplex(attribute, { value }, problem);
  if (!isRecord(value)) return wrongType(attribute, "an object", problem);
  const read = readAttributes(value, subAttributes, problem);
  if (!read.ok) return read;
  return ok(Object.keys(read.value).length === 0 ? undefined : read.value);
}

function wrongType({ name }: Attribute, expected: string, problem: TypeProblem): ReturnType<typeof scimError> {
  return scimError(problem, `The value of ${name} must be ${expected}.`);
}

const CONTACTS = ["emails", "phoneNumbers", "addresses"] as const;

/** Validates the bounds of a whole record, and that at most one value of each attribute is primary. */
export function validateRecord(record: JsonRecord): ScimResult<JsonRecord> {
  const contacts = CONTACTS.reduce((sum, name) => sum + listOf(record[name]).length, 0);
  if (contacts > SCIM_CONTACTS_MAX) {
    return scimError("invalidValue", `A user has at most ${SCIM_CONTACTS_MAX} addresses and telephone numbers.`);
  }
  const isAmbiguous = Object.values(record).some(
    (value) => listOf(value).filter((each) => isRecord(each) && each.primary === true).length > 1,
  );
  if (isAmbiguous) return scimError("invalidValue", "At most one value of an attribute is primary.");
  if (Buffer.byteLength(JSON.stringify(record)) > SCIM_RECORD_MAX_BYTES) {
    return scimProblem(413, `The record is larger than ${SCIM_RECORD_MAX_BYTES / 1024} KiB.`);
  }
  return ok(record);
}
