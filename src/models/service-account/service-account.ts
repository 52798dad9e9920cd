import type { serviceAccounts } from "../../../db/schema/service-accounts.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import type { RowOf } from "../../database/row.ts";

type ServiceAccountRow = RowOf<typeof serviceAccounts>;

/** docs/contract.md, section 25.2. */
export interface ServiceAccount extends Pick<ServiceAccountRow, "id" | "name" | "createdAt"> {
  /** Null: of the platform. */
  readonly organizationId: ServiceAccountRow["organizationId"];
  /** The creator; null after the creator was deleted. */
  readonly createdBy: ServiceAccountRow["createdBy"];
}

function columns(sql: Sql): Fragment {
  return sql`
    a.id, a.organization_id as "organizationId", a.name, a.created_by as "createdBy", a.created_at as "createdAt"`;
}

/** CTE fragment: inserts an account; no row if its organization, or the platform, has `max` already. */
export function insertServiceAccount(sql: Sql, account: ServiceAccount, max: number): Fragment {
  return sql`
    insert into service_accounts (id, organization_id, name, created_by, created_at)
    select ${account.id}::uuid, ${account.organizationId}::uuid, ${account.name}::text, ${account.createdBy}::uuid,
           ${account.createdAt}::timestamptz
    where (
      select count(*) from service_accounts where organization_id is not distinct from ${account.organizationId}::uuid
    ) < ${max}
    returning id`;
}

/** A page of accounts, newest first, and the total. `organizationId` null: those of the platform. */
export async function listServiceAccounts(
  sql: Sql,
  organizationId: string | null,
  page: PageBounds,
): Promise<{ items: ServiceAccount[]; total: number }> {
  const rows = await sql<(ServiceAccount & { total: number })[]>`
    with found as (
      select * from service_accounts where organization_id is not distinct from ${organizationId}::uuid
    )
    select counted.total, ${columns(sql)}
    from (select count(*)::int as total from found) counted
    left join lateral (
      select * from found order by created_at desc, id desc limit ${page.limit} offset ${page.offset}
    ) a on true`;
  return { items: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}

/** The account of the organization, or of the platform. */
export async function findServiceAccount(
  sql: Sql,
  id: string,
  organizationId: string | null,
): Promise<ServiceAccount | undefined> {
  const [row] = await sql<ServiceAccount[]>`
    select ${columns(sql)} from service_accounts a
    where a.id = ${id} and a.organization_id is not distinct from ${organizationId}::uuid`;
  return row;
}

/** The oldest account of the organization with a name. */
export async function findNamedServiceAccount(
  sql: Sql,
  organizationId: string,
  name: string,
): Promise<ServiceAccount | undefined> {
  const [row] = await sql<ServiceAccount[]>`
    select ${columns(sql)} from service_accounts a
    where a.organization_id = ${organizationId} and a.name = ${name} order by a.created_at, a.id limit 1`;
  return row;
}

/** Locks an account, so that keys are created in sequence. False for a deleted account. */
export async function lockServiceAccount(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql`select 1 from service_accounts where id = ${id} for no key update`;
  return rows.length > 0;
}

/** Deletes an account with the keys; one row (id) if the account existed. */
export function deleteServiceAccount(sql: Sql, id: string): Fragment {
  return sql`delete from service_accounts where id = ${id} returning id`;
}
