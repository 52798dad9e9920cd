import { Type } from "@sinclair/typebox";
import { PROVIDER_SECRET_MAX_BYTES } from "../../limits/provider-limits.ts";
import { PROVIDER_KEYS } from "../../models/provider-config/provider.ts";
import { nullable, oneOf, Timestamp, text } from "./common.ts";

export const ProviderKey = oneOf(PROVIDER_KEYS, {
  $id: "ProviderKey",
  description: "An external service: email, or an identity provider",
  examples: ["oauth_idp_a"],
});

const PublicConfig = Type.Object(
  {},
  {
    additionalProperties: true,
    description: "settings that are not secret; by provider: from, client_id, tenant, team_id, key_id",
    examples: [{ client_id: "acme-web" }],
  },
);

export const ProviderItem = Type.Object(
  {
    provider: ProviderKey,
    enabled: Type.Boolean({ description: "whether the stored settings are active", examples: [true] }),
    public_config: PublicConfig,
    secret_set: Type.Boolean({
      description: "whether a secret is stored; the secret is never returned",
      examples: [true],
    }),
    key_id: nullable(
      text("9f86d081884c7d65", "first 16 hexadecimal digits of SHA-256 of the key that sealed the secret"),
    ),
    updated_at: nullable(Timestamp, { description: "last write" }),
    degraded: Type.Boolean({
      description: "enabled, but cannot be applied: the key is unset or rotated away, or fields are missing",
      examples: [false],
    }),
  },
  { $id: "Provider" },
);

export const IntegrationsBody = Type.Object(
  {
    secrets_enabled: Type.Boolean({ description: "whether secrets can be stored", examples: [true] }),
    providers: Type.Array(ProviderItem),
  },
  { $id: "Integrations" },
);

export const PutIntegrationBody = Type.Object(
  {
    enabled: Type.Boolean({ examples: [true] }),
    public_config: Type.Optional({ ...PublicConfig, refusesNull: true }),
    secret: Type.Optional(
      Type.String({
        documented: { format: "password", minLength: 1, maxLength: PROVIDER_SECRET_MAX_BYTES },
        description: "absent or null keeps the stored secret; the empty string is invalid",
        examples: ["a client secret"],
      }),
    ),
    clear_secret: Type.Optional(Type.Boolean({ description: "removes the stored secret", examples: [false] })),
  },
  { $id: "ProviderRequest" },
);

export const ProbeBody = Type.Object(
  {
    ok: Type.Boolean({ examples: [true] }),
    detail: text("The provider responded.", "safe to display; contains no secret"),
  },
  { $id: "ProbeResult" },
);
