/** A tenant with a resource of every kind, whose ids other tenants submit. */
import { randomUUID } from "node:crypto";
import { registered } from "./client.ts";
import type { Deployment } from "./deployment.ts";
import { registerClient } from "./oauth.ts";
import { createdRole } from "./roles.ts";
import { accountsOf, keyOf, steppedUpOwner } from "./service-accounts.ts";

/** The settings of a trust of the tenant. */
export const FOREIGN_TRUST = {
  name: "Foreign",
  issuer: "https://issuer.example.test",
  scopes: ["members.list"],
  conditions: [{ claim: "sub", equals: "pipeline" }],
};

export type ForeignIds = Readonly<Record<string, string>>;

/**
 * The ids by the path before the parameter, without `/orgs/:org_id`: the key of `/orgs/:org_id/groups/:id/members` is
 * `/groups`.
 */
export async function tenantWithEverything(at: Deployment): Promise<{ organizationId: string; ids: ForeignIds }> {
  const owner = await steppedUpOwner(at);
  const { organizationId } = owner;
  const base = `/v1/orgs/${organizationId}`;
  const created = async (path: string, body: object): Promise<string> => {
    const response = await owner.client.post(`${base}${path}`, body);
    if (response.status !== 201) throw new Error(`${path} returned ${response.status}: ${response.text}`);
    return String(response.body.id);
  };
  const key = await keyOf(owner.client, accountsOf(organizationId), ["members.list"]);
  const connection = await created("/sso/connections", { name: "Foreign ID" });
  const setUp = { email: `admin@${organizationId}.test`, intents: ["domains"] };
  const put = await owner.client.put(`${base}/directory`, {});
  if (put.status >= 300) throw new Error(`the directory returned ${put.status}: ${put.text}`);
  return {
    organizationId,
    ids: {
      "/roles": (await createdRole(owner, ["members.list"])).id,
      "/groups": await created("/groups", { name: "Foreign" }),
      "/members": owner.userId,
      "/groups/:id/members": owner.userId,
      "/invitations": await created("/invitations", { email: `invited@${organizationId}.test` }),
      "/domains": await created("/domains", { domain: `${organizationId}.test` }),
      "/service-accounts": key.accountId,
      "/service-accounts/:id/keys": key.id,
      "/service-accounts/:id/trusts": await created(`/service-accounts/${key.accountId}/trusts`, FOREIGN_TRUST),
      "/webhooks": await created("/webhooks", { url: "https://hooks.example.com/", event_types: ["*"] }),
      "/webhooks/:id/deliveries": randomUUID(),
      "/sessions": await sessionOf(at, owner.userId),
      "/sso/connections": connection,
      "/sso/identities": await identityIn(at, connection, owner.userId),
      "/sso/setup-links": await created("/sso/setup-links", setUp),
      "/join-requests": await joinRequestIn(at, organizationId),
      "/directory/groups": await directoryGroupIn(at, organizationId),
      "/applications": await requestedApplicationIn(at, organizationId, owner.userId),
    },
  };
}

async function sessionOf(at: Deployment, userId: string): Promise<string> {
  const [row] = await at.sql`select id from sessions where user_id = ${userId} and revoked_at is null`;
  return row?.id;
}

async function identityIn(at: Deployment, connectionId: string, userId: string): Promise<string> {
  const id = randomUUID();
  await at.sql`
    insert into sso_identities (id, connection_id, subject_hash, subject, user_id, linked_by, created_at, last_used_at)
    values (${id}, ${connectionId}, sha256('foreign'), 'foreign', ${userId}, 'user', now(), now())`;
  return id;
}

async function joinRequestIn(at: Deployment, organizationId: string): Promise<string> {
  const [id, { userId }] = [randomUUID(), await registered(at.one.url)];
  await at.sql`
    insert into domain_join_requests (id, organization_id, user_id, domain, created_at, expires_at)
    values (${id}, ${organizationId}, ${userId}, ${`${organizationId}.test`}, now(), now() + interval '1 day')`;
  return id;
}

async function directoryGroupIn(at: Deployment, organizationId: string): Promise<string> {
  const id = randomUUID();
  await at.sql`
    insert into directory_groups (id, directory_id, display_name, display_name_key, version, created_at, updated_at)
    select ${id}, id, 'Foreign', 'foreign', 1, now(), now() from directories
    where organization_id = ${organizationId}`;
  return id;
}

async function requestedApplicationIn(at: Deployment, organizationId: string, userId: string): Promise<string> {
  const { id } = await registerClient({ name: "Foreign", first_party: false });
  await at.sql`
    insert into organization_applications (organization_id, client_id, status, requested_by, requested_at)
    values (${organizationId}, ${id}, 'requested', ${userId}, now())`;
  return id;
}
