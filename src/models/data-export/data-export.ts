/** Exports of a user's data: rows of `data_exports`, and the document in sealed parts. */
import type { dataExports } from "../../../db/schema/data-exports.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import type { RowOf } from "../../database/row.ts";

type DataExportRow = RowOf<typeof dataExports>;

export type DataExport = Pick<
  DataExportRow,
  "id" | "userId" | "status" | "bytes" | "requestedAt" | "completedAt" | "expiresAt"
>;

function columns(sql: Sql): Fragment {
  return sql`
    e.id, e.user_id as "userId", e.status, e.bytes::float8 as bytes, e.requested_at as "requestedAt",
    e.completed_at as "completedAt", e.expires_at as "expiresAt"`;
}

/** The newest request of a user since `since`, without failed exports. Called under the lock of the user. */
export async function findExportSince(sql: Sql, userId: string, since: Date): Promise<DataExport | undefined> {
  const [row] = await sql<DataExport[]>`
    select ${columns(sql)} from data_exports e
    where e.user_id = ${userId} and e.requested_at > ${since} and e.status <> 'failed'
    order by e.requested_at desc limit 1`;
  return row;
}

/** CTE fragment: inserts a request. */
export function insertDataExport(sql: Sql, { id, userId, at }: { id: string; userId: string; at: Date }): Fragment {
  return sql`
    insert into data_exports (id, user_id, status, next_attempt_at, requested_at)
    values (${id}, ${userId}, 'pending', ${at}, ${at})`;
}

/** The exports of a user, newest first. */
export async function listDataExports(
  sql: Sql,
  userId: string,
  page: PageBounds,
): Promise<{ items: DataExport[]; total: number }> {
  const [counted, items] = await Promise.all([
    sql<{ total: number }[]>`select count(*)::int as total from data_exports where user_id = ${userId}`,
    sql<DataExport[]>`
      select ${columns(sql)} from data_exports e where e.user_id = ${userId}
      order by e.requested_at desc, e.id limit ${page.limit} offset ${page.offset}`,
  ]);
  return { items, total: counted[0]?.total ?? 0 };
}

/** An export of a user that can be downloaded now. */
export async function findReadyExport(sql: Sql, id: string, userId: string, at: Date): Promise<DataExport | undefined> {
  const [row] = await sql<DataExport[]>`
    select ${columns(sql)} from data_exports e
    where e.id = ${id} and e.user_id = ${userId} and e.status = 'ready' and e.expires_at > ${at}`;
  return row;
}

export interface LeasedExport {
  readonly id: string;
  readonly userId: string;
  readonly attempts: number;
  /** Identifies the lease: a replica whose lease has ended writes nothing. */
  readonly leaseEnds: Date;
}

/** Leases the oldest due export to this replica. */
export async function leaseDueExport(sql: Sql, at: Date, leaseEnds: Date): Promise<LeasedExport | undefined> {
  const [row] = await sql<LeasedExport[]>`
    update data_exports set next_attempt_at = ${leaseEnds}, attempts = attempts + 1
    where id = (
      select id from data_exports where status = 'pending' and next_attempt_at <= ${at}
      order by next_attempt_at limit 1 for update skip locked
    )
    returning id, user_id as "userId", attempts, next_attempt_at as "leaseEnds"`;
  return row;
}

function leased(sql: Sql, { id, leaseEnds }: LeasedExport): Fragment {
  return sql`select id from data_exports where id = ${id} and status = 'pending' and next_attempt_at = ${leaseEnds}`;
}

/** Deletes the parts of an interrupted attempt. */
export async function deleteParts(sql: Sql, exported: LeasedExport): Promise<void> {
  await sql`delete from data_export_parts where export_id in (${leased(sql, exported)})`;
}

/** Stores one part; false once the lease has ended or the user is erased. */
export async function insertPart(sql: Sql, exported: LeasedExport, part: number, sealed: Buffer): Promise<boolean> {
  const rows = await sql`
    insert into data_export_parts (export_id, part, sealed_content)
    select id, ${part}::int, ${sealed}::bytea from (${leased(sql, exported)}) held returning part`;
  return rows.length > 0;
}

/** CTE fragment: completes a leased export; one row. */
export function completeExport(
  sql: Sql,
  { id, leaseEnds }: LeasedExport,
  { bytes, at, expiresAt }: { readonly bytes: number; readonly at: Date; readonly expiresAt: Date },
): Fragment {
  return sql`
    update data_exports set status = 'ready', bytes = ${bytes}, completed_at = ${at}, expires_at = ${expiresAt}
    where id = ${id} and status = 'pending' and next_attempt_at = ${leaseEnds}
    returning id`;
}

/** Ends an export after too many attempts: a further request is possible at once. */
export async function failExport(sql: Sql, { id }: LeasedExport, at: Date): Promise<void> {
  await sql`update data_exports set status = 'failed', completed_at = ${at} where id = ${id} and status = 'pending'`;
}

/** One part of a document; undefined after the last part, or after the deletion of the export. */
export async function findPart(sql: Sql, exportId: string, part: number): Promise<Buffer | undefined> {
  const [row] = await sql<{ content: Buffer }[]>`
    select sealed_content as content from data_export_parts where export_id = ${exportId} and part = ${part}`;
  return row?.content;
}

/** Associated data of a sealed part: a part copied to another export or position does not open (G22). */
export function partIdentity(exportId: string, part: number): string {
  return `data-export:${exportId}:${part}`;
}

/**
 * Deletes at most `batch` exports whose download ended before `before`, and exports without a download two days after
 * the request.
 */
export async function deleteEndedExports(sql: Sql, before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from data_exports where id in (
      select id from data_exports
      where requested_at < ${before}::timestamptz - interval '1 day'
        and coalesce(expires_at, requested_at + interval '2 days') < ${before}
      order by requested_at limit ${batch} for update skip locked
    )`;
  return deleted.count;
}
