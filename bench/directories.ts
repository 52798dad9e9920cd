/** Directories of this service and of two peers with equal users, for line 20. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { type Bench, createDatabase, type Running, startProcess, startService } from "./harness.ts";
import { insertKey } from "./insert-key.ts";
import { freshDatabase } from "./scale.ts";
import { sendTasks, type TaskRequest } from "./send-tasks.ts";

const DOMAIN = "directory.test";
const FEW_DOMAIN = "few.test";
const PEER_TOKEN = "a-token-of-the-bench-that-is-long-enough";
const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const MEMBERS_AT_ONCE = 10_000;
const PATCH_OP = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/** A SCIM server with one directory. */
export interface Directory {
  readonly name: string;
  readonly running: Running;
  /** Ends before `/Users`. */
  readonly url: string;
  readonly bearer: string;
  /** The domain of the users. */
  readonly domain: string;
  /** Members of the measured group. */
  readonly groupMembers: number;
  /** Adds copies of a record by SQL. The directory has a record. */
  fill(count: number): Promise<void>;
  recordIds(count: number): Promise<readonly string[]>;
}

/** The first run installs the packages in this folder: no code outside of the benchmark needs the peers. */
const PEERS = join(import.meta.dir, "directory-peers");

function installPeers(): void {
  if (existsSync(join(PEERS, "node_modules"))) return;
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: PEERS, stdio: "ignore" });
}

/** A replica of this service with two organizations, each with a verified domain, a directory and an API key. */
export async function startOwnDirectories(bench: Bench, groupMembers: number): Promise<OwnDirectories> {
  const databaseUrl = await freshDatabase(bench, "directories");
  const owned = [await insertOrganization(databaseUrl, DOMAIN), await insertOrganization(databaseUrl, FEW_DOMAIN)];
  const running = await startService(bench, { DATABASE_URL: databaseUrl });
  const [ours, few] = owned.map(({ organizationId, bearer, domain }) => ({
    name: "this service",
    running,
    url: `${running.url}/v1/scim/v2`,
    bearer,
    domain,
    groupMembers,
    fill: (count: number) => withSql(databaseUrl, (sql) => fillOwn(sql, organizationId, count)),
    recordIds: (count: number) => withSql(databaseUrl, (sql) => ownRecordIds(sql, organizationId, count)),
  }));
  const [largest] = owned;
  if (!ours || !few || !largest) throw new Error("no directories");
  const makeRoom = (count: number) => withSql(databaseUrl, (sql) => deleteCopies(sql, largest.organizationId, count));
  return { ours, few, databaseUrl, makeRoom };
}

export interface OwnDirectories {
  readonly ours: Directory;
  readonly few: Directory;
  readonly databaseUrl: string;
  /** Deletes copies of records in `ours`: a directory has at most 100,000 users. */
  makeRoom(count: number): Promise<void>;
}

async function deleteCopies(sql: postgres.Sql, organizationId: string, count: number): Promise<void> {
  const deleted = await sql`
    delete from directory_users where id in (
      select r.id from directory_users r join directories d on d.id = r.directory_id
      where d.organization_id = ${organizationId} and r.user_name like 'copy-%' order by r.id desc limit ${count}
    )`;
  await sql`
    update directories set user_count = user_count - ${deleted.count} where organization_id = ${organizationId}`;
  await sql`vacuum analyze directory_users`;
}

async function insertOrganization(databaseUrl: string, domain: string) {
  const organizationId = crypto.randomUUID();
  await withSql(databaseUrl, async (sql) => {
    await sql`
      insert into organizations (id, name, slug, tier, created_at, updated_at)
      values (${organizationId}, 'Bench', ${domain.replaceAll(".", "-")}, 'enterprise', now(), now())`;
    await sql`
      insert into organization_domains (id, organization_id, domain, token, status, verified_at, created_at)
      values (gen_random_uuid(), ${organizationId}, ${domain}, 'token', 'verified', now(), now())`;
    await sql`
      insert into directories (id, organization_id, status, default_role, outside_domains, role_source, revision,
                               created_at, updated_at)
      values (gen_random_uuid(), ${organizationId}, 'active', 'member', 'refuse', 'groups', 1, now(), now())`;
  });
  const bearer = await insertKey(databaseUrl, { organizationId, scopes: ["scim.write"] });
  return { organizationId, bearer, domain };
}

/** The copies have no account: filters, lists and groups read records only. */
async function fillOwn(sql: postgres.Sql, organizationId: string, count: number): Promise<void> {
  await sql`
    insert into directory_users select copied.*
    from (select r.* from directory_users r join directories d on d.id = r.directory_id
          where d.organization_id = ${organizationId} limit 1) r,
      (select user_count from directories where organization_id = ${organizationId}) d,
      generate_series(d.user_count, d.user_count + ${count}::int - 1) n,
      jsonb_populate_record(null::directory_users, to_jsonb(r) || jsonb_build_object(
        'id', uuidv7(), 'user_name', 'copy-' || n, 'user_name_key', 'copy-' || n, 'external_id', 'copy-' || n,
        'email_keys', array['copy-' || n], 'user_id', null, 'link', 'none'
      )) copied`;
  await sql`
    update directories set user_count = user_count + ${count} where organization_id = ${organizationId}`;
  await sql`vacuum analyze directory_users`;
}

async function ownRecordIds(sql: postgres.Sql, organizationId: string, count: number): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    select r.id from directory_users r join directories d on d.id = r.directory_id
    where d.organization_id = ${organizationId} order by r.id limit ${count}`;
  return rows.map(({ id }) => id);
}

/** @better-auth/scim: a group has at most 1,000 members there. */
export async function startBetterAuth(bench: Bench, groupMembers: number): Promise<Directory> {
  installPeers();
  const databaseUrl = await createDatabase(bench.databaseUrl, "directory_better_auth");
  const env = { DATABASE_URL: databaseUrl, SCIM_TOKEN: PEER_TOKEN, NODE_ENV: "production" };
  const running = await startProcess("bench/directory-peers/better-auth.ts", [], env);
  const fill = async (sql: postgres.Sql, count: number) => {
    await sql`
      insert into "user" select copied.*
      from (select * from "user" limit 1) u, generate_series(1, ${count}::int) n,
        jsonb_populate_record(null::"user", to_jsonb(u) || jsonb_build_object(
          'id', 'copy-' || n, 'email', 'copy-' || n
        )) copied`;
    await sql`
      insert into "scimSubject" select copied.*
      from (select * from "scimSubject" limit 1) s, generate_series(1, ${count}::int) n,
        jsonb_populate_record(null::"scimSubject", to_jsonb(s) || jsonb_build_object(
          'id', 'copy-' || n, 'userId', 'copy-' || n, 'profileSourceId', 'copy-' || n
        )) copied`;
    await sql`
      insert into "scimUser" select copied.*
      from (select * from "scimUser" limit 1) r, generate_series(1, ${count}::int) n,
        jsonb_populate_record(null::"scimUser", to_jsonb(r) || jsonb_build_object(
          'id', 'copy-' || n, 'userId', 'copy-' || n, 'connectionUserKey', 'copy-' || n, 'userName', 'copy-' || n,
          'userNameKey', 'copy-' || n, 'externalId', 'copy-' || n, 'externalIdKey', 'copy-' || n,
          'orderKey', 'copy-' || lpad(n::text, 9, '0')
        )) copied`;
    await sql`vacuum analyze`;
  };
  return {
    name: "@better-auth/scim",
    running,
    url: `${running.url}/api/auth/scim/v2`,
    bearer: PEER_TOKEN,
    domain: DOMAIN,
    groupMembers: Math.min(groupMembers, 1_000),
    fill: (count) => withSql(databaseUrl, (sql) => fill(sql, count)),
    recordIds: (count) =>
      withSql(databaseUrl, async (sql) => (await sql`select id from "scimUser" limit ${count}`).map(({ id }) => id)),
  };
}

export async function startScimmy(bench: Bench, groupMembers: number): Promise<Directory> {
  installPeers();
  const databaseUrl = await createDatabase(bench.databaseUrl, "directory_scimmy");
  const env = { DATABASE_URL: databaseUrl, SCIM_TOKEN: PEER_TOKEN, NODE_ENV: "production" };
  const running = await startProcess("bench/directory-peers/scimmy.ts", [], env);
  const fill = async (sql: postgres.Sql, count: number) => {
    await sql`
      insert into users
      select gen_random_uuid(), 'copy-' || n, r.document || jsonb_build_object('userName', 'copy-' || n)
      from (select * from users limit 1) r, generate_series(1, ${count}::int) n`;
    await sql`vacuum analyze users`;
  };
  return {
    name: "scimmy",
    running,
    url: `${running.url}/scim/v2`,
    bearer: PEER_TOKEN,
    domain: DOMAIN,
    groupMembers,
    fill: (count) => withSql(databaseUrl, (sql) => fill(sql, count)),
    recordIds: (count) =>
      withSql(databaseUrl, async (sql) => (await sql`select id from users limit ${count}`).map(({ id }) => id)),
  };
}

async function withSql<T>(databaseUrl: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  return await work(sql).finally(() => sql.end());
}

const emailOf = ({ domain }: Directory, number: number) => `user-${number}@${domain}`;

/** A directory looks for a user before the creation. */
export function importOf(directory: Directory, number: number): readonly TaskRequest[] {
  const email = emailOf(directory, number);
  const json = {
    schemas: [USER],
    userName: email,
    externalId: `external-${number}`,
    active: true,
    displayName: `Ada Lovelace ${number}`,
    name: { givenName: "Ada", familyName: "Lovelace" },
    emails: [{ value: email, type: "work", primary: true }],
  };
  return [...lookUpOf(directory, number), { method: "POST", path: "/Users", json }];
}

export function lookUpOf(directory: Directory, number: number): readonly TaskRequest[] {
  const filter = encodeURIComponent(`userName eq "${emailOf(directory, number)}"`);
  return [{ method: "GET", path: `/Users?filter=${filter}` }];
}

export function pageOf(startIndex: number, count: number): readonly TaskRequest[] {
  return [{ method: "GET", path: `/Users?startIndex=${startIndex}&count=${count}` }];
}

export interface MeasuredGroup {
  readonly id: string;
  readonly memberIds: readonly string[];
}

/** A group of the first members of the directory. A request names at most `MEMBERS_AT_ONCE`. */
export async function createGroup(directory: Directory, members: number): Promise<MeasuredGroup> {
  const memberIds = await directory.recordIds(members);
  const headers = { authorization: `Bearer ${directory.bearer}`, "content-type": "application/scim+json" };
  const body = JSON.stringify(groupBody(memberIds.slice(0, MEMBERS_AT_ONCE)));
  const response = await fetch(`${directory.url}/Groups`, { method: "POST", headers, body });
  const { id, detail } = (await response.json()) as { readonly id?: string; readonly detail?: string };
  if (id === undefined) throw new Error(`${directory.name} refused a group with ${response.status}: ${detail}`);
  for (let first = MEMBERS_AT_ONCE; first < members; first += MEMBERS_AT_ONCE) {
    const tasks = [[addMembers(id, memberIds.slice(first, first + MEMBERS_AT_ONCE))]];
    await sendTasks({ ...directory, clients: 1, tasks });
  }
  return { id, memberIds };
}

function groupBody(memberIds: readonly string[]) {
  return { schemas: [GROUP], displayName: "Everyone", members: memberIds.map((value) => ({ value })) };
}

/** All members; in odd rounds without the last ten, which even rounds restore. */
export function replaceGroup({ id, memberIds }: MeasuredGroup, round: number): readonly TaskRequest[] {
  const json = groupBody(round % 2 === 0 ? memberIds : memberIds.slice(0, -10));
  return [{ method: "PUT", path: `/Groups/${id}`, json }];
}

/** Removes a member and adds the member again, in forms that every side accepts. */
export function memberChanges(groupId: string, memberId: string): (readonly TaskRequest[])[] {
  return [
    [patchGroup(groupId, { op: "remove", path: `members[value eq "${memberId}"]` })],
    [addMembers(groupId, [memberId])],
  ];
}

function addMembers(groupId: string, memberIds: readonly string[]): TaskRequest {
  return patchGroup(groupId, { op: "add", path: "members", value: memberIds.map((value) => ({ value })) });
}

function patchGroup(groupId: string, operation: object): TaskRequest {
  const json = { schemas: [PATCH_OP], Operations: [operation] };
  return { method: "PATCH", path: `/Groups/${groupId}`, json };
}
