/** Generates DDL from the tables of db/schema, so that PostgreSQL normalises types, defaults and expressions. */
import { readdirSync } from "node:fs";
import { getTableName, is, isTable, SQL } from "drizzle-orm";
import {
  type ForeignKey,
  getTableConfig,
  type Index,
  IndexedColumn,
  isPgSequence,
  type PgColumn,
  PgDialect,
  type PgTable,
} from "drizzle-orm/pg-core";

const SCHEMA = new URL("../../db/schema/", import.meta.url);
const dialect = new PgDialect();

/** Returns all tables of db/schema. */
export async function declaredTables(): Promise<PgTable[]> {
  return (await declarations()).filter((value): value is PgTable => isTable(value));
}

/** Returns statements that create the sequences of db/schema, which defaults of columns name. */
export async function createSequences(): Promise<string[]> {
  return (await declarations()).filter(isPgSequence).map(({ seqName }) => `create sequence ${quoted(seqName ?? "")}`);
}

async function declarations(): Promise<unknown[]> {
  const files = readdirSync(SCHEMA).filter((file) => file.endsWith(".ts"));
  const modules = await Promise.all(files.map((file) => import(new URL(file, SCHEMA).href)));
  return modules.flatMap((module) => Object.values(module));
}

/** Returns statements that create the tables, then foreign keys (which need the tables of both sides), then indexes. */
export function createStatements(tables: readonly PgTable[]): string[] {
  const configs = tables.map(getTableConfig);
  return [
    ...tables.map(createTable),
    ...configs.flatMap((config) => config.foreignKeys.map((key) => addForeignKey(config.name, key))),
    ...configs.flatMap((config) => config.indexes.map((index) => createIndex(config.name, index))),
  ];
}

function createTable(table: PgTable): string {
  const config = getTableConfig(table);
  const parts = [
    ...config.columns.map(columnClause),
    ...config.columns.filter((column) => column.primary).map((column) => `primary key (${quoted(column.name)})`),
    ...config.primaryKeys.map((key) => `constraint ${quoted(key.getName())} primary key (${names(key.columns)})`),
    ...config.columns
      .filter((column) => column.isUnique)
      .map((column) => `constraint ${quoted(column.uniqueName ?? "")} unique (${quoted(column.name)})`),
    ...config.uniqueConstraints.map(
      (key) =>
        `constraint ${quoted(key.getName() ?? "")} unique ${key.nullsNotDistinct ? "nulls not distinct" : ""} ` +
        `(${names(key.columns)})`,
    ),
    ...config.checks.map((check) => `constraint ${quoted(check.name)} check (${text(check.value)})`),
  ];
  return `create table ${quoted(config.name)} (${parts.join(", ")})`;
}

function columnClause(column: PgColumn): string {
  const identity = column.generatedIdentity;
  const kind = identity?.type === "always" ? "always" : "by default";
  return [
    quoted(column.name),
    column.getSQLType(),
    column.notNull ? "not null" : "",
    column.default === undefined ? "" : `default ${defaultText(column)}`,
    identity ? `generated ${kind} as identity` : "",
  ].join(" ");
}

function defaultText(column: PgColumn): string {
  if (is(column.default, SQL)) return text(column.default);
  if (Array.isArray(column.default)) return `'{${column.default.join(",")}}'`;
  return typeof column.default === "string" ? `'${column.default}'` : String(column.default);
}

function addForeignKey(table: string, key: ForeignKey): string {
  const { columns, foreignTable, foreignColumns } = key.reference();
  const references = `${quoted(getTableName(foreignTable))} (${names(foreignColumns)})`;
  return `alter table ${quoted(table)} add constraint ${quoted(key.getName())} foreign key (${names(columns)})
    references ${references} on delete ${key.onDelete ?? "no action"} on update ${key.onUpdate ?? "no action"}`;
}

function createIndex(table: string, { config }: Index): string {
  const columns = config.columns.map((column) => {
    if (is(column, SQL)) return text(column);
    if (!is(column, IndexedColumn)) throw new Error(`index ${config.name} has an unknown kind of column`);
    const { order, nulls, opClass } = column.indexConfig;
    return `${quoted(column.name ?? "")} ${opClass ?? ""} ${order === "desc" ? `desc nulls ${nulls}` : ""}`;
  });
  const settings = Object.entries(config.with ?? {}).map(([name, value]) => `${name} = ${value}`);
  return [
    `create ${config.unique ? "unique" : ""} index ${quoted(config.name ?? "")} on ${quoted(table)}`,
    `using ${config.method ?? "btree"} (${columns.join(", ")})`,
    settings.length > 0 ? `with (${settings.join(", ")})` : "",
    config.where ? `where ${text(config.where)}` : "",
  ].join(" ");
}

/** PostgreSQL accepts no parameter in DDL, so the expressions of db/schema are literal SQL. */
function text(expression: SQL): string {
  const { sql, params } = dialect.sqlToQuery(expression.inlineParams());
  if (params.length > 0) throw new Error(`an expression of db/schema has parameters: ${sql}`);
  return sql;
}

const quoted = (name: string) => `"${name}"`;
const names = (columns: readonly PgColumn[]) => columns.map(({ name }) => quoted(name)).join(", ");
