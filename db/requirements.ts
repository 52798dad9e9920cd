/**
 * The requirements of the service for a database. A database that does not meet a requirement fails later, at a
 * registration with a character of another alphabet or in the middle of a migration; `migrate` and `doctor` name the
 * requirement and the next step instead.
 */
import type postgres from "postgres";

export interface UnmetRequirement {
  readonly check: "PostgreSQL" | "encoding" | "schema" | "extension pg_trgm";
  readonly detail: string;
  readonly remedy: string;
}

/** The oldest tested major version; migrations need syntax of version 15. */
const OLDEST_VERSION = 15;

export interface State {
  readonly version: string;
  readonly number: number;
  readonly encoding: string;
  readonly database: string;
  readonly role: string;
  readonly hasPublic: boolean;
  readonly canCreate: boolean;
  readonly isMigrated: boolean;
  /** A table of another program with a name of the service. */
  readonly foreignTable: string | null;
  readonly trigramSchema: string | null;
  readonly canUseTrigrams: boolean;
  readonly hasTrigrams: boolean;
  readonly canCreateSchema: boolean;
}

/** What the role of a connection creates. A role of replicas creates nothing. */
export type Creation = "tables" | "missing tables" | "nothing";

/** The requirements that a database does not meet. */
export async function unmetRequirements(sql: postgres.ISql, creation: Creation): Promise<readonly UnmetRequirement[]> {
  return unmetBy(await readState(sql), creation);
}

/** Exported for a test with the state of an older server. */
export function unmetBy(state: State, creation: Creation): readonly UnmetRequirement[] {
  const creates = creation === "tables" || (creation === "missing tables" && !state.isMigrated);
  const tables = creates ? [schemaOf(state), extensionOf(state)] : [];
  return [versionOf(state), encodingOf(state), ...tables].filter((each) => each !== undefined);
}

/** Throws one message with the unmet requirements and the next steps. */
export async function requireUsableDatabase(sql: postgres.ISql): Promise<void> {
  const unmet = await unmetRequirements(sql, "tables");
  if (unmet.length > 0) {
    const lines = unmet.map(({ check, detail, remedy }) => `  - ${check}: ${detail}\n    -> ${remedy}`);
    throw new Error(`The database cannot be used:\n${lines.join("\n")}`);
  }
}

export async function readState(sql: postgres.ISql): Promise<State> {
  const [state] = await sql<[State]>`
    select current_setting('server_version') as version,
           current_setting('server_version_num')::int as number,
           current_setting('server_encoding') as encoding,
           current_database() as database, current_user as role,
           to_regnamespace('public') is not null as "hasPublic",
           coalesce(has_schema_privilege(to_regnamespace('public')::oid, 'create')
             and has_schema_privilege(to_regnamespace('public')::oid, 'usage'), false) as "canCreate",
           exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
             where nspname = 'drizzle' and relname = '__drizzle_migrations') as "isMigrated",
           (select quote_ident(nspname) from pg_extension e join pg_namespace n on n.oid = e.extnamespace
             where extname = 'pg_trgm') as "trigramSchema",
           coalesce((select has_schema_privilege(extnamespace, 'usage') from pg_extension
             where extname = 'pg_trgm'), true) as "canUseTrigrams",
           exists (select from pg_available_extensions where name = 'pg_trgm') as "hasTrigrams",
           has_database_privilege(current_database(), 'create') as "canCreateSchema",
           (select relname from pg_class where relnamespace = to_regnamespace('public')::oid and relkind in ('r', 'p')
              and relname in ('users', 'sessions', 'organizations', 'audit_logs', 'outbox')
              order by relname limit 1) as "foreignTable"`;
  return state;
}

function versionOf({ version, number }: State): UnmetRequirement | undefined {
  if (Math.floor(number / 10_000) >= OLDEST_VERSION) return undefined;
  return {
    check: "PostgreSQL",
    detail: `${version} is older than ${OLDEST_VERSION}`,
    remedy: `upgrade the server to ${OLDEST_VERSION} or newer (pg_upgrade, or dump and restore)`,
  };
}

function encodingOf({ encoding, database }: State): UnmetRequirement | undefined {
  if (encoding === "UTF8") return undefined;
  return {
    check: "encoding",
    detail: `${database} has the encoding ${encoding}: names of other alphabets could not be stored`,
    remedy:
      "create a database with encoding UTF8 (create database … encoding 'UTF8' template template0), " +
      "restore the data there, and name it in the URL",
  };
}

function schemaOf(state: State): UnmetRequirement | undefined {
  const { hasPublic, canCreate, canCreateSchema, isMigrated, role, database, foreignTable } = state;
  const check = "schema";
  if (!hasPublic) {
    const detail = `${database} has no schema public, where the tables of the service are`;
    return { check, detail, remedy: `create schema public authorization ${role}` };
  }
  if (!canCreate || !(canCreateSchema || isMigrated)) {
    const missing = canCreate ? `create schemas in ${database}` : "create tables in the schema public";
    const remedy = `alter database ${database} owner to ${role}, or set SERVICE_MIGRATION_URL to a role that may`;
    return { check, detail: `${role} may not ${missing}`, remedy };
  }
  if (!isMigrated && foreignTable !== null) {
    const detail = `the schema public has a table ${foreignTable} of another program`;
    return { check, detail, remedy: "name a database of the service alone" };
  }
  return undefined;
}

function extensionOf({ trigramSchema, canUseTrigrams, hasTrigrams, role }: State): UnmetRequirement | undefined {
  const check = "extension pg_trgm";
  if (trigramSchema === null && !hasTrigrams) {
    const remedy =
      "install the contrib modules of PostgreSQL (Debian: part of postgresql; Red Hat: postgresql-contrib)";
    return { check, detail: "not available at the server", remedy };
  }
  if (canUseTrigrams) return undefined;
  const detail = `in the schema ${trigramSchema}, which ${role} may not use`;
  return { check, detail, remedy: `grant usage on schema ${trigramSchema} to ${role}` };
}
