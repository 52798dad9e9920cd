import { NAME_RULE, normalizeName } from "../../base/display-name.ts";
import { isStorableText } from "../../base/storable-text.ts";
import { IMPORT_LINE_MAX_BYTES } from "../../limits/account-limits.ts";
import { isLanguageTag } from "../../vocabulary/languages.ts";

/** A valid line of an import. */
export interface ImportedUser {
  readonly email: string;
  readonly passwordHash: string | null;
  readonly displayName: string | null;
  readonly emailVerified: boolean;
  readonly locale: string | null;
  /** The organization that the user joins. Null: an organization is created for the user. */
  readonly organizationSlug: string | null;
  readonly role: "owner" | "admin" | "member";
}

export interface LineRules {
  /** Returns the normalised address, or `undefined` for a malformed one. */
  readonly normalizeEmail: (text: string) => string | undefined;
  /** Returns why a hash is refused. */
  readonly hashFlaw: (hash: string) => string | undefined;
}

const ROLES = ["owner", "admin", "member"] as const;

/**
 * Validates one line: a JSON object in UTF-8 with `email` and optionally `password_hash`, `display_name`,
 * `email_verified`, `locale`, `organization_slug` and `role`. Further members are ignored. Returns the reason if the
 * line is refused.
 */
export function validateImportLine(line: Uint8Array, rules: LineRules): ImportedUser | string {
  if (line.byteLength > IMPORT_LINE_MAX_BYTES) return `longer than ${IMPORT_LINE_MAX_BYTES / 1024} KiB`;
  const text = decode(line);
  if (text === undefined) return "not UTF-8";
  const fields = parse(text);
  if (!fields) return "not a JSON object";
  const email = typeof fields.email === "string" ? rules.normalizeEmail(fields.email) : undefined;
  if (!email) return "email: not an e-mail address";
  const passwordHash = fields.password_hash ?? null;
  if (passwordHash !== null && !isText(passwordHash)) return "password_hash: not a text";
  const refusal = passwordHash === null ? undefined : rules.hashFlaw(passwordHash);
  if (refusal) return refusal;
  const given = fields.display_name ?? null;
  const displayName = typeof given === "string" ? normalizeName(given) : given;
  if (displayName !== null && typeof displayName !== "string") return `display_name: ${NAME_RULE}`;
  const emailVerified = fields.email_verified ?? false;
  if (typeof emailVerified !== "boolean") return "email_verified: true or false";
  const locale = fields.locale ?? null;
  if (locale !== null && !isLocale(locale)) return "locale: not a language tag";
  const organizationSlug = fields.organization_slug ?? null;
  if (organizationSlug !== null && !isText(organizationSlug)) return "organization_slug: not a text";
  const role = fields.role ?? (organizationSlug === null ? "owner" : "member");
  if (!isRole(role)) return `role: one of ${ROLES.join(", ")}`;
  if (organizationSlug === null && role !== "owner") return "role: must be owner without organization_slug";
  return { email, passwordHash, displayName, emailVerified, locale, organizationSlug, role };
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

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function isLocale(value: unknown): value is string {
  return typeof value === "string" && isLanguageTag(value);
}

function isRole(value: unknown): value is ImportedUser["role"] {
  return ROLES.some((role) => role === value);
}
