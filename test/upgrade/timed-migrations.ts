/** Applies the migrations of this version and measures each: duration, and the strongest new lock of every table. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { migrate } from "../../db/migrate.ts";

export interface TimedMigration {
  readonly name: string;
  readonly milliseconds: number;
  /** Tables that the migration locks against writers, held until the end of all migrations. */
  readonly blocksWriters: readonly string[];
  /** Tables that the migration locks against readers too. */
  readonly blocksReaders: readonly string[];
}

interface Journal {
  readonly entries: readonly { readonly when: number; readonly tag: string }[];
}

const JOURNAL = join(import.meta.dir, "../../db/migrations/meta/_journal.json");
const BLOCKS_WRITERS = new Set(["ShareLock", "ShareRowExclusiveLock", "ExclusiveLock"]);
const BLOCKS_READERS = "AccessExclusiveLock";

export async function migrateTimed(databaseUrl: string): Promise<readonly TimedMigration[]> {
  const journal: Journal = JSON.parse(readFileSync(JOURNAL, "utf8"));
  const names = new Map(journal.entries.map(({ when, tag }) => [when, tag]));
  const measured: TimedMigration[] = [];
  const seen = new Set<string>();
  let measuredUntil = 0;
  // A migration that waits for a lock is rolled back with all migrations before, and tried again.
  const forget = () => {
    measured.length = 0;
    seen.clear();
    measuredUntil = 0;
  };
  // A table that did not exist before has no users.
  const existing = await tablesOf(databaseUrl);
  await migrate(databaseUrl, forget, undefined, async (createdAt, transaction) => {
    const [elapsed] = await transaction<{ total: number }[]>`
      select extract(epoch from clock_timestamp() - transaction_timestamp())::float8 * 1000 as total`;
    const milliseconds = (elapsed?.total ?? 0) - measuredUntil;
    measuredUntil += milliseconds;
    const locks = await transaction<{ table: string; mode: string }[]>`
      select distinct c.relname as table, l.mode from pg_locks l join pg_class c on c.oid = l.relation
      where l.pid = pg_backend_pid() and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`;
    const added = locks.filter(({ table, mode }) => existing.has(table) && !seen.has(`${table} ${mode}`));
    for (const { table, mode } of added) seen.add(`${table} ${mode}`);
    const tables = (wanted: (mode: string) => boolean) =>
      [...new Set(added.flatMap(({ table, mode }) => (wanted(mode) ? [table] : [])))].sort();
    measured.push({
      name: names.get(createdAt) ?? String(createdAt),
      milliseconds,
      blocksWriters: tables((mode) => BLOCKS_WRITERS.has(mode)),
      blocksReaders: tables((mode) => mode === BLOCKS_READERS),
    });
  });
  return measured;
}

async function tablesOf(databaseUrl: string): Promise<ReadonlySet<string>> {
  const sql = postgres(databaseUrl, { max: 1 });
  try {
    const rows = await sql<{ name: string }[]>`
      select relname as name from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`;
    return new Set(rows.map(({ name }) => name));
  } finally {
    await sql.end();
  }
}
