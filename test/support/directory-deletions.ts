/** A directory whose deletion needs several transactions for every table, and the rows that remain. */
import type postgres from "postgres";
import { DIRECTORY_DELETION_BATCH, DIRECTORY_ROLE_HOLDERS_BATCH } from "../../src/limits/directory-limits.ts";
import { ROLES_PER_MEMBER_MAX } from "../../src/limits/role-limits.ts";
import type { Deployment } from "./deployment.ts";
import type { AdminDirectory } from "./directory-cycles.ts";

type At = Pick<Deployment, "sql">;
type Place = Pick<AdminDirectory, "organizationId">;

/** With a first member and group: roles in two transactions, groups in two, and records in three. */
export const HOLDERS = DIRECTORY_ROLE_HOLDERS_BATCH;
export const GROUPS = DIRECTORY_ROLE_HOLDERS_BATCH + 1;
/** Records without a user. */
export const RECORDS = 2 * DIRECTORY_DELETION_BATCH - HOLDERS;

/** Inserts members of the first group, and further groups. Every group grants the same roles. */
export async function insertHolders(
  { sql }: At,
  { organizationId, group, address }: Place & Pick<AdminDirectory, "group" | "address">,
  { holders = HOLDERS, groups = GROUPS, roles = ROLES_PER_MEMBER_MAX } = {},
): Promise<void> {
  await sql`
    with directory as (select id from directories where organization_id = ${organizationId}),
    roles as (
      insert into organization_roles (id, organization_id, key, name, description, permissions, created_at, updated_at)
      select uuidv7(), ${organizationId}::uuid, 'role-' || n, 'Role', '', '{}', now(), now()
      from generate_series(1, ${roles}::int) n returning id
    ),
    further as (
      insert into directory_groups (id, directory_id, display_name, display_name_key, version, created_at, updated_at)
      select uuidv7(), d.id, 'g' || n, 'g' || n, 1, now(), now()
      from directory d, generate_series(1, ${groups}::int) n returning id
    ),
    granted as (
      insert into directory_group_roles (group_id, role_id)
      select g.id, r.id from (select id from further union all select ${group}::uuid) g, roles r
    ),
    people as (
      insert into users (id, email, controlled_at, managed_by, created_at, updated_at)
      select uuidv7(), 'holder-' || n || ${address("")}::text, now(), ${organizationId}::uuid, now(), now()
      from generate_series(1, ${holders}::int) n returning id, email
    ),
    joined as (
      insert into members (organization_id, user_id, role, joined_at)
      select ${organizationId}::uuid, id, 'admin', now() from people
    ),
    records as (
      insert into directory_users (id, directory_id, user_name, user_name_key, active, document, email_keys, user_id,
                                   link, version, created_at, updated_at)
      select uuidv7(), d.id, p.email, p.email, true, '{}', '{}', p.id, 'member', 1, now(), now()
      from directory d, people p returning id
    ),
    counted as (
      update directories set user_count = user_count + ${holders}::int where organization_id = ${organizationId}
    )
    insert into directory_group_members (group_id, record_id) select ${group}::uuid, id from records`;
}

/** Inserts the records without a user; returns the id of the last record. */
export async function insertRecords({ sql }: At, { organizationId }: Place): Promise<string> {
  const [last] = await sql<{ id: string }[]>`
    with records as (
      insert into directory_users (id, directory_id, user_name, user_name_key, active, document, email_keys, link,
                                   version, created_at, updated_at)
      select uuidv7(), d.id, 'u' || n, 'u' || n, true, '{}', '{}', 'none', 1, now(), now()
      from directories d, generate_series(1, ${RECORDS}::int) n where d.organization_id = ${organizationId}
      returning id
    ),
    counted as (
      update directories set user_count = user_count + ${RECORDS}::int where organization_id = ${organizationId}
    )
    select max(id::text)::uuid as id from records`;
  return last?.id ?? "";
}

/** Locks the roles of the member with the last record. */
export async function lockLastHolder(sql: postgres.TransactionSql, { organizationId }: Place): Promise<unknown> {
  return await sql`
    select 1 from member_roles
    where organization_id = ${organizationId} and source = 'directory' and user_id = (
      select r.user_id from directory_users r join directories d on d.id = r.directory_id
      where d.organization_id = ${organizationId} and r.user_id is not null order by r.id desc limit 1
    ) for update`;
}

/** The settings of the directory, and the numbers of rows; `holders`: members with roles by groups. */
export async function remainderOf({ sql }: At, { organizationId }: Place) {
  const [row] = await sql`
    select d.status, d.role_source, d.user_count,
           (select count(distinct h.user_id)::int from member_roles h
            where h.organization_id = o.id and h.source = 'directory') as holders,
           (select count(*)::int from directory_users r where r.directory_id = d.id) as records,
           (select count(*)::int from users u where u.managed_by = o.id) as managed,
           (select count(*)::int from directory_groups g where g.directory_id = d.id) as groups,
           (select count(*)::int from directory_group_members m join directory_groups g on g.id = m.group_id
            where g.directory_id = d.id) as members
    from organizations o left join directories d on d.organization_id = o.id where o.id = ${organizationId}`;
  return { ...row };
}

/** The metadata of the records of an action, in order. */
export async function auditOf({ sql }: At, { organizationId }: Place, action: string): Promise<readonly unknown[]> {
  const rows = await sql`
    select metadata from audit_logs where organization_id = ${organizationId} and action = ${action} order by id`;
  return rows.map(({ metadata }) => metadata);
}

const DELETED_TABLES = [
  "directory_group_members",
  "directory_group_roles",
  "directory_groups",
  "directory_users",
  "member_roles",
];

/** Counts the deleted rows of every transaction from now on, also rows that follow by cascade. */
export async function countDeletedRows({ sql }: At): Promise<void> {
  await sql.unsafe(`
    create table deleted_rows (source text not null, xact xid8 not null, rows int not null);
    create function count_deleted_rows() returns trigger language plpgsql security definer set search_path = public
    as $$ begin
      insert into deleted_rows select tg_table_name, pg_current_xact_id(), count(*) from gone having count(*) > 0;
      return null;
    end $$`);
  for (const table of DELETED_TABLES) {
    await sql`
      create trigger count_deleted_rows after delete on ${sql(table)} referencing old table as gone
      for each statement execute function count_deleted_rows()`;
  }
}

/** The most rows of each table that one transaction deleted. */
export async function mostDeletedRows({ sql }: At): Promise<Readonly<Record<string, number>>> {
  const rows = await sql`
    select source, max(total)::int as most
    from (select source, xact, sum(rows) as total from deleted_rows group by source, xact) transactions
    group by source`;
  return Object.fromEntries(rows.map(({ source, most }) => [source, most]));
}
