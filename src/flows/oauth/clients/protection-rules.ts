/** Rules for the protection of codes and tokens of a client (RFC 9700; FAPI 2.0). */
import type { FieldFlaw } from "../../../base/invalid-input.ts";
import { REFRESH_REPEAT_SECONDS_DEFAULT } from "../../../limits/limits.ts";
import type { NewClient } from "../../../models/oauth-client/oauth-client.ts";
import { isLoopbackUri } from "../../../models/oauth-client/redirect-uri.ts";

/** What the configuration of the service permits beside the rules of addresses. */
export interface AddressPermits {
  /** `SERVICE_OAUTH_PRIVATE_HTTP`: http for redirect URIs in private networks. */
  readonly privateHttp: boolean;
  /** The service runs on the machine of a developer. */
  readonly embedded: boolean;
}

/** The flaws of the settings that protect codes and tokens, at most 1 for every member. */
export function protectionFlaws(client: NewClient, permits: AddressPermits): readonly (FieldFlaw | undefined)[] {
  return [
    pkceFlaw(client),
    bindingFlaw(client, permits),
    repeatFlaw(client),
    rotationFlaw(client),
    profileFlaw(client),
  ];
}

/** RFC 9700, section 2.1.1: a public client has no other protection of the code. */
function pkceFlaw({ requirePkce, tokenAuthMethod }: NewClient): FieldFlaw | undefined {
  return requirePkce || tokenAuthMethod !== "none"
    ? undefined
    : conflicting("require_pkce", "must be true for an application that does not authenticate");
}

/**
 * Requests with neither a challenge nor a nonce, for products that send neither (RFC 9700, section 2.1.1, recommends
 * PKCE): the secret alone protects the code, and an administrator accepts the risk.
 */
function bindingFlaw(client: NewClient, { embedded }: AddressPermits): FieldFlaw | undefined {
  const field = "require_nonce_or_pkce";
  if (client.requireNonceOrPkce) return undefined;
  if (client.requirePkce) return conflicting(field, "needs require_pkce false");
  if (client.tokenAuthMethod === "none" || client.applicationType !== "web" || client.kind !== "registered") {
    return conflicting(field, "must be true for an application without authentication, of a device, or unregistered");
  }
  if (client.profile !== "none") return conflicting(field, "must be true with a security profile");
  const isDirect = (uri: string) => uri.startsWith("https:") || (embedded && isLoopbackUri(uri));
  return client.redirectUris.every(isDirect) ? undefined : conflicting(field, "needs redirect_uris of https");
}

/** RFC 9700, section 4.14.2: a copied token of a public client without a bound key is found at its next use. */
function repeatFlaw({ refreshRepeatSeconds, tokenAuthMethod, dpopBoundAccessTokens }: NewClient) {
  const isProtected = tokenAuthMethod !== "none" || dpopBoundAccessTokens;
  return isProtected || refreshRepeatSeconds <= REFRESH_REPEAT_SECONDS_DEFAULT
    ? undefined
    : conflicting("refresh_repeat_seconds", "at most 10 for an application that neither authenticates nor uses DPoP");
}

/** RFC 9700, section 4.14.2: only rotation reveals the theft of a refresh token of a public client. */
function rotationFlaw({ refreshTokenRotation, tokenAuthMethod }: NewClient): FieldFlaw | undefined {
  return refreshTokenRotation || tokenAuthMethod !== "none"
    ? undefined
    : conflicting("refresh_token_rotation", "must be true for an application that does not authenticate");
}

/** FAPI 2.0 Security Profile, sections 5.3.2 and 5.4. */
function profileFlaw(client: NewClient): FieldFlaw | undefined {
  if (client.profile === "none") return undefined;
  if (client.tokenAuthMethod !== "private_key_jwt") return conflicting("profile", "fapi2 needs private_key_jwt");
  if (client.idTokenSignedResponseAlg === "RS256") {
    return conflicting("id_token_signed_response_alg", "ES256 or EdDSA with the profile fapi2");
  }
  return client.requirePkce ? undefined : conflicting("require_pkce", "must be true with the profile fapi2");
}

/** A member that does not fit another member. */
export function conflicting(field: string, text: string): FieldFlaw {
  return { field, rule: "conflicting", text };
}
