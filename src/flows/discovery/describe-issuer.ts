import type { Deps } from "../../deps.ts";
import type { IdClaims } from "../../models/token/provider-claims.ts";
import { lastPartOf } from "../../models/transparency-log/log-name.ts";
import { PROVIDER_ALGORITHMS } from "../../vocabulary/provider-algorithm.ts";
import { describeProvider } from "../oauth/metadata/describe-provider.ts";

/** Every claim of ID tokens, which includes every claim of UserInfo. A missing claim does not compile. */
const ID_TOKEN_CLAIMS: Record<keyof IdClaims, true> = {
  iss: true,
  sub: true,
  aud: true,
  exp: true,
  iat: true,
  auth_time: true,
  nonce: true,
  acr: true,
  amr: true,
  at_hash: true,
  sid: true,
  name: true,
  preferred_username: true,
  picture: true,
  locale: true,
  updated_at: true,
  email: true,
  email_verified: true,
  organization: true,
};

/**
 * GET /.well-known/openid-configuration (docs/contract.md, section 18.2): the applicable members of OpenID Connect
 * Discovery 1.0, section 3.
 */
export function describeIssuer(deps: Pick<Deps, "config" | "auditLog" | "webhookSigner">) {
  const issuer = deps.config.urls.publicBaseUrl;
  return {
    ...describeAuthorizationServer(deps),
    id_token_signing_alg_values_supported: PROVIDER_ALGORITHMS,
    claims_supported: Object.keys(ID_TOKEN_CLAIMS),
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
