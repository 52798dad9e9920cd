import { Type } from "@sinclair/typebox";
import { PROVIDER_ALGORITHMS } from "../../vocabulary/provider-algorithm.ts";
import { ErrorEnvelope, nullable, oneOf, Timestamp, text, Uuid, url } from "./common.ts";
import { providerMetadata } from "./oauth-provider.ts";

export const Jwks = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: oneOf(["RSA", "EC", "OKP"]),
        kid: text("NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs", "RFC 7638 thumbprint"),
        alg: oneOf(PROVIDER_ALGORITHMS),
        use: Type.Literal("sig"),
        n: Type.Optional(
          text(
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiF",
            "RS256",
          ),
        ),
        e: Type.Optional(text("AQAB", "RS256")),
        crv: Type.Optional(oneOf(["P-256", "Ed25519"], { description: "ES256, EdDSA" })),
        x: Type.Optional(text("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "ES256, EdDSA")),
        y: Type.Optional(text("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0", "ES256")),
      }),
    ),
  },
  { $id: "JsonWebKeySet", description: "RFC 7517; the RSA keys come first" },
);

export const IssuerDescription = Type.Object(
  {
    issuer: url("https://auth.acme.test", "value of the claim iss"),
    jwks_uri: url("https://auth.acme.test/.well-known/jwks.json", "public signing keys"),
    id_token_signing_alg_values_supported: Type.Array(text("RS256")),
    claims_supported: Type.Array(text("sub")),
    subject_types_supported: Type.Array(text("public")),
    service_revocations_uri: url(
      "https://auth.acme.test/.well-known/service-revocations.json",
      "session-revocation feed",
    ),
    service_webhook_public_key: text(
      "whpk_ao4JFoUgXGhbgTHYEYvvu1IRcW9DjIJhdbMeKAWxZy8=",
      "Ed25519 key of the signatures v1a of webhooks",
    ),
    service_audit_log: Type.Optional(
      Type.Object(
        {
          verifier_key: text(
            "auth.acme.test/v1/audit-log/1f2e3d4c+b480de05+AQe3X1vHNkDUFhlnJyFmZLS4lJ6hZSOGzxnbzWQMhZtz",
            "verifies checkpoints (c2sp.org/signed-note)",
          ),
          checkpoint_uri: url("https://auth.acme.test/v1/audit-log/checkpoint", "newest checkpoint"),
          tile_uri: url("https://auth.acme.test/v1/audit-log/tile/1f2e3d4c/", "before the path of a tile"),
        },
        { description: "transparency log of the audit trail" },
      ),
    ),
    ...providerMetadata,
  },
  { $id: "IssuerDescription" },
);

export const RevocationsQuery = Type.Object({
  since: Type.Optional(text("4821700000000048213", "cursor of an earlier response: later entries only")),
});

export const Revocations = Type.Object(
  {
    issuer: url("https://auth.acme.test", "value of the claim iss"),
    generated_at: Timestamp,
    age_ms: Type.Integer({
      documented: { minimum: 0 },
      description: "milliseconds since generated_at by the clock of the service",
      examples: [0],
    }),
    max_age_secs: Type.Integer({ description: "how fresh the feed is", examples: [5] }),
    cursor: text("4821700000000048213", "for `since` of the next request"),
    revocations: Type.Array(
      Type.Object({
        sid: Uuid,
        revoked_at: Timestamp,
        expires_at: Timestamp,
        reason: text("logout"),
      }),
    ),
  },
  { $id: "Revocations" },
);

const HealthCheck = Type.Object(
  {
    status: oneOf(["ok", "degraded", "unavailable", "not_configured"]),
    latency_ms: nullable(Type.Number({ examples: [0.8] })),
  },
  { $id: "HealthCheck" },
);

export const Liveness = Type.Object({ status: Type.Literal("ok") }, { $id: "Liveness" });

const readiness = {
  status: oneOf(["ok", "degraded", "unavailable", "draining"]),
  checks: Type.Object({ database: HealthCheck, migrations: HealthCheck, redis: HealthCheck }),
  provider_config: Type.Object({
    degraded: Type.Boolean({ examples: [false] }),
    providers: Type.Array(text("oauth_idp_a"), { description: "enabled, but cannot be applied", examples: [[]] }),
  }),
};
export const Readiness = Type.Object(readiness, { $id: "Readiness" });
/** The error envelope together with the members of `Readiness` (docs/contract.md, section 19.2). */
export const NotReady = Type.Object(
  { ...ErrorEnvelope.properties, ...readiness },
  {
    $id: "NotReady",
    examples: [
      {
        error: { code: "internal_error", message: "Not ready.", type: "internal_error" },
        status: "unavailable",
        checks: {
          database: { status: "unavailable", latency_ms: null },
          migrations: { status: "unavailable", latency_ms: null },
          redis: { status: "ok", latency_ms: 0.8 },
        },
        provider_config: { degraded: false, providers: [] },
      },
    ],
  },
);
