/**
 * The settings of an application in a body of the API, or in a form with equal members (docs/contract.md, section
 * 23.2).
 */
import type { Static } from "@sinclair/typebox";
import type { DisplayedClient } from "../../flows/oauth/clients/administer-clients.ts";
import type { ClientChange, ClientSettings } from "../../flows/oauth/clients/client-change.ts";
import { REFRESH_REPEAT_SECONDS_DEFAULT } from "../../limits/limits.ts";
import type { OAuthClient } from "../../models/oauth-client/oauth-client.ts";
import { mappingOfClient } from "../schemas/claim-mappings.ts";
import type { ChangeOAuthClient, CreateOAuthClient } from "../schemas/oauth-clients.ts";

export function settingsOf(body: Static<typeof CreateOAuthClient>): ClientSettings {
  return {
    name: body.name,
    tokenAuthMethod: body.token_endpoint_auth_method,
    applicationType: body.application_type ?? "web",
    subjectType: body.subject_type ?? "public",
    sector: body.sector ?? null,
    logoUrl: body.logo_url ?? null,
    policyUri: body.policy_uri ?? null,
    tosUri: body.tos_uri ?? null,
    clientUri: body.client_uri ?? null,
    redirectUris: body.redirect_uris ?? [],
    postLogoutRedirectUris: body.post_logout_redirect_uris ?? [],
    backchannelLogoutUri: body.backchannel_logout_uri ?? null,
    grantTypes: body.grant_types ?? ["authorization_code"],
    scopes: body.scopes ?? ["openid", "profile", "email"],
    resources: body.resources ?? [],
    audiences: body.audiences ?? [],
    firstParty: body.first_party ?? false,
    requireAcr: body.require_acr ?? null,
    registration: body.registration ?? null,
    requirePkce: body.require_pkce ?? true,
    requireNonceOrPkce: body.require_nonce_or_pkce ?? true,
    requirePushedRequests: body.require_pushed_authorization_requests ?? false,
    dpopBoundAccessTokens: body.dpop_bound_access_tokens ?? false,
    requireDpopNonce: body.require_dpop_nonce ?? false,
    idTokenClaims: body.id_token_claims ?? "scope",
    idTokenSignedResponseAlg: body.id_token_signed_response_alg ?? (body.profile === "fapi2" ? "ES256" : "RS256"),
    requireSignedRequestObject: body.require_signed_request_object ?? false,
    refreshTokenRotation: body.refresh_token_rotation ?? body.profile !== "fapi2",
    refreshRepeatSeconds: body.refresh_repeat_seconds ?? REFRESH_REPEAT_SECONDS_DEFAULT,
    profile: body.profile ?? "none",
    keys: body.keys ?? [],
    jwksUri: body.jwks_uri ?? null,
    exchanges: body.exchanges ?? [],
    organizations: uniqueIds(body.organizations ?? null),
    claimMappings: (body.claim_mappings ?? []).map(mappingOfClient),
    managedBy: null,
    preset: null,
    presetInputs: null,
  };
}

/** Absent members are absent. */
export function changeOf(body: Static<typeof ChangeOAuthClient>): ClientChange {
  const given = {
    name: body.name,
    disabled: body.disabled,
    tokenAuthMethod: body.token_endpoint_auth_method,
    applicationType: body.application_type,
    subjectType: body.subject_type,
    sector: body.sector,
    logoUrl: body.logo_url,
    policyUri: body.policy_uri,
    tosUri: body.tos_uri,
    clientUri: body.client_uri,
    redirectUris: body.redirect_uris,
    postLogoutRedirectUris: body.post_logout_redirect_uris,
    backchannelLogoutUri: body.backchannel_logout_uri,
    grantTypes: body.grant_types,
    scopes: body.scopes,
    resources: body.resources,
    audiences: body.audiences,
    firstParty: body.first_party,
    requireAcr: body.require_acr,
    registration: body.registration,
    requirePkce: body.require_pkce,
    requireNonceOrPkce: body.require_nonce_or_pkce,
    requirePushedRequests: body.require_pushed_authorization_requests,
    dpopBoundAccessTokens: body.dpop_bound_access_tokens,
    requireDpopNonce: body.require_dpop_nonce,
    idTokenClaims: body.id_token_claims,
    idTokenSignedResponseAlg: body.id_token_signed_response_alg ?? (body.profile === "fapi2" ? "ES256" : undefined),
    requireSignedRequestObject: body.require_signed_request_object,
    refreshTokenRotation: body.refresh_token_rotation ?? (body.profile === "fapi2" ? false : undefined),
    refreshRepeatSeconds: body.refresh_repeat_seconds,
    profile: body.profile,
    keys: body.keys,
    jwksUri: body.jwks_uri,
    exchanges: body.exchanges,
    organizations: body.organizations === undefined ? undefined : uniqueIds(body.organizations),
    claimMappings: body.claim_mappings?.map(mappingOfClient),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Ids are compared with the ids of the database, in lower case. */
export function uniqueIds(ids: readonly string[] | null): readonly string[] | null {
  return ids && [...new Set(ids.map((id) => id.toLowerCase()))];
}

/** A client as displayed to administrators. */
export function clientBody(client: OAuthClient) {
  return {
    client_id: client.id,
    name: client.name,
    application_type: client.applicationType,
    token_endpoint_auth_method: client.tokenAuthMethod,
    subject_type: client.subjectType,
    sector: client.sector,
    logo_url: client.logoUrl,
    policy_uri: client.policyUri,
    tos_uri: client.tosUri,
    client_uri: client.clientUri,
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    backchannel_logout_uri: client.backchannelLogoutUri,
    grant_types: client.grantTypes,
    scopes: client.scopes,
    resources: client.resources,
    audiences: client.audiences,
    first_party: client.firstParty,
    require_acr: client.requireAcr,
    registration: client.registration,
    require_pkce: client.requirePkce,
    require_nonce_or_pkce: client.requireNonceOrPkce,
    require_pushed_authorization_requests: client.requirePushedRequests,
    dpop_bound_access_tokens: client.dpopBoundAccessTokens,
    require_dpop_nonce: client.requireDpopNonce,
    id_token_claims: client.idTokenClaims,
    id_token_signed_response_alg: client.idTokenSignedResponseAlg,
    require_signed_request_object: client.requireSignedRequestObject,
    refresh_token_rotation: client.refreshTokenRotation,
    refresh_repeat_seconds: client.refreshRepeatSeconds,
    profile: client.profile,
    keys: client.keys,
    jwks_uri: client.jwksUri,
    exchanges: client.exchanges,
    organizations: client.organizations,
    claim_mappings: client.claimMappings,
    kind: client.kind,
    document_uri: client.document?.url ?? null,
    managed_by: client.managedBy,
    preset: client.preset,
    secrets: client.secrets.map(({ id, createdAt }) => ({ id, created_at: createdAt.toISOString() })),
    disabled: client.disabled,
    created_at: client.createdAt.toISOString(),
    updated_at: client.updatedAt.toISOString(),
  };
}

/** A client with the text of a newly created secret. */
export function clientWithSecret({ client, secret }: DisplayedClient) {
  return { ...clientBody(client), ...(secret === undefined ? {} : { client_secret: secret }) };
}
