/**
 * The personal data of `db/schema`: every column that can hold text or bytes is in `PERSONAL_TABLES` or in
 * `IMPERSONAL_TABLES`. Ids, times, numbers and closed sets need no entry: in a table with personal data these columns
 * belong to the user of the row. `test/conventions/personal-data.test.ts` fails for a missing column, and
 * `npm run docs:privacy` generates the record of processing activities in docs/guides/privacy.md.
 */

import { ACCOUNT_TABLES } from "./personal-data/account.ts";
import { ACTIVITY_TABLES } from "./personal-data/activity.ts";
import type { PersonalTable } from "./personal-data/personal-table.ts";

interface ImpersonalTable {
  readonly content: string;
  /** Columns of text or bytes. */
  readonly columns: readonly string[];
}

export const PERSONAL_TABLES: Readonly<Record<string, PersonalTable>> = { ...ACCOUNT_TABLES, ...ACTIVITY_TABLES };

/** Tables without personal data: settings, keys of the deployment, numbers. */
export const IMPERSONAL_TABLES: Readonly<Record<string, ImpersonalTable>> = {
  audit_count_state: { content: "progress of counting", columns: [] },
  audit_counts: { content: "numbers of audit records", columns: ["action"] },
  audit_day_counts: { content: "numbers of audit records", columns: ["action"] },
  brands: {
    content: "look and links of organizations and applications",
    columns: [
      ...["accent", "terms_url", "privacy_url", "support_url"],
      ...["logo", "logo_hash", "logo_dark", "logo_dark_hash"],
    ],
  },
  directories: { content: "settings of directories", columns: [] },
  directory_group_members: { content: "groups of directories by id", columns: [] },
  directory_groups: {
    content: "groups of directories",
    columns: ["display_name", "display_name_key", "external_id"],
  },
  directory_requests: {
    content: "refused requests of directories",
    columns: ["method", "path", "scim_type", "detail", "request_id"],
  },
  directory_group_roles: { content: "roles of groups of directories by id", columns: [] },
  federation_uses: { content: "used assertions of workloads", columns: ["jti_hash"] },
  feature_flags: { content: "switches of the platform", columns: ["key", "description"] },
  member_group_roles: { content: "roles of groups of members by id", columns: [] },
  member_groups: { content: "groups of members", columns: ["name", "name_key", "description"] },
  member_roles: { content: "additional roles of members by id", columns: [] },
  organization_policies: { content: "policies of organizations", columns: ["settings", "previous"] },
  organization_roles: { content: "roles of organizations", columns: ["key", "name", "description", "permissions"] },
  leases: { content: "tasks of replicas", columns: ["name"] },
  oauth_blocked_hosts: { content: "blocked hosts of applications", columns: ["host"] },
  oauth_assertions: { content: "used assertions of applications", columns: ["jti_hash"] },
  oauth_client_secrets: { content: "hashed secrets of applications", columns: ["secret_hash"] },
  oauth_clients: {
    content: "applications",
    columns: [
      ...["name", "logo_url", "policy_uri", "tos_uri", "jwks", "redirect_uris", "post_logout_redirect_uris"],
      ...["jwks_uri", "exchanges", "claim_mappings", "registration_token_hash"],
      ...["backchannel_logout_uri", "grant_types", "scopes", "resources", "audiences", "sector", "managed_by"],
      ...["external_id", "client_uri", "document_hash", "preset", "preset_inputs"],
    ],
  },
  oauth_registration_tokens: { content: "hashed tokens for registrations", columns: ["name", "token_hash"] },
  oauth_resources: {
    content: "APIs",
    columns: [
      ...["identifier", "identifier_key", "name", "scopes", "claims", "claim_mappings", "managed_by"],
      ...["preset", "preset_inputs"],
    ],
  },
  oauth_states: {
    content: "sign-ins under way at providers; the user is unknown",
    columns: ["state_hash", "browser_hash", "provider", "redirect_to"],
  },
  provider_configs: {
    content: "settings of providers",
    columns: ["provider", "public_config", "sealed_secret", "key_id"],
  },
  registration_settings: { content: "how users register", columns: ["settings"] },
  social_providers: {
    content: "settings of social providers",
    columns: ["provider", "config", "sealed_secret", "key_id"],
  },
  released_slugs: { content: "hashed slugs that organizations gave up", columns: ["slug_hash"] },
  row_counts: { content: "numbers of rows", columns: ["relation"] },
  power_checks: { content: "organizations with changed roles by id, for a moment", columns: [] },
  session_events: { content: "log of ended sessions by id", columns: ["reason"] },
  signing_keys: { content: "keys of the deployment", columns: ["kid", "ring", "public_jwk", "sealed_private_key"] },
  sso_certificate_warnings: {
    content: "warnings about certificates of identity providers",
    columns: ["sha256"],
  },
  sso_consumed: { content: "used messages of identity providers", columns: ["id_hash"] },
  sso_service_keys: { content: "keys of the deployment", columns: ["public_jwk", "sealed_private_key", "key_id"] },
  transparency_keys: { content: "keys of the deployment", columns: ["ring", "public_key", "sealed_private_key"] },
  transparency_log: {
    content: "state of the transparency log",
    columns: ["origin", "root_hash", "checkpoint", "cosigned_checkpoint"],
  },
  transparency_tiles: { content: "hashes of audit records", columns: ["hashes"] },
  user_imports: { content: "progress of imports", columns: ["fingerprint"] },
};
