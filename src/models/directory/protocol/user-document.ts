/** The document of a user: the received attributes of the known schemas, in their canonical spelling. */
import { addressSpellings } from "../../../base/ascii-domain.ts";
import { ok } from "../../../base/result.ts";
import { SCIM_EXTERNAL_ID_MAX_CHARACTERS, SCIM_USER_NAME_MAX_CHARACTERS } from "../../../limits/directory-limits.ts";
import { booleanOf } from "./condition.ts";
import { isRecord, type Json, type JsonRecord, listOf } from "./json.ts";
import { readAttributes, validateRecord } from "./read-values.ts";
import { COMMON_ATTRIBUTES, ENTERPRISE_SCHEMA, USER_SCHEMA, USER_TYPE } from "./schemas.ts";
import { type ScimResult, scimError } from "./scim-problem.ts";

/** Attributes by canonical name; the extension is an object below its URN. */
export interface UserDocument extends JsonRecord {
  readonly userName: string;
  readonly active: boolean;
}

const CORE = [...USER_TYPE.core.attributes, ...COMMON_ATTRIBUTES];
const ENTERPRISE = USER_TYPE.extension?.attributes ?? [];

/**
 * Reads the body of POST or PUT. `active`: the value if the body has no value. An invalid value of an optional
 * attribute never refuses a deactivation: the attribute is left out.
 */
export function readUser(body: unknown, active: boolean): ScimResult<UserDocument> {
  const named = requireSchema(body, USER_SCHEMA);
  if (!named.ok) return named;
  const deactivates = booleanOf(memberOf(named.value, "active")) === false;
  const core = readAttributes(named.value, CORE, "invalidSyntax", deactivates);
  if (!core.ok) return core;
  const given = memberOf(named.value, ENTERPRISE_SCHEMA);
  const extension = isRecord(given) ? readAttributes(given, ENTERPRISE, "invalidSyntax", deactivates) : ok({});
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
  const names = listOf(memberOf(body, "schemas")).map((each) => String(each).toLowerCase());
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
  return bounded.ok ? ok({ ...document, userName, active: active === true }) : bounded;
}

export function validateExternalId(externalId: Json | undefined): ReturnType<typeof scimError> | undefined {
  if (typeof externalId !== "string" || externalId.length <= SCIM_EXTERNAL_ID_MAX_CHARACTERS) return undefined;
  return scimError("invalidValue", `externalId has at most ${SCIM_EXTERNAL_ID_MAX_CHARACTERS} characters.`);
}

/** The address of a record: the primary e-mail, else the work e-mail, else the only e-mail, else the user name. */
export function addressOf({ emails, userName }: UserDocument): string {
  const list = listOf(emails).filter(isRecord);
  const chosen =
    list.find(({ primary }) => primary === true) ??
    list.find(({ type }) => typeof type === "string" && type.toLowerCase() === "work") ??
    (list.length === 1 ? list[0] : undefined);
  return typeof chosen?.value === "string" ? chosen.value : userName;
}

/**
 * The values of all e-mails in lower case, for filters on `emails.value`; with the spellings of e-mails and user name
 * in an internationalized domain, for comparisons with addresses of accounts.
 */
export function emailKeys({ emails, userName }: JsonRecord): string[] {
  const values = listOf(emails).flatMap((each) =>
    isRecord(each) && typeof each.value === "string" ? [each.value] : [],
  );
  const keys = values.map((each) => each.toLowerCase());
  const names = typeof userName === "string" ? addressSpellings(userName.toLowerCase()) : [];
  // Further user names are compared by a key of their own.
  const spellings = [...keys.flatMap((key) => addressSpellings(key)), ...(names.length > 1 ? names : [])];
  return [...new Set([...keys, ...spellings])];
}
