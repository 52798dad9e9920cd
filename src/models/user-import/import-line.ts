import { cleanName } from "../../base/display-name.ts";
import { isStorableText } from "../../base/storable-text.ts";
import { IMPORT_LINE_MAX_BYTES } from "../../limits/account-limits.ts";
import { parseJsonObject } from "../../vocabulary/json-object.ts";
import { isLanguageTag } from "../../vocabulary/languages.ts";

/** A valid line of an import. */
export interface ImportedUser {
  readonly email: string;
  readonly passwordHash: string | null;
  readonly displayName: string | null;
  readonly emailVerified: boolean;
  readonly locale: string | null;
  /** The former service did not admit the user: `disabled`, or a ban that has not ended. */
  readonly disabled: boolean;
  /** The organization that the user joins. Null: an organization is created for the user. */
  readonly organizationSlug: string | null;
  readonly role: "owner" | "admin" | "member";
  /** Members that the import does not know, and members whose value was left out. */
  readonly unknown: readonly string[];
  readonly leftOut: readonly string[];
}

export interface LineRules {
  /** Returns the normalised address, or `undefined` for a malformed one. */
  readonly normalizeEmail: (text: string) => string | undefined;
  /** Returns why a hash is refused. */
  readonly hashFlaw: (hash: string) => string | undefined;
  /** Unix time in milliseconds, at which a ban counts. */
  readonly now: number;
}

const ROLES = ["owner", "admin", "member"] as const;

const MEMBERS: ReadonlySet<string> = new Set([
  ...["email", "password_hash", "display_name", "email_verified", "locale"],
  ...["disabled", "banned_until", "organization_slug", "role"],
]);

/**
 * Validates one line: a JSON object in UTF-8 with `email` and optionally the members of docs/operating.md, "Importing
 * users". An empty value counts as absent. A name or language that cannot be stored is left out; a value that decides
 * about access refuses the line. Returns the reason if the line is refused, and undefined for an empty line.
 */
export function validateImportLine(line: Uint8Array, rules: LineRules): ImportedUser | string | undefined {
  if (line.byteLength > IMPORT_LINE_MAX_BYTES) return `longer than ${IMPORT_LINE_MAX_BYTES / 1024} KiB`;
  const text = decode(line);
  if (text === undefined) return "not UTF-8";
  if (text.trim() === "") return undefined;
  const fields = parseJsonObject(text);
  if (!fields) return "not a JSON object";
  const email = typeof fields.email === "string" ? rules.normalizeEmail(fields.email) : undefined;
  if (!email) return "email: not an email address";
  const passwordHash = presentIn(fields.password_hash);
  if (passwordHash !== null && !isText(passwordHash)) return "password_hash: not a text";
  const refusal = passwordHash === null ? undefined : rules.hashFlaw(passwordHash);
  if (refusal) return refusal;
  const emailVerified = flagIn(fields.email_verified);
  if (emailVerified === undefined) return "email_verified: true or false";
  const disabled = disabledBy(fields, rules.now);
  if (typeof disabled === "string") return disabled;
  const displayName = nameIn(presentIn(fields.display_name));
  const locale = localeIn(presentIn(fields.locale));
  const access = accessIn(fields);
  if (typeof access === "string") return access;
  const unknown = Object.keys(fields).filter((name) => !MEMBERS.has(name));
  const optional = { display_name: displayName, locale };
  const leftOut = Object.entries(optional).flatMap(([name, value]) => (value === undefined ? [name] : []));
  const stored = { displayName: displayName ?? null, locale: locale ?? null };
  return { email, passwordHash, emailVerified, disabled, ...stored, ...access, unknown, leftOut };
}

/** Null for an absent and for an empty value. */
function presentIn(value: unknown): unknown {
  if (typeof value === "string") return value.trim() === "" ? null : value;
  return value ?? null;
}

/** A flag as databases write flags; undefined for another value. */
function flagIn(value: unknown): boolean | undefined {
  const present = presentIn(value);
  if (present === null || typeof present === "boolean") return present ?? false;
  const text = String(present).trim().toLowerCase();
  if (["true", "t", "1"].includes(text)) return true;
  return ["false", "f", "0"].includes(text) ? false : undefined;
}

/** Whether the user has no access. A value that cannot be read refuses the line: a default would give access. */
function disabledBy(fields: Record<string, unknown>, now: number): boolean | string {
  const disabled = flagIn(fields.disabled);
  if (disabled === undefined) return "disabled: true or false";
  const ban = presentIn(fields.banned_until);
  if (ban === null) return disabled;
  if (ban === "infinity") return true;
  const until = typeof ban === "string" ? Date.parse(ban) : Number.NaN;
  return Number.isNaN(until)
    ? "banned_until: a time such as 2030-01-31T12:00:00Z, or infinity"
    : disabled || until > now;
}

/** Undefined: a value that is no name, even without its invisible characters. */
function nameIn(value: unknown): string | null | undefined {
  if (value === null) return null;
  return typeof value === "string" ? cleanName(value) : undefined;
}

/** A language tag, also as POSIX writes locales (`en_US.UTF-8`). Undefined for another value. */
function localeIn(value: unknown): string | null | undefined {
  if (value === null) return null;
  const tag =
    typeof value === "string"
      ? value
          .trim()
          .replace(/[.@].*$/, "")
          .replaceAll("_", "-")
      : "";
  return isLanguageTag(tag) ? tag : undefined;
}

function accessIn(fields: Record<string, unknown>): Pick<ImportedUser, "organizationSlug" | "role"> | string {
  const organizationSlug = presentIn(fields.organization_slug);
  if (organizationSlug !== null && !isText(organizationSlug)) return "organization_slug: not a text";
  const role = presentIn(fields.role) ?? (organizationSlug === null ? "owner" : "member");
  if (!isRole(role)) return `role: one of ${ROLES.join(", ")}`;
  if (organizationSlug === null && role !== "owner") return "role: must be owner without organization_slug";
  return { organizationSlug, role };
}

/** Without a byte order mark; undefined for a different encoding, whose letters would be lost. */
function decode(line: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(line);
  } catch {
    return undefined;
  }
}

/** PostgreSQL refuses NUL and unpaired surrogates, and then the whole batch. */
function isText(value: unknown): value is string {
  return typeof value === "string" && isStorableText(value);
}

function isRole(value: unknown): value is ImportedUser["role"] {
  return ROLES.some((role) => role === value);
}
