import { registered } from "./client.ts";
import type { Deployment } from "./deployment.ts";

/** Somebody with a platform role. */
export async function platformUser(at: Pick<Deployment, "one" | "sql">, role: "viewer" | "admin" | "owner") {
  const person = await registered(at.one.url);
  await at.sql`update users set platform_role = ${role} where id = ${person.userId}`;
  return person;
}
