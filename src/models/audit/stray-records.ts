import type { Sql } from "../../base/database.ts";

/** Months that get their partition in one round; the next round goes on. */
const MONTHS_MAX = 12;

/**
 * Gives each month of the default partition, from that of `today` on, its own partition, with its records. They are of
 * a replica whose clock was ahead; PostgreSQL makes no partition of a month that the default one has a row of, so that
 * month, and every later one, would never get its own. The triggers of the trail do not see the move, so nothing is
 * counted or delivered twice. Fails where a lock is not to be had within a second: the next round tries again.
 */
export async function moveStrayRecords(sql: Sql, today: Date): Promise<void> {
  const month = `${today.toISOString().slice(0, 7)}-01T00:00:00Z`;
  // Later years have no partition name of this form.
  const stray = `timestamp >= '${month}' and timestamp < '9999-01-01T00:00:00Z'`;
  const found = await sql.unsafe(`select 1 from audit_logs_default where ${stray} limit 1`);
  if (found.length === 0) return;
  await sql.unsafe(`
    do $$
    declare
      begins timestamptz;
      ends timestamptz;
      partition_name text;
    begin
      perform set_config('lock_timeout', '1s', true);
      for begins in
        select distinct date_trunc('month', timestamp, 'UTC') from audit_logs_default where ${stray}
        order by 1 limit ${MONTHS_MAX}
      loop
        ends := (begins at time zone 'UTC' + interval '1 month') at time zone 'UTC';
        partition_name := 'audit_logs_' || to_char(begins at time zone 'UTC', '"y"YYYY"m"MM');
        execute format('create table %I (like audit_logs)', partition_name);
        execute format(
          'with moved as (delete from audit_logs_default where timestamp >= %L and timestamp < %L returning *)
           insert into %I select * from moved', begins, ends, partition_name);
        execute format(
          'alter table audit_logs attach partition %I for values from (%L) to (%L)', partition_name, begins, ends);
      end loop;
    end $$`);
}
