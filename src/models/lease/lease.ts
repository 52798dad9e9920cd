import type { Sql } from "../../database/database.ts";

export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Length of the lease from now on, in milliseconds. */
  readonly ms: number;
}

/**
 * Acquires or extends a lease; returns the time, undefined while a different holder has the lease. Only PostgreSQL's
 * clock decides: a replica with a wrong clock neither takes a held lease nor keeps a lease for too long. A lease that
 * ends later than possible was written by the clock of a replica of version 0.1.0, and counts as ended.
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

/** Releases a lease before the end; no effect on the lease of a different holder. */
export async function releaseLease(sql: Sql, { name, holder }: Pick<Lease, "name" | "holder">): Promise<void> {
  await sql`delete from leases where name = ${name} and holder = ${holder}`;
}
