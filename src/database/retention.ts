/** Deletions of rows past their retention, in batches that skip locked rows. */
import type { Sql } from "./database.ts";

/** Deletes at most `batch` rows; returns how many. */
export type RetentionStatement = (sql: Sql, before: Date, batch: number) => Promise<number>;

/** Returns the deletion of the rows whose time in `column` is before a time, the oldest first. */
export function deleteRowsBefore(table: string, column: string): RetentionStatement {
  return async (sql, before, batch) => {
    const deleted = await sql`
      delete from ${sql(table)} where ctid in (
        select ctid from ${sql(table)} where ${sql(column)} < ${before} order by ${sql(column)} limit ${batch}
        for update skip locked
      )`;
    return deleted.count;
  };
}

interface SurplusRows {
  /** The table with the columns `id` and `at`. */
  readonly table: string;
  readonly parent: string;
  /** The column of the table with the id of the parent. */
  readonly reference: string;
  /** Kept rows of each parent. */
  readonly max: number;
}

/** Returns the deletion of the rows beyond the newest `max` of each parent. */
export function deleteSurplusRows({ table, parent, reference, max }: SurplusRows): RetentionStatement {
  return async (sql, _before, batch) => {
    const deleted = await sql`
      delete from ${sql(table)} where id in (
        select r.id from ${sql(parent)} p cross join lateral (
          select id from ${sql(table)} where ${sql(reference)} = p.id order by at desc, id desc offset ${max}
          limit ${batch}
        ) r
        limit ${batch}
      )`;
    return deleted.count;
  };
}
