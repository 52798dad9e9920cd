import type { ProofScope } from "./proof-query.ts";
import { TILE_WIDTH } from "./tiles.ts";

export interface OrganizationProofScope extends ProofScope {
  /** A UUID of this service, never input text: COPY has no parameters. */
  readonly organizationId: string;
  /** Whether the period has a beginning and an end; else the range has those of the log. */
  readonly hasFrom: boolean;
  readonly hasTo: boolean;
}

/**
 * The query of the proof of one organization's export: for each leaf of the range, in order, `<leaf> <id> <hash> <kind>
 * <record>`. Kinds: `line`, `left_out` (of the organization, outside the period), `other`, and `nobody` for a leaf
 * without a record. Tile by tile, with one read of the rows per tile, so that no sort is needed and memory stays flat.
 */
export function organizationProofQuery(scope: OrganizationProofScope): string {
  const { period, record, organizationId, hasFrom, hasTo } = scope;
  const size = Math.trunc(scope.treeSize);
  const placed = `
    select t.index * ${TILE_WIDTH} + r.place - 1 as leaf
    from transparency_tiles t, unnest(t.row_ids) with ordinality r(id, place)
    where t.level = 0 and t.max_row_id >= (select min(id) from audit_logs where ${period})
      and t.min_row_id <= (select max(id) from audit_logs where ${period})
      and r.id in (select id from audit_logs where ${period})`;
  const range = `(select ${hasFrom ? `(select min(leaf) from (${placed}) p)` : "0"} as first,
      least(${size} - 1, ${hasTo ? `(select max(leaf) from (${placed}) p)` : `${size} - 1`}) as last) range`;
  return `
    select l.entry from ${range} cross join lateral (
      select t.index, t.row_ids, t.hashes || ''::bytea as hashes, t.min_row_id, t.max_row_id from transparency_tiles t
      where t.level = 0 and t.index between first / ${TILE_WIDTH} and last / ${TILE_WIDTH} order by t.index offset 0
    ) t cross join lateral (
      select distinct on (r.place) concat_ws(' ', t.index * ${TILE_WIDTH} + r.place - 1, r.id,
        encode(substring(t.hashes from ((r.place - 1) * 32 + 1)::int for 32), 'base64'),
        case when a.id is null then 'nobody' when a.organization_id is distinct from '${organizationId}' then 'other'
             when a.period then 'line' else 'left_out' end,
        a.record) as entry
      from unnest(t.row_ids) with ordinality r(id, place)
      left join (
        select a.id, a.organization_id, a.timestamp, ${period} as period, ${record} as record from audit_logs a
        where a.id between t.min_row_id and t.max_row_id
      ) a on a.id = r.id
      where t.index * ${TILE_WIDTH} + r.place - 1 between first and last
      order by r.place, a.timestamp
    ) l`;
}
