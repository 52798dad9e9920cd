import {
  OAUTH_CLIENT_KEYS_MAX,
  OAUTH_SCOPE_MAX_CHARACTERS,
  OAUTH_SCOPES_MAX,
  OAUTH_URIS_MAX,
} from "../../base/oauth-limits.ts";
import type { ClientKey, NewClient } from "../../models/oauth-client/oauth-client.ts";
import { clientUriFlaw, redirectUriFlaw, resourceFlaw } from "../../models/oauth-client/redirect-uri.ts";

const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
const SECTOR = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
/** Members of a JWK that only its owner may know (RFC 7518, sections 6.2.2, 6.3.2 and 6.4). */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** What is wrong with the settings of a client, with the name of the member; undefined for good ones. */
export function clientFlaw(client: NewClient): string | undefined {
  return urisFlaw(client) ?? scopesFlaw(client) ?? grantsFlaw(client) ?? keysFlaw(client) ?? subjectFlaw(client);
}

function urisFlaw(client: NewClient): string | undefined {
  const redirect = (uri: string) => redirectUriFlaw(uri, client.applicationType);
  return (
    listFlaw("redirect_uris", client.redirectUris, OAUTH_URIS_MAX, redirect) ??
    listFlaw("post_logout_redirect_uris", client.postLogoutRedirectUris, OAUTH_URIS_MAX, redirect) ??
    listFlaw("resources", client.resources, OAUTH_URIS_MAX, resourceFlaw) ??
    listFlaw("audiences", client.audiences, OAUTH_URIS_MAX, resourceFlaw) ??
    optionalFlaw("backchannel_logout_uri", client.backchannelLogoutUri) ??
    optionalFlaw("logo_url", client.logoUrl)
  );
}

function listFlaw(
  name: string,
  texts: readonly string[],
  max: number,
  flawOf: (text: string) => string | undefined,
): string | undefined {
  if (texts.length > max) return `${name}: at most ${max}`;
  if (new Set(texts).size < texts.length) return `${name}: one is given twice`;
  const flaw = texts.map(flawOf).find((each) => each !== undefined);
  return flaw && `${name}: ${flaw}`;
}

function optionalFlaw(name: string, uri: string | null): string | undefined {
  const flaw = uri === null ? undefined : clientUriFlaw(uri);
  return flaw && `${name}: ${flaw}`;
}

function scopesFlaw({ scopes }: NewClient): string | undefined {
  return listFlaw("scopes", scopes, OAUTH_SCOPES_MAX, (scope) =>
    SCOPE.test(scope) && scope.length <= OAUTH_SCOPE_MAX_CHARACTERS
      ? undefined
      : `1 to ${OAUTH_SCOPE_MAX_CHARACTERS} printable ASCII characters without space, quote and backslash`,
  );
}

function grantsFlaw({ grantTypes, redirectUris, tokenAuthMethod }: NewClient): string | undefined {
  if (new Set(grantTypes).size < grantTypes.length) return "grant_types: one is given twice";
  if (grantTypes.includes("authorization_code") !== redirectUris.length > 0) {
    return "redirect_uris: needed for authorization_code, and only for it";
  }
  if (grantTypes.includes("refresh_token") && !grantTypes.includes("authorization_code")) {
    return "grant_types: refresh_token needs authorization_code";
  }
  const open = tokenAuthMethod === "none" && grantTypes.includes("client_credentials");
  return open ? "grant_types: client_credentials needs an application that authenticates" : undefined;
}

function keysFlaw({ keys, tokenAuthMethod }: NewClient): string | undefined {
  if ((tokenAuthMethod === "private_key_jwt") !== keys.length > 0) {
    return "keys: needed for private_key_jwt, and only for it";
  }
  if (keys.length > OAUTH_CLIENT_KEYS_MAX) return `keys: at most ${OAUTH_CLIENT_KEYS_MAX}`;
  return keys.some(isPrivate) ? "keys: public keys only" : undefined;
}

function isPrivate(key: ClientKey): boolean {
  return key.kty === "oct" || PRIVATE_MEMBERS.some((member) => Object.hasOwn(key, member));
}

function subjectFlaw({ subjectType, sector, redirectUris }: NewClient): string | undefined {
  if ((subjectType === "pairwise") !== (sector !== null))
    return "sector: needed for pairwise subjects, and only for them";
  if (sector === null) return undefined;
  if (!SECTOR.test(sector)) return "sector: a host name in lower case";
  const hosts = redirectUris.map((uri) => new URL(uri).hostname);
  return hosts.every((host) => host === sector || host.endsWith(`.${sector}`))
    ? undefined
    : "sector: the host of every redirect URI, or a domain that all of them are in";
}
