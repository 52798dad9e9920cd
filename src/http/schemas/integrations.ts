import { Type } from "@sinclair/typebox";
import { Timestamp } from "./common.ts";

const PublicConfig = Type.Object(
  {},
  { additionalProperties: true, description: "by provider: contract, section 4.12" },
);

export const ProviderItem = Type.Object({
  provider: Type.String(),
  enabled: Type.Boolean(),
  public_config: PublicConfig,
  secret_set: Type.Boolean(),
  key_id: Type.Union([Type.String(), Type.Null()]),
  updated_at: Type.Union([Timestamp, Type.Null()]),
  degraded: Type.Boolean({ description: "enabled, and cannot be applied" }),
});

export const IntegrationsBody = Type.Object({
  secrets_enabled: Type.Boolean({ description: "whether secrets can be stored" }),
  providers: Type.Array(ProviderItem),
});

export const PutIntegrationBody = Type.Object({
  enabled: Type.Boolean(),
  public_config: Type.Optional(PublicConfig),
  secret: Type.Optional(Type.String({ description: "absent or null keeps the stored one" })),
  clear_secret: Type.Optional(Type.Boolean({ description: "removes the stored one" })),
});

export const ProbeBody = Type.Object({ ok: Type.Boolean(), detail: Type.String() });
