/** A user who can ask to join the demo organization by its domain, and the request of another user. */
import type postgres from "postgres";
import { registered } from "../support/client.ts";
import { proveMailbox } from "../support/states.ts";

interface JoiningSite {
  readonly origin: string;
  readonly sql: postgres.Sql;
  readonly organizationId: string;
  readonly newcomerId: string;
}

/** The policies of the organization open the organization to its verified domain. */
export async function fillJoining({ origin, sql, organizationId, newcomerId }: JoiningSite): Promise<string> {
  await sql`
    insert into user_emails (id, user_id, email, "primary", verified_at, controlled_at, created_at)
    values (gen_random_uuid(), ${newcomerId}, 'nora@analytical.example', false, now(), now(), now())`;
  const mary = await registered(origin, { email: "mary@analytical.example", display_name: "Mary Somerville" });
  await proveMailbox(sql, mary.userId);
  await sql`update user_emails set verified_at = now(), controlled_at = now() where user_id = ${mary.userId}`;
  const asked = await mary.client.post(`/v1/orgs/${organizationId}/join`);
  if (asked.status !== 202) throw new Error(`the demo expected a request, got ${asked.status}: ${asked.text}`);
  const [request] = await sql`select id from domain_join_requests where user_id = ${mary.userId}`;
  return request?.id;
}
