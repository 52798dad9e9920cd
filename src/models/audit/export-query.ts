import { NIL_UUID } from "../../base/random.ts";
import type { AuditFilter } from "./audit-log.ts";

/** The members of docs/contract.md, section 4.13, in its order, of a row of `audit_logs`. */
function recordColumns(row: string): string {
  return `${row}.id, ${row}.event_id,
             to_char(${row}.timestamp at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as timestamp,
             coalesce(${row}.organization_id, '${NIL_UUID}') as organization_id, ${row}.actor_id, ${row}.actor_type,
             ${row}.action, ${row}.resource_type, coalesce(${row}.resource_id, '') as resource_id, ${row}.ip_address,
             ${row}.user_agent, ${row}.request_id, ${row}.metadata, ${row}.outcome`;
}

/** Expression: the JSON document of a row of `audit_logs`, as an export has it. */
export function recordJson(row: string): string {
  return `(select row_to_json(record)::text from (select ${recordColumns(row)}) record)`;
}

/** Condition: the bounds are serialised Dates, never input text. COPY has no parameters. */
export function periodCondition({ from, to }: Pick<AuditFilter, "from" | "to">): string {
  const bounds = [from && `timestamp >= '${from.toISOString()}'`, to && `timestamp <= '${to.toISOString()}'`];
  return bounds.filter((bound) => bound !== undefined).join(" and ") || "true";
}

/** The last row that is a leaf of the transparency log; `restoredRowId` as in `transparency_log`. */
export interface LastLeaf {
  readonly transactionId: string;
  readonly rowId: number;
  readonly restoredRowId: number;
}

/**
 * Condition: not a row that waits for its leaf. Rows that no sequencer would take, such as one with an impossible
 * transaction id, do not wait: in an export they are lines without a leaf.
 */
function provableCondition({ transactionId, rowId, restoredRowId }: LastLeaf): string {
  if (transactionId === "0") return `transaction_id is null and id <= ${rowId}`;
  return `(transaction_id is null or (transaction_id, id) <= ('${transactionId}'::xid8, ${rowId})
           or transaction_id >= pg_snapshot_xmax(pg_current_snapshot()) or id <= ${restoredRowId})`;
}

/**
 * The query of an export: one JSON document per row, oldest first. `provable`: without the rows that have no leaf yet.
 */
export function exportQuery(period: Pick<AuditFilter, "organizationId" | "from" | "to">, provable?: LastLeaf): string {
  return `
    select row_to_json(entry) from (
      select ${recordColumns("audit_logs")}
      from audit_logs where ${periodCondition(period)} ${organizationCondition(period)}
        ${provable ? `and ${provableCondition(provable)}` : ""}
      order by id
    ) entry`;
}

/** COPY has no parameters; the id is one of ours, never input text. */
function organizationCondition({ organizationId }: Pick<AuditFilter, "organizationId">): string {
  return organizationId === undefined ? "" : `and organization_id = '${organizationId}'`;
}
