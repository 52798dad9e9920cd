import type postgres from "postgres";
import { DATABASE_CLIENT_NAME } from "../../src/base/compatibility-0-1.ts";
import { Client, newEmail, PASSWORD, registered } from "./client.ts";
import { type Deployment, eventually } from "./deployment.ts";
import { INVITE_LINK, tokenTo } from "./mail.ts";

type Role = "owner" | "admin" | "member";
type Services = { readonly one: Pick<Deployment["one"], "url">; readonly sql: Deployment["sql"] };

export const invitationsOf = (organizationId: string) => `/v1/orgs/${organizationId}/invitations`;
export const resendOf = (organizationId: string, id: string) => `${invitationsOf(organizationId)}/${id}/resend`;
export const membersOf = (organizationId: string) => `/v1/orgs/${organizationId}/members`;
export const memberOf = (organizationId: string, userId: string) => `/v1/orgs/${organizationId}/members/${userId}`;

export function invite(client: Client, organizationId: string, email: unknown, role?: unknown) {
  return client.post(invitationsOf(organizationId), { email, role });
}

export function accept(client: Client, token: unknown, fields: object = { password: PASSWORD }) {
  return client.post("/v1/auth/invitations/accept", { token, ...fields });
}

export function preview(url: string, token: string) {
  return new Client(url).get(`/v1/auth/invitations/preview?token=${token}`);
}

/** Creates an invitation to a new address; returns the identifier and the token of the link. */
export async function invited(at: Deployment, client: Client, organizationId: string, role: Role = "member") {
  const email = newEmail();
  const response = await invite(client, organizationId, email, role);
  if (response.status !== 201) throw new Error(`inviting returned ${response.status}: ${response.text}`);
  return { id: String(response.body.id), email, token: await tokenTo(at.mail, email, INVITE_LINK) };
}

/** Registers a new user who joins the organization of `host` with a role, by invitation, in a stepped-up session. */
export async function joinedAs(at: Deployment, host: { client: Client; organizationId: string }, role: Role) {
  const { email, token } = await invited(at, host.client, host.organizationId, role);
  const client = new Client(at.one.url);
  const response = await accept(client, token);
  if (response.status !== 201) throw new Error(`accepting returned ${response.status}: ${response.text}`);
  const userId = String(response.body.user.user_id);
  await stepUpSessions(at.sql, userId);
  return { client, email, userId, organizationId: host.organizationId };
}

/** Registers a new user with a verified address, in a stepped-up session, and inserts a membership with a role. */
export async function memberWith(at: Services, organizationId: string, role: Role) {
  const person = await registered(at.one.url);
  await at.sql`insert into members values (${organizationId}, ${person.userId}, ${role}, now())`;
  await verify(at.sql, person.userId);
  await stepUpSessions(at.sql, person.userId);
  return { ...person, organizationId };
}

/** Lifts the allowance of unverified senders. */
export async function verify(sql: postgres.Sql, userId: string): Promise<void> {
  await sql`update users set email_verified_at = now() where id = ${userId}`;
}

/**
 * Marks the sessions of a user as stepped up now, for actions that need a step-up (docs/contract.md, section 3.9).
 * Replicas keep the view of a session for 30 seconds: call this function before the first request of the session.
 */
export async function stepUpSessions(sql: postgres.Sql, userId: string, at: "now" | "an hour ago" = "now") {
  await sql`
    update sessions set mfa_verified_at = now() - ${at === "now" ? "0 hours" : "1 hour"}::interval
    where user_id = ${userId}`;
}

/** Creates an organization and an owner, in a stepped-up session. */
export async function newOwner(at: Services, fields: Record<string, unknown> = {}) {
  const owner = await registered(at.one.url, fields);
  await stepUpSessions(at.sql, owner.userId);
  return owner;
}

/** Creates an organization and an owner with a verified address, in a stepped-up session. */
export async function founded(at: Deployment, fields: Record<string, unknown> = {}) {
  const owner = await newOwner(at, fields);
  await verify(at.sql, owner.userId);
  return owner;
}

/** Waits until this many statements of the service with the pattern (LIKE) wait for a lock. */
export async function statementsWait(sql: postgres.Sql, count: number, pattern = "%"): Promise<void> {
  await eventually(`${count} statements like ${pattern} wait`, 10_000, async () => {
    const [row] = await sql`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and application_name = ${DATABASE_CLIENT_NAME} and wait_event_type = 'Lock'
        and query like ${pattern}`;
    return row?.waiting >= count;
  });
}
