/** Indexes of large tables, created while the table serves readers and writers. Every function is safe to repeat. */
import type postgres from "postgres";
import type { IndexStatement } from "./plan.ts";
import { openConnection, setSearchPath } from "./session.ts";

/** Longest wait for the end of older transactions (ms), for which no reader and no writer waits. */
const WAIT_MS = 10 * 60_000;
/** The driver leaves the number 0 out. */
const PARAMETERS = { statement_timeout: "0", lock_timeout: String(WAIT_MS), default_transaction_read_only: "off" };

/** Rejects with `55P03` if transactions older than the index do not end; the next call begins again. */
export async function createIndexOnline(databaseUrl: string, index: IndexStatement): Promise<void> {
  const sql = openConnection(databaseUrl, PARAMETERS);
  try {
    await setSearchPath(sql, "session");
    const [table] = await sql`select relkind = 'p' as partitioned from pg_class where oid = ${index.table}::regclass`;
    if (table?.partitioned) await createPartitionedIndex(sql, index);
    else await createConcurrently(sql, index.name, index.statement);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** An interrupted creation leaves an invalid index, which the next creation replaces. */
async function createConcurrently(sql: postgres.Sql, name: string, statement: string): Promise<void> {
  const [existing] = await sql`select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`;
  if (existing?.valid) return;
  if (existing) await sql.unsafe(`drop index concurrently "${name}"`);
  await sql.unsafe(statement.replace(/\bindex(?: if not exists)? /i, "index concurrently "));
}

/**
 * PostgreSQL has no concurrent form for a partitioned table: the index of the table exists first, without an index of
 * the partitions, then every partition gets an index concurrently. New partitions have the index from the start.
 */
async function createPartitionedIndex(sql: postgres.Sql, { name, table, statement }: IndexStatement): Promise<void> {
  await sql.unsafe(
    statement.replace(
      /\bindex(?: if not exists)? ("\w+") on /i,
      (_, quoted) => `index if not exists ${quoted} on only `,
    ),
  );
  const partitions = await sql<{ name: string }[]>`
    select c.relname as name from pg_inherits p join pg_class c on c.oid = p.inhrelid
    where p.inhparent = ${table}::regclass and not exists (
      select from pg_index i join pg_inherits child on child.inhrelid = i.indexrelid
      where i.indrelid = c.oid and child.inhparent = ${name}::regclass
    ) order by 1`;
  for (const partition of partitions) {
    const child = `${partition.name}_${name.replace(`${table}_`, "")}`.slice(0, 63);
    const created = statement.replace(/("\w+") on "\w+"/i, () => `"${child}" on "${partition.name}"`);
    await createConcurrently(sql, child, created);
    await sql.unsafe(`alter index "${name}" attach partition "${child}"`);
  }
}
