import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";

const MIGRATIONS_FOLDER = new URL("./migrations", import.meta.url).pathname;
/** The key of the advisory lock. An arbitrary constant that no other application uses on this database. */
const MIGRATION_LOCK = 7_203_114_501;
const AUDIT_PARTITIONS_AHEAD_MONTHS = 3;

export interface MigrationReport {
  /** The number of migrations that this call applied. */
  readonly applied: number;
}

/**
 * Applies the missing migrations of this build. Safe when several replicas start at once: a session-level advisory lock
 * lets one migrate while the others wait; they then find nothing to apply (G30).
 */
export async function migrate(databaseUrl: string): Promise<MigrationReport> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    const before = await pendingMigrations(sql);
    if (before.length > 0) await applyMigrations(drizzle(sql), { migrationsFolder: MIGRATIONS_FOLDER });
    await sql`select ensure_audit_partitions(current_date, ${AUDIT_PARTITIONS_AHEAD_MONTHS})`;
    return { applied: before.length };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

let hashes: string[] | undefined;

/** The hashes of this build's migrations. Cached: they do not change, and readiness probes are frequent. */
function wantedMigrations(): string[] {
  hashes ??= readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER }).map((migration) => migration.hash);
  return hashes;
}

/** The hashes of migrations that the database does not have yet. For readiness and the doctor. */
export async function pendingMigrations(sql: postgres.ISql): Promise<string[]> {
  const wanted = wantedMigrations();
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
  if (!table?.present) return wanted;
  const applied = await sql`select hash from drizzle.__drizzle_migrations`;
  const present = new Set(applied.map((row) => row.hash));
  return wanted.filter((hash) => !present.has(hash));
}
