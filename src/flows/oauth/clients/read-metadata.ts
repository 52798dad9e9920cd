/** The metadata of an application that registers itself (RFC 7591 and OpenID Connect Registration, section 2). */

import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { REFRESH_REPEAT_SECONDS_DEFAULT } from "../../../limits/limits.ts";
import { OAUTH_DYNAMIC_SCOPES_MAX, OAUTH_RESOURCES_MAX } from "../../../limits/oauth-limits.ts";
import type { ClientKey, TokenAuthMethod } from "../../../models/oauth-client/oauth-client.ts";
import { DEVICE_GRANT, type GrantType } from "../../../vocabulary/grant-type.ts";
import { PROVIDER_ALGORITHMS, type ProviderAlgorithm } from "../../../vocabulary/provider-algorithm.ts";
import { isUserScope, USER_SCOPES } from "../../../vocabulary/user-scopes.ts";
import type { ClientSettings } from "./client-change.ts";
import { type LeftOut, UNNAMED, usableSettings } from "./usable-settings.ts";

/** A JSON object as sent. */
export type ClientMetadata = Readonly<Record<string, unknown>>;
export type MetadataProblem = OAuthRefusal<"invalid_client_metadata" | "invalid_redirect_uri">;

/** Grants of users only: a client that registered itself never acts in its own name or for an API. */
const GRANTS: readonly GrantType[] = ["authorization_code", "refresh_token", DEVICE_GRANT];
const METHODS: readonly TokenAuthMethod[] = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"];
const DEFAULT_SCOPES = ["openid", "profile", "email"];
const UNSUPPORTED = ["software_statement", "request_uris", "sector_identifier_uri"];

/**
 * The settings of a client by its metadata, and what was left out. Unknown members are ignored, and grants, scopes,
 * addresses and names that a client cannot have are left out (RFC 7591, section 2); the response names both.
 */
export function readClientMetadata(
  deps: Pick<Deps, "oauthResources">,
  metadata: ClientMetadata,
): Result<ReadMetadata, MetadataProblem> {
  const read = readMembers(metadata);
  const unsupported = UNSUPPORTED.find((name) => metadata[name] !== undefined);
  if (unsupported) return err(invalid(`${unsupported} is not supported`));
  const grants = read.list("grant_types") ?? ["authorization_code"];
  const grantTypes = GRANTS.filter((grant) => grants.includes(grant));
  const redirectUris = read.list("redirect_uris") ?? [];
  const settings = {
    name: read.text("client_name") ?? UNNAMED,
    applicationType: read.choice("application_type", ["web", "native"] as const) ?? "web",
    tokenAuthMethod: read.choice("token_endpoint_auth_method", METHODS) ?? "client_secret_basic",
    grantTypes,
    redirectUris: grantTypes.includes("authorization_code") ? redirectUris : [],
    postLogoutRedirectUris: read.list("post_logout_redirect_uris") ?? [],
    backchannelLogoutUri: read.text("backchannel_logout_uri") ?? null,
    logoUrl: read.text("logo_uri") ?? null,
    policyUri: read.text("policy_uri") ?? null,
    tosUri: read.text("tos_uri") ?? null,
    clientUri: read.text("client_uri") ?? null,
    keys: read.keys("jwks") ?? [],
    jwksUri: read.text("jwks_uri") ?? null,
    idTokenSignedResponseAlg: algorithmOf(read),
    requirePushedRequests: read.flag("require_pushed_authorization_requests") ?? false,
    requireSignedRequestObject: read.flag("require_signed_request_object") ?? false,
    dpopBoundAccessTokens: read.flag("dpop_bound_access_tokens") ?? false,
    ...accessOf(deps, read, grantTypes),
    ...ADMINISTRATIVE_SETTINGS,
  } satisfies ClientSettings;
  const responseTypes = read.list("response_types") ?? ["code"];
  read.choice("subject_type", ["public"]);
  const flaw = read.flaw();
  if (flaw) return err(invalid(flaw));
  if (grantTypes.length === 0) return err(invalid("grant_types has no supported grant"));
  const needsCode = grantTypes.includes("authorization_code") && !responseTypes.includes("code");
  return needsCode ? err(invalid("response_types must contain code")) : ok(usableSettings(settings));
}

export interface ReadMetadata {
  readonly settings: ClientSettings;
  readonly leftOut: readonly LeftOut[];
}

/** Settings that only an administrator chooses. */
export const ADMINISTRATIVE_SETTINGS = {
  audiences: [],
  exchanges: [],
  claimMappings: [],
  firstParty: false,
  subjectType: "public",
  sector: null,
  requireAcr: null,
  registration: null,
  requirePkce: true,
  requireNonceOrPkce: true,
  requireDpopNonce: false,
  refreshTokenRotation: true,
  refreshRepeatSeconds: REFRESH_REPEAT_SECONDS_DEFAULT,
  profile: "none",
  idTokenClaims: "scope",
  managedBy: null,
  organizations: null,
  preset: null,
  presetInputs: null,
} as const satisfies Partial<ClientSettings>;

export function invalid(description: string): OAuthRefusal<"invalid_client_metadata"> {
  return oauthRefusal("invalid_client_metadata", `${description}.`);
}

/** Libraries send the defaults of RFC 7591: an algorithm that the service lacks is a flaw. */
function algorithmOf(read: MetadataReader): ProviderAlgorithm {
  return read.choice("id_token_signed_response_alg", PROVIDER_ALGORITHMS) ?? "RS256";
}

/** Scopes of users, and the scopes that APIs mark as public, with the APIs that are open to every client. */
function accessOf(
  { oauthResources }: Pick<Deps, "oauthResources">,
  read: MetadataReader,
  grantTypes: readonly GrantType[],
): Pick<ClientSettings, "resources" | "scopes"> {
  const offline = grantTypes.includes("refresh_token") ? ["offline_access"] : [];
  const requested = read.text("scope")?.split(" ").filter(Boolean) ?? [...DEFAULT_SCOPES, ...offline];
  const open = [...oauthResources.index().byKey.values()].filter(
    ({ openTo, disabled }) => openTo === "any" && !disabled,
  );
  const isPublic = new Set(
    open.flatMap(({ scopes }) => scopes.filter((scope) => scope.public).map(({ name }) => name)),
  );
  const ofApis = requested.filter((scope) => isPublic.has(scope) && !isUserScope(scope));
  const granted = new Set(ofApis.slice(0, OAUTH_DYNAMIC_SCOPES_MAX));
  const named = open.filter(({ scopes }) => scopes.some(({ name }) => granted.has(name)));
  return {
    scopes: [...USER_SCOPES.filter((scope) => requested.includes(scope)), ...granted],
    resources: named.slice(0, OAUTH_RESOURCES_MAX).map(({ identifier }) => identifier),
  };
}

type MetadataReader = ReturnType<typeof readMembers>;

/** Reads members by type. A member of another type is a flaw; null, an empty text and an empty list count as absent. */
export function readMembers(metadata: ClientMetadata) {
  let first: string | undefined;
  const member = <T>(name: string, isValid: (value: unknown) => value is T, rule: string): T | undefined => {
    const value = isEmpty(metadata[name]) ? undefined : metadata[name];
    if (value === undefined || isValid(value)) return value;
    first ??= `${name} must be ${rule}`;
    return undefined;
  };
  return {
    text: (name: string) => member(name, isText, "a string"),
    list: (name: string) => member(name, isList, "a list of strings")?.filter(isText),
    flag: (name: string) => member(name, (value) => typeof value === "boolean", "true or false"),
    keys: (name: string) => member(name, isKeySet, "a JSON Web Key Set")?.keys,
    choice: <const Text extends string>(name: string, texts: readonly Text[]) =>
      member(name, (value): value is Text => texts.includes(value as Text), `one of ${texts.join(", ")}`),
    flaw: () => first,
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0");
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

/** A list with at least one text: an item of another type never refuses the rest. */
function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.some(isText);
}

function isKeySet(value: unknown): value is { readonly keys: readonly ClientKey[] } {
  const keys = (value as { keys?: unknown } | null)?.keys;
  return Array.isArray(keys) && keys.every((key) => typeof key?.kty === "string");
}
