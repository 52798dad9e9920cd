/** The state of a connection after a submitted change (docs/contract.md, section 29.6). */
import { isDeepStrictEqual } from "node:util";
import { NAME_FLAW, normalizeName } from "../../base/display-name.ts";
import { type FieldFlaw, hasFlaws, invalidFields, invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { SSO_CLIENT_SECRET_MAX_BYTES } from "../../limits/sso-limits.ts";
import { sealConnectionSecret } from "../../models/sso-connection/connection-secret.ts";
import type { OidcConfig } from "../../models/sso-connection/oidc-config.ts";
import type { Preset } from "../../models/sso-connection/preset.ts";
import type { SsoConnection } from "../../models/sso-connection/sso-connection.ts";
import { textFlaw, validateConfig } from "./config-rules.ts";

export { CLAIM_SOURCES, isCompleteConfig, TOKEN_AUTHS } from "../../models/sso-connection/oidc-config.ts";

/** Submitted settings; undefined: unchanged. */
export interface ConnectionSettings {
  readonly name?: string | undefined;
  readonly preset?: Preset | undefined;
  /** Null deletes the secret. */
  readonly clientSecret?: string | null | undefined;
  readonly config: { readonly [Member in keyof OidcConfig]?: OidcConfig[Member] | undefined };
}

export type EditableState = Pick<SsoConnection, "name" | "preset" | "config" | "sealedSecret" | "keyId">;

/** Changes of these members need a new test before the next activation. */
const SECURITY_RELEVANT: ReadonlySet<string> = new Set<keyof OidcConfig>([
  ...(["issuer", "client_id", "token_auth", "claims_from", "subject_from", "email_from"] as const),
]);

/** Changes of these members give a stored subject a new meaning. */
const IDENTIFYING: ReadonlySet<string> = new Set<keyof OidcConfig>(["issuer", "subject_from"]);

export function isSecurityRelevant(fields: readonly string[]): boolean {
  return fields.some((field) => SECURITY_RELEVANT.has(field));
}

export function changesSubjects(fields: readonly string[]): boolean {
  return fields.some((field) => IDENTIFYING.has(field));
}

/** The members with different values, by their wire names. A submitted secret counts as different. */
export function changedFields(before: EditableState, after: EditableState, settings: ConnectionSettings): string[] {
  const members = Object.keys(after.config) as (keyof OidcConfig)[];
  const differs = (member: keyof OidcConfig) => !isDeepStrictEqual(before.config[member], after.config[member]);
  return [
    ...(before.name === after.name ? [] : ["name"]),
    ...(before.preset === after.preset ? [] : ["preset"]),
    ...members.filter(differs),
    ...(settings.clientSecret === undefined ? [] : ["client_secret"]),
  ];
}

/** Validates submitted settings over the current state, and returns the new state. */
export function applySettings(
  deps: StoreDeps & Pick<Deps, "configKeys">,
  id: string,
  before: EditableState,
  settings: ConnectionSettings,
): Result<EditableState, Refusal<"invalid_input">> {
  const submitted = Object.entries(settings.config).filter(([, value]) => value !== undefined);
  const merged: OidcConfig = { ...before.config, ...Object.fromEntries(submitted) };
  const config = validateConfig(deps.config.webhooks, merged);
  const name = settings.name === undefined ? before.name : normalizeName(settings.name);
  const flaws: readonly FieldFlaw[] = [
    ...(name === undefined ? [{ field: "name", ...NAME_FLAW }] : []),
    ...(config.ok ? [] : config.error),
    ...secretFlaws(settings.clientSecret),
  ];
  if (hasFlaws(flaws)) return err(invalidFields(flaws));
  const secret = sealedSecret(deps, id, before, settings.clientSecret);
  if (!secret.ok) return secret;
  if (merged.token_auth === "private_key_jwt" && !deps.configKeys.current) return err(withoutConfigKey("token_auth"));
  return ok({
    ...before,
    name: name ?? before.name,
    preset: settings.preset ?? before.preset,
    config: merged,
    ...secret.value,
  });
}

/** The message of a flaw never repeats the secret. */
function secretFlaws(secret: string | null | undefined): readonly FieldFlaw[] {
  if (typeof secret !== "string") return [];
  const flaw = textFlaw(secret, SSO_CLIENT_SECRET_MAX_BYTES);
  if (flaw) return [{ field: "client_secret", ...flaw }];
  const isTooLong = Buffer.byteLength(secret) > SSO_CLIENT_SECRET_MAX_BYTES;
  return isTooLong
    ? [{ field: "client_secret", rule: "too_long", text: `at most ${SSO_CLIENT_SECRET_MAX_BYTES} bytes` }]
    : [];
}

function withoutConfigKey(field: string): Refusal<"invalid_input"> {
  return invalidInput(field, "not_allowed", "secrets cannot be stored while SERVICE_CONFIG_KEY is unset");
}

type SealedSecret = Pick<SsoConnection, "sealedSecret" | "keyId">;

function sealedSecret(
  deps: StoreDeps & Pick<Deps, "configKeys">,
  id: string,
  { sealedSecret: sealed, keyId }: SealedSecret,
  secret: string | null | undefined,
): Result<SealedSecret, Refusal<"invalid_input">> {
  if (secret === undefined) return ok({ sealedSecret: sealed, keyId });
  if (secret === null) return ok({ sealedSecret: null, keyId: null });
  const key = deps.configKeys.current;
  if (!key) return err(withoutConfigKey("client_secret"));
  return ok({ sealedSecret: sealConnectionSecret(deps, key, id, secret), keyId: key.id });
}
