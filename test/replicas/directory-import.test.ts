/**
 * A replica that is killed during an import or the deletion of a directory, over two replicas (G264, G277).
 * `npm run test:directories` runs the file with more users (`IMPORTED_USERS`), more kills (`IMPORT_KILLS`) and a larger
 * group (`GROUP_MEMBERS`).
 */
import { beforeAll, expect, test } from "bun:test";
import type postgres from "postgres";
import { DIRECTORY_DELETION_BATCH, DIRECTORY_ROLE_HOLDERS_BATCH } from "../../src/limits/directory-limits.ts";
import { eventually } from "../support/deployment.ts";
import { groupBody, type ScimClient, scimClient, userBody } from "../support/directories.ts";
import {
  type AdminDirectory,
  adminDirectory,
  cycle,
  cycleDeployment,
  expectRolesOfGroups,
  modelOf,
  NOTHING_BROKEN,
  nameOf,
  patch,
  stateOf,
} from "../support/directory-cycles.ts";
import {
  auditOf,
  countDeletedRows,
  GROUPS,
  HOLDERS,
  insertHolders,
  insertRecords,
  lockLastHolder,
  mostDeletedRows,
  RECORDS,
  remainderOf,
} from "../support/directory-deletions.ts";
import { type Replica, startReplica } from "../support/replica.ts";

const IMPORTED = Number(process.env.IMPORTED_USERS ?? 40);
const KILLS = Number(process.env.IMPORT_KILLS ?? 1);
const GROUP_MEMBERS = Number(process.env.GROUP_MEMBERS ?? 500);
const CLIENTS = 16;
const DEADLINE_MS = 3_600_000;
const UNAVAILABLE = { status: 0, headers: new Headers(), body: undefined };

let at: Awaited<ReturnType<typeof cycleDeployment>>;
let doomed: Replica;
beforeAll(async () => {
  at = await cycleDeployment();
  doomed = at.one;
}, 120_000);

async function replaceDoomed(directory: AdminDirectory): Promise<ScimClient> {
  doomed = await startReplica({ ...at.settings });
  return scimClient(doomed.url, directory.key);
}

/** A killed replica leaves statements that PostgreSQL finishes. */
async function transactionsEnded(): Promise<void> {
  await eventually("the transactions of the killed replica end", 30_000, async () => {
    const rows = await at.sql`
      select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_xid is not null`;
    return rows.length === 0;
  });
}

/** Locks rows in a transaction; returns the end of the transaction. */
async function holdLock(lock: (sql: postgres.TransactionSql) => Promise<unknown>): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const held = at.sql.begin(async (sql) => {
    await lock(sql);
    locked.resolve();
    await released.promise;
  });
  await Promise.race([locked.promise, held]);
  return async () => {
    released.resolve();
    await held;
  };
}

const lockRecord = (id: string) => holdLock((sql) => sql`select 1 from directory_users where id = ${id} for update`);

interface Part {
  readonly from: number;
  readonly until: number;
}

/** Kills the replica at half of the part; returns the names of users whose creation was acknowledged. */
async function importUntilKilled(directory: AdminDirectory, scim: ScimClient, { from, until }: Part) {
  const acknowledged: string[] = [];
  const half = (until - from) >> 1;
  let next = from;
  let killed: Promise<void> | undefined;
  const client = async () => {
    while (next < until && !killed) {
      const index = next;
      next += 1;
      const userName = nameOf(directory, index);
      const { status, body } = await scim("POST", "/Users", userBody(userName)).catch(() => UNAVAILABLE);
      if (status === 201) acknowledged.push(userName);
      if (status === 201 && index % 3 === 0) {
        const member = patch("Add", "members", [{ value: body.id }]);
        await scim("PATCH", `/Groups/${directory.group}`, member).catch(() => UNAVAILABLE);
      }
      if (acknowledged.length >= half) killed ??= doomed.kill();
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  await killed;
  await transactionsEnded();
  expect(acknowledged.length).toBeGreaterThanOrEqual(half);
  return acknowledged;
}

test(
  "kill -9 during an import leaves every acknowledged user whole and no half person; the next cycle converges",
  async () => {
    const directory = await adminDirectory(at);
    const wanted = Array.from({ length: IMPORTED }, (_, index) => ({ active: true, isAdmin: index % 3 === 0 }));
    const other = scimClient(at.other.url, directory.key);
    let scim = directory.scim;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const from = Math.floor((IMPORTED / KILLS) * kill);
      const until = Math.floor((IMPORTED / KILLS) * (kill + 1));
      const acknowledged = await importUntilKilled(directory, scim, { from, until });
      const { users, broken } = await stateOf(at, directory);
      expect(broken).toEqual(NOTHING_BROKEN);
      const names = new Set(users.map(({ name }) => name));
      expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
      await expectRolesOfGroups(at, directory);
      await cycle(directory, other, wanted.slice(0, until));
      const expected = { users: modelOf(directory, wanted.slice(0, until)), broken: NOTHING_BROKEN };
      expect(await stateOf(at, directory)).toEqual(expected);
      expect(await cycle(directory, other, wanted.slice(0, until))).toBe(0);
      scim = await replaceDoomed(directory);
    }
  },
  DEADLINE_MS,
);

/** A busy machine may end the statement by the time-out of statements: 503, and a directory repeats the request. */
async function replaceMembers(scim: ScimClient, group: string, ids: readonly string[]): Promise<number> {
  for (;;) {
    const body = groupBody("Admins", ids);
    const { status } = await scim("PUT", `/Groups/${group}`, body).catch(() => UNAVAILABLE);
    if (status !== 503) return status;
  }
}

test(
  "kill -9 during the replacement of a large group leaves the former members; the next replacement is whole",
  async () => {
    const directory = await adminDirectory({ ...at, one: at.other });
    const { group, organizationId } = directory;
    const scim = await replaceDoomed(directory);
    const { body: former } = await scim("POST", "/Users", userBody(nameOf(directory, 0)));
    await scim("PUT", `/Groups/${group}`, groupBody("Admins", [former.id]));
    const rows = await at.sql<{ id: string }[]>`
      insert into directory_users (id, directory_id, user_name, user_name_key, active, document, email_keys, link,
                                   version, created_at, updated_at)
      select gen_random_uuid(), d.id, 'u' || n, 'u' || n, true,
             jsonb_build_object('userName', 'u' || n, 'active', true), '{}', 'none', 1, now(), now()
      from directories d, generate_series(1, ${GROUP_MEMBERS}::int) n where d.organization_id = ${organizationId}
      returning id`;
    const ids = rows.map(({ id }) => id);
    const membersOf = async () =>
      (await at.sql`select record_id as id from directory_group_members where group_id = ${group}`).map(({ id }) => id);
    // The insertion of the last member waits for the row.
    const release = await lockRecord(ids.at(-1) ?? "");
    const replaced = replaceMembers(scim, group, ids);
    await eventually("the replacement waits within its transaction", 120_000, async () => {
      const waiting = await at.sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return waiting.length > 0;
    });
    await doomed.kill();
    await release();
    expect(await replaced).toBe(UNAVAILABLE.status);
    await transactionsEnded();
    expect(await membersOf()).toEqual([former.id]);
    await expectRolesOfGroups(at, directory);
    expect(await replaceMembers(scimClient(at.other.url, directory.key), group, ids)).toBe(200);
    expect((await membersOf()).sort()).toEqual([...ids].sort());
    const audited = await at.sql`
      select key, cardinality(string_to_array(value, ' ')) as ids from audit_logs a, jsonb_each_text(a.metadata)
      where a.resource_id = ${group} and value like ${`%${ids[0]}%`}`;
    // A record names the first 1,000 members, 100 in an entry.
    expect([...audited].every(({ key, ids: named }) => /^added_ids_\d+$/.test(key) && named === 100)).toBe(true);
    await expectRolesOfGroups(at, directory);
  },
  DEADLINE_MS,
);

/** Cancels the statement of a deletion that waits for a role, as the time-out of statements. */
async function cancelWithdrawal(deletion: Promise<unknown>): Promise<void> {
  let isOver = false;
  void deletion.then(() => {
    isOver = true;
  });
  await eventually("the withdrawal is cancelled", 120_000, async () => {
    const rows = await at.sql`
      select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%member_roles%'`;
    return isOver || rows.length > 0;
  });
}

test(
  "a deletion cut by a failure or kill -9 leaves a record, and the next withdraws the other roles and is whole (G277)",
  async () => {
    const directory = await adminDirectory({ ...at, one: at.other });
    const { client, place, group } = directory;
    const scim = await replaceDoomed(directory);
    const { body: first } = await scim("POST", "/Users", userBody(nameOf(directory, 0)));
    await scim("PUT", `/Groups/${group}`, groupBody("Admins", [first.id]));
    await insertHolders(at, directory);
    const lastRecord = await insertRecords(at, directory);
    // The members receive the roles of the group.
    expect((await client.put(place, { status: "paused" })).status).toBe(200);
    await countDeletedRows(at);
    const remove = (url: string) =>
      client
        .at(url)
        .delete(place)
        .catch(() => UNAVAILABLE);

    const releaseRole = await holdLock((sql) => lockLastHolder(sql, directory));
    const failing = remove(doomed.url);
    await cancelWithdrawal(failing);
    expect((await failing).status).toBe(503);
    await releaseRole();
    const started = { status: "paused", role_source: "none", user_count: 1 + HOLDERS + RECORDS, holders: 1 };
    const rows = { records: 1 + HOLDERS + RECORDS, managed: 1 + HOLDERS, groups: 1 + GROUPS, members: 1 + HOLDERS };
    expect(await remainderOf(at, directory)).toEqual({ ...started, ...rows });
    expect(await auditOf(at, directory, "directory.updated")).toEqual([{ fields: "role_source users groups" }]);

    // The last batch waits for the row.
    const releaseRecord = await lockRecord(lastRecord);
    const deletion = remove(doomed.url);
    const remaining = { records: 1, managed: 0, groups: 1 + GROUPS, members: 0 };
    const cutOff = { ...started, user_count: 1, holders: 0, ...remaining };
    await eventually("all batches of records but the last are committed", 120_000, async () => {
      return Bun.deepEquals(await remainderOf(at, directory), cutOff);
    });
    await doomed.kill();
    await releaseRecord();
    // On a busy machine, the time-out of statements ends the deletion first.
    expect((await deletion).status).toBeOneOf([UNAVAILABLE.status, 503]);
    await transactionsEnded();
    expect(await remainderOf(at, directory)).toEqual(cutOff);
    expect((await auditOf(at, directory, "directory.updated")).slice(1)).toEqual([{ fields: "users groups" }]);

    const repeated = await Promise.all([remove(at.other.url), remove(at.other.url)]);
    // The second request finds no directory, or a directory under deletion.
    expect(repeated.map(({ status }) => status).sort()).toBeOneOf([
      [204, 204],
      [204, 404],
    ]);
    const absent = { status: null, role_source: null, user_count: null, holders: 0 };
    expect(await remainderOf(at, directory)).toEqual({ ...absent, records: 0, managed: 0, groups: 0, members: 0 });
    expect((await auditOf(at, directory, "directory.deleted")).length).toBe(1);
    expect(await mostDeletedRows(at)).toEqual({
      directory_group_members: 1 + HOLDERS,
      directory_group_roles: DIRECTORY_DELETION_BATCH,
      directory_groups: DIRECTORY_ROLE_HOLDERS_BATCH,
      directory_users: DIRECTORY_DELETION_BATCH,
      member_roles: DIRECTORY_DELETION_BATCH,
    });
  },
  DEADLINE_MS,
);
