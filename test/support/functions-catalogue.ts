/** The SQL functions and triggers of a database, for comparison with db/functions. */
import type postgres from "postgres";

/** A function with its triggers; functions of extensions and triggers of partitions are excluded. */
export interface SqlFunction {
  readonly name: string;
  readonly definition: string;
  readonly triggers: readonly { readonly name: string; readonly relation: string; readonly definition: string }[];
}

/** All functions of the schema `public`, or one of them, by name. */
export async function listFunctions(sql: postgres.ISql, name: string | null = null): Promise<SqlFunction[]> {
  return await sql<SqlFunction[]>`
    select p.proname as name, pg_get_functiondef(p.oid) as definition, coalesce((
      select json_agg(json_build_object(
        'name', t.tgname, 'relation', c.relname, 'definition', pg_get_triggerdef(t.oid)
      ) order by t.tgname)
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where t.tgfoid = p.oid and not t.tgisinternal and t.tgparentid = 0
    ), '[]') as triggers
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proname = coalesce(${name}, p.proname)
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.proname`;
}
