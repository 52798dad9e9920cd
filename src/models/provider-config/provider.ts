import { createPrivateKey } from "node:crypto";
import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { holdsUnstorableText } from "../../base/storable-text.ts";
import {
  PROVIDER_FIELD_MAX_CHARACTERS,
  PROVIDER_SECRET_MAX_BYTES,
  PROVIDER_SECRET_MIN_CHARACTERS,
} from "../../limits/provider-limits.ts";
import type { InputRule } from "../../vocabulary/input-rules.ts";

/** Settings of a provider that are not secret (docs/contract.md, section 15.1). */
export type PublicConfig = Readonly<Record<string, string>>;

interface ProviderRules {
  /** Displayed in messages and emails. */
  readonly name: string;
  /** The stored members of public_config. */
  readonly fields: readonly string[];
  /** A row without these fields and a secret cannot be applied. */
  readonly required: readonly string[];
  /** A row without these fields cannot be enabled. */
  readonly requiredToEnable: readonly string[];
}

const CLIENT = { fields: ["client_id"], required: ["client_id"] } as const;
const APPLE_FIELDS = ["client_id", "team_id", "key_id"] as const;

/** External services by their wire keys, in the order of docs/contract.md, section 15.1. */
export const PROVIDERS = {
  email_transport: { name: "Email", fields: ["from"], required: [], requiredToEnable: [] },
  oauth_idp_a: { name: "Google", ...CLIENT, requiredToEnable: ["client_id"] },
  oauth_idp_b: { name: "GitHub", ...CLIENT, requiredToEnable: ["client_id"] },
  oauth_idp_c: { name: "Microsoft", ...CLIENT, fields: ["client_id", "tenant"], requiredToEnable: [] },
  oauth_idp_d: { name: "Apple", fields: APPLE_FIELDS, required: APPLE_FIELDS, requiredToEnable: [] },
  oauth_idp_e: { name: "Facebook", ...CLIENT, requiredToEnable: [] },
} as const satisfies Record<string, ProviderRules>;

export type Provider = keyof typeof PROVIDERS;

export const PROVIDER_KEYS = Object.keys(PROVIDERS) as readonly Provider[];

export function isProvider(text: string): text is Provider {
  return Object.hasOwn(PROVIDERS, text);
}

/** The name of a provider, or the key of an unknown provider. */
export function providerName(key: string): string {
  return isProvider(key) ? PROVIDERS[key].name : key;
}

/** Name and wire key, for messages: `Google (oauth_idp_a)`. */
export function providerLabel(provider: Provider): string {
  return `${PROVIDERS[provider].name} (${provider})`;
}

const ADDRESS = /^[^\s@<>\p{Cc}]+@[^\s@<>\p{Cc}]+$/u;
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TENANTS = new Set(["common", "organizations", "consumers"]);
const CONTROL = /\p{Cc}/u;

/** Returns the fields to store. */
export function validatePublicConfig(
  provider: Provider,
  enabled: boolean,
  given: Readonly<Record<string, unknown>>,
): Result<PublicConfig, Refusal<"invalid_input">> {
  if (holdsUnstorableText(given)) return invalid("public_config", "format", "contains a NUL or an unpaired surrogate");
  const stored: Record<string, string> = {};
  for (const field of PROVIDERS[provider].fields) {
    const value = given[field];
    if (value === undefined || value === null) continue;
    if (typeof value !== "string" || value.length > PROVIDER_FIELD_MAX_CHARACTERS || CONTROL.test(value)) {
      return invalid(
        `public_config.${field}`,
        "format",
        `a text of at most ${PROVIDER_FIELD_MAX_CHARACTERS} printable characters`,
      );
    }
    // A blank text counts as absent, like an empty text.
    const text = value.trim();
    if (text !== "") stored[field] = text;
  }
  // An absent address is permitted, an empty address is not.
  if (provider === "email_transport" && "from" in given && given.from !== null && !ADDRESS.test(stored.from ?? "")) {
    return invalid("public_config.from", "format", "not an email address");
  }
  if (stored.tenant !== undefined && !TENANTS.has(stored.tenant) && !GUID.test(stored.tenant)) {
    return invalid("public_config.tenant", "unknown_value", "common, organizations, consumers or a tenant's GUID");
  }
  const missing = PROVIDERS[provider].requiredToEnable.find((field) => stored[field] === undefined);
  if (enabled && missing)
    return invalid(`public_config.${missing}`, "required", `is required to enable ${providerLabel(provider)}`);
  return ok(stored);
}

/** Validates the secret of a provider. The message of a problem never repeats the secret. */
export function validateSecret(
  provider: Provider,
  secret: string,
  emailKeyPrefix: string,
): Result<string, Refusal<"invalid_input">> {
  if (secret === "") return invalid("secret", "required", "must not be empty");
  if (Buffer.byteLength(secret) > PROVIDER_SECRET_MAX_BYTES) {
    return invalid("secret", "too_long", `at most ${PROVIDER_SECRET_MAX_BYTES} bytes`);
  }
  if (provider === "oauth_idp_d") {
    return /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(secret)
      ? ok(secret)
      : invalid("secret", "format", "a private key in PEM form");
  }
  if (CONTROL.test(secret)) return invalid("secret", "format", "printable characters only");
  if (provider === "email_transport") {
    return secret.startsWith(emailKeyPrefix)
      ? ok(secret)
      : invalid("secret", "format", `must start with ${emailKeyPrefix}`);
  }
  return secret.length >= PROVIDER_SECRET_MIN_CHARACTERS
    ? ok(secret)
    : invalid("secret", "too_short", `at least ${PROVIDER_SECRET_MIN_CHARACTERS} characters`);
}

function invalid(field: string, rule: InputRule, text: string): Result<never, Refusal<"invalid_input">> {
  return err(invalidInput(field, rule, text));
}

/** Whether a row with these settings can be applied. */
export function isComplete(provider: Provider, publicConfig: PublicConfig, secret: string): boolean {
  if (PROVIDERS[provider].required.some((field) => publicConfig[field] === undefined)) return false;
  return provider !== "oauth_idp_d" || isP256Key(secret);
}

/** ES256 (RFC 7518, section 3.4) requires a key on the curve P-256. */
function isP256Key(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem);
    return asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
}
