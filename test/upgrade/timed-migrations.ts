/** Applies the migrations of this version and measures each: duration, and how long a step holds a lock of a table. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { type MigrationStep, migrate } from "../../db/migrate.ts";

export interface LockedTable {
  readonly table: string;
  /** The duration of the longest step with the lock, which is the longest wait behind the lock. */
  readonly milliseconds: number;
}

export interface TimedMigration {
  readonly name: string;
  /** All steps, without waits for locks. */
  readonly milliseconds: number;
  readonly steps: number;
  /** Tables that a step locks against writers, and not against readers. */
  readonly blocksWriters: readonly LockedTable[];
  /** Tables that a step locks against readers and writers. */
  readonly blocksReaders: readonly LockedTable[];
}

interface Journal {
  readonly entries: readonly { readonly when: number; readonly tag: string }[];
}

const JOURNAL = join(import.meta.dir, "../../db/migrations/meta/_journal.json");
const BLOCKS_WRITERS = new Set(["ShareLock", "ShareRowExclusiveLock", "ExclusiveLock"]);
const BLOCKS_READERS = new Set(["AccessExclusiveLock"]);

export interface TimedRun {
  readonly migrations: readonly TimedMigration[];
  /** How often a step gave way to a transaction with a lock, and was repeated. */
  readonly repetitions: number;
}

export async function migrateTimed(databaseUrl: string): Promise<TimedRun> {
  const journal: Journal = JSON.parse(readFileSync(JOURNAL, "utf8"));
  const names = new Map(journal.entries.map(({ when, tag }) => [when, tag]));
  const steps: MigrationStep[] = [];
  let repetitions = 0;
  // A table that did not exist before has no users.
  const existing = await tablesOf(databaseUrl);
  await migrate(databaseUrl, {
    onBlocked: () => {
      repetitions += 1;
    },
    observe: (step) => {
      steps.push({ ...step, locks: step.locks.filter(({ table }) => existing.has(table)) });
    },
  });
  const migrations = Map.groupBy(steps, ({ createdAt }) => names.get(createdAt) ?? String(createdAt));
  return { repetitions, migrations: [...migrations].map(([name, own]) => timed(name, own)) };
}

function timed(name: string, steps: readonly MigrationStep[]): TimedMigration {
  const readers = lockedTables(steps, BLOCKS_READERS);
  const isListed = ({ table }: LockedTable) => readers.some((reader) => reader.table === table);
  return {
    name,
    milliseconds: steps.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
    steps: steps.length,
    blocksReaders: readers,
    blocksWriters: lockedTables(steps, BLOCKS_WRITERS).filter((locked) => !isListed(locked)),
  };
}

function lockedTables(steps: readonly MigrationStep[], modes: ReadonlySet<string>): readonly LockedTable[] {
  const longest = new Map<string, number>();
  for (const { locks, milliseconds } of steps) {
    for (const { table, mode } of locks)
      if (modes.has(mode)) longest.set(table, Math.max(milliseconds, longest.get(table) ?? 0));
  }
  return [...longest].map(([table, milliseconds]) => ({ table, milliseconds })).sort(byTable);
}

const byTable = (a: LockedTable, b: LockedTable) => a.table.localeCompare(b.table);

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
