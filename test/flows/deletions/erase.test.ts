/** The erasure of users and organizations with many rows, in this process (G146). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { getTableConfig } from "drizzle-orm/pg-core";
import { eraseDue } from "../../../src/flows/deletions/erase.ts";
import { ERASURE_ROWS_BATCH } from "../../../src/limits/deletion-limits.ts";
import { MEMBER_ROWS, ORGANIZATION_ROWS, USER_REFERENCES, USER_ROWS } from "../../../src/models/erasure/erase-rows.ts";
import { type Account, registerAccount } from "../../support/accounts.ts";
import { declaredTables } from "../../support/declared-tables.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { statementsWait } from "../../support/team.ts";

const ROWS = 10_000;
const LONG_AGO = new Date("2020-01-01T00:00:00Z");
let flows: Flows;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

/** Sessions, invitations and keys in the organization of a user, and sessions in a second organization. */
async function fill({ userId, organizationId }: Account, elsewhere: string): Promise<void> {
  await flows.sql`
    insert into sessions (id, user_id, organization_id, auth_method, aal, auth_time, refresh_jti, access_jti,
                          rotated_at, expires_at, ends_at, revoked_at, created_at)
    select gen_random_uuid(), ${userId}, case when n % 2 = 0 then ${organizationId}::uuid else ${elsewhere}::uuid end,
           'password', 'aal1', now(), gen_random_uuid(), gen_random_uuid(), now(), now(), now() + interval '90 days',
           case when n % 3 = 0 then now() end, now()
    from generate_series(1, ${ROWS}) n`;
  await flows.sql`
    insert into invitations (id, organization_id, email, role, token_hash, invited_by, expires_at, created_at)
    select gen_random_uuid(), case when n % 2 = 0 then ${organizationId}::uuid else ${elsewhere}::uuid end,
           ${userId} || n || '@example.test', 'member', sha256((${userId} || n)::bytea), ${userId}, now(), now()
    from generate_series(1, ${ROWS}) n`;
}

/** A directory with records and a group, identities and ended memberships of the organization; returns the count. */
async function fillDirectory({ userId, organizationId }: Account): Promise<() => Promise<number>> {
  const [directoryId, groupId, connectionId] = [randomUUID(), randomUUID(), randomUUID()];
  const { sql } = flows;
  await sql`
    insert into directories (id, organization_id, status, default_role, outside_domains, role_source, revision,
                             created_at, updated_at)
    values (${directoryId}, ${organizationId}, 'paused', 'member', 'refuse', 'groups', 1, now(), now())`;
  await sql`
    insert into directory_groups (id, directory_id, display_name, display_name_key, version, created_at, updated_at)
    values (${groupId}, ${directoryId}, 'All', 'all', 1, now(), now())`;
  await sql`
    with records as (
      insert into directory_users (id, directory_id, user_name, user_name_key, active, document, email_keys, link,
                                   version, created_at, updated_at)
      select gen_random_uuid(), ${directoryId}, 'u' || n, 'u' || n, true, '{}', '{}', 'none', 1, now(), now()
      from generate_series(1, ${ERASURE_ROWS_BATCH + 1}) n
      returning id
    )
    insert into directory_group_members (group_id, record_id) select ${groupId}, id from records`;
  await sql`
    insert into sso_connections (id, organization_id, protocol, name, preset, status, config, revision, created_by,
                                 created_at, updated_at)
    values (${connectionId}, ${organizationId}, 'saml', 'Acme', 'custom', 'draft', '{}', 1, ${userId}, now(), now())`;
  await sql`
    insert into sso_identities (id, connection_id, subject_hash, subject, user_id, linked_by, created_at, last_used_at)
    values (gen_random_uuid(), ${connectionId}, sha256('a'), 'a', ${userId}, 'domain', now(), now())`;
  await sql`
    insert into member_removals (organization_id, user_id, removed_at) values (${organizationId}, ${userId}, now())`;
  return async () => {
    const [row] = await sql<{ count: number }[]>`
      select ((select count(*) from directory_users where directory_id = ${directoryId})
        + (select count(*) from directory_group_members where group_id = ${groupId})
        + (select count(*) from sso_identities where connection_id = ${connectionId})
        + (select count(*) from member_removals where organization_id = ${organizationId}))::int as count`;
    return row?.count ?? 0;
  };
}

async function rowsOf(column: "user_id" | "organization_id", id: string): Promise<number> {
  const [row] = await flows.sql<{ count: number }[]>`
    select ((select count(*) from sessions where ${flows.sql(column)} = ${id})
      + (select count(*) from invitations
         where ${flows.sql(column === "user_id" ? "invited_by" : column)} = ${id}))::int as count`;
  return row?.count ?? 0;
}

/** Erases what is due; returns the largest statement, and the rows at the begin of every erasing transaction. */
async function eraseObserved(remaining: () => Promise<number>) {
  const batches: number[] = [];
  const atBegin: number[] = [];
  const { database } = flows.deps;
  const observed: typeof database = {
    ...database,
    run: async (statement, work) => {
      const outcome = await database.run(statement, work);
      if (statement.startsWith("erasure.")) batches.push(Number(outcome));
      return outcome;
    },
    transaction: async (name, work) => {
      atBegin.push(await remaining());
      return await database.transaction(name, work);
    },
  };
  await eraseDue({ ...flows.deps, database: observed, removePicture: undefined });
  return { largest: Math.max(...batches), atBegin };
}

async function due(subjectType: "user" | "organization", subjectId: string): Promise<void> {
  await flows.sql`
    insert into deletions (id, subject_type, subject_id, closed_otherwise, requested_at, due_at)
    values (gen_random_uuid(), ${subjectType}, ${subjectId}, false, ${LONG_AGO}, ${LONG_AGO})`;
}

const exists = async (table: "users" | "organizations", id: string) =>
  (await flows.sql`select 1 from ${flows.sql(table)} where id = ${id}`).length > 0;

test("A user with 10,000 sessions and invitations is erased in batches, before the lock of the user", async () => {
  const [leaving, staying] = [await registerAccount(flows), await registerAccount(flows)];
  await fill(leaving, staying.organizationId);
  await due("user", leaving.userId);
  const { largest, atBegin } = await eraseObserved(() => rowsOf("user_id", leaving.userId));
  expect(largest).toBe(ERASURE_ROWS_BATCH);
  expect(atBegin).toEqual([0]);
  expect(await exists("users", leaving.userId)).toBe(false);
  // Invitations belong to the organizations, and lose the id of the user.
  expect(await rowsOf("organization_id", staying.organizationId)).toBeGreaterThanOrEqual(ROWS / 2);
});

test("An organization with 10,000 rows is erased in batches; further tenants keep every row", async () => {
  const [owner, tenant] = [await registerAccount(flows), await registerAccount(flows)];
  await fill(owner, tenant.organizationId);
  const [ofDirectory, kept] = [await fillDirectory(owner), await fillDirectory(tenant)];
  const before = await rowsOf("organization_id", tenant.organizationId);
  await due("organization", owner.organizationId);
  const { largest, atBegin } = await eraseObserved(
    async () => (await rowsOf("organization_id", owner.organizationId)) + (await ofDirectory()),
  );
  expect(largest).toBe(ERASURE_ROWS_BATCH);
  expect(atBegin).toEqual([0]);
  expect(await exists("organizations", owner.organizationId)).toBe(false);
  expect(await rowsOf("organization_id", tenant.organizationId)).toBe(before);
  expect(await kept()).toBe(2 * (ERASURE_ROWS_BATCH + 1) + 2);
});

test("A row that a second transaction has locked delays no batch", async () => {
  const [leaving, staying] = [await registerAccount(flows), await registerAccount(flows)];
  await fill(leaving, staying.organizationId);
  await due("user", leaving.userId);
  await flows.sql.begin(async (sql) => {
    await sql`select 1 from sessions where user_id = ${leaving.userId} order by id limit 1 for update`;
    let remaining = -1;
    const { database } = flows.deps;
    const stopped: typeof database = {
      ...database,
      transaction: async () => {
        remaining = await rowsOf("user_id", leaving.userId);
        throw new Error("the test ends the round before the transaction");
      },
    };
    await eraseDue({ ...flows.deps, database: stopped, removePicture: undefined });
    expect(remaining).toBe(1);
  });
  await eraseDue({ ...flows.deps, removePicture: undefined });
  expect(await exists("users", leaving.userId)).toBe(false);
});

test("Every column that refers to a user or organization leads a complete index", async () => {
  const searched = [...ORGANIZATION_ROWS, MEMBER_ROWS, ...USER_ROWS, ...USER_REFERENCES].map(
    ({ table, column }) => `${table}.${column}`,
  );
  const referring = (await declaredTables()).flatMap((table) =>
    getTableConfig(table).foreignKeys.flatMap((key) => {
      const { columns, foreignTable } = key.reference();
      const owner = getTableConfig(foreignTable).name;
      return owner === "users" || owner === "organizations"
        ? columns.map(({ name }) => `${getTableConfig(table).name}.${name}`)
        : [];
    }),
  );
  const indexed = await flows.sql<{ name: string }[]>`
    select distinct c.relname || '.' || a.attname as name
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where i.indpred is null`;
  const names = new Set(indexed.map(({ name }) => name));
  expect([...new Set([...searched, ...referring])].filter((column) => !names.has(column))).toEqual([]);
});

test("The erasure of a user waits for a change of a membership without a lock of the user.", async () => {
  const { userId } = await registerAccount(flows);
  await due("user", userId);
  let erasing: Promise<unknown> | undefined;
  await flows.sql.begin(async (sql) => {
    await sql`select 1 from members where user_id = ${userId} for update`;
    erasing = eraseDue({ ...flows.deps, removePicture: undefined });
    await statementsWait(flows.sql, 1, "%from members where user_id%");
    expect(await flows.sql`select 1 from users where id = ${userId} for update nowait`).toHaveLength(1);
  });
  await erasing;
  expect(await exists("users", userId)).toBe(false);
});
