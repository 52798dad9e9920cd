import { setTimeout as sleep } from "node:timers/promises";
import { readMigrationFiles } from "drizzle-orm/migrator";
import postgres from "postgres";
import { grantReplicaPrivileges, inspectRole, type ReplicaRole, type RoleReport } from "./privileges.ts";

export type { RoleReport };

const MIGRATIONS_FOLDER = new URL("./migrations", import.meta.url).pathname;
/** The key of the advisory lock: an arbitrary constant that no further application uses on this database. */
const MIGRATION_LOCK = 7_203_114_501;
/**
 * The key of the lock for role settings. A second key is needed, because a role with time-outs cannot wait for the lock
 * of a running migration.
 */
const ROLE_LOCK = 7_203_114_503;
const AUDIT_PARTITIONS_AHEAD_MONTHS = 3;
/** Longest wait of a migration for a lock of a table (ms): all users of the table wait behind the migration. */
const LOCK_TIMEOUT_MS = 1_000;
/** Pause after a failed wait, in which the users of the table continue (ms). */
const LOCK_PAUSE_MS = 2_000;
/** Deadline for all retries. A backup, which reads all tables in one transaction, may take longer. */
const LOCK_DEADLINE_MS = 10 * 60_000;
const LOCK_NOT_AVAILABLE = "55P03";
const CHECK_VIOLATION = "23514";

/** Called within the transaction after each migration, for rehearsals (test/upgrade). */
export type MigrationObserver = (createdAt: number, transaction: postgres.TransactionSql) => Promise<void>;

export interface MigrationReport {
  /** The number of migrations applied by this call. */
  readonly applied: number;
}

/**
 * Applies the missing migrations of this build. Safe when several replicas start at once: an advisory lock lets one
 * replica migrate while the rest wait and then find no missing migration (G30). The lock belongs to the transaction
 * that applies the migrations, because a pooler in transaction mode hands a session, and the session's locks, to
 * further clients. A table in use by a long transaction, such as a backup, is retried with pauses, so that replicas do
 * not wait behind the migration for as long; `onBlocked` is called before each retry. `replicas`: a role that gets the
 * privileges of replicas. `observe` is called after each migration. Rejects after ten minutes, and if PostgreSQL is too
 * old.
 */
export async function migrate(
  databaseUrl: string,
  onBlocked: () => void = () => undefined,
  replicas?: ReplicaRole,
  observe?: MigrationObserver,
): Promise<MigrationReport> {
  const sql = postgres(databaseUrl, { max: 1, prepare: false, fetch_types: false, onnotice: () => undefined });
  try {
    await requireSupportedServer(sql);
    // Grants of a new table come with the table: a replica of this build is ready as soon as the transaction commits.
    const apply = async (transaction: postgres.TransactionSql) => {
      const count = await applyMissing(transaction, observe);
      if (replicas) await grantReplicaPrivileges(transaction, replicas);
      return count;
    };
    const applied = await retried(() => locked(sql, apply), onBlocked);
    const partitions = (transaction: postgres.TransactionSql) =>
      transaction`select ensure_audit_partitions(current_date, ${AUDIT_PARTITIONS_AHEAD_MONTHS})`;
    await retried(() => locked(sql, partitions), onBlocked).catch(leaveStrayRecords);
    return { applied };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * The default partition has records of one of these months, from a replica whose clock was ahead. The sweeper moves the
 * records and creates the partitions; no replica must wait, since the default partition accepts new records. Throws any
 * further error.
 */
function leaveStrayRecords(error: unknown): void {
  const stray = error instanceof postgres.PostgresError && error.code === CHECK_VIOLATION;
  if (!stray || error.table_name !== "audit_logs_default") throw error;
}

/** The revocation log compares transaction ids of 64 bits, which PostgreSQL has since version 13. */
async function requireSupportedServer(sql: postgres.Sql): Promise<void> {
  const [server] = await sql`
    select current_setting('server_version') as version, to_regtype('xid8') is not null as supported`;
  if (!server?.supported) throw new Error(`PostgreSQL ${server?.version} has no type xid8: 15 or newer is needed`);
}

/** Retries while a concurrent transaction holds the lock of a table. Each failed attempt is rolled back. */
async function retried<T>(work: () => Promise<T>, onBlocked: () => void): Promise<T> {
  for (const startedAt = performance.now(); ; ) {
    try {
      return await work();
    } catch (error) {
      const isBlocked = error instanceof postgres.PostgresError && error.code === LOCK_NOT_AVAILABLE;
      if (!isBlocked || performance.now() - startedAt > LOCK_DEADLINE_MS) throw error;
      onBlocked();
      await sleep(LOCK_PAUSE_MS);
    }
  }
}

/** The role may have time-outs for the service: creating an index takes longer. */
async function locked<T>(sql: postgres.Sql, work: (transaction: postgres.TransactionSql) => Promise<T>): Promise<T> {
  const result = await sql.begin(async (transaction) => {
    await transaction`
      select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`;
    await transaction`select set_config('lock_timeout', '0', true), pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    await transaction`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`;
    return await work(transaction);
  });
  return result as T;
}

/**
 * drizzle's migrator begins a separate transaction, so this function applies the migrations and writes drizzle's table.
 */
async function applyMissing(sql: postgres.TransactionSql, observe?: MigrationObserver): Promise<number> {
  const missing = new Set(await pendingMigrations(sql));
  if (missing.size === 0) return 0;
  await sql.unsafe(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint
    )`);
  for (const { hash, folderMillis, sql: statements } of readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER })) {
    if (!missing.has(hash)) continue;
    for (const statement of statements) await sql.unsafe(statement);
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
    await observe?.(folderMillis, sql);
  }
  return missing.size;
}

/**
 * Makes the time-outs of the service the defaults of the role that a URL connects as, in the role's database: the only
 * place that a pooler cannot lose. The defaults hold for connections that the pooler opens from now on. A lock makes
 * concurrent calls safe, since PostgreSQL refuses one of two changes to the settings of a role ("tuple concurrently
 * updated").
 */
export async function setRoleTimeouts(databaseUrl: string, timeoutMs: number): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, prepare: false, fetch_types: false, onnotice: () => undefined });
  const setting = (name: string) =>
    `execute format('alter role %I in database %I set ${name} = %L', current_user, current_database(), ${timeoutMs});`;
  try {
    const settings = ["statement_timeout", "idle_in_transaction_session_timeout"].map(setting);
    const lock = `perform pg_advisory_xact_lock(${ROLE_LOCK});`;
    await sql.unsafe(`do $$ begin ${lock} ${settings.join(" ")} end $$`);
    // The pooler would keep this connection with the old settings, so the connection ends here. The server reports the
    // end as an error.
    await sql`select pg_terminate_backend(pg_backend_pid())`.catch(() => undefined);
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/** The role that a URL connects as, and whether the role has more privileges than a replica needs. */
export async function inspectRoleOf(databaseUrl: string): Promise<RoleReport> {
  const sql = postgres(databaseUrl, { max: 1, prepare: false, fetch_types: false, onnotice: () => undefined });
  try {
    return await inspectRole(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

let hashes: string[] | undefined;

/** The hashes of this build's migrations. Cached: the hashes do not change, and readiness probes are frequent. */
function wantedMigrations(): string[] {
  hashes ??= readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER }).map((migration) => migration.hash);
  return hashes;
}

/** The hashes of the migrations missing in the database. For readiness and the doctor. */
export async function pendingMigrations(sql: postgres.ISql): Promise<string[]> {
  const wanted = wantedMigrations();
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
  if (!table?.present) return wanted;
  const applied = await sql`select hash from drizzle.__drizzle_migrations`;
  const present = new Set(applied.map((row) => row.hash));
  return wanted.filter((hash) => !present.has(hash));
}
