/** The form of an application: converts between form fields and members of the API. */

import { invalidInput } from "../../../base/invalid-input.ts";
import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { ClientChange, ClientSettings } from "../../../flows/oauth/clients/client-change.ts";
import { CLIENT_PRESETS, type ClientPresetName } from "../../../flows/oauth/clients/client-presets.ts";
import { bodyValidator } from "../../../http/input/read-input.ts";
import { changeOf, settingsOf } from "../../../http/oauth/oauth-client-settings.ts";
import { ChangeOAuthClient, CreateOAuthClient } from "../../../http/schemas/oauth-clients.ts";
import { REFRESH_REPEAT_SECONDS_DEFAULT } from "../../../limits/limits.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { GRANT_TYPES, type GrantType } from "../../../vocabulary/grant-type.ts";
import { USER_SCOPES } from "../../../vocabulary/user-scopes.ts";
import type { FormState } from "../../components/form.tsx";
import type { Fields } from "../../page.ts";
import { refusedForm } from "../../problem-messages.ts";
import { versionOf } from "../../shared/displayed-version.ts";
import type { View } from "../../view.tsx";
import { addressErrors, LISTS, wordsIn } from "./address-lists.ts";

/** Optional members with one address. */
const OPTIONAL = ["logo_url", "policy_uri", "tos_uri", "client_uri", "backchannel_logout_uri", "jwks_uri"] as const;
/** Members with the values `true` and `false`; a form without the field keeps the default, or the stored value. */
const SWITCHES = [
  "require_pkce",
  "require_nonce_or_pkce",
  "require_pushed_authorization_requests",
  "dpop_bound_access_tokens",
  "require_dpop_nonce",
  "require_signed_request_object",
  "refresh_token_rotation",
] as const;
/** Members with one of several values; a form without the field keeps the default, or the stored value. */
const CHOICES = [
  "application_type",
  "token_endpoint_auth_method",
  "id_token_claims",
  "id_token_signed_response_alg",
  "profile",
  "require_acr",
] as const;
/** The choice of a member that may be null. */
const NONE = "none";
const REPEAT = "refresh_repeat_seconds";
const TEXTS = [
  "name",
  ...SWITCHES,
  REPEAT,
  "sector",
  "scopes",
  "organizations",
  "keys",
  "exchanges",
  "version",
  "preset",
] as const;
const CHECKS = [
  "first_party",
  ...GRANT_TYPES.map((grant) => `grant:${grant}` as const),
  ...USER_SCOPES.map((scope) => scopeField(scope)),
] as const;

const USER_SCOPES_OF_PRESET = ["openid", "profile", "email"];

/** The box of a scope of this service. The field `scopes` has the further scopes. */
export function scopeField(scope: string): string {
  return `scope:${scope}`;
}

/** The field values of a new client of a preset. */
export function valuesOfPreset(name: ClientPresetName): Record<string, string> {
  const preset = CLIENT_PRESETS[name];
  return {
    preset: name,
    application_type: preset.applicationType,
    token_endpoint_auth_method: preset.tokenAuthMethod,
    require_pkce: String(preset.requirePkce),
    require_nonce_or_pkce: "true",
    require_pushed_authorization_requests: "false",
    dpop_bound_access_tokens: "false",
    require_dpop_nonce: "false",
    require_signed_request_object: "false",
    refresh_token_rotation: "true",
    [REPEAT]: String(REFRESH_REPEAT_SECONDS_DEFAULT),
    profile: "none",
    require_acr: NONE,
    id_token_claims: "scope",
    id_token_signed_response_alg: "RS256",
    ...scopeValues(preset.grantTypes.includes("authorization_code") ? USER_SCOPES_OF_PRESET : []),
    ...grantValues(preset.grantTypes),
  };
}

/** The field values of a stored client. */
export function valuesOfClient(client: OAuthClient): Record<string, string> {
  return {
    name: client.name,
    application_type: client.applicationType,
    token_endpoint_auth_method: client.tokenAuthMethod,
    require_pkce: String(client.requirePkce),
    require_nonce_or_pkce: String(client.requireNonceOrPkce),
    require_pushed_authorization_requests: String(client.requirePushedRequests),
    dpop_bound_access_tokens: String(client.dpopBoundAccessTokens),
    require_dpop_nonce: String(client.requireDpopNonce),
    require_signed_request_object: String(client.requireSignedRequestObject),
    refresh_token_rotation: String(client.refreshTokenRotation),
    [REPEAT]: String(client.refreshRepeatSeconds),
    profile: client.profile,
    require_acr: client.requireAcr ?? NONE,
    jwks_uri: client.jwksUri ?? "",
    exchanges: client.exchanges.length > 0 ? JSON.stringify(client.exchanges, undefined, 2) : "",
    id_token_claims: client.idTokenClaims,
    id_token_signed_response_alg: client.idTokenSignedResponseAlg,
    sector: client.sector ?? "",
    logo_url: client.logoUrl ?? "",
    policy_uri: client.policyUri ?? "",
    tos_uri: client.tosUri ?? "",
    client_uri: client.clientUri ?? "",
    backchannel_logout_uri: client.backchannelLogoutUri ?? "",
    redirect_uris: client.redirectUris.join("\n"),
    post_logout_redirect_uris: client.postLogoutRedirectUris.join("\n"),
    resources: client.resources.join("\n"),
    audiences: client.audiences.join("\n"),
    organizations: client.organizations?.join("\n") ?? "",
    ...scopeValues(client.scopes),
    keys: client.keys.length > 0 ? JSON.stringify({ keys: client.keys }, undefined, 2) : "",
    first_party: client.firstParty ? "yes" : "",
    ...grantValues(client.grantTypes),
    version: versionOf(client.updatedAt),
  };
}

function grantValues(grants: readonly GrantType[]): Record<string, string> {
  return Object.fromEntries(GRANT_TYPES.map((grant) => [`grant:${grant}`, grants.includes(grant) ? "yes" : ""]));
}

function scopeValues(scopes: readonly string[]): Record<string, string> {
  const boxes = USER_SCOPES.map((scope) => [scopeField(scope), scopes.includes(scope) ? "yes" : ""]);
  const further = scopes.filter((scope) => !(USER_SCOPES as readonly string[]).includes(scope));
  return { ...Object.fromEntries(boxes), scopes: further.join(" ") };
}

/** The submitted field values. */
export function valuesOfForm(form: Fields): Record<string, string> {
  const names = [...TEXTS, ...CHOICES, ...LISTS, ...OPTIONAL, ...CHECKS];
  return Object.fromEntries(names.map((name) => [name, form.text(name)]));
}

const validateNew = bodyValidator(CreateOAuthClient);
const validateChange = bodyValidator(ChangeOAuthClient);

/** Problems name the invalid member. */
export function settingsIn(form: Fields): Result<ClientSettings, Refusal<"invalid_input">> {
  const members = membersIn(form);
  const { subject_type, sector } = members.ok ? members.value : {};
  // A new client without a sector has the default subject type.
  const subject = sector === null ? { subject_type: undefined, sector: undefined } : { subject_type, sector };
  const valid = members.ok ? validateNew(withoutUndefined({ ...members.value, ...subject })) : members;
  return valid.ok ? ok(settingsOf(valid.value)) : valid;
}

/** As `settingsIn`. */
export function changeIn(form: Fields): Result<ClientChange, Refusal<"invalid_input">> {
  const members = membersIn(form);
  const valid = members.ok ? validateChange(members.value) : members;
  return valid.ok ? ok(changeOf(valid.value)) : valid;
}

function membersIn(form: Fields): Result<Record<string, unknown>, Refusal<"invalid_input">> {
  const [keys, exchanges] = [readKeys(form.text("keys")), readList(form.text("exchanges"))];
  if (!keys) return err(invalidInput("keys", "format", "not a JSON Web Key Set"));
  if (!exchanges) return err(invalidInput("exchanges", "format", "not a JSON list"));
  return ok({
    name: form.text("name"),
    ...Object.fromEntries(LISTS.map((name) => [name, wordsIn(form.text(name))])),
    ...Object.fromEntries(OPTIONAL.map((name) => [name, form.text(name).trim() || null])),
    ...Object.fromEntries(CHOICES.filter((name) => form.has(name)).map((name) => [name, form.text(name)])),
    ...Object.fromEntries(SWITCHES.filter((name) => form.has(name)).map((name) => [name, form.text(name) !== "false"])),
    ...(form.has(REPEAT) ? { [REPEAT]: readSeconds(form.text(REPEAT)) } : {}),
    ...(form.text("require_acr") === NONE ? { require_acr: null } : {}),
    ...(form.has("exchanges") ? { exchanges } : {}),
    ...(form.has("organizations") ? { organizations: organizationsIn(form.text("organizations")) } : {}),
    ...(form.has("sector") ? subjectIn(form.text("sector").trim()) : {}),
    grant_types: GRANT_TYPES.filter((grant) => form.has(`grant:${grant}`)),
    scopes: scopesIn(form),
    first_party: form.has("first_party"),
    keys,
  });
}

/** An empty field serves every organization. */
function organizationsIn(text: string): string[] | null {
  const ids = wordsIn(text);
  return ids.length > 0 ? ids : null;
}

/** The validation of the member refuses a text. */
function readSeconds(text: string): number | string {
  const digits = text.normalize("NFKC").trim();
  return /^\d{1,6}$/.test(digits) ? Number(digits) : text;
}

/** The ticked scopes of this service, then the typed scopes, each once. */
function scopesIn(form: Fields): string[] {
  const ticked = USER_SCOPES.filter((scope) => form.has(scopeField(scope)));
  return [...new Set([...ticked, ...wordsIn(form.text("scopes"))])];
}

function subjectIn(sector: string) {
  return sector === "" ? { subject_type: "public", sector: null } : { subject_type: "pairwise", sector };
}

function withoutUndefined(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** A JSON Web Key Set (RFC 7517, section 5) or the list of its keys; the flow validates the members of the keys. */
function readKeys(text: string): unknown[] | undefined {
  if (text.trim() === "") return [];
  try {
    const read: unknown = JSON.parse(text);
    const keys = Array.isArray(read) ? read : (read as { keys?: unknown } | null)?.keys;
    return Array.isArray(keys) ? keys : undefined;
  } catch {
    return undefined;
  }
}

function readList(text: string): unknown[] | undefined {
  if (text.trim() === "") return [];
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** The form with the problem message beside the field that the refusal names, and one line for each wrong address. */
export function refusedClient(view: View, refused: Refusal, values: Record<string, string>): FormState {
  if (refused.code === "mfa_required") return { values };
  const state = refusedForm(view, refused, values, { conflict: view.t.clients.full }, view.t.clients.rules);
  return refused.code === "invalid_input"
    ? { ...state, errors: { ...state.errors, ...addressErrors(view, values) } }
    : state;
}
