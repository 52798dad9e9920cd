/** A change of the settings of a client: the settings afterwards, the changed members, and the secrets. */
import { isDeepStrictEqual } from "node:util";
import type { Random } from "../../../base/random.ts";
import { type ClientSecretText, makeClientSecret } from "../../../models/oauth-client/client-secret.ts";
import { authenticationKind, type NewClient, type OAuthClient } from "../../../models/oauth-client/oauth-client.ts";

export type ClientSettings = Omit<NewClient, "id" | "kind" | "createdAt" | "updatedAt">;

/** Absent settings keep their values. */
export type ClientChange = Partial<ClientSettings> & { readonly disabled?: boolean };

/** The member of the API for every setting. A missing setting does not compile. */
export const SETTING_MEMBERS: Record<keyof ClientSettings | "disabled", string> = {
  name: "name",
  logoUrl: "logo_url",
  policyUri: "policy_uri",
  tosUri: "tos_uri",
  clientUri: "client_uri",
  applicationType: "application_type",
  tokenAuthMethod: "token_endpoint_auth_method",
  keys: "keys",
  redirectUris: "redirect_uris",
  postLogoutRedirectUris: "post_logout_redirect_uris",
  backchannelLogoutUri: "backchannel_logout_uri",
  grantTypes: "grant_types",
  scopes: "scopes",
  resources: "resources",
  audiences: "audiences",
  firstParty: "first_party",
  requireAcr: "require_acr",
  registration: "registration",
  requirePkce: "require_pkce",
  requireNonceOrPkce: "require_nonce_or_pkce",
  requirePushedRequests: "require_pushed_authorization_requests",
  dpopBoundAccessTokens: "dpop_bound_access_tokens",
  requireDpopNonce: "require_dpop_nonce",
  idTokenClaims: "id_token_claims",
  idTokenSignedResponseAlg: "id_token_signed_response_alg",
  requireSignedRequestObject: "require_signed_request_object",
  refreshTokenRotation: "refresh_token_rotation",
  refreshRepeatSeconds: "refresh_repeat_seconds",
  profile: "profile",
  jwksUri: "jwks_uri",
  exchanges: "exchanges",
  organizations: "organizations",
  claimMappings: "claim_mappings",
  preset: "preset",
  presetInputs: "inputs",
  subjectType: "subject_type",
  sector: "sector",
  managedBy: "managed_by",
  disabled: "disabled",
};

/**
 * The settings after a change. Keys of a client that no longer uses `private_key_jwt`, and the sector of a client with
 * public subjects, are removed unless the change names them.
 */
export function applyChange(before: OAuthClient, change: ClientChange & Pick<OAuthClient, "updatedAt">): OAuthClient {
  const after = { ...before, ...change };
  const isPairwise = after.subjectType === "pairwise";
  return {
    ...after,
    ...keysAfter(before, change, authenticationKind(after) === "private_key_jwt"),
    sector: change.sector === undefined && !isPairwise ? null : after.sector,
  };
}

/** Keys by value and the address of keys replace each other. */
function keysAfter(
  before: OAuthClient,
  { keys, jwksUri }: ClientChange,
  usesKeys: boolean,
): Pick<OAuthClient, "keys" | "jwksUri"> {
  const keepsKeys = usesKeys && (jwksUri ?? null) === null;
  const keepsUri = usesKeys && (keys ?? []).length === 0;
  return {
    keys: keys ?? (keepsKeys ? before.keys : []),
    jwksUri: jwksUri === undefined ? (keepsUri ? before.jwksUri : null) : jwksUri,
  };
}

/** The names of the changed members, in the terms of the API. */
export function changedMembers(before: OAuthClient, after: OAuthClient): readonly string[] {
  const settings = Object.keys(SETTING_MEMBERS) as (keyof typeof SETTING_MEMBERS)[];
  return settings.filter((name) => !isDeepStrictEqual(before[name], after[name])).map((name) => SETTING_MEMBERS[name]);
}

/** Whether a client authenticates with a secret. */
export function hasSecret(client: Pick<OAuthClient, "tokenAuthMethod">): boolean {
  return authenticationKind(client) === "secret";
}

/** The effect of a change on the secrets: a first secret, the deletion of all secrets, or neither. */
export interface SecretChange {
  readonly created: ClientSecretText | undefined;
  readonly deletesAll: boolean;
}

/** A change to a method with a secret creates the first secret, a change to another method deletes all secrets. */
export function secretChange(before: OAuthClient, after: OAuthClient, random: Random, at: Date): SecretChange {
  const [had, has] = [hasSecret(before), hasSecret(after)];
  return { created: has && !had ? makeClientSecret(random, at) : undefined, deletesAll: had && !has };
}
