import type { Deps } from "../../deps.ts";

/**
 * GET /.well-known/openid-configuration (docs/contract.md, section 18.2): the members of OpenID Connect Discovery 1.0,
 * section 3, that apply to this service.
 */
export interface IssuerDescription {
  readonly issuer: string;
  readonly jwks_uri: string;
  readonly id_token_signing_alg_values_supported: readonly string[];
  readonly claims_supported: readonly string[];
  readonly subject_types_supported: readonly string[];
  readonly service_revocations_uri: string;
  /** Absent until the first checkpoint is known. */
  readonly service_audit_log?: {
    readonly verifier_key: string;
    readonly checkpoint_uri: string;
    /** Before the path of a tile. */
    readonly tile_uri: string;
  };
}

const CLAIMS = "sub org iss exp iat typ email jti sid aal auth_time auth_method".split(" ");

export function describeIssuer({ config, auditLog }: Pick<Deps, "config" | "auditLog">): IssuerDescription {
  const { publicBaseUrl: issuer, routePrefix } = config.urls;
  const verifierKey = auditLog.published()?.verifierKey;
  const log = `${issuer}${routePrefix}/audit-log`;
  return {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    id_token_signing_alg_values_supported: ["RS256"],
    claims_supported: CLAIMS,
    subject_types_supported: ["public"],
    service_revocations_uri: `${issuer}/.well-known/service-revocations.json`,
    ...(verifierKey === undefined
      ? {}
      : {
          service_audit_log: {
            verifier_key: verifierKey,
            checkpoint_uri: `${log}/checkpoint`,
            tile_uri: `${log}/tile/`,
          },
        }),
  };
}
