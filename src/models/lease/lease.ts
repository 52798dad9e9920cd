import type { Sql } from "../../base/database.ts";

export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** Acquires or extends a lease. Returns false while another holder has it. */
export async function acquireLease(sql: Sql, { name, holder, at, expiresAt }: Lease): Promise<boolean> {
  const rows = await sql`
    insert into leases (name, holder, expires_at) values (${name}, ${holder}, ${expiresAt})
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where leases.holder = ${holder} or leases.expires_at <= ${at}
    returning 1`;
  return rows.length > 0;
}
