/** The comparison of resource indicators (RFC 8707, section 2) in SQL, as in `vocabulary/resource-key.ts`. */
import type { Fragment, Sql } from "../../database/database.ts";
import { resourceKey } from "../../vocabulary/resource-key.ts";

/**
 * The form of `resourceKey` as an SQL expression, for http(s) identifiers in ASCII without dot segments: any further
 * identifier equals only its own text. `test/models/resource-comparison.test.ts` compares the two.
 */
function sqlKey(sql: Sql, identifier: Fragment): Fragment {
  const authority = sql`lower(substring(${identifier} from '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*'))`;
  const withoutPort = sql`regexp_replace(regexp_replace(regexp_replace(${authority},
    '^(https://.*):0*443$', '\\1'), '^(http://.*):0*80$', '\\1'), ':$', '')`;
  const rest = sql`substring(${identifier} from '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*(.*)$')`;
  const character = sql`convert_from(decode(substring(part[1] from 2), 'hex'), 'LATIN1')`;
  return sql`coalesce(
    regexp_replace(${withoutPort}, '\\.(?=(:[0-9]+)?$)', '')
    || case when ${rest} like '/%' then '' else '/' end
    || coalesce((
      select string_agg(
        case when part[1] !~ '^%[0-9A-Fa-f]{2}$' then part[1]
             when part[1] ~* '^%(2[de]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f|7e)$' then ${character}
             else upper(part[1]) end, '' order by position)
      from regexp_matches(${rest}, '%[0-9A-Fa-f]{2}|[^%]+|%', 'g') with ordinality as parts (part, position)
    ), ''), ${identifier})`;
}

/** SQL condition: every identifier of `requested` names a resource server of `permitted`. Equal texts cost no more. */
export function resourcesWithin(sql: Sql, requested: Fragment, permitted: Fragment): Fragment {
  return sql`(${requested} <@ ${permitted} or not exists (
    select 1 from unnest(${requested}) as requested_resource (identifier)
    where ${sqlKey(sql, sql`requested_resource.identifier`)} not in (
      select ${sqlKey(sql, sql`permitted_resource.identifier`)}
      from unnest(${permitted}) as permitted_resource (identifier))))`;
}

/**
 * SQL condition: a resource server has identifiers in the list `stored` and among the identifiers. The key of a stored
 * text is computed only if no text is equal.
 */
export function resourcesOverlap(sql: Sql, stored: Fragment, identifiers: readonly string[]): Fragment {
  return sql`(${stored} && ${[...identifiers]}::text[] or exists (
    select 1 from unnest(${stored}) as stored_resource (identifier)
    where ${sqlKey(sql, sql`stored_resource.identifier`)} = any (${identifiers.map(resourceKey)}::text[])))`;
}

/** SQL expression: the identifiers of both lists, each resource server once, in the spelling of `latest`. */
export function resourcesUnited(sql: Sql, former: Fragment, latest: Fragment): Fragment {
  return sql`array(
    select identifier from (
      select distinct on (key) identifier
      from unnest(${latest} || ${former}) with ordinality as each (identifier, position),
           lateral (select ${sqlKey(sql, sql`each.identifier`)} as key) keyed
      order by key, position
    ) united order by 1)`;
}
