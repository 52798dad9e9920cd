import { Type } from "@sinclair/typebox";
import { Email } from "./auth.ts";
import { PageQuery, SearchText, Timestamp, Uuid } from "./common.ts";

export const SearchQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(Type.String({ ...SearchText, description: "part of it, in any case; blank finds all" })),
});

const Tier = Type.Union([Type.Literal("standard"), Type.Literal("enterprise")]);

export const OrganizationItem = Type.Object({
  id: Uuid,
  name: Type.String(),
  slug: Type.String(),
  tier: Tier,
  created_at: Timestamp,
  suspended: Type.Boolean(),
});

export const ProvisionBody = Type.Object({
  organization_name: Type.String({ description: "1 to 120 characters" }),
  organization_slug: Type.Optional(Type.String({ description: "derived from the name when absent" })),
  owner_email: Email,
  owner_password: Type.String({ description: "12 to 256 characters" }),
  owner_display_name: Type.Optional(Type.String({ description: "1 to 120 characters" })),
  tier: Type.Optional(Tier),
});
export const ProvisionedBody = Type.Object({ organization_id: Uuid, owner_user_id: Uuid, slug: Type.String() });

export const OrganizationChangeBody = Type.Object({
  name: Type.Optional(Type.String({ description: "1 to 120 characters" })),
  suspended: Type.Optional(Type.Boolean()),
  tier: Type.Optional(Tier),
});

export const UserChangeBody = Type.Object({ disabled: Type.Optional(Type.Boolean()) });

const OrganizationLists = Type.Object({
  on: Type.Optional(Type.Array(Uuid)),
  off: Type.Optional(Type.Array(Uuid)),
});

export const FlagBody = Type.Object({
  key: Type.String({ description: "1 to 64 of a-z, 0-9, dot, hyphen, underscore" }),
  enabled: Type.Boolean(),
  description: Type.Optional(Type.String({ maxLength: 500, pattern: "^[^\\u0000]*$" })),
  rollout_percent: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: "default 100" })),
  organizations: Type.Optional(OrganizationLists),
});

export const FlagItem = Type.Object({
  key: Type.String(),
  description: Type.String(),
  enabled: Type.Boolean(),
  rollout_percent: Type.Integer(),
  organizations: Type.Object({ on: Type.Array(Uuid), off: Type.Array(Uuid) }),
  updated_at: Timestamp,
});

export const ResolvedFlags = Type.Object({ flags: Type.Record(Type.String(), Type.Boolean()) });

const nullable = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()]);

export const AuditQuery = Type.Object({
  ...PageQuery.properties,
  user_id: Type.Optional(Type.String({ ...Uuid, description: "events whose actor is this user" })),
  action: Type.Optional(Type.String({ ...SearchText, description: "exact match" })),
  from: Type.Optional(Type.String({ description: "RFC 3339, inclusive" })),
  to: Type.Optional(Type.String({ description: "RFC 3339, inclusive" })),
});
export const ExportQuery = Type.Object({ from: AuditQuery.properties.from, to: AuditQuery.properties.to });

/** Contract, section 2.5. */
export const AuditItem = Type.Object({
  id: Type.Integer(),
  event_id: Uuid,
  timestamp: Timestamp,
  organization_id: Type.String({ ...Uuid, description: "the nil UUID for an event that belongs to no tenant" }),
  actor_id: nullable(Uuid),
  actor_type: Type.String(),
  action: Type.String(),
  resource_type: Type.String(),
  resource_id: Type.String({ description: "empty for an event without a resource" }),
  ip_address: nullable(Type.String()),
  user_agent: nullable(Type.String()),
  request_id: nullable(Uuid),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  outcome: Type.String(),
});
