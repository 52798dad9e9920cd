import type { Fragment, Sql } from "../../database/database.ts";
import { SEQUENCER_BATCH, SEQUENCER_READ, SEQUENCER_SPAN_TRANSACTIONS } from "../../limits/audit-limits.ts";
import { recordJson } from "./export-query.ts";

/** A row that becomes a leaf of the transparency log. */
export interface TrailRow {
  readonly id: number;
  /** In decimal; null for a row of before migration 0012. */
  readonly transactionId: string | null;
  /** The record in JSON, as in an export. */
  readonly record: string;
}

/** A place in the trail: transaction id, in decimal, then row id. */
export interface TrailPosition {
  readonly transactionId: string;
  readonly rowId: number;
}

/** How far the trail has become leaves. */
export interface TrailCursor {
  /** Position of the last leaf. Transaction "0": among the rows without a transaction id, which come first. */
  readonly last: TrailPosition;
  /** Every transaction below the horizon has ended, in decimal. */
  readonly horizon: string;
  /** Rows up to this id came with a dump of a different database, and are leaves. */
  readonly restoredRowId: number;
}

export interface NextRows {
  readonly rows: readonly TrailRow[];
  /** The position after the rows. */
  readonly last: TrailPosition;
}

/** Above all transaction ids that are compared as bigint. */
const HIGHEST_TRANSACTION = 2n ** 63n - 1n;
/** No transaction has a lower id than 3. */
const BEFORE_TRANSACTIONS: TrailPosition = { transactionId: "1", rowId: 0 };

/**
 * The next rows whose transactions have ended, `SEQUENCER_READ` at most: rows without a transaction id first, then by
 * transaction and row. A transaction below the horizon can insert no more, so no row can precede the result later.
 * `restored`: transaction ids have gone back, since the trail came with a dump; every row is a leaf now. Undefined when
 * there is no new row.
 */
export async function nextTrailRows(sql: Sql, cursor: TrailCursor): Promise<NextRows | "restored" | undefined> {
  const { last } = cursor;
  if (last.transactionId === "0") return await nextRowsWithoutTransaction(sql, last);
  const [begin, horizon] = [BigInt(last.transactionId), BigInt(cursor.horizon)];
  if (horizon < begin) {
    const rows = await listRows(sql, cursor);
    return rows.length > 0 ? { rows, last: after(rows, last) } : "restored";
  }
  for (let span = BigInt(SEQUENCER_SPAN_TRANSACTIONS); ; span *= 2n) {
    const end = begin + span < horizon ? begin + span : horizon;
    const rows = await listRows(sql, cursor, end);
    if (rows.length > 0) return { rows, last: after(rows, last) };
    if (end < horizon) continue;
    // Skip transactions without an audit record, so that the next call does not scan these transactions again.
    const far = end - begin > BigInt(SEQUENCER_SPAN_TRANSACTIONS);
    return far ? { rows, last: { transactionId: String(end), rowId: 0 } } : undefined;
  }
}

/**
 * The rows in parts of `SEQUENCER_BATCH`, each part with the position after the part; a single part if there are no
 * rows.
 */
export function inBatches({ rows, last }: NextRows): readonly NextRows[] {
  const count = Math.max(1, Math.ceil(rows.length / SEQUENCER_BATCH));
  return Array.from({ length: count }, (_, index) => {
    const part = rows.slice(index * SEQUENCER_BATCH, (index + 1) * SEQUENCER_BATCH);
    return { rows: part, last: index === count - 1 ? last : after(part, last) };
  });
}

function after(rows: readonly TrailRow[], before: TrailPosition): TrailPosition {
  const row = rows.at(-1);
  return row ? { transactionId: row.transactionId ?? "0", rowId: row.id } : before;
}

/**
 * The limit counts rows with a transaction id too: the primary key finds them all, whereas the planner has no
 * statistics of the column after migration 0012, and would sort the whole trail for each statement.
 */
async function nextRowsWithoutTransaction(sql: Sql, last: TrailPosition): Promise<NextRows> {
  const read = await sql<TrailRow[]>`
    select ${rowColumns(sql)} from audit_logs
    where audit_logs.id > ${last.rowId} order by audit_logs.id limit ${SEQUENCER_READ}`;
  const rows = read.filter(({ transactionId }) => transactionId === null);
  return { rows, last: read.length < SEQUENCER_READ ? BEFORE_TRANSACTIONS : { ...last, rowId: read.at(-1)?.id ?? 0 } };
}

/** `before`: transactions from there on are left. */
async function listRows(sql: Sql, cursor: TrailCursor, before = HIGHEST_TRANSACTION): Promise<TrailRow[]> {
  const { transactionId, rowId } = cursor.last;
  return await sql<TrailRow[]>`
    select ${rowColumns(sql)}
    from audit_rows_of_transactions(${transactionId}::text::xid8, ${rowId}, ${String(before)}::bigint,
                                    ${cursor.restoredRowId}, ${SEQUENCER_READ}) as audit_logs`;
}

function rowColumns(sql: Sql): Fragment {
  return sql`
    audit_logs.id::float8 as id, transaction_id::text as "transactionId",
    ${sql.unsafe(recordJson("audit_logs"))} as record`;
}
