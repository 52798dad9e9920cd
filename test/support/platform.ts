import { registered } from "./client.ts";
import type { Deployment } from "./deployment.ts";
import { codeOf, enrolled } from "./mfa.ts";

/** Makes the sessions of a user `aal2` without a step-up, as one that verified its second factor some time ago. */
export async function verifySessionsOf({ sql }: Pick<Deployment, "sql">, userId: string): Promise<void> {
  await sql`update sessions set aal = 'aal2' where user_id = ${userId}`;
}

/** A user with a platform role, in a session that has an earlier second factor. */
export async function platformUser(at: Pick<Deployment, "one" | "sql">, role: "viewer" | "admin" | "owner") {
  const person = await registered(at.one.url);
  await at.sql`update users set platform_role = ${role} where id = ${person.userId}`;
  await verifySessionsOf(at, person.userId);
  return person;
}

/** A platform administrator who has just shown a second factor. */
export async function steppedUpAdmin(at: Pick<Deployment, "one" | "sql">, role: "admin" | "owner" = "admin") {
  return await steppedUp(at, await enrolled(at), role);
}

/** Gives a user with an authenticator app a platform role, and shows the second factor. */
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
