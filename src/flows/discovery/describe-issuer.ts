import type { Deps } from "../../deps.ts";
import { describeProvider } from "../oauth-provider/describe-provider.ts";

/** Of session tokens, then of what the OpenID provider issues and returns. */
const SESSION_CLAIMS = "sub org iss exp iat typ email jti sid aal auth_time auth_method".split(" ");
const PROVIDER_CLAIMS =
  "aud nonce at_hash acr amr client_id scope name picture locale updated_at email_verified organization".split(" ");

/**
 * GET /.well-known/openid-configuration (docs/contract.md, section 18.2): the members of OpenID Connect Discovery 1.0,
 * section 3, that apply to this service.
 */
export function describeIssuer(deps: Pick<Deps, "config">) {
  const issuer = deps.config.urls.publicBaseUrl;
  return {
    ...describeAuthorizationServer(deps),
    id_token_signing_alg_values_supported: ["RS256"],
    claims_supported: [...SESSION_CLAIMS, ...PROVIDER_CLAIMS],
    subject_types_supported: ["public", "pairwise"],
    service_revocations_uri: `${issuer}/.well-known/service-revocations.json`,
  };
}

/** GET /.well-known/oauth-authorization-server (RFC 8414). */
export function describeAuthorizationServer(deps: Pick<Deps, "config">) {
  const issuer = deps.config.urls.publicBaseUrl;
  return { issuer, jwks_uri: `${issuer}/.well-known/jwks.json`, ...describeProvider(deps) };
}
