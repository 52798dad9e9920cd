/** The rules of the settings of social providers (docs/contract.md, section 15.5). */
import { asciiDomain } from "../../base/ascii-domain.ts";
import { normalizeName } from "../../base/display-name.ts";
import { type FieldFlaw, type InputFlaw, REQUIRED } from "../../base/invalid-input.ts";
import { holdsUnstorableText } from "../../base/storable-text.ts";
import { exactUriProblem } from "../../base/stored-url.ts";
import { PROVIDER_FIELD_MAX_CHARACTERS } from "../../limits/provider-limits.ts";
import {
  SOCIAL_EMAIL_DOMAINS_MAX,
  SOCIAL_NAME_MAX_CHARACTERS,
  SOCIAL_PARAMETER_MAX_CHARACTERS,
  SOCIAL_PARAMETER_NAME_MAX_CHARACTERS,
  SOCIAL_PARAMETERS_MAX,
  SOCIAL_POINTER_LEVELS_MAX,
  SOCIAL_POINTER_MAX_CHARACTERS,
  SOCIAL_SCOPE_MAX_CHARACTERS,
  SOCIAL_SCOPES_MAX,
} from "../../limits/social-provider-limits.ts";
import type { SocialProviderConfig } from "../../vocabulary/social-provider-config.ts";
import { isSocialPreset } from "./presets.ts";

export interface SocialRulesContext {
  /** The flaw of an address that the service calls or redirects to; undefined for a usable address. */
  readonly urlFlaw: (url: string) => InputFlaw | undefined;
  readonly hasSecret: boolean;
}

/** The settings in stored form: a trimmed name, and domains as A-labels. */
export function normalizeSocialConfig(config: SocialProviderConfig): SocialProviderConfig {
  const domains = config.email_domains.map((domain) => asciiDomain(domain) ?? domain);
  return { ...config, name: normalizeName(config.name) ?? config.name, email_domains: [...new Set(domains)] };
}

/** All flaws of the settings in stored form. */
export function socialConfigFlaws(config: SocialProviderConfig, context: SocialRulesContext): readonly FieldFlaw[] {
  if (holdsUnstorableText(config)) {
    return [{ field: "body", rule: "format", text: "contains a NUL or an unpaired surrogate" }];
  }
  return [
    ...flawOf("preset", isSocialPreset(config.preset) ? undefined : UNKNOWN_PRESET),
    ...flawOf("name", nameFlaw(config.name)),
    ...endpointFlaws(config, context),
    ...clientFlaws(config, context),
    ...scopeFlaws(config.scopes),
    ...parameterFlaws(config.authorization_parameters),
    ...claimFlaws(config),
  ];
}

const UNKNOWN_PRESET: InputFlaw = { rule: "unknown_value", text: "no preset of a social provider" };
const BAD_NAME: InputFlaw = {
  rule: "format",
  text: `1 to ${SOCIAL_NAME_MAX_CHARACTERS} characters, without links, line breaks and invisible characters`,
};

function flawOf(field: string, flaw: InputFlaw | undefined): FieldFlaw[] {
  return flaw ? [{ field, ...flaw }] : [];
}

function nameFlaw(name: string): InputFlaw | undefined {
  const normalized = normalizeName(name);
  return normalized !== undefined && [...normalized].length <= SOCIAL_NAME_MAX_CHARACTERS ? undefined : BAD_NAME;
}

const ENDPOINTS = ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"] as const;
/** The endpoints without which the service does not know whom the provider names. */
const REQUIRED_ENDPOINTS = {
  oauth2: ["authorization_endpoint", "token_endpoint", "userinfo_endpoint"],
  oidc: [],
} as const satisfies Record<SocialProviderConfig["protocol"], readonly (typeof ENDPOINTS)[number][]>;

function endpointFlaws(config: SocialProviderConfig, { urlFlaw }: SocialRulesContext): readonly FieldFlaw[] {
  const missing = REQUIRED_ENDPOINTS[config.protocol].filter((field) => config[field] === null);
  const issuer = config.issuer === null ? missingIssuer(config) : issuerFlaw(config.issuer, urlFlaw);
  return [
    ...flawOf("issuer", issuer),
    ...missing.flatMap((field) => flawOf(field, REQUIRED)),
    ...ENDPOINTS.flatMap((field) => {
      const url = config[field];
      return url === null ? [] : flawOf(field, urlFlaw(url));
    }),
  ];
}

function missingIssuer({ protocol }: SocialProviderConfig): InputFlaw | undefined {
  return protocol === "oidc" ? REQUIRED : undefined;
}

/** Issuers are compared to the letter (OpenID Connect Core, section 3.1.3.7). */
function issuerFlaw(issuer: string, urlFlaw: SocialRulesContext["urlFlaw"]): InputFlaw | undefined {
  if (exactUriProblem(issuer) !== undefined || /[?#]/.test(issuer)) {
    return { rule: "format", text: "not an https URL without query and fragment, as the provider writes the URL" };
  }
  return urlFlaw(issuer);
}

const CLIENT_ID = /^[\x20-\x7e]+$/;

function clientFlaws(config: SocialProviderConfig, { hasSecret }: SocialRulesContext): readonly FieldFlaw[] {
  const { client_id: clientId, enabled, token_auth: auth, pkce } = config;
  const isValidId = clientId === null || (clientId.length <= PROVIDER_FIELD_MAX_CHARACTERS && CLIENT_ID.test(clientId));
  const idText = `1 to ${PROVIDER_FIELD_MAX_CHARACTERS} printable ASCII characters`;
  return [
    ...flawOf("client_id", isValidId ? undefined : { rule: "format", text: idText }),
    ...flawOf("client_id", enabled && clientId === null ? ENABLING : undefined),
    ...flawOf("secret", enabled && auth !== "none" && !hasSecret ? ENABLING : undefined),
    ...flawOf("pkce", auth === "none" && pkce === "off" ? PUBLIC_WITHOUT_PKCE : undefined),
  ];
}

const ENABLING: InputFlaw = { rule: "required", text: "is required to enable the provider" };
const PUBLIC_WITHOUT_PKCE: InputFlaw = { rule: "conflicting", text: "a client without a secret needs PKCE" };

/** RFC 6749, section 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

function scopeFlaws(scopes: readonly string[]): readonly FieldFlaw[] {
  if (scopes.length > SOCIAL_SCOPES_MAX) {
    return [{ field: "scopes", rule: "too_long", text: `at most ${SOCIAL_SCOPES_MAX}` }];
  }
  const isScope = (scope: string) => scope.length <= SOCIAL_SCOPE_MAX_CHARACTERS && SCOPE.test(scope);
  const wrong = scopes.findIndex((scope) => !isScope(scope));
  return wrong < 0 ? [] : [{ field: "scopes", path: `scopes.${wrong}`, rule: "format", text: "not a scope" }];
}

/** Parameters that OAuth 2.0 and OpenID Connect define for the service, and whose value the service decides. */
const OWN_PARAMETERS: ReadonlySet<string> = new Set([
  ...["response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "response_mode", "max_age", "claims"],
  ...["code_challenge", "code_challenge_method", "request", "request_uri", "registration", "id_token_hint"],
  ...["client_secret", "client_assertion", "client_assertion_type", "code", "error", "iss", "dpop_jkt", "login_hint"],
]);
const PARAMETER_NAME = /^[A-Za-z][A-Za-z0-9._-]*$/;

function parameterFlaws(parameters: Readonly<Record<string, string>>): readonly FieldFlaw[] {
  const entries = Object.entries(parameters);
  const field = "authorization_parameters";
  if (entries.length > SOCIAL_PARAMETERS_MAX) {
    return [{ field, rule: "too_long", text: `at most ${SOCIAL_PARAMETERS_MAX}` }];
  }
  return entries.flatMap(([name, value]) => {
    const flaw = parameterFlaw(name, value);
    return flaw ? [{ field, ...flaw }] : [];
  });
}

function parameterFlaw(name: string, value: string): InputFlaw | undefined {
  if (name.length > SOCIAL_PARAMETER_NAME_MAX_CHARACTERS || !PARAMETER_NAME.test(name)) {
    return { rule: "format", text: "a name is not a parameter" };
  }
  if (OWN_PARAMETERS.has(name.toLowerCase())) return { rule: "not_allowed", text: `${name} is set by the service` };
  if (value === "" || value.length > SOCIAL_PARAMETER_MAX_CHARACTERS || /\p{Cc}/u.test(value)) {
    return { rule: "format", text: `a value has 1 to ${SOCIAL_PARAMETER_MAX_CHARACTERS} printable characters` };
  }
  return undefined;
}

const POINTERS = ["subject_from", "email_from", "email_verified_from", "name_from"] as const;
/** RFC 6901, section 3. */
const POINTER = /^(?:\/(?:[^/~]|~[01])+)+$/;
const BAD_POINTER: InputFlaw = {
  rule: "format",
  text: `a JSON pointer of 1 to ${SOCIAL_POINTER_LEVELS_MAX} levels, such as /email`,
};

function claimFlaws(config: SocialProviderConfig): readonly FieldFlaw[] {
  const { protocol, claims_from: source, email_trust: trust, email_domains: domains } = config;
  const isForeignSource = protocol === "oauth2" && source !== "userinfo";
  return [
    ...flawOf("claims_from", isForeignSource ? { rule: "not_allowed", text: "oauth2 has no ID token" } : undefined),
    ...POINTERS.flatMap((field) => flawOf(field, isPointer(config[field]) ? undefined : BAD_POINTER)),
    ...flawOf("email_domains", trust === "always" && domains.length === 0 ? UNBOUNDED_TRUST : domainsFlaw(domains)),
  ];
}

const UNBOUNDED_TRUST: InputFlaw = { rule: "required", text: "is required where every address counts as verified" };

function isPointer(pointer: string): boolean {
  const levels = pointer.split("/").length - 1;
  return (
    pointer.length <= SOCIAL_POINTER_MAX_CHARACTERS && levels <= SOCIAL_POINTER_LEVELS_MAX && POINTER.test(pointer)
  );
}

const DOMAIN = /^(?=.{4,253}$)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/;

function domainsFlaw(domains: readonly string[]): InputFlaw | undefined {
  if (domains.length > SOCIAL_EMAIL_DOMAINS_MAX) {
    return { rule: "too_long", text: `at most ${SOCIAL_EMAIL_DOMAINS_MAX}` };
  }
  return domains.every((domain) => DOMAIN.test(domain)) ? undefined : { rule: "format", text: "not a domain" };
}

/** Whether the provider could name other users by the subjects of linked identities after the change. */
export function changesSubjects(before: SocialProviderConfig, after: SocialProviderConfig): boolean {
  const isChanged = (field: keyof SocialProviderConfig) => before[field] !== after[field];
  return (
    (["issuer", "userinfo_endpoint", "subject_from"] as const).some(isChanged) ||
    // UserInfo and ID token agree about `sub` alone.
    (isChanged("claims_from") && after.subject_from !== SUBJECT_OF_OPENID) ||
    (["token_endpoint", "jwks_uri"] as const).some((field) => movesHost(field, before, after))
  );
}

const SUBJECT_OF_OPENID = "/sub";

/**
 * Whether another host than before, and than the host of the issuer, sends or signs the statements about users. Null:
 * the issuer names the address.
 */
function movesHost(
  field: "jwks_uri" | "token_endpoint",
  before: SocialProviderConfig,
  after: SocialProviderConfig,
): boolean {
  const [former, next, issuer] = [before[field], after[field], after.issuer].map((url) => url && new URL(url).host);
  return next !== null && next !== former && next !== issuer;
}
