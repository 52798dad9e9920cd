/**
 * Received values of attributes: types, deviations of clients, characters. Text that the service only stores is cleaned
 * and never refused.
 */
import { isAbsent } from "../../../base/absent.ts";
import { readMembers } from "../../../base/partial-list.ts";
import { ok } from "../../../base/result.ts";
import { cleanText } from "../../../base/stored-text.ts";
import { SCIM_CONTACTS_MAX, SCIM_RECORD_MAX_BYTES } from "../../../limits/directory-limits.ts";
import { type Attribute, findAttribute, findSubAttribute } from "./attribute.ts";
import { booleanOf } from "./condition.ts";
import type { Omissions } from "./omissions.ts";
import { ADDRESS_ATTRIBUTES } from "./schemas.ts";
import { isRecord, type Json, type JsonRecord, listOf } from "./scim-json.ts";
import { type ScimResult, type ScimType, scimError, scimProblem } from "./scim-problem.ts";

/** The problem of a wrong type: `invalidSyntax` in a resource, `invalidValue` in a PATCH operation. */
export type TypeProblem = Extract<ScimType, "invalidSyntax" | "invalidValue">;

/** A postal address has lines. */
const WITH_LINES: ReadonlySet<string> = new Set(["formatted", "streetAddress"]);

/** What decides about a value that cannot be read. */
export interface ReadOptions {
  readonly problem: TypeProblem;
  /** An optional attribute with an invalid value is left out instead of refused. */
  readonly leavesOut?: boolean;
  readonly omissions: Omissions;
}

/** Reads the known attributes of an object. Read-only, write-only and unknown attributes are ignored. */
export function readAttributes(
  record: JsonRecord,
  attributes: readonly Attribute[],
  options: ReadOptions,
): ScimResult<JsonRecord> {
  const found: Record<string, Json> = {};
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(record)) {
    const attribute = findAttribute(attributes, name);
    if (attribute?.mutability !== "readWrite") continue;
    if (seen.has(attribute.name)) return scimError("invalidSyntax", "An attribute is present twice.");
    seen.add(attribute.name);
    const read = readValue(attribute, value, options);
    if (!read.ok && options.leavesOut && !attribute.required) {
      options.omissions.add(attribute.name, read.error.detail);
      continue;
    }
    if (!read.ok) return read;
    if (read.value !== undefined) found[attribute.name] = read.value;
  }
  return ok(found);
}

/** Reads the value of an attribute; undefined for an absent value. Required attributes are validated by their owner. */
export function readValue(attribute: Attribute, value: Json, options: ReadOptions): ScimResult<Json | undefined> {
  if (value === null || (isAbsent(value) && !attribute.required)) return ok(undefined);
  return attribute.multiValued ? readList(attribute, value, options) : readSingle(attribute, value, options);
}

/** A list, or a single value in place of a list. An unusable value is left out while another value is usable. */
function readList(attribute: Attribute, value: Json, options: ReadOptions): ScimResult<Json | undefined> {
  const given = Array.isArray(value) ? (value as readonly Json[]) : [value];
  const present = given.filter((each) => !isAbsent(each));
  const { items, leftOut } = readMembers(present, (each) => readSingle(attribute, each, options));
  const list = items.filter((each) => each !== undefined);
  const [first] = leftOut;
  if (first && list.length === 0) return { ok: false, error: first };
  for (const { detail } of leftOut) options.omissions.add(attribute.name, detail);
  return ok(list.length > 0 ? list : undefined);
}

/** Reads one value of an attribute. */
export function readSingle(attribute: Attribute, value: Json, options: ReadOptions): ScimResult<Json | undefined> {
  const single = attribute.multiValued ? value : unwrapped(value);
  if (attribute.type === "complex") return readComplex(attribute, single, options);
  const simple = isRecord(single) && single.value !== undefined ? unwrapped(single.value) : single;
  if (attribute.type === "boolean") {
    const read = booleanOf(simple);
    return read === undefined ? wrongType(attribute, "a boolean", options) : ok(read);
  }
  const text = typeof simple === "number" || typeof simple === "boolean" ? String(simple) : simple;
  if (typeof text !== "string") return wrongType(attribute, "a string", options);
  const cleaned = cleanText(text, WITH_LINES.has(attribute.name) ? "kept" : "joined");
  // Without its invisible characters, an address could be the address of another person.
  if (ADDRESS_ATTRIBUTES.has(attribute) && cleaned !== text.trim()) {
    return scimError("invalidValue", `The value of ${attribute.name} contains control or direction characters.`);
  }
  return ok(cleaned === "" && !attribute.required ? undefined : cleaned);
}

/** Entra ID sends the value of a single attribute as a list of one. */
function unwrapped(value: Json): Json {
  return Array.isArray(value) && value.length === 1 ? ((value as readonly Json[])[0] ?? null) : value;
}

/** An object. Text in place of an object is its value: the id of a manager, an email, a role. */
function readComplex(attribute: Attribute, value: Json, options: ReadOptions): ScimResult<Json | undefined> {
  const { subAttributes = [] } = attribute;
  if (typeof value === "string" && findSubAttribute(attribute, "value")) {
    return readComplex(attribute, { value }, options);
  }
  if (!isRecord(value)) return wrongType(attribute, "an object", options);
  const read = readAttributes(value, subAttributes, options);
  if (!read.ok) return read;
  return ok(Object.keys(read.value).length === 0 ? undefined : read.value);
}

function wrongType({ name }: Attribute, expected: string, { problem }: ReadOptions): ReturnType<typeof scimError> {
  return scimError(problem, `The value of ${name} must be ${expected}.`);
}

const CONTACTS = ["emails", "phoneNumbers", "addresses"] as const;

/** Validates the bounds of a whole record. Of several primary values of an attribute, the first stays primary. */
export function validateRecord(record: JsonRecord): ScimResult<JsonRecord> {
  const contacts = CONTACTS.reduce((sum, name) => sum + listOf(record[name]).length, 0);
  if (contacts > SCIM_CONTACTS_MAX) {
    return scimError("invalidValue", `A user has at most ${SCIM_CONTACTS_MAX} addresses and telephone numbers.`);
  }
  const bounded = Object.fromEntries(Object.entries(record).map(([name, value]) => [name, withOnePrimary(value)]));
  if (Buffer.byteLength(JSON.stringify(bounded)) > SCIM_RECORD_MAX_BYTES) {
    return scimProblem(413, `The record is larger than ${SCIM_RECORD_MAX_BYTES / 1024} KiB.`);
  }
  return ok(bounded);
}

function withOnePrimary(value: Json): Json {
  const list = listOf(value);
  const isPrimary = (each: Json) => isRecord(each) && each.primary === true;
  const first = list.findIndex(isPrimary);
  if (!list.some((each, index) => index > first && isPrimary(each))) return value;
  return list.map((each, index) => (isRecord(each) && isPrimary(each) ? { ...each, primary: index === first } : each));
}
