import type { Fragment, Sql } from "../../base/database.ts";

/** An entry of the audit trail as it is read (contract, section 2.5). */
export interface AuditRecord {
  readonly id: number;
  readonly eventId: string;
  readonly timestamp: Date;
  readonly organizationId: string | null;
  readonly actorId: string | null;
  readonly actorType: string;
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string | null;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly outcome: string;
}

export interface AuditFilter {
  readonly actorId: string | undefined;
  readonly action: string | undefined;
  /** Inclusive bounds. */
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

/** Entries that match, newest first, and how many there are in all. */
export async function listAudit(
  sql: Sql,
  filter: AuditFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ items: AuditRecord[]; total: number }> {
  const [total, items] = await Promise.all([
    countAudit(sql, filter),
    sql<AuditRecord[]>`
      select id::float8 as id, event_id as "eventId", timestamp, organization_id as "organizationId",
             actor_id as "actorId", actor_type as "actorType", action, resource_type as "resourceType",
             resource_id as "resourceId", ip_address as "ipAddress", user_agent as "userAgent",
             request_id as "requestId", metadata, outcome
      from audit_logs where ${conditions(sql, filter)}
      order by id desc limit ${page.limit} offset ${page.offset}`,
  ]);
  return { items, total };
}

/**
 * How many entries match, exactly. Those of one actor are counted by the index. All others are sums over the hours that are counted,
 * and a count of what lies between those and the bounds: minutes of entries, whatever the trail has in all.
 */
async function countAudit(sql: Sql, filter: AuditFilter): Promise<number> {
  if (filter.actorId !== undefined) {
    const [row] = await sql<{ total: number }[]>`
      select count(*)::float8 as total from audit_logs where ${conditions(sql, filter)}`;
    return row?.total ?? 0;
  }
  const { from, to } = filter;
  const action = filter.action === undefined ? sql`` : sql`and action = ${filter.action}`;
  const [row] = await sql<{ total: number }[]>`
    with bounds as (
      select coalesce(${from ?? null}::timestamptz, '-infinity') as low, coalesce(${to ?? null}::timestamptz, 'infinity') as high
    ),
    hours as (
      select low, high,
             case when low = '-infinity' or date_trunc('hour', low, 'UTC') = low then low
                  else date_trunc('hour', low, 'UTC') + interval '1 hour' end as begins,
             least(case when high = 'infinity' then high else date_trunc('hour', high, 'UTC') end,
                   (select counted_until from audit_count_state)) as ends
      from bounds
    ),
    spans as (select low, high, begins, greatest(begins, ends) as ends from hours)
    select ((select coalesce(sum(count), 0) from audit_counts, spans where hour >= begins and hour < ends ${action})
      + (select count(*) from audit_logs where timestamp >= (select low from spans)
          and timestamp < (select begins from spans) and timestamp <= (select high from spans) ${action})
      + (select count(*) from audit_logs where timestamp >= (select ends from spans)
          and timestamp <= (select high from spans) ${action}))::float8 as total`;
  return row?.total ?? 0;
}

function conditions(sql: Sql, { actorId, action, from, to }: AuditFilter): Fragment {
  return sql`true
    ${actorId === undefined ? sql`` : sql`and actor_id = ${actorId}`}
    ${action === undefined ? sql`` : sql`and action = ${action}`}
    ${from === undefined ? sql`` : sql`and timestamp >= ${from}`}
    ${to === undefined ? sql`` : sql`and timestamp <= ${to}`}`;
}

/**
 * The query of an export: one JSON document a row, with the members of the contract in its order, oldest first. COPY takes no
 * parameters; the bounds are dates that we wrote out ourselves.
 */
export function exportQuery({ from, to }: Pick<AuditFilter, "from" | "to">): string {
  const bounds = [from && `timestamp >= '${from.toISOString()}'`, to && `timestamp <= '${to.toISOString()}'`].filter(
    (bound) => bound !== undefined,
  );
  return `
    select row_to_json(entry) from (
      select id, event_id, to_char(timestamp at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as timestamp,
             organization_id, actor_id, actor_type, action, resource_type, resource_id, ip_address, user_agent, request_id,
             metadata, outcome
      from audit_logs ${bounds.length > 0 ? `where ${bounds.join(" and ")}` : ""}
      order by id
    ) entry`;
}
