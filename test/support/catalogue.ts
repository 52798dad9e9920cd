/** The objects of a database as lines of text, for comparison. */
import type postgres from "postgres";

export type Catalogue = Record<"columns" | "constraints" | "indexes" | "relations", string[]>;

/**
 * Returns a line per object of the schema `public`. Partitions are excluded: drizzle cannot declare a partitioned
 * table, so only the parent is compared, and "ON ONLY" of the indexes of the parent is removed. The storage parameters
 * `on` and `true` are equal. Functions, triggers and storage parameters of tables are written by hand in the
 * migrations.
 */
export async function readCatalogue(sql: postgres.Sql): Promise<Catalogue> {
  const tables = sql`(
    select c.oid, c.relname as name, c.relkind from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
  ) t`;
  const [relations, columns, constraints, indexes] = await Promise.all([
    sql`select t.name as line from ${tables}`,
    sql`
      select concat_ws(' ', t.name || '.' || a.attname, format_type(a.atttypid, a.atttypmod),
                       case when a.attnotnull then 'not null' end, 'default ' || pg_get_expr(d.adbin, d.adrelid),
                       case a.attidentity when 'a' then 'always' when 'd' then 'by default' end) as line
      from ${tables} join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum`,
    sql`
      select concat_ws(' ', t.name, c.conname, pg_get_constraintdef(c.oid)) as line
      from ${tables} join pg_constraint c on c.conrelid = t.oid where c.contype not in ('n', 't')`,
    sql`
      select replace(replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON '), $$='on'$$, $$='true'$$) as line
      from ${tables} join pg_index i on i.indrelid = t.oid`,
  ]);
  const lines = (rows: readonly postgres.Row[]) => rows.map(({ line }) => String(line)).sort();
  return {
    relations: lines(relations),
    columns: lines(columns),
    constraints: lines(constraints),
    indexes: lines(indexes),
  };
}
