import { fileURLToPath } from "node:url";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import postgres from "postgres";
import { type Backfill, changeBatch } from "./migrator/backfills.ts";
import { createIndexOnline } from "./migrator/indexes.ts";
import { type ConstraintStatement, planMigration, type Step } from "./migrator/plan.ts";
import {
  CHARACTERISTICS,
  exclusively,
  isDirect,
  MigrationSession,
  type MigrationStep,
  openConnection,
  type Transaction,
} from "./migrator/session.ts";
import { grantReplicaPrivileges, grantTables, inspectRole, type ReplicaRole, type RoleReport } from "./privileges.ts";
import { type Creation, requireUsableDatabase, type UnmetRequirement, unmetRequirements } from "./requirements.ts";

export type { MigrationStep, RoleReport, UnmetRequirement };

const MIGRATIONS_FOLDER = fileURLToPath(new URL("./migrations", import.meta.url));
/**
 * The key of the lock for role settings: a key of its own, because a role with time-outs cannot wait for the lock of a
 * running migration.
 */
const ROLE_LOCK = 7_203_114_503;
const AUDIT_PARTITIONS_AHEAD_MONTHS = 3;
/** From this size on (bytes) a table is large: about 5,000 users. */
const LARGE_FROM_BYTES = 1024 * 1024;
const CHECK_VIOLATION = "23514";

export interface MigrationReport {
  /** The number of migrations applied by this call. */
  readonly applied: number;
}

export interface MigrationOptions {
  /** Called before each repetition of a step that a concurrent transaction blocked. */
  readonly onBlocked?: () => void;
  /** A role that gets the privileges of replicas. */
  readonly replicas?: ReplicaRole | undefined;
  /** Called after each committed step, for rehearsals and tests. */
  readonly observe?: (step: MigrationStep) => void | Promise<void>;
  readonly largeFromBytes?: number;
}

interface Run {
  readonly databaseUrl: string;
  readonly session: MigrationSession;
  readonly isDirect: boolean;
  readonly replicas: ReplicaRole | undefined;
  readonly largeFromBytes: number;
}

/**
 * Applies the missing migrations of this build, each in a transaction of its own, while replicas serve: a lock of a
 * table is held for the transaction of one migration, a wait for a lock ends after 200 ms and is repeated with pauses,
 * and long work on a large table has steps without such locks (db/migrator). An empty database gets all migrations in
 * one transaction. An interrupted run is continued by the next run at the first step that is missing. Safe when several
 * migrators run at once, also through a pooler (G30, G259). Rejects after ten minutes behind one lock, and names each
 * requirement that the database does not meet.
 */
export async function migrate(databaseUrl: string, options: MigrationOptions = {}): Promise<MigrationReport> {
  const { onBlocked = () => undefined, observe, replicas, largeFromBytes = LARGE_FROM_BYTES } = options;
  const session = new MigrationSession(databaseUrl, { onBlocked, observe });
  try {
    await requireUsableDatabase(session.sql);
    const run = { databaseUrl, session, isDirect: await isDirect(session.sql), replicas, largeFromBytes };
    const apply = () => applyMissing(run);
    const applied = run.isDirect ? await exclusively(databaseUrl, apply) : await apply();
    const partitions = (transaction: Transaction) =>
      transaction`select ensure_audit_partitions(current_date, ${AUDIT_PARTITIONS_AHEAD_MONTHS})`;
    await session.transaction(undefined, partitions).catch(leaveStrayRecords);
    return { applied };
  } finally {
    await session.close();
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

/** drizzle's migrator has one transaction for all migrations, so this function applies and writes drizzle's table. */
async function applyMissing(run: Run): Promise<number> {
  const { session, replicas } = run;
  const missing = new Set(await pendingMigrations(session.sql));
  if (missing.size > 0) {
    const atOnce = await session.transaction(undefined, (transaction) => applyToEmpty(transaction, replicas));
    if (atOnce > 0) return atOnce;
  }
  let applied = 0;
  const migrations = readMigrations().filter(({ hash }) => missing.has(hash));
  for (const migration of migrations) {
    const isLast = migration === migrations.at(-1);
    applied += Number(await applyMigration(run, migration, isLast));
  }
  if (replicas && applied === 0)
    await session.transaction(undefined, (transaction) => grantReplicaPrivileges(transaction, replicas));
  return applied;
}

/** Grants of a new table come with the table: a replica of this build is ready as soon as the transaction commits. */
async function applyToEmpty(transaction: Transaction, replicas: ReplicaRole | undefined): Promise<number> {
  await transaction.unsafe(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint
    );
    create table if not exists drizzle.__migration_progress (hash text primary key, statements integer not null)`);
  const [ledger] = await transaction`
    select exists (select from drizzle.__drizzle_migrations)
        or exists (select from drizzle.__migration_progress) as used`;
  if (ledger?.used) return 0;
  const migrations = readMigrations();
  for (const migration of migrations) {
    for (const statement of migration.sql) await transaction.unsafe(statement);
    await enter(transaction, migration);
  }
  if (replicas) await grantReplicaPrivileges(transaction, replicas);
  return migrations.length;
}

/** Returns whether this call, and no concurrent migrator, entered the migration into the ledger. */
async function applyMigration(run: Run, migration: MigrationMeta, isLast: boolean): Promise<boolean> {
  const { session, replicas } = run;
  const large = await largeTables(session.sql, run);
  for (const step of planMigration(migration.sql, large)) await applyStep(run, migration, step);
  return await session.transaction(migration.folderMillis, async (transaction) => {
    if ((await position(transaction, migration)) === "applied") return false;
    await enter(transaction, migration);
    await transaction`delete from drizzle.__migration_progress where hash = ${migration.hash}`;
    if (replicas && isLast) await grantReplicaPrivileges(transaction, replicas);
    return true;
  });
}

async function enter(transaction: Transaction, { hash, folderMillis }: MigrationMeta): Promise<void> {
  await transaction`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
}

/** How many statements of the migration are applied. */
async function position(sql: postgres.ISql, { hash }: MigrationMeta): Promise<number | "applied"> {
  const [found] = await sql`
    select exists (select from drizzle.__drizzle_migrations where hash = ${hash}) as applied,
           (select statements from drizzle.__migration_progress where hash = ${hash}) as statements`;
  return found?.applied ? "applied" : (found?.statements ?? 0);
}

async function applyStep(run: Run, migration: MigrationMeta, step: Step): Promise<void> {
  const { session, databaseUrl } = run;
  const createdAt = migration.folderMillis;
  const isDone = (at: number | "applied") => at === "applied" || at >= step.end;
  if (isDone(await position(session.sql, migration))) return;
  if (step.kind === "backfill") await applyBackfill(session, createdAt, step.backfill);
  if (step.kind === "constraint") await applyConstraint(session, createdAt, step.constraint);
  if (step.kind === "index") await session.online(createdAt, () => createIndexOnline(databaseUrl, step.index));
  await session.transaction(createdAt, async (transaction) => {
    const at = await position(transaction, migration);
    if (at === "applied" || isDone(at)) return;
    if (step.kind === "transaction") await applyStatements(run, transaction, step.statements.slice(at - step.start));
    await transaction`
      insert into drizzle.__migration_progress (hash, statements) values (${migration.hash}, ${step.end})
      on conflict (hash) do update set statements = excluded.statements`;
  });
}

async function applyStatements({ replicas }: Run, transaction: Transaction, statements: readonly string[]) {
  for (const statement of statements) await transaction.unsafe(statement);
  // Triggers of the new schema run with the privileges of replicas of the previous release.
  if (replicas && statements.some(createsRelation)) await grantTables(transaction, replicas.name);
}

/** Whether a statement creates a relation for which replicas need a privilege. */
export function createsRelation(statement: string): boolean {
  return /\bcreate (?:table|sequence)\b/i.test(statement);
}

async function applyBackfill(session: MigrationSession, createdAt: number, backfill: Backfill): Promise<void> {
  const { before = [], after = [] } = backfill;
  const inTransaction = (statements: readonly string[]) =>
    session.transaction(createdAt, async (transaction) => {
      for (const statement of statements) await transaction.unsafe(statement);
    });
  await inTransaction(before);
  let last: Awaited<ReturnType<typeof changeBatch>>;
  do {
    const from = last;
    last = await session.transaction(createdAt, (transaction) => changeBatch(transaction, backfill, from));
  } while (last);
  for (const statement of after) await inTransaction([statement]);
}

/** The check of existing rows is a second step, which locks neither readers nor writers. */
async function applyConstraint(session: MigrationSession, createdAt: number, constraint: ConstraintStatement) {
  const { table, name, statement } = constraint;
  await session.transaction(createdAt, async (transaction) => {
    const [present] = await transaction`
      select from pg_constraint where conrelid = ${table}::regclass and conname = ${name}`;
    if (!present) await transaction.unsafe(`${statement} not valid`);
  });
  await session.transaction(createdAt, (transaction) =>
    transaction.unsafe(`alter table "${table}" validate constraint "${name}"`),
  );
}

/**
 * The tables with work outside of transactions. Behind a pooler no table is large: neither an exclusive run nor a
 * session without time-outs is certain there.
 */
async function largeTables(sql: postgres.ISql, run: Run): Promise<ReadonlySet<string>> {
  if (!run.isDirect) return new Set();
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and pg_relation_size(c.oid) + coalesce((
        select sum(pg_relation_size(p.inhrelid)) from pg_inherits p where p.inhparent = c.oid
      ), 0) >= ${run.largeFromBytes}`;
  return new Set(rows.map(({ name }) => name));
}

/**
 * Makes settings of sessions the defaults of the role that a URL connects as, in the role's database: the only place
 * that a pooler cannot lose. The defaults hold for connections that the pooler opens from now on. A lock makes
 * concurrent calls safe, since PostgreSQL refuses one of two changes to the settings of a role ("tuple concurrently
 * updated").
 */
export async function setRoleSettings(databaseUrl: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const sql = openConnection(databaseUrl);
  const changes = Object.entries(settings).map(
    ([name, value]) =>
      `execute format('alter role %I in database %I set ${name} = %L', current_user, current_database(), '${value}');`,
  );
  try {
    const lock = `perform pg_advisory_xact_lock(${ROLE_LOCK});`;
    await sql.begin(CHARACTERISTICS, (transaction) =>
      transaction.unsafe(`do $$ begin ${lock} ${changes.join(" ")} end $$`),
    );
    // The pooler would keep this connection with the old settings, so the connection ends here. The server reports the
    // end as an error.
    await sql`select pg_terminate_backend(pg_backend_pid())`.catch(() => undefined);
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/** The role that a URL connects as, and whether the role has more privileges than a replica needs. */
export async function inspectRoleOf(databaseUrl: string): Promise<RoleReport> {
  const sql = openConnection(databaseUrl);
  try {
    return await inspectRole(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** The requirements that the database of a URL does not meet. */
export async function unmetRequirementsOf(
  databaseUrl: string,
  creation: Creation,
): Promise<readonly UnmetRequirement[]> {
  const sql = openConnection(databaseUrl);
  try {
    return await unmetRequirements(sql, creation);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

let migrationsOfThisBuild: readonly MigrationMeta[] | undefined;

/** Cached: the migrations of a build do not change, and readiness probes are frequent. */
function readMigrations(): readonly MigrationMeta[] {
  migrationsOfThisBuild ??= readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER });
  return migrationsOfThisBuild;
}

/** The hashes of the migrations missing in the database. For readiness and the doctor. */
export async function pendingMigrations(sql: postgres.ISql): Promise<string[]> {
  const wanted = readMigrations().map(({ hash }) => hash);
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
  if (!table?.present) return wanted;
  const applied = await sql`select hash from drizzle.__drizzle_migrations`;
  const present = new Set(applied.map((row) => row.hash));
  return wanted.filter((hash) => !present.has(hash));
}
