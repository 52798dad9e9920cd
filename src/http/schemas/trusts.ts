import { Type } from "@sinclair/typebox";
import {
  ASSERTION_MAX_CHARACTERS,
  TRUST_AGE_DEFAULT_SECONDS,
  TRUST_AGE_MAX_SECONDS,
  TRUST_AGE_MIN_SECONDS,
  TRUST_AUDIENCE_MAX_CHARACTERS,
  TRUST_AUDIENCES_MAX,
  TRUST_CLAIM_MAX_CHARACTERS,
  TRUST_CONDITIONS_MAX,
  TRUST_ISSUER_MAX_CHARACTERS,
  TRUST_JWKS_URI_MAX_CHARACTERS,
  TRUST_KEYS_MAX,
  TRUST_ORGANIZATIONS_MAX,
  TRUST_VALUE_MAX_CHARACTERS,
  TRUST_VALUES_MAX,
} from "../../limits/federation-limits.ts";
import {
  ALLOWED_IPS_MAX,
  PROGRAM_TOKEN_MAX_SECONDS,
  PROGRAM_TOKEN_MIN_SECONDS,
  PROGRAM_TOKEN_SECONDS,
} from "../../limits/machine-limits.ts";
import { ASSERTION_CHECKS } from "../../vocabulary/federation.ts";
import { KEY_SCOPES } from "../../vocabulary/key-scope.ts";
import { name, nullable, oneOf, Timestamp, text, Uuid } from "./common.ts";

const Scope = oneOf(KEY_SCOPES);
const Value = Type.Union([Type.String({ maxLength: TRUST_VALUE_MAX_CHARACTERS }), Type.Number(), Type.Boolean()], {
  examples: ["64511"],
});

const Condition = Type.Object(
  {
    claim: Type.String({
      minLength: 1,
      maxLength: TRUST_CLAIM_MAX_CHARACTERS,
      description: "the name of a claim, or a JSON Pointer with a leading slash (RFC 6901)",
      examples: ["repository_id"],
    }),
    equals: Type.Optional(Value),
    one_of: Type.Optional(Type.Array(Value, { minItems: 1, maxItems: TRUST_VALUES_MAX, examples: [["64511"]] })),
    starts_with: Type.Optional(
      Type.String({
        maxLength: TRUST_VALUE_MAX_CHARACTERS,
        description: "at least 8 characters, ending in `/` or `:`",
        examples: ["system:serviceaccount:payments:"],
      }),
    ),
  },
  {
    $id: "TrustCondition",
    description: "exactly one of `equals`, `one_of` and `starts_with`",
    examples: [{ claim: "repository_id", equals: "64511" }],
  },
);

const Key = Type.Object(
  {
    kty: Type.String({ maxLength: 8, examples: ["OKP"] }),
    kid: Type.String({ minLength: 1, maxLength: 200, examples: ["2026-01"] }),
  },
  {
    additionalProperties: true,
    description: "public key (RFC 7517)",
    examples: [{ kty: "OKP", kid: "2026-01", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" }],
  },
);

const settings = {
  name: name("Release pipeline", "name of the trust"),
  issuer: Type.String({
    maxLength: TRUST_ISSUER_MAX_CHARACTERS,
    description: "compared exactly with `iss`; `spiffe://<trust domain>` for SPIFFE",
    examples: ["https://token.actions.githubusercontent.com"],
  }),
  keys: nullable(Type.Array(Key, { minItems: 1, maxItems: TRUST_KEYS_MAX }), {
    description: "keys of a private issuer; null: at jwks_uri, or found by OpenID discovery",
  }),
  jwks_uri: nullable(
    Type.String({ maxLength: TRUST_JWKS_URI_MAX_CHARACTERS, examples: ["https://issuer.acme.test/jwks"] }),
  ),
  audiences: Type.Array(Type.String({ minLength: 1, maxLength: TRUST_AUDIENCE_MAX_CHARACTERS }), {
    minItems: 1,
    maxItems: TRUST_AUDIENCES_MAX,
    description: "one must be in `aud`; default: the issuer of this service",
    examples: [["https://auth.acme.test"]],
  }),
  conditions: Type.Array(Condition, {
    minItems: 1,
    maxItems: TRUST_CONDITIONS_MAX,
    description: "all must hold",
    examples: [[{ claim: "repository_id", equals: "64511" }]],
  }),
  scopes: Type.Array(Scope, { minItems: 1, maxItems: KEY_SCOPES.length, examples: [["members.list"]] }),
  organizations: nullable(Type.Array(Uuid, { maxItems: TRUST_ORGANIZATIONS_MAX, examples: [[]] }), {
    description: "of a trust of the platform; null: every organization",
  }),
  allowed_ips: Type.Array(Type.String({ maxLength: 64 }), { maxItems: ALLOWED_IPS_MAX, examples: [["192.0.2.0/24"]] }),
  token_seconds: Type.Integer({
    minimum: PROGRAM_TOKEN_MIN_SECONDS,
    maximum: PROGRAM_TOKEN_MAX_SECONDS,
    description: `default: ${PROGRAM_TOKEN_SECONDS}`,
    examples: [PROGRAM_TOKEN_SECONDS],
  }),
  max_age_seconds: Type.Integer({
    minimum: TRUST_AGE_MIN_SECONDS,
    maximum: TRUST_AGE_MAX_SECONDS,
    description: `greatest age of \`iat\`; default: ${TRUST_AGE_DEFAULT_SECONDS}`,
    examples: [TRUST_AGE_DEFAULT_SECONDS],
  }),
  single_use: Type.Boolean({ description: "each `jti` is accepted once; default: true", examples: [true] }),
  disabled: Type.Boolean({ examples: [false] }),
};

const optionalSettings = {
  name: Type.Optional(settings.name),
  issuer: Type.Optional(settings.issuer),
  keys: Type.Optional(settings.keys),
  jwks_uri: Type.Optional(settings.jwks_uri),
  audiences: Type.Optional(settings.audiences),
  conditions: Type.Optional(settings.conditions),
  scopes: Type.Optional(settings.scopes),
  organizations: Type.Optional(settings.organizations),
  allowed_ips: Type.Optional(settings.allowed_ips),
  token_seconds: Type.Optional(settings.token_seconds),
  max_age_seconds: Type.Optional(settings.max_age_seconds),
  single_use: Type.Optional(settings.single_use),
  disabled: Type.Optional(settings.disabled),
};

const { name: trustName, issuer, conditions, scopes } = settings;
export const CreateTrustBody = Type.Object(
  { ...optionalSettings, name: trustName, issuer, conditions, scopes },
  { $id: "CreateTrustRequest" },
);
export const ChangeTrustBody = Type.Object(optionalSettings, { $id: "ChangeTrustRequest" });

export const TrustItem = Type.Object(
  {
    id: Uuid,
    service_account_id: Uuid,
    ...settings,
    created_by: nullable(Uuid),
    created_at: Timestamp,
    updated_at: Timestamp,
    last_used_at: nullable(Timestamp, { description: "to the minute, and known about a minute later" }),
  },
  { $id: "Trust" },
);
export const Trusts = Type.Object({ items: Type.Array(TrustItem) }, { $id: "Trusts" });

export const TestTrustBody = Type.Object(
  {
    assertion: Type.String({
      minLength: 1,
      maxLength: ASSERTION_MAX_CHARACTERS,
      examples: ["eyJhbGciOiJSUzI1NiJ9.e30.c2ln"],
    }),
  },
  { $id: "TestTrustRequest" },
);
export const TrustTest = Type.Object(
  {
    accepted: Type.Boolean({ examples: [false] }),
    reason: nullable(text("condition", "the first check that failed, or `keys_unavailable`")),
    checks: Type.Array(
      Type.Object({
        check: oneOf(ASSERTION_CHECKS),
        ok: Type.Boolean({ examples: [false] }),
        expected: text('repository_id equals "64511"'),
        received: nullable(text('"64512"', "JSON, at most 200 characters; null: absent")),
      }),
    ),
  },
  { $id: "TrustTest" },
);
