/** The directory of an organization. */
import type { directories } from "../../../db/schema/directories.ts";
import { nameKey } from "../../base/display-name.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import type { DirectorySettings } from "../../vocabulary/directory-settings.ts";

export type Directory = RowOf<typeof directories>;

function columns(sql: Sql): Fragment {
  return sql`
    d.id, d.organization_id as "organizationId", d.status, d.default_role as "defaultRole",
    d.outside_domains as "outsideDomains", d.role_source as "roleSource", d.last_request_at as "lastRequestAt",
    d.user_count as "userCount", d.revision, d.created_at as "createdAt", d.updated_at as "updatedAt"`;
}

export async function findDirectory(sql: Sql, organizationId: string): Promise<Directory | undefined> {
  const [row] = await sql<Directory[]>`
    select ${columns(sql)} from directories d where d.organization_id = ${organizationId}`;
  return row;
}

/** The directory, locked: writes of a directory run in sequence, so that every end state has a sequential order. */
export async function lockDirectory(sql: Sql, organizationId: string): Promise<Directory | undefined> {
  const [row] = await sql<Directory[]>`
    select ${columns(sql)} from directories d where d.organization_id = ${organizationId} for no key update`;
  return row;
}

/**
 * The locked directory beside a live key or trust, which is locked too: a revocation waits. Undefined if the key or
 * trust has ended.
 */
export async function lockDirectoryWithKey(
  sql: Sql,
  organizationId: string,
  key: { readonly kind?: "trust"; readonly id: string },
  at: Date,
): Promise<Directory | undefined> {
  const isTrust = key.kind === "trust";
  const credentials = isTrust ? sql`service_account_trusts` : sql`api_keys`;
  const isLive = isTrust ? sql`not k.disabled` : sql`k.revoked_at is null and k.expires_at > ${at}`;
  const [row] = await sql<Directory[]>`
    select ${columns(sql)} from directories d cross join ${credentials} k
    where d.organization_id = ${organizationId} and k.id = ${key.id} and ${isLive}
    for no key update of d for share of k`;
  return row;
}

/** CTE fragment: inserts or replaces the directory of an organization; one row (id). */
export function saveDirectory(
  sql: Sql,
  id: string,
  organizationId: string,
  settings: DirectorySettings,
  at: Date,
): Fragment {
  const { status, defaultRole, outsideDomains, roleSource } = settings;
  return sql`
    insert into directories as d (id, organization_id, status, default_role, outside_domains, role_source, revision,
                                  created_at, updated_at)
    values (${id}, ${organizationId}, ${status}, ${defaultRole}, ${outsideDomains}, ${roleSource}, 1, ${at}, ${at})
    on conflict (organization_id) do update set
      status = excluded.status, default_role = excluded.default_role, outside_domains = excluded.outside_domains,
      role_source = excluded.role_source, revision = d.revision + 1, updated_at = excluded.updated_at
    returning d.id`;
}

/** CTE fragment: deletes a directory with records, groups and refused requests; one row (id). */
export function deleteDirectory(sql: Sql, id: string): Fragment {
  return sql`delete from directories where id = ${id} returning id`;
}

/** CTE fragment: counts created or deleted (-1) records of a locked directory; one row (id). */
export function changeUserCount(sql: Sql, id: string, difference: number): Fragment {
  return sql`update directories set user_count = user_count + ${difference} where id = ${id} returning id`;
}

/**
 * Deletes at most `batch` records of a locked directory and ends the management of their users; returns the number.
 * The users are locked before the records, as by an erasure of a user.
 */
export async function deleteRecords(sql: Sql, directory: Directory, at: Date, batch: number): Promise<number> {
  const { id, organizationId } = directory;
  const records = await sql<{ id: string }[]>`
    select id from directory_users where directory_id = ${id} order by id limit ${batch}`;
  const ids = records.map((record) => record.id);
  // Users in the order of their ids, as in other transactions with several users.
  await sql`
    with managed as (
      select u.id from users u join directory_users r on r.user_id = u.id
      where r.id = any(${ids}::uuid[]) and u.managed_by = ${organizationId}
      order by u.id for no key update of u
    )
    update users u set managed_by = null, updated_at = ${at} from managed where u.id = managed.id`;
  const deleted = await sql`delete from directory_users where id = any(${ids}::uuid[])`;
  await sql`${changeUserCount(sql, id, -deleted.count)}`;
  return records.length;
}

/** Records the time of a request, rounded down to the minute. */
export async function recordDirectoryUse(sql: Sql, id: string, at: Date): Promise<void> {
  await sql`
    update directories set last_request_at = date_trunc('minute', ${at}::timestamptz)
    where id = ${id} and (last_request_at is null or last_request_at < date_trunc('minute', ${at}::timestamptz))`;
}

/** Whether a directory provisions the member: people then change neither role nor membership. */
export async function isProvisioned(sql: Sql, organizationId: string, userId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from directories d join directory_users r on r.directory_id = d.id
    where d.organization_id = ${organizationId} and d.status = 'active' and r.user_id = ${userId}`;
  return rows.length > 0;
}

/** Whether a directory holds a deactivated membership of the user of an address. */
export async function isDeactivated(sql: Sql, organizationId: string, email: string): Promise<boolean> {
  const rows = await sql`
    select 1 from directories d
    join directory_users r on r.directory_id = d.id and not r.active
    left join user_emails e on e.user_id = r.user_id and (e."primary" or e.verified_at is not null)
    where d.organization_id = ${organizationId}
      and (e.email = ${email} or r.email_keys @> array[${email}]::text[] or r.user_name_key = ${nameKey(email)})`;
  return rows.length > 0;
}

export const DIRECTORY_STATES = ["active", "silent", "refused", "paused"] as const;
export type DirectoryState = (typeof DIRECTORY_STATES)[number];

/** What makes an active directory silent or refused. */
export interface DirectoryThresholds {
  /** Without a request, or a change of the settings, since then. */
  readonly silentBefore: Date;
  readonly refusedSince: Date;
  readonly refusedRequests: number;
}

/** Directories by state. */
export async function countDirectoriesByState(
  sql: Sql,
  { silentBefore, refusedSince, refusedRequests }: DirectoryThresholds,
): Promise<Partial<Record<DirectoryState, number>>> {
  const rows = await sql<{ state: DirectoryState; count: number }[]>`
    with refused as (
      select directory_id from directory_requests where at > ${refusedSince}
      group by directory_id having count(*) >= ${refusedRequests}
    )
    select case when d.status = 'paused' then 'paused' when r.directory_id is not null then 'refused'
                when coalesce(d.last_request_at, d.updated_at) < ${silentBefore} then 'silent'
                else 'active' end as state,
           count(*)::int as count
    from directories d left join refused r on r.directory_id = d.id group by 1`;
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
