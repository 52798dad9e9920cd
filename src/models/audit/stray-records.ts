import type { Sql } from "../../database/database.ts";

/** Months that get their partition in one round; the next round goes on. */
const MONTHS_MAX = 12;

/**
 * Gives each month of the default partition, from that of `today` on, its own partition, with its records. They are of
 * a replica whose clock was ahead; PostgreSQL makes no partition of a month that the default one has a row of, so that
 * month, and every later one, would never get its own. The triggers of the trail do not see the move, so nothing is
 * counted or delivered twice. Fails where a lock is not to be had within a second: the next round tries again. The
 * function of the database runs as the owner of the tables, which the role of replicas need not be.
 */
export async function moveStrayRecords(sql: Sql, today: Date): Promise<void> {
  const firstMonth = `${today.toISOString().slice(0, 7)}-01T00:00:00Z`;
  await sql`select move_stray_audit_records(${firstMonth}::timestamptz, ${MONTHS_MAX})`;
}
