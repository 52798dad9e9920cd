/** Transactions of the migrator: one at a time, without long waits for locks, repeated after a failed wait. */
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { driverOptions } from "../../src/base/database-url.ts";

/** The key of the advisory lock: an arbitrary constant that no further application uses on this database. */
const MIGRATION_LOCK = 7_203_114_501;
/** The key of the lock of a whole run, between the transactions of the run. */
const RUN_LOCK = 7_203_114_504;
/** Longest wait of a migration for a lock of a table (ms): all users of the table wait behind the migration. */
const LOCK_TIMEOUT_MS = 200;
/** Pause after a failed wait, in which the users of the table continue (ms). */
const LOCK_PAUSE_MS = 2_000;
/** Deadline for all retries of a step. A backup, which reads all tables in one transaction, may take longer. */
const LOCK_DEADLINE_MS = 10 * 60_000;
/** Pause between two attempts to begin a run while another migrator runs (ms). */
const RUN_POLL_MS = 250;
/** Read committed: a statement behind a lock reads the newest rows. A role or a server may have further defaults. */
export const CHARACTERISTICS = "isolation level read committed read write";
const LOCK_NOT_AVAILABLE = "55P03";
const DEADLOCK = "40P01";

export interface TableLock {
  readonly table: string;
  readonly mode: string;
}

/** A committed step, for rehearsals (test/upgrade) and tests. */
export interface MigrationStep {
  /** `when` of the migration in the journal. */
  readonly createdAt: number;
  /** The duration of the transaction, in which the locks were held (ms). */
  readonly milliseconds: number;
  readonly locks: readonly TableLock[];
}

export interface SessionOptions {
  readonly onBlocked: () => void;
  readonly observe: ((step: MigrationStep) => void | Promise<void>) | undefined;
}

export type Transaction = postgres.TransactionSql;

export class MigrationSession {
  readonly sql: postgres.Sql;
  readonly #options: SessionOptions;

  constructor(databaseUrl: string, options: SessionOptions) {
    this.sql = openConnection(databaseUrl);
    this.#options = options;
  }

  /**
   * A transaction under the lock of migrations, repeated while a concurrent transaction holds the lock of a table. Each
   * failed attempt is rolled back. The role may have time-outs for the service: creating an index takes longer.
   */
  async transaction<T>(createdAt: number | undefined, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const { observe } = this.#options;
    let step: MigrationStep | undefined;
    const result = await this.retried(() =>
      this.sql.begin(CHARACTERISTICS, async (transaction) => {
        await transaction`
          select set_config('statement_timeout', '0', true),
                 set_config('idle_in_transaction_session_timeout', '0', true),
                 set_config('standard_conforming_strings', 'on', true),
                 set_config('jit', 'off', true)`;
        await setSearchPath(transaction, "transaction");
        await transaction`select set_config('lock_timeout', '0', true), pg_advisory_xact_lock(${MIGRATION_LOCK})`;
        await transaction`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`;
        const startedAt = performance.now();
        const value = await work(transaction);
        const locks = observe && createdAt !== undefined ? await locksOf(transaction) : [];
        step = createdAt === undefined ? undefined : { createdAt, milliseconds: performance.now() - startedAt, locks };
        return value;
      }),
    );
    if (step) await observe?.(step);
    return result as T;
  }

  /** A step outside of a transaction: the step takes no lock that readers or writers wait for. */
  async online(createdAt: number, work: () => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    await this.retried(work);
    await this.#options.observe?.({ createdAt, milliseconds: performance.now() - startedAt, locks: [] });
  }

  /** Repeats work that another transaction blocked, with pauses, and rejects at the deadline. */
  async retried<T>(work: () => Promise<T>): Promise<T> {
    for (const startedAt = performance.now(); ; ) {
      try {
        return await work();
      } catch (error) {
        const code = error instanceof postgres.PostgresError ? error.code : undefined;
        const isBlocked = code === LOCK_NOT_AVAILABLE || code === DEADLOCK;
        if (!isBlocked || performance.now() - startedAt > LOCK_DEADLINE_MS) throw error;
        this.#options.onBlocked();
        await sleep(LOCK_PAUSE_MS);
      }
    }
  }

  close(): Promise<void> {
    return this.sql.end({ timeout: 5 });
  }
}

/**
 * Whether the connection leads to PostgreSQL itself: a pooler announces an invented process id, because the pooler must
 * recognise cancel requests. Behind a pooler neither a time-out nor a lock of a session is certain to hold.
 */
export async function isDirect(sql: postgres.ISql): Promise<boolean> {
  const rows = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return (rows as unknown as { state: { pid: number } }).state.pid === rows[0]?.pid;
}

/**
 * Runs work while no other migrator with this function runs. The lock belongs to an open transaction of a connection of
 * its own. A waiting migrator asks again instead of waiting in PostgreSQL: a waiting statement has a snapshot, for
 * whose end `create index concurrently` waits. Rejects when the connection is lost.
 */
export async function exclusively<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  const sql = openConnection(databaseUrl);
  try {
    for (;;) {
      const outcome = await sql.begin(async (transaction) => {
        // Without parameters: a statement with parameters keeps its snapshot until the next statement.
        const [lock] = await transaction.unsafe<{ held: boolean }[]>(
          `select set_config('idle_in_transaction_session_timeout', '0', true),
                  pg_try_advisory_xact_lock(${RUN_LOCK}) as held`,
        );
        return lock?.held ? { value: await work() } : undefined;
      });
      if (outcome) return outcome.value as T;
      await sleep(RUN_POLL_MS);
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** One connection, kept for a run of hours. */
export function openConnection(databaseUrl: string, connection: Record<string, string> = {}): postgres.Sql {
  const basics = { max: 1, max_lifetime: null, prepare: false, fetch_types: false, onnotice: () => undefined };
  return postgres(driverOptions(databaseUrl, { ...basics, connection }));
}

/**
 * Sets the search path of migrations for the transaction or the session. Tables are in the schema public; a hoster may
 * have installed pg_trgm, which has the operator class of indexes, in a schema of its own.
 */
export async function setSearchPath(sql: postgres.ISql, scope: "transaction" | "session"): Promise<void> {
  await sql`
    select set_config('search_path', concat_ws(', ', 'public', (
      select quote_ident(nspname) from pg_extension e join pg_namespace n on n.oid = e.extnamespace
      where extname = 'pg_trgm' and nspname <> 'public'
    )), ${scope === "transaction"})`;
}

async function locksOf(transaction: Transaction): Promise<readonly TableLock[]> {
  return await transaction<TableLock[]>`
    select distinct c.relname as table, l.mode from pg_locks l join pg_class c on c.oid = l.relation
    where l.pid = pg_backend_pid() and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`;
}
