import type { Sql } from "../../database/database.ts";

/** Place of the open transaction for which the log waits. */
export const BLOCKER_KINDS = ["own_database", "other_database", "prepared"] as const;
export type BlockerKind = (typeof BLOCKER_KINDS)[number];

export interface Blocker {
  readonly kind: BlockerKind;
  /** In decimal. */
  readonly transactionId: string;
}

/**
 * The oldest transaction with an id: transaction ids belong to the whole cluster, so a transaction of any database
 * counts. Undefined without an open transaction. `pg_stat_activity` shows the ids to every role; a prepared transaction
 * has no session.
 */
export async function findBlocker(sql: Sql): Promise<Blocker | undefined> {
  const [row] = await sql<Blocker[]>`
    with horizon as (select pg_snapshot_xmin(pg_current_snapshot()) as id)
    select id::text as "transactionId",
           case when s.backend_xid is null then 'prepared'
                when s.datid = (select oid from pg_database where datname = current_database()) then 'own_database'
                else 'other_database' end as kind
    from horizon
    left join pg_stat_activity s on s.backend_xid = id::xid
    left join pg_prepared_xacts p on p.transaction = id::xid
    where s.backend_xid is not null or p.transaction is not null
    limit 1`;
  return row;
}
