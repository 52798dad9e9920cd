/** Rows of a used deployment in the schema of 0.1.0: users with organization and membership, and audit records. */
import type postgres from "postgres";

/** Rows of one statement: progress and bounded transactions. */
const BATCH = 100_000;

export async function fillDatabase(sql: postgres.Sql, users: number, records: number): Promise<void> {
  for (let from = 0; from < users; from += BATCH) await insertUsers(sql, from, Math.min(BATCH, users - from));
  for (let from = 0; from < records; from += BATCH) await insertRecords(sql, Math.min(BATCH, records - from));
  await sql`analyze`;
}

async function insertUsers(sql: postgres.Sql, from: number, count: number): Promise<void> {
  await sql`
    with numbers as (select ${from}::int + n as n, gen_random_uuid() as organization, gen_random_uuid() as person
      from generate_series(1, ${count}::int) n),
    organizations as (insert into organizations (id, name, slug, tier, created_at, updated_at)
      select organization, 'Organization ' || n, 'organization-' || n, 'free', now(), now() from numbers),
    users as (insert into users (id, email, last_organization_id, created_at, updated_at)
      select person, 'user-' || n || '@example.com', organization, now(), now() from numbers)
    insert into members (organization_id, user_id, role, joined_at)
      select organization, person, 'owner', now() from numbers`;
}

async function insertRecords(sql: postgres.Sql, count: number): Promise<void> {
  await sql`
    insert into audit_logs (event_id, timestamp, actor_type, action, resource_type, metadata, outcome)
    select gen_random_uuid(), now() - random() * interval '20 days', 'user', 'auth.login', 'session', '{}', 'success'
    from generate_series(1, ${count}::int)`;
}
