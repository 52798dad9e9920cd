import { Type } from "@sinclair/typebox";
import { Timestamp, Uuid } from "./common.ts";

export const Jwks = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.Literal("RSA"),
      kid: Type.String({ description: "RFC 7638 thumbprint" }),
      alg: Type.Literal("RS256"),
      use: Type.Literal("sig"),
      n: Type.String(),
      e: Type.String(),
    }),
  ),
});

export const IssuerDescription = Type.Object({
  issuer: Type.String(),
  jwks_uri: Type.String(),
  id_token_signing_alg_values_supported: Type.Array(Type.String()),
  claims_supported: Type.Array(Type.String()),
  subject_types_supported: Type.Array(Type.String()),
  service_revocations_uri: Type.String(),
});

export const RevocationsQuery = Type.Object({
  since: Type.Optional(Type.String({ description: "a cursor of an earlier answer: only what came after it" })),
});

export const Revocations = Type.Object({
  issuer: Type.String(),
  generated_at: Timestamp,
  max_age_secs: Type.Integer(),
  cursor: Type.String(),
  revocations: Type.Array(
    Type.Object({
      sid: Uuid,
      revoked_at: Timestamp,
      expires_at: Timestamp,
      reason: Type.String(),
    }),
  ),
});

const HealthCheck = Type.Object({
  status: Type.String({ description: "ok, degraded, unavailable or not_configured" }),
  latency_ms: Type.Union([Type.Number(), Type.Null()]),
});

export const Liveness = Type.Object({ status: Type.Literal("ok") });

export const Readiness = Type.Object({
  status: Type.String({ description: "ok, degraded, unavailable or draining" }),
  checks: Type.Object({ database: HealthCheck, migrations: HealthCheck, redis: HealthCheck }),
  provider_config: Type.Object({ degraded: Type.Boolean(), providers: Type.Array(Type.String()) }),
});
