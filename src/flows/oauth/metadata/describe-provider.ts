import type { Deps } from "../../../deps.ts";
import { ASSERTION_ALGORITHMS } from "../../../models/oauth-client/oauth-client.ts";
import { DPOP_ALGORITHMS } from "../../../models/token/dpop-proof.ts";
import { ACR_VALUES } from "../../../vocabulary/assurance.ts";
import { ASSERTION_GRANT, EXCHANGE_GRANT, GRANT_TYPES } from "../../../vocabulary/grant-type.ts";
import { LANGUAGES, tagOf } from "../../../vocabulary/languages.ts";
import { PROVIDER_ALGORITHMS } from "../../../vocabulary/provider-algorithm.ts";
import { USER_SCOPES } from "../../../vocabulary/user-scopes.ts";
import { REQUEST_OBJECT_ALGORITHMS } from "../authorize/request-object.ts";
import { tokenEndpointOf } from "../request/authenticate-client.ts";

const CLIENT_AUTHENTICATION = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"] as const;
const CONFIDENTIAL = CLIENT_AUTHENTICATION.filter((method) => method !== "none");

/**
 * The members of OpenID Connect Discovery 1.0, section 3, and RFC 8414, section 2, for the functions of the provider.
 * The endpoints for users are pages: without pages the metadata omits these endpoints.
 */
export function describeProvider({ config }: Pick<Deps, "config">) {
  const issuer = config.urls.publicBaseUrl;
  const withPages = config.pages.enabled;
  return {
    token_endpoint: tokenEndpointOf(issuer),
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    introspection_endpoint: `${issuer}/oauth2/introspect`,
    introspection_endpoint_auth_methods_supported: CONFIDENTIAL,
    introspection_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    userinfo_endpoint: `${issuer}/oauth2/userinfo`,
    grant_types_supported: withPages
      ? GRANT_TYPES
      : // No new authorizations; refresh tokens of earlier authorizations remain valid.
        ["refresh_token", "client_credentials", EXCHANGE_GRANT, ASSERTION_GRANT],
    authorization_grant_profiles_supported: ["urn:ietf:params:oauth:grant-profile:id-jag"],
    scopes_supported: USER_SCOPES,
    response_types_supported: withPages ? ["code"] : [],
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
    claims_parameter_supported: true,
    request_parameter_supported: withPages,
    request_uri_parameter_supported: false,
    ...(withPages ? interactive(issuer, config.oauth) : {}),
  };
}

function interactive(
  issuer: string,
  { clientDocuments, registration, requirePushedRequests }: Deps["config"]["oauth"],
) {
  return {
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    pushed_authorization_request_endpoint: `${issuer}/oauth2/par`,
    require_pushed_authorization_requests: requirePushedRequests,
    device_authorization_endpoint: `${issuer}/oauth2/device_authorization`,
    ...(clientDocuments.mode === "off" ? {} : { client_id_metadata_document_supported: true }),
    ...(registration === "off" ? {} : { registration_endpoint: `${issuer}/oauth2/register` }),
    end_session_endpoint: `${issuer}/oauth2/logout`,
    response_modes_supported: ["query", "form_post", "jwt", "query.jwt", "form_post.jwt"],
    authorization_signing_alg_values_supported: PROVIDER_ALGORITHMS,
    request_object_signing_alg_values_supported: REQUEST_OBJECT_ALGORITHMS,
    require_signed_request_object: false,
    code_challenge_methods_supported: ["S256"],
    prompt_values_supported: ["none", "login", "consent", "select_account"],
    acr_values_supported: ACR_VALUES,
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    ui_locales_supported: LANGUAGES.map(tagOf),
    require_request_uri_registration: false,
  };
}
