import { TILE_WIDTH } from "./tiles.ts";

export interface ProofScope {
  /** Condition on the columns of `audit_logs`: the period of the export. */
  readonly period: string;
  /** Expression: the record of the row `a` of `audit_logs`, as JSON text. */
  readonly record: string;
  /** Later leaves are not looked at. */
  readonly treeSize: number;
}

/**
 * The query of the proof of an export: first `[first leaf, last leaf, lines]`, where leaves are null if there are no
 * lines, then an entry for each leaf of the range, in order (docs/contract.md, section 17.7). Leaves whose row is in
 * the period are lines; the rest have their record, or null. Without parameters, for COPY.
 */
export function proofQuery({ period, record, treeSize }: ProofScope): string {
  const size = Math.trunc(treeSize);
  return `
    with period as materialized (select distinct id from audit_logs where ${period}),
    bounds as (select min(id) as lowest, max(id) as highest from period),
    placed as (
      select t.index * ${TILE_WIDTH} + r.place - 1 as leaf, r.id
      from bounds, transparency_tiles t, unnest(t.row_ids) with ordinality r(id, place)
      where t.level = 0 and t.index * ${TILE_WIDTH} < ${size} and t.max_row_id >= lowest and t.min_row_id <= highest
    ),
    range as materialized (
      select min(leaf) as first, max(leaf) as last, count(*) as lines
      from placed join period using (id) where leaf < ${size}
    ),
    -- The hashes of a tile are fetched once, not once for each of its leaves.
    tiles as materialized (
      select t.index, t.row_ids, t.hashes || ''::bytea as hashes from transparency_tiles t, range
      where t.level = 0 and t.index between first / ${TILE_WIDTH} and last / ${TILE_WIDTH}
    ),
    leaves as (
      select t.index * ${TILE_WIDTH} + r.place - 1 as leaf, r.id,
             encode(substring(t.hashes from ((r.place - 1) * 32 + 1)::int for 32), 'base64') as hash
      from tiles t, unnest(t.row_ids) with ordinality r(id, place)
    )
    select entry from (
      select -1 as leaf, json_build_array(first, last, lines)::text as entry from range
      union all
      select leaf, case when period.id is not null then format('[%s,%s,"%s"]', leaf, leaves.id, hash)
             else format('[%s,%s,"%s",%s]', leaf, leaves.id, hash, coalesce(
               (select ${record} from audit_logs a where a.id = leaves.id order by a.timestamp limit 1), 'null')) end
      from leaves join range on leaf between first and last left join period on period.id = leaves.id
    ) entries order by leaf`;
}
