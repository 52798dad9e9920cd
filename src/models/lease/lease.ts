import type { Sql } from "../../database/database.ts";

export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** How long it lasts from now on, in milliseconds. */
  readonly ms: number;
}

/**
 * Acquires or extends a lease; returns the time, undefined while another holder has it. By PostgreSQL's clock alone: a
 * replica whose own is wrong neither takes a lease that is held nor keeps one for as long as it is wrong. One that ends
 * later than any could was written by the clock of a replica of version 0.1.0, and counts as ended.
 */
export async function acquireLease(sql: Sql, { name, holder, ms }: Lease): Promise<Date | undefined> {
  const length = sql`make_interval(secs => ${ms / 1000})`;
  const [row] = await sql<{ now: Date }[]>`
    insert into leases (name, holder, expires_at) values (${name}, ${holder}, now() + ${length})
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where leases.holder = ${holder} or leases.expires_at <= now() or leases.expires_at > now() + 2 * ${length}
    returning now() as now`;
  return row?.now;
}
