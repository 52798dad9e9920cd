import type { Sql } from "../../database/database.ts";

/** Months that get their partition in one round; the next round continues. */
const MONTHS_MAX = 12;

/**
 * Gives each month of the default partition, from the month of `today` on, a partition with the records of the month.
 * The records come from a replica whose clock was ahead; PostgreSQL creates no partition for a month while the default
 * partition has a row of the month, so the month and every later month would remain without a partition. The triggers
 * of the trail do not see the move, so no record is counted or delivered twice. Fails if a lock is not available within
 * a second: the next round retries. The function of the database runs as the owner of the tables, a role that replicas
 * do not need.
 */
export async function moveStrayRecords(sql: Sql, today: Date): Promise<void> {
  const firstMonth = `${today.toISOString().slice(0, 7)}-01T00:00:00Z`;
  await sql`select move_stray_audit_records(${firstMonth}::timestamptz, ${MONTHS_MAX})`;
}
