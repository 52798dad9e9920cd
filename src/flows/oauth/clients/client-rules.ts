import { NAME_FLAW, normalizeName } from "../../../base/display-name.ts";
import { type FieldFlaw, hasFlaws, type InputFlaw } from "../../../base/invalid-input.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { holdsUnstorableText } from "../../../base/storable-text.ts";
import { normalizeExactUri, normalizeUrl } from "../../../base/stored-url.ts";
import type { Deps } from "../../../deps.ts";
import {
  OAUTH_CLIENT_KEYS_MAX,
  OAUTH_CLIENT_ORGANIZATIONS_MAX,
  OAUTH_EXCHANGES_MAX,
  OAUTH_SCOPE_MAX_CHARACTERS,
  OAUTH_SCOPES_MAX,
  OAUTH_URIS_MAX,
} from "../../../limits/oauth-limits.ts";
import { mappingFlaws } from "../../../models/claim-mapping/validate-mappings.ts";
import type { ClientKey, NewClient, TokenExchangeRule } from "../../../models/oauth-client/oauth-client.ts";
import { rulesOf } from "../../../models/oauth-client/provenance.ts";
import { clientUriFlaw, redirectUriFlaw, resourceFlaw } from "../../../models/oauth-client/redirect-uri.ts";
import { ASSERTION_GRANT, DEVICE_GRANT, EXCHANGE_GRANT } from "../../../vocabulary/grant-type.ts";
import { isBoundedKey } from "../../../vocabulary/public-jwk.ts";
import { resourceKey } from "../../../vocabulary/resource-key.ts";
import { isUserScope } from "../../../vocabulary/user-scopes.ts";
import { type AddressPermits, conflicting, protectionFlaws } from "./protection-rules.ts";

const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
const SECTOR = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
/** Private members of a JWK (RFC 7518, sections 6.2.2, 6.3.2 and 6.4). */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** Grants without a user at a page: only authentication protects these grants. */
const CONFIDENTIAL_GRANTS: ReadonlySet<string> = new Set(["client_credentials", EXCHANGE_GRANT, ASSERTION_GRANT]);

const UNSTORABLE: InputFlaw = { rule: "format", text: "contains a NUL or an unpaired surrogate" };
const LARGE_KEY: InputFlaw = { rule: "too_long", text: "at most 4,096 bits" };
const DUPLICATE: InputFlaw = { rule: "conflicting", text: "contains a duplicate" };
const SCOPE_FLAW: InputFlaw = {
  rule: "format",
  text: `1 to ${OAUTH_SCOPE_MAX_CHARACTERS} printable ASCII characters without space, quote and backslash`,
};

const NO_PERMITS: AddressPermits = { privateHttp: false, embedded: false };

/** The permits of the configuration. */
export function addressPermits({ config }: Pick<Deps, "config">): AddressPermits {
  return { privateHttp: config.oauth.privateHttp, embedded: config.embedded };
}

/** Validates all settings of a client; the name and the URLs of a valid client are normalized. */
export function validateClient<Client extends NewClient>(
  given: Client,
  permits: AddressPermits = NO_PERMITS,
): Result<Client, readonly [FieldFlaw, ...FieldFlaw[]]> {
  const client = withStoredUrls(given);
  const name = normalizeName(client.name);
  const nameFlaws = name === undefined ? [{ field: "name", ...NAME_FLAW }] : [];
  const flaws = [...nameFlaws, ...clientFlaws(client, permits)];
  return hasFlaws(flaws) ? err(flaws) : ok({ ...client, name: name ?? client.name });
}

/** The client with its URLs in stored form. */
function withStoredUrls<Client extends NewClient>(client: Client): Client {
  const exact = (uris: readonly string[]) => uris.map(normalizeExactUri);
  return {
    ...client,
    logoUrl: normalizeUrl(client.logoUrl),
    policyUri: normalizeUrl(client.policyUri),
    tosUri: normalizeUrl(client.tosUri),
    clientUri: normalizeUrl(client.clientUri),
    jwksUri: normalizeUrl(client.jwksUri),
    backchannelLogoutUri: normalizeUrl(client.backchannelLogoutUri),
    redirectUris: exact(client.redirectUris),
    postLogoutRedirectUris: exact(client.postLogoutRedirectUris),
    resources: withoutSpellings(exact(client.resources)),
    audiences: withoutSpellings(exact(client.audiences)),
  };
}

/** The identifiers without a second spelling of an earlier identifier, as with and without a slash at the root. */
function withoutSpellings(identifiers: readonly string[]): readonly string[] {
  return identifiers.filter((identifier, index) => {
    const first = identifiers.find((each) => resourceKey(each) === resourceKey(identifier));
    return first === identifier || identifiers.indexOf(identifier) < index;
  });
}

/** Returns all flaws of the settings of a client, at most 1 for every member. */
function clientFlaws(client: NewClient, permits: AddressPermits): readonly FieldFlaw[] {
  const flaws = [
    ...urisFlaws(client, permits),
    scopesFlaw(client),
    grantsFlaw(client),
    keysFlaw(client),
    subjectFlaw(client),
    exchangesFlaw(client),
    signedRequestFlaw(client),
    kindFlaw(client),
    organizationsFlaw(client),
    ...protectionFlaws(client, permits),
    ...mappingsFlaws(client),
  ];
  return flaws.filter((flaw) => flaw !== undefined);
}

function urisFlaws(client: NewClient, permits: AddressPermits): readonly (FieldFlaw | undefined)[] {
  const redirect = (uri: string) =>
    redirectUriFlaw(uri, client.applicationType, permits.privateHttp && client.kind === "registered");
  return [
    listFlaw("redirect_uris", client.redirectUris, OAUTH_URIS_MAX, redirect),
    listFlaw("post_logout_redirect_uris", client.postLogoutRedirectUris, OAUTH_URIS_MAX, redirect),
    listFlaw("resources", client.resources, OAUTH_URIS_MAX, resourceFlaw),
    listFlaw("audiences", client.audiences, OAUTH_URIS_MAX, resourceFlaw),
    optionalFlaw("backchannel_logout_uri", client.backchannelLogoutUri),
    optionalFlaw("logo_url", client.logoUrl),
    optionalFlaw("jwks_uri", client.jwksUri),
    optionalFlaw("policy_uri", client.policyUri),
    optionalFlaw("tos_uri", client.tosUri),
    optionalFlaw("client_uri", client.clientUri),
  ];
}

function listFlaw(
  field: string,
  texts: readonly string[],
  max: number,
  flawOf: (text: string) => InputFlaw | undefined,
): FieldFlaw | undefined {
  if (texts.length > max) return { field, rule: "too_long", text: `at most ${max}` };
  if (new Set(texts).size < texts.length) return { field, ...DUPLICATE };
  const flaw = texts.map(flawOf).find((each) => each !== undefined);
  return flaw && { field, ...flaw };
}

function optionalFlaw(field: string, uri: string | null): FieldFlaw | undefined {
  const flaw = uri === null ? undefined : clientUriFlaw(uri);
  return flaw && { field, ...flaw };
}

function scopesFlaw({ scopes }: NewClient): FieldFlaw | undefined {
  return listFlaw("scopes", scopes, OAUTH_SCOPES_MAX, scopeFlaw);
}

/** The flaw of the name of a scope (RFC 6749, section 3.3). */
export function scopeFlaw(scope: string): InputFlaw | undefined {
  return SCOPE.test(scope) && scope.length <= OAUTH_SCOPE_MAX_CHARACTERS ? undefined : SCOPE_FLAW;
}

function grantsFlaw({ grantTypes, redirectUris, tokenAuthMethod }: NewClient): FieldFlaw | undefined {
  if (new Set(grantTypes).size < grantTypes.length) return { field: "grant_types", ...DUPLICATE };
  if (grantTypes.includes("authorization_code") !== redirectUris.length > 0) {
    return conflicting("redirect_uris", "needed for authorization_code, and only for it");
  }
  const isOfUsers = grantTypes.includes("authorization_code") || grantTypes.includes(DEVICE_GRANT);
  if (grantTypes.includes("refresh_token") && !isOfUsers) {
    return conflicting("grant_types", "refresh_token needs authorization_code or the device grant");
  }
  const open = tokenAuthMethod === "none" && grantTypes.find((grant) => CONFIDENTIAL_GRANTS.has(grant));
  return open ? conflicting("grant_types", `${open} needs an application that authenticates`) : undefined;
}

function keysFlaw(client: NewClient): FieldFlaw | undefined {
  const { keys, jwksUri, tokenAuthMethod, requireSignedRequestObject } = client;
  const hasKeys = keys.length > 0 || jwksUri !== null;
  if (tokenAuthMethod === "private_key_jwt" && !hasKeys) return conflicting("keys", "needed for private_key_jwt");
  if (tokenAuthMethod !== "private_key_jwt" && hasKeys && !requireSignedRequestObject) {
    return conflicting("keys", "for private_key_jwt and signed request objects only");
  }
  if (keys.length > 0 && jwksUri !== null) return conflicting("jwks_uri", "in place of keys, never beside keys");
  if (keys.length > OAUTH_CLIENT_KEYS_MAX)
    return { field: "keys", rule: "too_long", text: `at most ${OAUTH_CLIENT_KEYS_MAX}` };
  if (holdsUnstorableText(keys)) return { field: "keys", ...UNSTORABLE };
  if (rulesOf(client).storedMaxBytes !== null && !keys.every(isBoundedKey)) return { field: "keys", ...LARGE_KEY };
  return keys.some(isPrivate) ? { field: "keys", rule: "not_allowed", text: "public keys only" } : undefined;
}

function exchangesFlaw({ exchanges }: NewClient): FieldFlaw | undefined {
  const field = "exchanges";
  if (exchanges.length > OAUTH_EXCHANGES_MAX)
    return { field, rule: "too_long", text: `at most ${OAUTH_EXCHANGES_MAX}` };
  const pairs = exchanges.map(({ from, to }) => `${resourceKey(from)} ${resourceKey(to)}`);
  if (new Set(pairs).size < pairs.length) return { field, ...DUPLICATE };
  const flaw = exchanges.map(exchangeFlaw).find((each) => each !== undefined);
  return flaw && { field, ...flaw };
}

function exchangeFlaw({ from, to, scopes }: TokenExchangeRule): InputFlaw | undefined {
  if (scopes.length > OAUTH_SCOPES_MAX) return { rule: "too_long", text: `at most ${OAUTH_SCOPES_MAX} scopes` };
  const names = scopes.flatMap((scope) => (typeof scope === "string" ? [scope] : [scope.from, scope.to]));
  const flaw = [...[from, to].map(resourceFlaw), ...names.map(scopeFlaw)].find((each) => each !== undefined);
  if (flaw) return flaw;
  return names.some(isUserScope) ? { rule: "not_allowed", text: "scopes of APIs only" } : undefined;
}

function signedRequestFlaw({ requireSignedRequestObject, keys, jwksUri }: NewClient): FieldFlaw | undefined {
  return requireSignedRequestObject && keys.length === 0 && jwksUri === null
    ? conflicting("require_signed_request_object", "needs keys")
    : undefined;
}

/** An application that an administrator did not register is of unknown origin: users are always asked for consent. */
function kindFlaw(client: NewClient): FieldFlaw | undefined {
  return client.firstParty && !rulesOf(client).mayBeFirstParty
    ? conflicting("first_party", "must be false for an application that was not registered by an administrator")
    : undefined;
}

/** An empty list would keep every user out: `disabled` does so without doubt. */
function organizationsFlaw({ organizations }: NewClient): FieldFlaw | undefined {
  const field = "organizations";
  if (organizations === null) return undefined;
  if (organizations.length === 0) return { field, rule: "required", text: "at least one, or null" };
  const max = OAUTH_CLIENT_ORGANIZATIONS_MAX;
  return organizations.length > max ? { field, rule: "too_long", text: `at most ${max}` } : undefined;
}

/** Mappings are for registered clients: an administrator answers for the data that a client receives. */
function mappingsFlaws(client: NewClient): readonly FieldFlaw[] {
  const { claimMappings, scopes, organizations, subjectType, kind } = client;
  if (claimMappings.length === 0) return [];
  if (kind !== "registered")
    return [{ field: "claim_mappings", rule: "not_allowed", text: "registered applications only" }];
  const owner = { kind: "application", scopes, organizations, isPairwise: subjectType === "pairwise" } as const;
  return mappingFlaws({ ...owner, ownClaims: [] }, claimMappings);
}

function isPrivate(key: ClientKey): boolean {
  return key.kty === "oct" || PRIVATE_MEMBERS.some((member) => Object.hasOwn(key, member));
}

function subjectFlaw({ subjectType, sector, redirectUris }: NewClient): FieldFlaw | undefined {
  if ((subjectType === "pairwise") !== (sector !== null))
    return conflicting("sector", "needed for pairwise subjects, and only for them");
  if (sector === null) return undefined;
  if (!SECTOR.test(sector)) return { field: "sector", rule: "format", text: "a host name in lower case" };
  // The rule of redirect URIs names a malformed URI.
  const hosts = redirectUris.flatMap((uri) => (URL.canParse(uri) ? [new URL(uri).hostname] : []));
  return hosts.every((host) => host === sector || host.endsWith(`.${sector}`))
    ? undefined
    : conflicting("sector", "the host of every redirect URI, or a domain that contains every host");
}
