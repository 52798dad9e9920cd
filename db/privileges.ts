/**
 * The privileges of the replicas' role, where a separate role owns the tables (docs/operating.md, "Roles of the
 * database"). `migrate` grants the privileges after each run, so that a new table needs no step by hand.
 */
import type postgres from "postgres";

const ALL_ROWS = "select, insert, update, delete";

/** Tables whose rows replicas never delete: the audit trail and the proofs. */
const KEPT: Readonly<Record<string, string>> = {
  audit_logs: "select, insert",
  transparency_keys: "select, insert",
  transparency_log: "select, insert, update",
  transparency_tiles: "select, insert, update",
};

/** Functions that change partitions, as the owner of the tables. */
const FUNCTIONS = [
  "ensure_audit_partitions(date, integer)",
  "drop_audit_partitions(timestamptz)",
  "move_stray_audit_records(timestamptz, integer)",
];

export interface ReplicaRole {
  readonly name: string;
  /** Below this age no call of the role drops audit records; `undefined`: at no age. */
  readonly auditRetentionMs: number | undefined;
}

/** Grants exactly the privileges of replicas. `sql` is a connection of the owner of the tables. */
export async function grantReplicaPrivileges(sql: postgres.ISql, replicas: ReplicaRole): Promise<void> {
  const role = await grantTables(sql, replicas.name);
  await sql.unsafe(
    [
      `grant usage on schema drizzle to ${role}`,
      `grant select on drizzle.__drizzle_migrations to ${role}`,
      `grant execute on function ${FUNCTIONS.join(", ")} to ${role}`,
      `create or replace function audit_droppable_before() returns timestamptz language sql stable as
         $$ select ${droppableBefore(replicas.auditRetentionMs)} $$`,
    ].join(";\n"),
  );
}

/** Grants the privileges of replicas for tables and sequences. Returns the quoted role. */
export async function grantTables(sql: postgres.ISql, name: string): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  const [quoted] = await sql<{ role: string }[]>`select quote_ident(${name}) as role`;
  const role = quoted?.role ?? "";
  const grants = tables.map((table) => `grant ${KEPT[table.name] ?? ALL_ROWS} on public."${table.name}" to ${role}`);
  await sql.unsafe(
    [
      `grant usage on schema public to ${role}`,
      `revoke all on all tables in schema public from ${role}`,
      ...grants,
      `grant usage on all sequences in schema public to ${role}`,
    ].join(";\n"),
  );
  return role;
}

function droppableBefore(retentionMs: number | undefined): string {
  if (retentionMs === undefined) return "timestamptz '-infinity'";
  return `now() - interval '${Math.floor(retentionMs / 1000)} seconds'`;
}

/** The role of a connection, and whether the role has more privileges than a replica needs. */
export interface RoleReport {
  readonly name: string;
  readonly isSuperuser: boolean;
  /** How many tables of the service the role owns, itself or as a member of the owner. */
  readonly ownedTables: number;
}

export async function inspectRole(sql: postgres.ISql): Promise<RoleReport> {
  const [report] = await sql<RoleReport[]>`
    select current_user as name, rolsuper as "isSuperuser",
           (select count(*)::int from pg_class
             where relnamespace = to_regnamespace('public') and relkind in ('r', 'p')
               and pg_has_role(current_user, relowner, 'member')) as "ownedTables"
    from pg_roles where rolname = current_user`;
  if (!report) throw new Error("the database does not name the role of the connection");
  return report;
}
