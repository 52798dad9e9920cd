/** The state of a connection after a submitted change (docs/contract.md, section 29.6). */
import { isDeepStrictEqual } from "node:util";
import { NAME_FLAW, normalizeName } from "../../../base/display-name.ts";
import { type FieldFlaw, hasFlaws, type InputFlaw, invalidFields, invalidInput } from "../../../base/invalid-input.ts";
import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { trimmedIdentifier } from "../../../base/stored-text.ts";
import { normalizeExactUri, normalizeUrl } from "../../../base/stored-url.ts";
import type { Deps, StoreDeps } from "../../../deps.ts";
import { SSO_CLIENT_SECRET_MAX_BYTES } from "../../../limits/sso-limits.ts";
import { sealConnectionSecret } from "../../../models/sso-connection/connection-secret.ts";
import type { MetadataReport } from "../../../models/sso-connection/metadata-report.ts";
import type { SsoConnection } from "../../../models/sso-connection/sso-connection.ts";
import type { IdentityMapping } from "../../../vocabulary/sso/identity-mapping.ts";
import type { OidcConfig } from "../../../vocabulary/sso/oidc-config.ts";
import type { Preset } from "../../../vocabulary/sso/preset.ts";
import { initialConfig, needsServiceKey, type ProtocolConfig } from "../../../vocabulary/sso/protocol-config.ts";
import type { SamlConfig } from "../../../vocabulary/sso/saml-config.ts";
import { changesRecipient } from "../../steps/credentials/stored-secrets.ts";
import { normalizeCertificates } from "./certificates.ts";
import { CLAIM_MEMBERS, validateConfig } from "./config-rules.ts";
import { textFlaw } from "./setting-flaws.ts";

/** Submitted settings; undefined: unchanged. */
export interface ConnectionSettings {
  readonly name?: string | undefined;
  readonly preset?: Preset | undefined;
  /** Null deletes the secret. */
  readonly clientSecret?: string | null | undefined;
  /** Metadata of the identity provider, with SAML only. */
  readonly metadataXml?: string | undefined;
  /** The report of the reading of submitted metadata. */
  readonly metadataReport?: MetadataReport | undefined;
  readonly config: SubmittedConfig;
}

type Settings = Omit<OidcConfig, keyof SamlConfig> & SamlConfig;
/** Members of either protocol; a member of the other protocol is refused. */
export type SubmittedConfig = { readonly [Member in keyof Settings]?: Settings[Member] | undefined };

export type EditableState = Pick<SsoConnection, "name" | "preset" | "sealedSecret" | "keyId"> & ProtocolConfig;

/** Changes of these members need a new test before the next activation, and power over the linked members. */
const SECURITY_RELEVANT: ReadonlySet<string> = new Set<keyof Settings>([
  ...(["mfa_trust", "id_jag", "clock_skew_seconds"] as const),
  ...(["issuer", "client_id", "token_auth", "claims_from", "subject_from", "email_from"] as const),
  ...(["entity_id", "sso_url", "certificates", "metadata_url", "signed_element", "encrypted_assertions"] as const),
]);

/** Changes of these members decide which claims the rules of the policy read: a user may control another claim. */
const READ_BY_RULES: ReadonlySet<string> = new Set<keyof Settings>(["groups_from", "attributes"]);

/** Changes of these members decide who vouches for a second factor. */
const VOUCHING: ReadonlySet<string> = new Set<keyof Settings>([
  "mfa_trust",
  "issuer",
  "entity_id",
  "certificates",
  "metadata_url",
]);

/** Changes of these members give a stored subject a new meaning. */
const IDENTIFYING: ReadonlySet<string> = new Set<keyof Settings>(["issuer", "entity_id", "subject_from"]);

/** Requests under way stay valid after changes of these members: a response is verified by the current certificates. */
const WITHOUT_REVISION: ReadonlySet<string> = new Set([
  "name",
  "preset",
  "certificates",
  "metadata_url",
  "client_secret_expires_on",
]);

export function needsRevision(fields: readonly string[]): boolean {
  return fields.some((field) => !WITHOUT_REVISION.has(field));
}

export function isSecurityRelevant(fields: readonly string[]): boolean {
  return fields.some((field) => SECURITY_RELEVANT.has(field));
}

export function changesRoles(fields: readonly string[]): boolean {
  return fields.some((field) => READ_BY_RULES.has(field));
}

export function changesVoucher(fields: readonly string[]): boolean {
  return fields.some((field) => VOUCHING.has(field));
}

export function changesSubjects(fields: readonly string[]): boolean {
  return fields.some((field) => IDENTIFYING.has(field));
}

/** The members with different values, by their wire names. A submitted secret counts as different. */
export function changedFields(before: EditableState, after: EditableState, settings: ConnectionSettings): string[] {
  const stored: Readonly<Record<string, unknown>> = { ...before.config };
  const changed = Object.entries(after.config).filter(([member, value]) => !isDeepStrictEqual(stored[member], value));
  return [
    ...(before.name === after.name ? [] : ["name"]),
    ...(before.preset === after.preset ? [] : ["preset"]),
    ...changed.map(([member]) => member),
    ...(settings.clientSecret !== undefined || isEnded(before, after) ? ["client_secret"] : []),
  ];
}

function isEnded(before: EditableState, after: EditableState): boolean {
  return before.sealedSecret !== null && after.sealedSecret === null;
}

/** Validates submitted settings over the current state, and returns the new state. */
export function applySettings(
  deps: StoreDeps & Pick<Deps, "configKeys">,
  id: string,
  before: EditableState,
  requested: ConnectionSettings,
): Result<EditableState, Refusal<"invalid_input">> {
  const settings = withoutFormerSecret(before, requested);
  const submitted = submittedMembers(before, settings);
  const known = initialConfig(before.protocol, before.preset).config;
  const merged = mergedConfig(before, Object.fromEntries(submitted));
  const config = validateConfig(deps.config.webhooks, merged);
  const name = settings.name === undefined ? before.name : normalizeName(settings.name);
  const flaws: readonly FieldFlaw[] = [
    ...(name === undefined ? [{ field: "name", ...NAME_FLAW }] : []),
    ...submitted.flatMap(([field]) => (field in known ? [] : [{ field, ...OTHER_PROTOCOL }])),
    ...(config.ok ? [] : config.error),
    ...secretFlaws(before, settings.clientSecret),
    ...recipientFlaws(before, merged, settings.clientSecret),
  ];
  if (hasFlaws(flaws)) return err(invalidFields(flaws));
  const secret = sealedSecret(deps, id, before, settings.clientSecret);
  if (!secret.ok) return secret;
  if (needsServiceKey(merged) && !deps.configKeys.current) {
    return err(withoutConfigKey(merged.protocol === "oidc" ? "token_auth" : "sign_requests"));
  }
  return ok({
    ...before,
    name: name ?? before.name,
    preset: settings.preset ?? before.preset,
    ...merged,
    ...secret.value,
  });
}

/** A connection with a key pair sends no secret: a new recipient ends an unused secret without a question. */
function withoutFormerSecret(before: EditableState, settings: ConnectionSettings): ConnectionSettings {
  if (before.sealedSecret === null) return settings;
  const merged = mergedConfig(before, Object.fromEntries(submittedMembers(before, settings)));
  const isUnused = merged.protocol === "oidc" && merged.config.token_auth === "private_key_jwt";
  const isFormer = isUnused && isForFormerIssuer(before, merged, settings.clientSecret);
  return isFormer ? { ...settings, clientSecret: null } : settings;
}

/** Whether a stored secret would go to an issuer that the secret was not entered for. */
function isForFormerIssuer(before: EditableState, after: ProtocolConfig, secret: string | null | undefined): boolean {
  const isKept = before.sealedSecret !== null && secret === undefined;
  return isKept && changesRecipient("sso_connections.sealed_secret", before.config, after.config);
}

function recipientFlaws(
  before: EditableState,
  after: ProtocolConfig,
  secret: string | null | undefined,
): readonly FieldFlaw[] {
  return isForFormerIssuer(before, after, secret) ? [{ field: "client_secret", ...OTHER_ISSUER }] : [];
}

const OTHER_ISSUER: InputFlaw = {
  rule: "required",
  text: "the stored secret is for the former issuer: submit the secret of this issuer, or null",
};

/** A new secret ends the known expiry of the former secret, unless the change submits an expiry. */
function submittedMembers({ config }: EditableState, settings: ConnectionSettings): [string, unknown][] {
  const submitted = Object.entries(settings.config).filter(([, value]) => value !== undefined);
  const replaces = settings.clientSecret !== undefined && settings.config.client_secret_expires_on === undefined;
  const hasExpiry = "client_secret_expires_on" in config && config.client_secret_expires_on !== null;
  return replaces && hasExpiry ? [...submitted, ["client_secret_expires_on", null]] : submitted;
}

const OTHER_PROTOCOL: InputFlaw = { rule: "not_allowed", text: "a setting of another protocol" };

function mergedConfig(before: EditableState, submitted: object): ProtocolConfig {
  if (before.protocol === "oidc") {
    const config: OidcConfig = normalizedMapping({ ...before.config, ...submitted });
    const { issuer, client_id: clientId } = config;
    return {
      protocol: "oidc",
      config: { ...config, issuer: trimmedOrNull(issuer), client_id: trimmedOrNull(clientId) },
    };
  }
  return { protocol: "saml", config: normalizedSaml(normalizedMapping({ ...before.config, ...submitted })) };
}

/** Names and values of claims are compared exactly: pasted white space and invisible characters never match. */
function normalizedMapping<Config extends IdentityMapping>(config: Config): Config {
  const claims = Object.fromEntries(CLAIM_MEMBERS.map((member) => [member, trimmedOrNull(config[member])]));
  const { attributes, mfa_trust: trusted } = config;
  return {
    ...config,
    ...claims,
    attributes: attributes.map(({ name, from }) => ({ name: trimmedIdentifier(name), from: trimmedIdentifier(from) })),
    mfa_trust: typeof trusted === "string" ? trusted : trusted.map(trimmedIdentifier).filter((each) => each !== ""),
  };
}

/** An empty text stays: null alone removes a setting. */
function trimmedOrNull(text: string | null): string | null {
  return text === null ? null : trimmedIdentifier(text);
}

/** The identity provider may compare the addresses of its services, as `Destination`, to the letter. */
function normalizedSaml(config: SamlConfig): SamlConfig {
  const [entityId, ssoUrl, sloUrl] = [config.entity_id, config.sso_url, config.slo_url].map(trimmedOrNull);
  return {
    ...config,
    entity_id: entityId ?? null,
    sso_url: typeof ssoUrl === "string" ? normalizeExactUri(ssoUrl) : null,
    slo_url: typeof sloUrl === "string" ? normalizeExactUri(sloUrl) : null,
    metadata_url: normalizeUrl(trimmedOrNull(config.metadata_url)),
    name_id_format: trimmedOrNull(config.name_id_format),
    certificates: [...new Set(config.certificates.flatMap(normalizeCertificates))],
  };
}

const PASTED_SPACE: InputFlaw = {
  rule: "format",
  text: "white space at an end, or an invisible character: copy the secret again",
};

/** The message of a flaw never repeats the secret. */
function secretFlaws({ protocol }: EditableState, secret: string | null | undefined): readonly FieldFlaw[] {
  if (typeof secret !== "string") return [];
  if (protocol === "saml") return [{ field: "client_secret", ...OTHER_PROTOCOL }];
  const flaw = textFlaw(secret, SSO_CLIENT_SECRET_MAX_BYTES);
  if (flaw) return [{ field: "client_secret", ...flaw }];
  if (trimmedIdentifier(secret) !== secret) return [{ field: "client_secret", ...PASTED_SPACE }];
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
