/** Connections and policies written without the endpoints, for tests of their effects. */
import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { DEFAULT_OIDC_CONFIG, type OidcConfig } from "../../src/models/sso-connection/oidc-config.ts";
import { insertConnection } from "../../src/models/sso-connection/sso-connection.ts";
import { DEFAULT_SSO_POLICY, type SsoPolicy, savePolicy } from "../../src/models/sso-policy/sso-policy.ts";

export const TEST_OIDC_CONFIG: OidcConfig = {
  ...DEFAULT_OIDC_CONFIG,
  issuer: "https://idp.acme.com",
  client_id: "service",
};

/** Inserts an active connection without a secret, and returns the id. */
export async function storeConnection(
  sql: postgres.Sql,
  organizationId: string,
  config: Partial<OidcConfig> = {},
): Promise<string> {
  const id = randomUUID();
  await insertConnection(sql, {
    id,
    organizationId,
    protocol: "oidc",
    name: "Acme",
    preset: "custom",
    config: { ...TEST_OIDC_CONFIG, ...config },
    sealedSecret: null,
    keyId: null,
    createdBy: null,
    at: new Date(),
  });
  await sql`update sso_connections set status = 'active', tested_at = now() where id = ${id}`;
  return id;
}

/** Stores the policy of an organization: the defaults with the given changes. */
export async function storePolicy(
  sql: postgres.Sql,
  organizationId: string,
  policy: Partial<SsoPolicy> = {},
): Promise<void> {
  await savePolicy(sql, organizationId, { ...DEFAULT_SSO_POLICY, mode: "optional", ...policy }, new Date());
}
