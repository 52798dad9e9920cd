/** Organizations that can require single sign-on, with people whom the requirement covers and does not cover. */
import type { Answer } from "./client.ts";
import { Client, signedIn } from "./client.ts";
import type { Deployment } from "./deployment.ts";
import { codeOf, enrolled, forgetUsedStep, passwordShown } from "./mfa.ts";
import { storeConnection } from "./sso-connections.ts";
import { memberWith } from "./team.ts";

type At = Pick<Deployment, "one" | "sql">;

/** The time within which every replica knows a change. */
export const REPLICATED_MS = 1_000;

let domains = 0;

/** An organization with a verified domain and an active connection, and an owner fit for emergency access. */
export async function enforceable(at: At, issuer?: string) {
  const owner = await enrolled(at);
  await at.sql`update users set controlled_at = now(), email_verified_at = now() where id = ${owner.userId}`;
  const { organizationId } = owner;
  domains += 1;
  const domain = `enforced-${process.pid}-${domains}.test`;
  const connectionId = await storeConnection(at.sql, organizationId, issuer === undefined ? {} : { issuer });
  await at.sql`
    insert into organization_domains (id, organization_id, domain, token, status, created_at, verified_at, claimed_by)
    values (gen_random_uuid(), ${organizationId}, ${domain}, 'token', 'verified', now(), now(),
            (select user_id from members where organization_id = ${organizationId} and role = 'owner' limit 1))`;
  const path = `/v1/orgs/${organizationId}/sso/policy`;
  await owner.client.put(path, { mode: "optional" });
  return { ...owner, domain, connectionId, path };
}
export type Enforceable = Awaited<ReturnType<typeof enforceable>>;

/** Records a completed sign-in by single sign-on, as the callback does. */
export async function recordSsoSignIn(
  at: Pick<At, "sql">,
  { connectionId, userId }: Pick<Enforceable, "connectionId" | "userId">,
): Promise<void> {
  await at.sql`
    insert into sso_attempts (id, connection_id, at, outcome, step, requested, request_id, user_id)
    values (gen_random_uuid(), ${connectionId}, now(), 'success', 'session', true, gen_random_uuid()::text, ${userId})`;
}

/** A member of the company alone, with an address in the domain of the company. */
export async function coveredMember(
  at: At,
  { organizationId, domain }: Pick<Enforceable, "organizationId" | "domain">,
  role: "admin" | "member" | "owner" = "member",
) {
  const person = await memberWith(at, organizationId, role);
  const email = `${person.userId}@${domain}`;
  await at.sql`update users set email = ${email} where id = ${person.userId}`;
  await at.sql`delete from members where user_id = ${person.userId} and organization_id <> ${organizationId}`;
  await at.sql`update sessions set organization_id = ${organizationId} where user_id = ${person.userId}`;
  const { client } = await signedIn(at.one.url, email);
  return { ...person, email, client };
}

export async function enforce(at: Pick<At, "sql">, host: Enforceable, policy: object = {}): Promise<Answer> {
  await recordSsoSignIn(at, host);
  return await host.client.put(host.path, { mode: "required", break_glass: [host.userId], ...policy });
}

export const refused = ({ status, body }: Answer) => [status, body?.error?.code];
export const SSO_REQUIRED = [403, "sso_required"];
export const SIGNED_OUT = [401, "authentication_required"];

/** Signs in with the password and the authenticator app, at a replica. */
export async function signedInWithFactor(
  at: Pick<At, "sql">,
  url: string,
  person: Pick<Enforceable, "email" | "secret" | "userId">,
) {
  const mfaToken = await passwordShown(url, person.email);
  await forgetUsedStep(at.sql, person.userId);
  const client = new Client(url);
  const answer = await client.post("/v1/auth/mfa/challenge", { mfa_token: mfaToken, code: codeOf(person.secret) });
  return { client, answer };
}
