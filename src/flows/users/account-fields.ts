/** The fields of a user as an administrator or a program sends them (docs/contract.md, section 36.1). */
import { NAME_FLAW, normalizeName } from "../../base/display-name.ts";
import { type FieldFlaw, invalidInput } from "../../base/invalid-input.ts";
import { isStorableText } from "../../base/storable-text.ts";
import { TIME_ZONE_RULE, timeZoneOf } from "../../base/time-zones.ts";
import { parseTimestamp } from "../../database/timestamp.ts";
import { EXTERNAL_ID_MAX_CHARACTERS, MEMBERSHIPS_AT_CREATION_MAX } from "../../limits/management-limits.ts";
import { USER_METADATA_MAX_BYTES, USER_METADATA_MAX_DEPTH } from "../../limits/metadata-limits.ts";
import type { JsonObject } from "../../models/conditions/stored-metadata.ts";
import { userMetadataFlaw } from "../../models/metadata/metadata.ts";
import { importedHashFlaw } from "../../models/password/hash-encoding.ts";
import { emailFlaw, normalizeAssertedEmail } from "../../models/user/email-address.ts";
import { isLanguageTag, LANGUAGE_TAG_RULE } from "../../vocabulary/languages.ts";
import type { MemberRole } from "../../vocabulary/member-power.ts";

/** A membership that the creation or the upsert gives. */
export interface MembershipField {
  readonly organizationId?: string | undefined;
  readonly organizationSlug?: string | undefined;
  readonly role?: MemberRole | undefined;
  readonly roleIds?: readonly string[] | undefined;
}

/** Undefined: absent. Null: cleared. */
export interface AccountFields {
  readonly email?: string | undefined;
  readonly emailVerified?: boolean | undefined;
  readonly externalId?: string | null | undefined;
  readonly displayName?: string | null | undefined;
  readonly locale?: string | null | undefined;
  readonly timeZone?: string | null | undefined;
  readonly password?: string | undefined;
  readonly passwordHash?: string | undefined;
  readonly memberships?: readonly MembershipField[] | undefined;
  readonly disabled?: boolean | undefined;
  /** RFC 3339. */
  readonly createdAt?: string | undefined;
  readonly publicMetadata?: JsonObject | undefined;
  readonly privateMetadata?: JsonObject | undefined;
}

/** The fields in stored form. */
export interface ValidFields extends Omit<AccountFields, "createdAt"> {
  readonly createdAt: Date | undefined;
}

const EXTERNAL_ID_RULE = `1 to ${EXTERNAL_ID_MAX_CHARACTERS} visible characters, and neither . nor ..`;
/** The problem of a text that is no external id. */
export const NOT_AN_EXTERNAL_ID = invalidInput("external_id", "format", EXTERNAL_ID_RULE);
/** Controls, and what displays nothing or reorders text: the console would display two different ids alike. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/u;
/** Segments that clients remove from a URL. */
const DOTS = [".", ".."];

/** Whether a text is an external id; ids compare exactly. */
export function isExternalId(text: string): boolean {
  const { length } = [...text];
  if (length < 1 || length > EXTERNAL_ID_MAX_CHARACTERS || DOTS.includes(text)) return false;
  return !INVISIBLE.test(text) && isStorableText(text);
}

/** Validates and normalizes fields; returns every flaw, in the order of the fields. */
export function validateFields(
  given: AccountFields,
  now: number,
): { readonly fields: ValidFields; readonly flaws: readonly FieldFlaw[] } {
  const email = given.email === undefined ? undefined : normalizeAssertedEmail(given.email);
  const displayName = typeof given.displayName === "string" ? normalizeName(given.displayName) : given.displayName;
  const timeZone = typeof given.timeZone === "string" ? timeZoneOf(given.timeZone) : given.timeZone;
  const createdAt = given.createdAt === undefined ? undefined : pastTime(given.createdAt, now);
  const flaws: (FieldFlaw | undefined)[] = [
    given.email !== undefined && email === undefined ? { field: "email", ...emailFlaw(given.email) } : undefined,
    typeof given.externalId === "string" && !isExternalId(given.externalId)
      ? { field: "external_id", rule: "format", text: EXTERNAL_ID_RULE }
      : undefined,
    given.displayName !== undefined && displayName === undefined ? { field: "display_name", ...NAME_FLAW } : undefined,
    typeof given.locale === "string" && !isLanguageTag(given.locale)
      ? { field: "locale", rule: "format", text: LANGUAGE_TAG_RULE }
      : undefined,
    given.timeZone !== undefined && timeZone === undefined
      ? { field: "time_zone", rule: "format", text: TIME_ZONE_RULE }
      : undefined,
    given.createdAt !== undefined && createdAt === undefined
      ? { field: "created_at", rule: "format", text: "a time of the past, such as 2020-01-31T12:00:00Z" }
      : undefined,
    passwordFlaw(given),
    membershipsFlaw(given.memberships),
    metadataFlaw("public_metadata", given.publicMetadata),
    metadataFlaw("private_metadata", given.privateMetadata),
  ];
  const fields = { ...given, email, displayName, locale: given.locale?.toLowerCase() ?? given.locale, timeZone };
  return { fields: { ...fields, createdAt }, flaws: flaws.filter((flaw) => flaw !== undefined) };
}

/** A time after 1970 and not after now. */
function pastTime(text: string, now: number): Date | undefined {
  const time = parseTimestamp(text);
  return time && time.getTime() > 0 && time.getTime() <= now ? time : undefined;
}

/** The flaw of the two forms of a password, of which at most one is given. */
export function passwordFlaw({
  password,
  passwordHash,
}: Pick<AccountFields, "password" | "passwordHash">): FieldFlaw | undefined {
  if (passwordHash === undefined) return undefined;
  if (password !== undefined)
    return { field: "password_hash", rule: "conflicting", text: "excludes the member password" };
  const flaw = importedHashFlaw(passwordHash)?.replace("password_hash: ", () => "");
  return flaw === undefined ? undefined : { field: "password_hash", rule: "format", text: flaw };
}

function membershipsFlaw(memberships: readonly MembershipField[] = []): FieldFlaw | undefined {
  const field = "memberships";
  if (memberships.length > MEMBERSHIPS_AT_CREATION_MAX)
    return { field, rule: "too_long", text: `at most ${MEMBERSHIPS_AT_CREATION_MAX}` };
  const isNamed = memberships.every(
    ({ organizationId, organizationSlug }) => (organizationId === undefined) !== (organizationSlug === undefined),
  );
  return isNamed ? undefined : { field, rule: "format", text: "each has organization_id or organization_slug" };
}

const METADATA_RULES = {
  format: { rule: "format", text: "must not contain NUL" },
  too_long: { rule: "too_long", text: `at most ${USER_METADATA_MAX_BYTES} bytes of JSON` },
  too_deep: { rule: "format", text: `at most ${USER_METADATA_MAX_DEPTH} nested objects and lists` },
} as const;

/** The flaw of a metadata object of a user; undefined: none. */
export function metadataFlaw(field: string, metadata: JsonObject | undefined): FieldFlaw | undefined {
  const flaw = metadata && userMetadataFlaw(metadata);
  return flaw && { field, ...METADATA_RULES[flaw] };
}
