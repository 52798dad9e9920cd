import { Type } from "@sinclair/typebox";
import {
  ALLOWED_IPS_MAX,
  ALLOWED_REFERRERS_MAX,
  API_KEY_LIFETIME_DAYS_DEFAULT,
  API_KEY_LIFETIME_DAYS_MAX,
  REACH_MAX,
  SCIM_KEY_LIFETIME_DAYS_MAX,
} from "../../limits/machine-limits.ts";
import { KEY_SCOPES } from "../../vocabulary/key-scope.ts";
import { name, nullable, oneOf, PageQuery, Timestamp, text, Uuid } from "./common.ts";

const Scope = oneOf(KEY_SCOPES, { $id: "ApiKeyScope" });

export const AccountsQuery = Type.Object({ ...PageQuery.properties });
export const CreateAccountBody = Type.Object(
  { name: name("Nightly export", "name of the program") },
  { $id: "CreateServiceAccountRequest" },
);
export const ServiceAccountItem = Type.Object(
  {
    id: Uuid,
    organization_id: nullable(Uuid, { description: "null: service account of the platform" }),
    name: text("Nightly export"),
    created_by: nullable(Uuid),
    created_at: Timestamp,
  },
  { $id: "ServiceAccount" },
);

export const CreateKeyBody = Type.Object(
  {
    name: Type.Optional(nullable(name("Deployment in production", "name of the key; null: without a name"))),
    scopes: Type.Array(Scope, { minItems: 1, maxItems: KEY_SCOPES.length, examples: [["members.list"]] }),
    allowed_ips: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: ALLOWED_IPS_MAX,
        description: "addresses or CIDR ranges that may use the key; default: all",
        examples: [["192.0.2.0/24"]],
      }),
    ),
    allowed_referrers: Type.Optional(
      Type.Array(Type.String({ maxLength: 256 }), {
        maxItems: ALLOWED_REFERRERS_MAX,
        description: "origins of pages that may use the key; default: all origins, and programs without an origin",
        examples: [["https://app.example.com"]],
      }),
    ),
    organizations: Type.Optional(
      nullable(
        Type.Array(Uuid, {
          maxItems: REACH_MAX,
          description: "the organizations in which a key of the platform acts; null and default: every organization",
        }),
      ),
    ),
    expires_in_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: SCIM_KEY_LIFETIME_DAYS_MAX,
        description:
          `default: ${API_KEY_LIFETIME_DAYS_DEFAULT}; above ${API_KEY_LIFETIME_DAYS_MAX} with scopes of ` +
          "directories only (`scim.read`, `scim.write`)",
        examples: [API_KEY_LIFETIME_DAYS_DEFAULT],
      }),
    ),
  },
  { $id: "CreateApiKeyRequest" },
);

const apiKey = {
  id: Uuid,
  service_account_id: Uuid,
  key_id: text("4fGh8Kq2", "the eight characters after `sk_`"),
  name: nullable(text("Deployment in production")),
  scopes: Type.Array(Scope, { examples: [["members.list"]] }),
  organizations: nullable(Type.Array(Uuid), { description: "null: every organization, or the own of an organization" }),
  allowed_ips: Type.Array(Type.String(), { examples: [["192.0.2.0/24"]] }),
  allowed_referrers: Type.Array(Type.String(), { examples: [[]] }),
  created_by: nullable(Uuid),
  created_at: Timestamp,
  expires_at: Timestamp,
  revoked_at: nullable(Timestamp),
  last_used_at: nullable(Timestamp, { description: "to the minute, and known about a minute later" }),
};
const ApiKeyItem = Type.Object(apiKey, { $id: "ApiKey" });
export const CreatedApiKey = Type.Object(
  {
    ...apiKey,
    key: text("acme_sk_4fGh8Kq2Zk9uT3J2c1Jk0n3mQ2pYxw8bHcVtLrGf0aB3dE", "only in this response; stored as a hash"),
  },
  { $id: "CreatedApiKey" },
);
export const ApiKeys = Type.Object({ items: Type.Array(ApiKeyItem) }, { $id: "ApiKeys" });
