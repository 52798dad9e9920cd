import { type TString, Type } from "@sinclair/typebox";
import { EXTERNAL_ID_MAX_CHARACTERS } from "../../limits/management-limits.ts";
import { name, nullable, oneOf, PageQuery, SearchText, Slug, Timestamp, text, Uuid } from "./common.ts";
import { CursorMember } from "./positioned-list.ts";

const SearchQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional({ ...SearchText, description: "substring, in any case; a blank term lists all" }),
});

export const Tier = oneOf(["standard", "enterprise"], { $id: "Tier", description: "Determines the entitlements" });

const moment = (description: string) =>
  Type.Optional<TString>({
    ...Type.String({ documented: { format: "date-time" }, examples: ["2026-01-01T00:00:00Z"] }),
    description,
  });

const CREATED = {
  created_from: moment("RFC 3339, inclusive lower bound of the creation"),
  created_to: moment("RFC 3339, inclusive upper bound of the creation"),
};
const sortBy = <const Text extends string>(sorts: readonly Text[]) =>
  Type.Optional({
    ...oneOf(sorts),
    description: "order; a leading `-` is descending; default: newest first",
    examples: [sorts[0]],
  });

export const OrganizationsQuery = Type.Object({
  ...SearchQuery.properties,
  ...CREATED,
  status: Type.Optional({ ...oneOf(["active", "suspended"]), description: "state", examples: ["suspended"] }),
  tier: Type.Optional(oneOf(["standard", "enterprise"], { description: "tier", examples: ["enterprise"] })),
  slug: Type.Optional({ ...SearchText, description: "exact slug", examples: ["acme"] }),
  cursor: CursorMember,
  sort: sortBy(["-created_at", "created_at", "name", "-name"]),
});

export const UsersQuery = Type.Object({
  ...SearchQuery.properties,
  ...CREATED,
  status: Type.Optional({ ...oneOf(["enabled", "disabled"]), description: "state", examples: ["disabled"] }),
  platform_role: Type.Optional({
    ...oneOf(["viewer", "admin", "owner"]),
    description: "platform role",
    examples: ["admin"],
  }),
  mfa_enabled: Type.Optional({ ...oneOf(["true", "false"]), description: "second factor", examples: ["false"] }),
  organization_id: Type.Optional({ ...Uuid, description: "members of this organization" }),
  email: Type.Optional({ ...SearchText, description: "exact address, compared as at a sign-in" }),
  external_id: Type.Optional(
    Type.String({ maxLength: EXTERNAL_ID_MAX_CHARACTERS * 2, description: "exact", examples: ["auth0|5f7c8ec7"] }),
  ),
  managed_by: Type.Optional({ ...Uuid, description: "users whom this organization manages" }),
  last_login_from: moment("RFC 3339, inclusive lower bound of the last sign-in"),
  last_login_to: moment("RFC 3339, inclusive upper bound of the last sign-in"),
  metadata: Type.Optional({
    ...oneOf(["true", "false"]),
    description: "`true`: items contain metadata",
    examples: ["true"],
  }),
  cursor: CursorMember,
  sort: sortBy(["-created_at", "created_at", "email", "-email"]),
});

export const OrganizationItem = Type.Object(
  {
    id: Uuid,
    name: text("Acme"),
    slug: Slug,
    tier: Tier,
    created_at: Timestamp,
    updated_at: { ...Timestamp, description: "last change of settings or suspension" },
    suspended: Type.Boolean({ description: "true for a suspended or deleted organization", examples: [false] }),
  },
  { $id: "Organization" },
);

export const OrganizationChangeBody = Type.Object(
  {
    name: Type.Optional(name("Acme Research", "new name")),
    suspended: Type.Optional(Type.Boolean({ description: "true suspends, false restores", examples: [false] })),
    tier: Type.Optional(Tier),
  },
  { $id: "OrganizationChange" },
);

const OrganizationLists = Type.Object({
  on: Type.Optional(Type.Array(Uuid)),
  off: Type.Optional(Type.Array(Uuid)),
});
const Percent = Type.Integer({ minimum: 0, maximum: 100, description: "share of the organizations", examples: [100] });
const FLAG_KEY_PATTERN = "^[a-z0-9][a-z0-9._-]{0,63}$";

export const FlagBody = Type.Object(
  {
    key: Type.String({
      documented: { pattern: FLAG_KEY_PATTERN, minLength: 1, maxLength: 64 },
      description: "1 to 64 of a-z, 0-9, dot, hyphen, underscore",
      examples: ["new-dashboard"],
    }),
    enabled: Type.Boolean({ examples: [true] }),
    description: Type.Optional(
      Type.String({
        maxLength: 500,
        pattern: "^[^\\u0000]*$",
        rule: "must not contain NUL",
        examples: ["The new dashboard"],
      }),
    ),
    rollout_percent: Type.Optional({
      ...Percent,
      description: "0 to 100, share of the organizations; 100 at creation",
    }),
    organizations: Type.Optional({
      ...OrganizationLists,
      description: "ids of the organizations with a fixed value of the flag",
    }),
  },
  { $id: "FeatureFlagRequest" },
);

export const FlagItem = Type.Object(
  {
    key: text("new-dashboard", "1 to 64 of a-z, 0-9, dot, hyphen, underscore"),
    description: text("The new dashboard", "at most 500 characters"),
    enabled: Type.Boolean({ examples: [true] }),
    rollout_percent: Percent,
    organizations: Type.Object(
      { on: Type.Array(Uuid), off: Type.Array(Uuid) },
      { description: "ids of the organizations with a fixed value of the flag" },
    ),
    updated_at: { ...Timestamp, description: "an exception of one organization from the console is no change" },
  },
  { $id: "FeatureFlag" },
);

export const ResolvedFlags = Type.Object(
  { flags: Type.Record(Type.String(), Type.Boolean(), { examples: [{ "new-dashboard": true }] }) },
  { $id: "ResolvedFeatureFlags" },
);

export const AuditQuery = Type.Object({
  ...PageQuery.properties,
  user_id: Type.Optional({ ...Uuid, description: "events whose actor is this user" }),
  actor: Type.Optional({
    ...SearchText,
    description: "events of the user with this email address, or of the user or API key with this id",
    examples: ["ada@example.com"],
  }),
  q: Type.Optional({
    ...SearchText,
    description: "text in a value of the event, or in the address or name of its actor or user; of the newest 50,000",
    examples: ["203.0.113.7"],
  }),
  action: Type.Optional({
    ...SearchText,
    description: "name of an action, or a group: `auth.*`",
    examples: ["auth.login"],
  }),
  outcome: Type.Optional({ ...oneOf(["success", "failure"]), description: "outcome", examples: ["failure"] }),
  organization_id: Type.Optional({ ...Uuid, description: "events of this organization" }),
  from: moment("RFC 3339, inclusive lower bound"),
  to: moment("RFC 3339, inclusive upper bound"),
});

/** As `AuditQuery`, for the records of the organization of the path. */
export const OrganizationAuditQuery = Type.Omit(AuditQuery, ["organization_id"]);
const PERIOD = { from: AuditQuery.properties.from, to: AuditQuery.properties.to };
export const ExportQuery = Type.Object({
  ...PERIOD,
  proof: Type.Optional({
    ...oneOf(["true", "false"]),
    description: "`true`: only records that are leaves of the transparency log, for a proof of this export",
    examples: ["true"],
  }),
});
export const ProofQuery = Type.Object({
  ...PERIOD,
  tree_size: treeSize("header X-Service-Audit-Tree-Size of the export"),
  kept_size: Type.Optional(
    treeSize("size of a checkpoint that was kept: the proof then shows that the log extends it"),
  ),
});

export const CheckpointQuery = Type.Object({
  cosigned: Type.Optional({
    ...oneOf(["true", "false"]),
    description: "`true`: the newest with as many cosignatures of witnesses as the quorum, and one at least",
    examples: ["true"],
  }),
});

/** The number of leaves of a tree. */
function treeSize(description: string) {
  return Type.String({
    pattern: "^(?:0|[1-9][0-9]{0,14})$",
    rule: "must be a whole number",
    description,
    examples: ["4711"],
  });
}

export const TilePath = text(
  "1f2e3d4c/0/x001/x234/067",
  "last part of the log's name (optional), level and index of the tile, and the width of one that is not full " +
    "(c2sp.org/tlog-tiles)",
);

/** docs/contract.md, section 4.13. */
export const AuditItem = Type.Object(
  {
    id: Type.Integer({ description: "monotonic, the sort key", examples: [4711] }),
    event_id: Uuid,
    timestamp: Timestamp,
    organization_id: { ...Uuid, description: "the nil UUID for an event without a tenant" },
    actor_id: nullable(Uuid),
    actor_type: text("user", "user, system or a further kind"),
    action: text("auth.login", "dotted name of the event"),
    resource_type: text("session"),
    resource_id: text("0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e", "empty without a resource"),
    ip_address: nullable(text("203.0.113.7")),
    user_agent: nullable(text("Mozilla/5.0")),
    request_id: nullable(Uuid),
    metadata: Type.Record(Type.String(), Type.Unknown(), { examples: [{ method: "password" }] }),
    outcome: text("success", "success, failure or a further outcome"),
  },
  { $id: "AuditRecord" },
);

/** docs/contract.md, section 17.8. */
export const RecordProofItem = Type.Object(
  {
    format: oneOf(["audit-record/1"]),
    checkpoint: text("(the signed note)", "signed note of a checkpoint that covers the record"),
    leaf: Type.Integer({ description: "number of the leaf, from 0", examples: [42] }),
    hashes: Type.Array(text("CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="), {
      description: "base64, from the leaf to the root (RFC 6962, section 2.1.1)",
    }),
    record: AuditItem,
  },
  { $id: "AuditRecordProof" },
);
