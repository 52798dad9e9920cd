import type { Deps } from "../../deps.ts";
import { lastPartOf } from "../../models/transparency-log/log-name.ts";
import { describeProvider } from "../oauth-provider/describe-provider.ts";

/** Claims of session tokens, then claims issued and returned by the OpenID provider. */
const SESSION_CLAIMS = "sub org iss exp iat typ email jti sid aal auth_time auth_method".split(" ");
const PROVIDER_CLAIMS =
  "aud nonce at_hash acr amr client_id scope name picture locale updated_at email_verified organization".split(" ");

/**
 * GET /.well-known/openid-configuration (docs/contract.md, section 18.2): the applicable members of OpenID Connect
 * Discovery 1.0, section 3.
 */
export function describeIssuer(deps: Pick<Deps, "config" | "auditLog" | "webhookSigner">) {
  const issuer = deps.config.urls.publicBaseUrl;
  return {
    ...describeAuthorizationServer(deps),
    id_token_signing_alg_values_supported: ["RS256"],
    claims_supported: [...SESSION_CLAIMS, ...PROVIDER_CLAIMS],
    subject_types_supported: ["public", "pairwise"],
    service_revocations_uri: `${issuer}/.well-known/service-revocations.json`,
    // The public key of signatures v1a of webhooks (Standard Webhooks).
    service_webhook_public_key: deps.webhookSigner.publicKey,
    ...describeAuditLog(deps),
  };
}

/** GET /.well-known/oauth-authorization-server (RFC 8414). */
export function describeAuthorizationServer(deps: Pick<Deps, "config">) {
  const issuer = deps.config.urls.publicBaseUrl;
  return { issuer, jwks_uri: `${issuer}/.well-known/jwks.json`, ...describeProvider(deps) };
}

/** The transparency log of the audit trail (docs/contract.md, section 17.6); empty before the first checkpoint. */
function describeAuditLog({ config, auditLog }: Pick<Deps, "config" | "auditLog">) {
  const published = auditLog.published();
  if (!published) return {};
  const { verifierKey, checkpoint } = published;
  const log = `${config.urls.publicBaseUrl}${config.urls.routePrefix}/audit-log`;
  return {
    service_audit_log: {
      verifier_key: verifierKey,
      checkpoint_uri: `${log}/checkpoint`,
      // Includes the name, because a log of another name can have different tiles at the same place.
      tile_uri: `${log}/tile/${lastPartOf(checkpoint.origin)}/`,
    },
  };
}
