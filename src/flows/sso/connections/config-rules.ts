/** Rules for the settings of a connection (docs/contract.md, section 29.7). */
import { type FieldFlaw, hasFlaws, type InputFlaw } from "../../../base/invalid-input.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { exactUriProblem } from "../../../base/stored-url.ts";
import {
  SSO_ATTRIBUTE_NAME_MAX_CHARACTERS,
  SSO_ATTRIBUTES_MAX,
  SSO_CLAIM_NAME_MAX_CHARACTERS,
  SSO_CLIENT_ID_MAX_CHARACTERS,
  SSO_CLOCK_SKEW_MAX_SECONDS,
  SSO_EXTRA_PARAMETERS_MAX,
  SSO_ID_JAG_CLIENTS_MAX,
  SSO_ISSUER_MAX_CHARACTERS,
  SSO_MFA_TRUST_MAX,
  SSO_MFA_VALUE_MAX_CHARACTERS,
  SSO_PARAMETER_NAME_MAX_CHARACTERS,
  SSO_PARAMETER_VALUE_MAX_CHARACTERS,
  SSO_SCOPES_MAX_CHARACTERS,
} from "../../../limits/sso-limits.ts";
import { targetUrlFlaw } from "../../../providers/guarded-post.ts";
import type { AttributeMapping, IdentityMapping } from "../../../vocabulary/sso/identity-mapping.ts";
import type { OidcConfig } from "../../../vocabulary/sso/oidc-config.ts";
import type { ProtocolConfig } from "../../../vocabulary/sso/protocol-config.ts";
import { samlFlaws } from "./saml-rules.ts";
import { DUPLICATE, firstFlaw, REQUIRED, type Reach, type SettingFlaw, textFlaw, tooLong } from "./setting-flaws.ts";

/**
 * Parameters of authorization requests that the protocols define: OAuth 2.0, OpenID Connect Core, PKCE, RFC 8707, 9101,
 * 9126, 9396, 9449. The service alone sets these parameters.
 */
const PROTOCOL_PARAMETERS: ReadonlySet<string> = new Set([
  ...["client_id", "client_secret", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce"],
  ...["code_challenge", "code_challenge_method", "display", "prompt", "max_age", "ui_locales", "claims_locales"],
  ...["id_token_hint", "login_hint", "acr_values", "claims", "request", "request_uri", "registration", "resource"],
  ...["authorization_details", "dpop_jkt", "iss", "code", "client_assertion", "client_assertion_type"],
]);

/** Path segments of Entra ID that stand for the tenants of all customers. */
const TENANT_TEMPLATES: ReadonlySet<string> = new Set(["common", "organizations", "consumers"]);

const SCOPE_TOKENS = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;
const PARAMETER_NAME = /^[A-Za-z0-9_.-]+$/;

const TEMPLATE: InputFlaw = { rule: "format", text: "a template for many tenants; enter the issuer of one tenant" };
const EXACT_HOST: InputFlaw = { rule: "format", text: "not an issuer: the host must be in ASCII form" };
const EXACT: InputFlaw = { rule: "format", text: "not an issuer: an issuer has no query" };

/** Validates all settings of a connection. */
export function validateConfig<Connection extends ProtocolConfig>(
  reach: Reach,
  connection: Connection,
): Result<Connection, readonly [FieldFlaw, ...FieldFlaw[]]> {
  const ofProtocol =
    connection.protocol === "oidc" ? oidcFlaws(reach, connection.config) : samlFlaws(reach, connection.config);
  const found = [...ofProtocol, ...mappingFlaws(connection)];
  const flaws = found.flatMap(([field, flaw]) => (flaw ? [{ field, ...flaw }] : []));
  return hasFlaws(flaws) ? err(flaws) : ok(connection);
}

function oidcFlaws(reach: Reach, config: OidcConfig): readonly SettingFlaw[] {
  return [
    ["issuer", config.issuer === null ? undefined : issuerFlaw(reach, config.issuer)],
    ["client_id", config.client_id === null ? undefined : textFlaw(config.client_id, SSO_CLIENT_ID_MAX_CHARACTERS)],
    ["client_secret_expires_on", dayFlaw(config.client_secret_expires_on)],
    ["scopes", scopesFlaw(config.scopes)],
    ["extra_parameters", parametersFlaw(config.extra_parameters)],
    ["id_jag", listFlaw(config.id_jag, SSO_ID_JAG_CLIENTS_MAX, SSO_CLIENT_ID_MAX_CHARACTERS)],
  ];
}

function mappingFlaws({ protocol, config }: ProtocolConfig): readonly SettingFlaw[] {
  return [
    ...CLAIM_MEMBERS.map((member): SettingFlaw => {
      const isRequired = protocol === "oidc" && (member === "subject_from" || member === "email_from");
      return [member, isRequired && config[member] === null ? REQUIRED : claimFlaw(config[member])];
    }),
    ["attributes", attributesFlaw(config.attributes)],
    ["mfa_trust", listFlaw(config.mfa_trust, SSO_MFA_TRUST_MAX, SSO_MFA_VALUE_MAX_CHARACTERS)],
    ["clock_skew_seconds", skewFlaw(config.clock_skew_seconds)],
  ];
}

/** The settings that name a claim, in the order of the form. */
export const CLAIM_MEMBERS = [
  "subject_from",
  "email_from",
  "first_name_from",
  "last_name_from",
  "display_name_from",
  "groups_from",
] as const satisfies readonly (keyof IdentityMapping)[];

/** One exact issuer at an address that the service may call. */
function issuerFlaw(reach: Reach, issuer: string): InputFlaw | undefined {
  if (issuer.length > SSO_ISSUER_MAX_CHARACTERS) return tooLong(SSO_ISSUER_MAX_CHARACTERS);
  if (/[{}]/.test(issuer)) return TEMPLATE;
  const flaw = textFlaw(issuer, SSO_ISSUER_MAX_CHARACTERS) ?? targetUrlFlaw(reach, issuer);
  if (flaw) return flaw;
  // Tokens repeat an issuer to the letter.
  if (exactUriProblem(issuer)) return EXACT_HOST;
  const { pathname, search } = new URL(issuer);
  if (search !== "" || issuer.includes("?") || issuer.includes("#")) return EXACT;
  return pathname.split("/").some((segment) => TENANT_TEMPLATES.has(segment)) ? TEMPLATE : undefined;
}

function claimFlaw(name: string | null): InputFlaw | undefined {
  return name === null ? undefined : textFlaw(name, SSO_CLAIM_NAME_MAX_CHARACTERS);
}

/** A day that exists, as `2026-12-31`. */
function dayFlaw(day: string | null): InputFlaw | undefined {
  if (day === null) return undefined;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(day) : undefined;
  const exists = at !== undefined && Number.isFinite(at.getTime()) && at.toISOString().startsWith(day);
  return exists ? undefined : { rule: "format", text: "not a day such as 2026-12-31" };
}

function scopesFlaw(scopes: string): InputFlaw | undefined {
  if (scopes.length > SSO_SCOPES_MAX_CHARACTERS) return tooLong(SSO_SCOPES_MAX_CHARACTERS);
  if (!SCOPE_TOKENS.test(scopes)) return { rule: "format", text: "scopes separated by single spaces" };
  return scopes.split(" ").includes("openid") ? undefined : { rule: "required", text: "must contain openid" };
}

function parametersFlaw(parameters: Readonly<Record<string, string>>): InputFlaw | undefined {
  const entries = Object.entries(parameters);
  if (entries.length > SSO_EXTRA_PARAMETERS_MAX)
    return { rule: "too_long", text: `at most ${SSO_EXTRA_PARAMETERS_MAX}` };
  return firstFlaw(entries, ([name, value]) => {
    if (PROTOCOL_PARAMETERS.has(name.toLowerCase()))
      return { rule: "not_allowed", text: "a parameter of the protocol" };
    if (!PARAMETER_NAME.test(name) || name.length > SSO_PARAMETER_NAME_MAX_CHARACTERS) {
      return { rule: "format", text: "a name of letters, digits, points, underscores and hyphens" };
    }
    return value === "" ? undefined : textFlaw(value, SSO_PARAMETER_VALUE_MAX_CHARACTERS);
  });
}

function attributesFlaw(attributes: readonly AttributeMapping[]): InputFlaw | undefined {
  if (attributes.length > SSO_ATTRIBUTES_MAX) return { rule: "too_long", text: `at most ${SSO_ATTRIBUTES_MAX}` };
  if (new Set(attributes.map(({ name }) => name)).size < attributes.length) return DUPLICATE;
  return firstFlaw(
    attributes,
    ({ name, from }) => textFlaw(name, SSO_ATTRIBUTE_NAME_MAX_CHARACTERS) ?? claimFlaw(from),
  );
}

/** `never` and `off` are valid; a list has at least one value. */
function listFlaw(list: string | readonly string[], max: number, maxCharacters: number): InputFlaw | undefined {
  if (typeof list === "string") return undefined;
  if (list.length === 0) return { rule: "required", text: "at least one value" };
  if (list.length > max) return { rule: "too_long", text: `at most ${max}` };
  return firstFlaw(list, (value) => textFlaw(value, maxCharacters));
}

function skewFlaw(seconds: number): InputFlaw | undefined {
  const text = `a whole number from 0 to ${SSO_CLOCK_SKEW_MAX_SECONDS}`;
  if (!Number.isInteger(seconds)) return { rule: "format", text };
  if (seconds < 0) return { rule: "too_small", text };
  return seconds > SSO_CLOCK_SKEW_MAX_SECONDS ? { rule: "too_large", text } : undefined;
}
