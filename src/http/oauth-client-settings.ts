/**
 * The settings of an application in a body of the API, or in a form with equal members (docs/contract.md, section
 * 23.2).
 */
import type { Static } from "@sinclair/typebox";
import type { ClientChange, ClientSettings } from "../flows/oauth-provider/client-change.ts";
import type { ChangeOAuthClient, CreateOAuthClient } from "./schemas/oauth-clients.ts";

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
    redirectUris: body.redirect_uris ?? [],
    postLogoutRedirectUris: body.post_logout_redirect_uris ?? [],
    backchannelLogoutUri: body.backchannel_logout_uri ?? null,
    grantTypes: body.grant_types ?? ["authorization_code"],
    scopes: body.scopes ?? ["openid", "profile", "email"],
    resources: body.resources ?? [],
    audiences: body.audiences ?? [],
    firstParty: body.first_party ?? false,
    requirePkce: body.require_pkce ?? true,
    idTokenClaims: body.id_token_claims ?? "scope",
    keys: body.keys ?? [],
    managedBy: null,
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
    redirectUris: body.redirect_uris,
    postLogoutRedirectUris: body.post_logout_redirect_uris,
    backchannelLogoutUri: body.backchannel_logout_uri,
    grantTypes: body.grant_types,
    scopes: body.scopes,
    resources: body.resources,
    audiences: body.audiences,
    firstParty: body.first_party,
    requirePkce: body.require_pkce,
    idTokenClaims: body.id_token_claims,
    keys: body.keys,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
