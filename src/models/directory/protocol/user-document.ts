/** The document of a user: the received attributes of the known schemas, in their canonical spelling. */

import { isAbsent } from "../../../base/absent.ts";
import { addressSpellings } from "../../../base/ascii-domain.ts";
import { ok } from "../../../base/result.ts";
import { SCIM_EXTERNAL_ID_MAX_CHARACTERS, SCIM_USER_NAME_MAX_CHARACTERS } from "../../../limits/directory-limits.ts";
import { booleanOf } from "./condition.ts";
import { Omissions } from "./omissions.ts";
import { type ReadOptions, readAttributes, validateRecord } from "./read-values.ts";
import { COMMON_ATTRIBUTES, ENTERPRISE_SCHEMA, USER_SCHEMA, USER_TYPE } from "./schemas.ts";
import { isRecord, type Json, type JsonRecord, listOf } from "./scim-json.ts";
import { type ScimResult, scimError } from "./scim-problem.ts";

/** Attributes by canonical name; the extension is an object below its URN. */
export interface UserDocument extends JsonRecord {
  readonly userName: string;
  readonly active: boolean;
}

const CORE = [...USER_TYPE.core.attributes, ...COMMON_ATTRIBUTES];
const ENTERPRISE = USER_TYPE.extension?.attributes ?? [];

/**
 * Reads the body of POST or PUT. `before`: the document that PUT replaces. A deactivation is never lost by another
 * value of the body: without a readable document, the former document becomes inactive.
 */
export function readUser(body: unknown, before?: UserDocument, omissions = new Omissions()): ScimResult<UserDocument> {
  const named = requireSchema(body, USER_SCHEMA);
  if (!named.ok) return named;
  const leavesOut = booleanOf(memberOf(named.value, "active")) === false;
  const read = readDocument(named.value, before?.active ?? true, { problem: "invalidSyntax", leavesOut, omissions });
  if (read.ok || !leavesOut || !before) return read;
  omissions.add("all attributes but active", read.error.detail);
  return ok({ ...before, active: false });
}

function readDocument(body: JsonRecord, active: boolean, options: ReadOptions): ScimResult<UserDocument> {
  const core = readAttributes(body, CORE, options);
  if (!core.ok) return core;
  const given = memberOf(body, ENTERPRISE_SCHEMA);
  const extension = isRecord(given) ? readAttributes(given, ENTERPRISE, options) : ok({});
  if (!extension.ok) return extension;
  const isExtended = Object.keys(extension.value).length > 0;
  return validateUser({
    active,
    ...core.value,
    ...(isExtended ? { [ENTERPRISE_SCHEMA]: extension.value } : {}),
  });
}

/** The body as an object whose `schemas` names the schema. */
export function requireSchema(body: unknown, schema: string): ScimResult<JsonRecord> {
  if (!isRecord(body)) return scimError("invalidSyntax", "The body is not a JSON object.");
  const names = [memberOf(body, "schemas") ?? []].flat().map((each) => String(each).toLowerCase());
  if (names.includes(schema.toLowerCase())) return ok(body);
  return scimError("invalidSyntax", `The body must name the schema ${schema}.`);
}

/** A member of an object; names of attributes have no case (RFC 7643, section 2.1). */
export function memberOf(record: JsonRecord, name: string): Json | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(record).find(([each]) => each.toLowerCase() === wanted)?.[1];
}

/** Validates the required attributes and the bounds of a document. */
export function validateUser(document: JsonRecord): ScimResult<UserDocument> {
  const { userName, externalId, active } = document;
  if (typeof userName !== "string" || userName.trim() === "") return scimError("invalidValue", "userName is required.");
  if (userName.length > SCIM_USER_NAME_MAX_CHARACTERS) {
    return scimError("invalidValue", `userName has at most ${SCIM_USER_NAME_MAX_CHARACTERS} characters.`);
  }
  const externalIdProblem = validateExternalId(externalId);
  if (externalIdProblem) return externalIdProblem;
  const bounded = validateRecord(document);
  return bounded.ok ? ok({ ...bounded.value, userName, active: active === true }) : bounded;
}

export function validateExternalId(externalId: Json | undefined): ReturnType<typeof scimError> | undefined {
  if (typeof externalId !== "string" || externalId.length <= SCIM_EXTERNAL_ID_MAX_CHARACTERS) return undefined;
  return scimError("invalidValue", `externalId has at most ${SCIM_EXTERNAL_ID_MAX_CHARACTERS} characters.`);
}

/**
 * The address of a record: the primary email, else the work email, else the only email, else the user name. An
 * email without a value is absent.
 */
export function addressOf({ emails, userName }: UserDocument): string {
  const list = listOf(emails).filter((each) => isRecord(each) && !isAbsent(each.value)) as readonly JsonRecord[];
  const chosen =
    list.find(({ primary }) => primary === true) ??
    list.find(({ type }) => typeof type === "string" && type.toLowerCase() === "work") ??
    (list.length === 1 ? list[0] : undefined);
  return typeof chosen?.value === "string" ? bareAddress(chosen.value) : userName;
}

/** The address of `mailto:` (RFC 6068) and of a name with an address in angle brackets (RFC 5322, section 3.4). */
function bareAddress(text: string): string {
  const [, inBrackets] = /^[^<>]*<([^<>]+)>$/.exec(text.trim()) ?? [];
  return (inBrackets ?? text.trim()).replace(/^mailto:/i, "");
}

/**
 * The values of all emails in lower case, for filters on `emails.value`; with the spellings of emails and user name
 * in an internationalized domain, for comparisons with addresses of accounts.
 */
export function emailKeys({ emails, userName }: JsonRecord): string[] {
  const values = listOf(emails).flatMap((each) =>
    isRecord(each) && typeof each.value === "string" ? [each.value] : [],
  );
  const keys = values.flatMap((each) => [each, bareAddress(each)]).map((each) => each.toLowerCase());
  const names = typeof userName === "string" ? addressSpellings(userName.toLowerCase()) : [];
  // Further user names are compared by a key of their own.
  const spellings = [...keys.flatMap((key) => addressSpellings(key)), ...(names.length > 1 ? names : [])];
  return [...new Set([...keys, ...spellings])];
}
