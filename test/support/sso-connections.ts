/** Connections and policies written without the endpoints, for tests of their effects. */
import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { insertConnection } from "../../src/models/sso-connection/sso-connection.ts";
import { DEFAULT_SSO_POLICY, type SsoPolicy, savePolicy } from "../../src/models/sso-policy/sso-policy.ts";
import { DEFAULT_OIDC_CONFIG, type OidcConfig } from "../../src/vocabulary/sso/oidc-config.ts";
import { type Client, registered } from "./client.ts";
import type { Deployment } from "./deployment.ts";

export const TEST_OIDC_CONFIG: OidcConfig = {
  ...DEFAULT_OIDC_CONFIG,
  issuer: "https://idp.acme.com",
  client_id: "service",
};

/** Inserts a connection without a secret, activated by an owner, and returns the id. */
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
  await sql`
    update sso_connections set status = 'active', tested_at = now(), activated_by = (
      select user_id from members
      where organization_id = ${organizationId} and role = 'owner' order by joined_at limit 1
    ) where id = ${id}`;
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

/** An organization with a held domain and an active connection, known to both replicas. */
export interface Company {
  readonly organizationId: string;
  readonly domain: string;
  readonly domainId: string;
  readonly connectionId: string;
  /** The owner, with a step-up. */
  readonly owner: Client;
  readonly ownerEmail: string;
  readonly ownerId: string;
  /** The path of the connections. */
  readonly connections: string;
  /** Announces changes by SQL to the replicas, as the endpoints do. */
  announce(): Promise<void>;
}

/** Creates a company whose policy has the given members. */
export async function companyWithSso(
  { one, sql }: Pick<Deployment, "one" | "sql">,
  policy: Partial<SsoPolicy> = {},
  domain = `${randomUUID()}.test`,
): Promise<Company> {
  const { client: owner, organizationId, userId: ownerId, email: ownerEmail } = await registered(one.url);
  await sql`update sessions set aal = 'aal2', mfa_verified_at = now() where user_id = ${ownerId}`;
  const domainId = randomUUID();
  await sql`
    insert into organization_domains (id, organization_id, domain, token, status, created_at, verified_at, claimed_by)
    values (${domainId}, ${organizationId}, ${domain}, 'token', 'verified', now(), now(),
            (select user_id from members where organization_id = ${organizationId} and role = 'owner' limit 1))`;
  const connectionId = await storeConnection(sql, organizationId);
  await storePolicy(sql, organizationId, policy);
  const base = `/v1/orgs/${organizationId}`;
  const connections = `${base}/sso/connections`;
  const announce = async () => {
    const named = await owner.patch(`${connections}/${connectionId}`, { name: `Acme ${randomUUID()}` });
    const assigned = await owner.patch(`${base}/domains/${domainId}`, { connection_id: connectionId });
    const released = await owner.patch(`${base}/domains/${domainId}`, { connection_id: null });
    const statuses = [named, assigned, released].map(({ status }) => status);
    if (statuses.some((status) => status !== 200)) throw new Error(`announcing a company returned ${statuses}`);
  };
  await announce();
  return { organizationId, domain, domainId, connectionId, owner, ownerEmail, ownerId, connections, announce };
}
