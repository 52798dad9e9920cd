/** Organizations with a verified domain, a directory and an API key of the directory. */
import { randomUUID } from "node:crypto";
import { Client, PASSWORD, registered } from "./client.ts";
import type { Deployment } from "./deployment.ts";
import { accountsOf, keyOf } from "./service-accounts.ts";

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const SEED = randomUUID().slice(0, 8);
let count = 0;

/** A program with an API key; responses of `application/scim+json` are parsed. */
export type ScimClient = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<{
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape.
  readonly body: any;
}>;

export function scimClient(url: string, key: string | undefined): ScimClient {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}/v1/scim/v2${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/scim+json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isScim = response.headers.get("content-type") === "application/scim+json; charset=utf-8";
    return { status: response.status, headers: response.headers, body: isScim ? JSON.parse(text) : undefined };
  };
}

interface DirectoryPlace {
  readonly one: { readonly url: string };
  readonly sql: Deployment["sql"];
}

/** An owner with a step-up, a directory, and a key with the given scopes. */
export async function directoryOf(
  at: DirectoryPlace,
  settings: Record<string, unknown> = {},
  scopes: readonly string[] = ["scim.write"],
) {
  const owner = await registered(at.one.url);
  await at.sql`update sessions set aal = 'aal2', mfa_verified_at = now() where user_id = ${owner.userId}`;
  const place = `/v1/orgs/${owner.organizationId}/directory`;
  const created = await owner.client.put(place, settings);
  if (created.status !== 200) throw new Error(`the directory returned ${created.status}: ${created.text}`);
  const { key, id: keyId } = await keyOf(owner.client, accountsOf(owner.organizationId), scopes);
  count += 1;
  const domain = `directory-${SEED}-${count}.test`;
  const address = (name: string) => `${name}@${domain}`;
  return { ...owner, place, key, keyId, domain, address, scim: scimClient(at.one.url, key) };
}

/** Verifies the domain over DNS. */
export async function verifyDomainOf(
  at: Deployment,
  { client, organizationId, domain }: Awaited<ReturnType<typeof directoryOf>>,
): Promise<void> {
  const claimed = await client.post(`/v1/orgs/${organizationId}/domains`, { domain });
  at.dns.setTxt(claimed.body.record_name, claimed.body.record_value);
  const verified = await client.post(`/v1/orgs/${organizationId}/domains/${claimed.body.id}/verify`);
  if (verified.body.status !== "verified") throw new Error(`the domain is ${verified.text}`);
}

/** Stores a verified domain, where the replicas have no DNS server of the test. */
export async function insertVerifiedDomain(
  { sql }: Pick<Deployment, "sql">,
  organizationId: string,
  domain: string,
): Promise<void> {
  await sql`
    insert into organization_domains (id, organization_id, domain, token, status,
                                      verified_at, checked_at, created_at, claimed_by)
    values (${randomUUID()}, ${organizationId}, ${domain}, ${randomUUID()}, 'verified', now(), now(), now(),
            (select user_id from members where organization_id = ${organizationId} and role = 'owner' limit 1))`;
}

export function userBody(userName: string, fields: Record<string, unknown> = {}) {
  return { schemas: [USER], userName, ...fields };
}

export function searchBody(fields: Record<string, unknown> = {}) {
  return { schemas: ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"], ...fields };
}

export function groupBody(displayName: string, memberIds: readonly string[] = []) {
  return { schemas: [GROUP], displayName, members: memberIds.map((value) => ({ value })) };
}

/** Signs a provisioned user in: the user receives the password of the owner, and presents the password. */
export async function signInAs(
  at: DirectoryPlace,
  owner: { readonly userId: string; readonly organizationId: string },
  email: string,
  url = at.one.url,
): Promise<Client> {
  await at.sql`
    update users set password_hash = (select password_hash from users where id = ${owner.userId})
    where email = ${email}`;
  const client = new Client(url);
  const fields = { email, password: PASSWORD, organization_id: owner.organizationId };
  const signedIn = await client.post("/v1/auth/login", fields);
  if (signedIn.status !== 200) throw new Error(`the sign-in returned ${signedIn.status}: ${signedIn.text}`);
  return client;
}
