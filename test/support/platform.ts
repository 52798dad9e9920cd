import { registered } from "./client.ts";
import type { Deployment } from "./deployment.ts";
import { codeOf, enrolled } from "./mfa.ts";
import { stepUpSessions } from "./team.ts";

/**
 * Raises the sessions of a user to `aal2` without a step-up, as after a verification of the second factor some time
 * ago.
 */
export async function verifySessionsOf({ sql }: Pick<Deployment, "sql">, userId: string): Promise<void> {
  await sql`update sessions set aal = 'aal2' where user_id = ${userId}`;
}

/** Creates a user with a platform role in a session with an earlier second factor. */
export async function platformUser(at: Pick<Deployment, "one" | "sql">, role: "viewer" | "admin" | "owner") {
  const person = await registered(at.one.url);
  await at.sql`update users set platform_role = ${role} where id = ${person.userId}`;
  await verifySessionsOf(at, person.userId);
  return person;
}

/** Creates a user with a platform role who has just presented a second factor. */
export async function steppedUpPlatformUser(at: Pick<Deployment, "one" | "sql">, role: "admin" | "owner") {
  const person = await platformUser(at, role);
  await stepUpSessions(at.sql, person.userId);
  return person;
}

/** Creates a viewer and an administrator of the platform, in sessions with an earlier second factor. */
export async function viewerAndAdmin(at: Pick<Deployment, "one" | "sql">) {
  const [viewer, admin] = [await platformUser(at, "viewer"), await platformUser(at, "admin")];
  return { viewer: viewer.client, admin: admin.client, adminId: admin.userId };
}

/** Creates a platform administrator who has just presented a second factor. */
export async function steppedUpAdmin(at: Pick<Deployment, "one" | "sql">, role: "admin" | "owner" = "admin") {
  return await steppedUp(at, await enrolled(at), role);
}

/** Grants a platform role to a user with an authenticator app, and presents the second factor. */
export async function steppedUp<Person extends Awaited<ReturnType<typeof enrolled>>>(
  at: Pick<Deployment, "sql">,
  person: Person,
  role: "admin" | "owner",
): Promise<Person> {
  await at.sql`update users set platform_role = ${role} where id = ${person.userId}`;
  const shown = await person.client.post("/v1/auth/mfa/verify", { code: codeOf(person.secret) });
  if (shown.status !== 200) throw new Error(`step-up answered ${shown.status}: ${shown.text}`);
  return person;
}
