import { createPrivateKey } from "node:crypto";
import {
  PROVIDER_FIELD_MAX_CHARACTERS,
  PROVIDER_SECRET_MAX_BYTES,
  PROVIDER_SECRET_MIN_CHARACTERS,
} from "../../base/limits.ts";
import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";

/** What identifies a provider without being secret: the public_config fields of the contract, section 4.12. */
export type PublicConfig = Readonly<Record<string, string>>;

interface ProviderRules {
  /** What the wire calls public_config; other members are not kept. */
  readonly fields: readonly string[];
  /** Without these and a secret, a row cannot be applied. */
  readonly needed: readonly string[];
  /** What must be given to enable it at all. */
  readonly toEnable: readonly string[];
}

const CLIENT: ProviderRules = { fields: ["client_id"], needed: ["client_id"], toEnable: ["client_id"] };

/** External services, by their keys on the wire (contract, section 4.12), in the order of the list. */
export const PROVIDERS = {
  email_transport: { fields: ["from"], needed: [], toEnable: [] },
  oauth_idp_a: CLIENT,
  oauth_idp_b: CLIENT,
  oauth_idp_c: { fields: ["client_id", "tenant"], needed: ["client_id"], toEnable: [] },
  oauth_idp_d: {
    fields: ["client_id", "team_id", "key_id"],
    needed: ["client_id", "team_id", "key_id"],
    toEnable: [],
  },
  oauth_idp_e: { fields: ["client_id"], needed: ["client_id"], toEnable: [] },
} as const satisfies Record<string, ProviderRules>;

export type Provider = keyof typeof PROVIDERS;
export type IdentityProviderKey = Exclude<Provider, "email_transport">;

export const PROVIDER_KEYS = Object.keys(PROVIDERS) as readonly Provider[];

export function isProvider(text: string): text is Provider {
  return Object.hasOwn(PROVIDERS, text);
}

export function isIdentityProvider(text: string): text is IdentityProviderKey {
  return isProvider(text) && text !== "email_transport";
}

const ADDRESS = /^[^\s@<>\p{Cc}]+@[^\s@<>\p{Cc}]+$/u;
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TENANTS = new Set(["common", "organizations", "consumers"]);
const CONTROL = /\p{Cc}/u;

/**
 * Whether a text lies anywhere in a JSON value that PostgreSQL has no place for: with NUL, or an unpaired surrogate.
 */
function holdsUnstorableText(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\u0000") || !value.isWellFormed();
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some((entry) => entry.some(holdsUnstorableText));
}

/** The fields that are kept. Refuses with `invalid_input`, naming the field. */
export function validatePublicConfig(
  provider: Provider,
  enabled: boolean,
  given: Readonly<Record<string, unknown>>,
): Result<PublicConfig> {
  if (holdsUnstorableText(given)) return invalid("public_config: holds a NUL or an unpaired surrogate");
  const kept: Record<string, string> = {};
  for (const field of PROVIDERS[provider].fields) {
    const value = given[field];
    if (value === undefined || value === null || value === "") continue;
    if (typeof value !== "string" || value.length > PROVIDER_FIELD_MAX_CHARACTERS || CONTROL.test(value)) {
      return invalid(`public_config.${field}: a text of at most ${PROVIDER_FIELD_MAX_CHARACTERS} printable characters`);
    }
    kept[field] = value.trim();
  }
  // Absent is fine; present and empty is no address.
  if (provider === "email_transport" && "from" in given && given.from !== null && !ADDRESS.test(kept.from ?? "")) {
    return invalid("public_config.from: not an e-mail address");
  }
  if (kept.tenant !== undefined && !TENANTS.has(kept.tenant) && !GUID.test(kept.tenant)) {
    return invalid("public_config.tenant: common, organizations, consumers or a tenant's GUID");
  }
  const missing = PROVIDERS[provider].toEnable.find((field) => kept[field] === undefined);
  if (enabled && missing) return invalid(`public_config.${missing}: is required to enable ${provider}`);
  return ok(kept);
}

/** Refuses with `invalid_input` a secret that cannot be one of this provider; never repeats it. */
export function validateSecret(provider: Provider, secret: string, emailKeyPrefix: string): Result<string> {
  if (secret === "") return invalid("secret: must not be empty");
  if (Buffer.byteLength(secret) > PROVIDER_SECRET_MAX_BYTES) {
    return invalid(`secret: at most ${PROVIDER_SECRET_MAX_BYTES} bytes`);
  }
  if (provider === "oauth_idp_d") {
    return /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(secret)
      ? ok(secret)
      : invalid("secret: a private key in PEM form");
  }
  if (CONTROL.test(secret)) return invalid("secret: printable characters alone");
  if (provider === "email_transport") {
    return secret.startsWith(emailKeyPrefix) ? ok(secret) : invalid(`secret: must start with ${emailKeyPrefix}`);
  }
  return secret.length >= PROVIDER_SECRET_MIN_CHARACTERS
    ? ok(secret)
    : invalid(`secret: at least ${PROVIDER_SECRET_MIN_CHARACTERS} characters`);
}

function invalid(message: string): Result<never> {
  return err(refusal("invalid_input", message));
}

/** Whether everything is there that the provider needs. */
export function isComplete(provider: Provider, publicConfig: PublicConfig, secret: string): boolean {
  if (PROVIDERS[provider].needed.some((field) => publicConfig[field] === undefined)) return false;
  return provider !== "oauth_idp_d" || isP256Key(secret);
}

/** ES256 (RFC 7518, section 3.4) signs with a key on the curve P-256 alone. */
function isP256Key(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem);
    return asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
}
