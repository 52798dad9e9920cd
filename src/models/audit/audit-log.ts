import type { auditLogs } from "../../../db/schema/audit-logs.ts";
import { NIL_UUID } from "../../base/random.ts";
import { HOUR_MS } from "../../base/time-units.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import { likePattern, type PageBounds } from "../../database/listing.ts";
import type { RowOf } from "../../database/row.ts";
import { amongIds } from "../../database/statement.ts";
import { AUDIT_SEARCHED_MAX } from "../../limits/audit-limits.ts";
import { AUDIT_ACTIONS, CHANGE_ACTIONS, CHANGES, SIGN_IN_ACTIONS, SIGN_INS } from "../../vocabulary/audit-action.ts";

type AuditRow = RowOf<typeof auditLogs>;

/** docs/contract.md, section 4.13. */
export interface AuditRecord
  extends Pick<
    AuditRow,
    | "eventId"
    | "timestamp"
    | "actorId"
    | "actorType"
    | "action"
    | "resourceType"
    | "ipAddress"
    | "userAgent"
    | "requestId"
    | "outcome"
  > {
  readonly id: number;
  /** The nil UUID for an event that belongs to no tenant. */
  readonly organizationId: NonNullable<AuditRow["organizationId"]>;
  /** Empty for an event without a resource. */
  readonly resourceId: NonNullable<AuditRow["resourceId"]>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export type AuditOutcome = "success" | "failure";
const OUTCOME_LITERALS = { success: "'success'", failure: "'failure'" } as const satisfies Record<AuditOutcome, string>;

/** The end of the name of a group of actions. */
const GROUP_END = ".*";

/** The actions of a filter; undefined: every action. An unknown group has no action. */
function actionsOf(action: string | undefined): readonly string[] | undefined {
  if (action === undefined) return undefined;
  if (action === SIGN_INS) return SIGN_IN_ACTIONS;
  if (action === CHANGES) return CHANGE_ACTIONS;
  if (!action.endsWith(GROUP_END)) return [action];
  const prefix = action.slice(0, -GROUP_END.length + 1);
  return AUDIT_ACTIONS.filter((each) => each.startsWith(prefix));
}

/** A text search over entries. */
export interface AuditSearch {
  readonly text: string;
  /** Users whose address or name contains the text. */
  readonly userIds: readonly string[];
}

export interface AuditFilter {
  /** Records of these organizations alone; undefined: of all. */
  readonly organizationIds?: readonly string[] | undefined;
  readonly actorId: string | undefined;
  /** The name of an action, or a group such as `auth.*`. */
  readonly action: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  readonly search?: AuditSearch | undefined;
  /** Inclusive bounds. */
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

/**
 * The two nullable columns as lists and exports return them (docs/contract.md, section 4.13). The table keeps null, so
 * that entries of older versions are returned in the present form.
 */
const ORGANIZATION_ID = `coalesce(organization_id, '${NIL_UUID}')`;
const RESOURCE_ID = "coalesce(resource_id, '')";

/** A page of matching entries, newest first, and the exact total. */
export async function listAudit(
  sql: Sql,
  filter: AuditFilter,
  page: PageBounds,
): Promise<{ items: AuditRecord[]; total: number }> {
  const [total, items] = await Promise.all([
    countAudit(sql, filter),
    sql<AuditRecord[]>`
      select ${recordColumns(sql)}
      from ${matchingEntries(sql, filter)}
      order by audit_logs.id desc limit ${page.limit} offset ${page.offset}`,
  ]);
  return { items, total };
}

/** Entries of one request, oldest first, within a period, which bounds the partitions of the query. */
export async function findEntriesOfRequest(
  sql: Sql,
  requestId: string,
  { from, to }: { readonly from: Date; readonly to: Date },
  limit: number,
): Promise<AuditRecord[]> {
  return await sql<AuditRecord[]>`
    select ${recordColumns(sql)} from audit_logs
    where request_id = ${requestId} and timestamp >= ${from} and timestamp <= ${to}
    order by audit_logs.id limit ${limit}`;
}

function recordColumns(sql: Sql): Fragment {
  return sql`
    id::float8 as id, event_id as "eventId", timestamp, ${sql.unsafe(ORGANIZATION_ID)} as "organizationId",
    actor_id as "actorId", actor_type as "actorType", action, resource_type as "resourceType",
    ${sql.unsafe(RESOURCE_ID)} as "resourceId", ip_address as "ipAddress", user_agent as "userAgent",
    request_id as "requestId", metadata, outcome`;
}

/**
 * The exact number of matching entries. Entries of one actor or organization are counted by an index. Any further total
 * is the sum of the counted hours plus a count of the entries at the edges, so the cost hardly grows with the trail
 * (docs/decisions/0007). Failures have an index of their own, and the further entries of a filter are successes.
 */
async function countAudit(sql: Sql, filter: AuditFilter): Promise<number> {
  if (isCountedByEntry(filter) || filter.outcome === "failure") return await countEntries(sql, filter);
  const { outcome } = filter;
  if (outcome === undefined) return await countAnyOutcome(sql, filter);
  const [all, failures] = await Promise.all([
    countAnyOutcome(sql, filter),
    countEntries(sql, { ...filter, outcome: "failure" }),
  ]);
  return all - failures;
}

async function countAnyOutcome(sql: Sql, filter: AuditFilter): Promise<number> {
  const { until, total } = await sumHours(sql, filter);
  const parts = await Promise.all(edgesOf(filter, until).map((edge) => countSpan(sql, filter.action, edge)));
  return parts.reduce((sum, part) => sum + part, total);
}

interface Span {
  readonly from: Date | undefined;
  /** Exclusive; the start of an hour, or the end of the counted period. */
  readonly before?: Date;
  /** Inclusive; a bound of the filter. */
  readonly to?: Date | undefined;
}

/**
 * The parts of a filter before and after its counted hours. The last hour is counted up to `countedUntil`: a filter
 * that ends later includes the counted part, a filter that ends earlier excludes the hour of its end.
 */
function edgesOf({ from, to }: Pick<AuditFilter, "from" | "to">, countedUntil: number): readonly Span[] {
  const low = from?.getTime() ?? Number.NEGATIVE_INFINITY;
  const high = to?.getTime() ?? Number.POSITIVE_INFINITY;
  const begins = Math.ceil(low / HOUR_MS) * HOUR_MS;
  const ends = high >= countedUntil ? countedUntil : Math.floor(high / HOUR_MS) * HOUR_MS;
  if (ends <= begins) return [{ from, to }];
  const head = from && begins > low ? [{ from, before: new Date(begins) }] : [];
  return [...head, { from: new Date(ends), to }];
}

/**
 * The sum of the counted hours of a filter, and the end of the counted period. Sum and end come from one snapshot: the
 * sweeper adds to the row of the last hour, and a second snapshot would count these minutes again at the edge. No hour
 * is later than the end, so only a filter that ends earlier bounds the hours. Whole days are read from the table of
 * days.
 */
async function sumHours(sql: Sql, { action, from, to }: AuditFilter): Promise<{ until: number; total: number }> {
  const ofAction = ofActions(sql, action);
  const sumOf = (hours: Fragment) => sql`coalesce((select sum(count) from audit_counts where ${hours} ${ofAction}), 0)`;
  const endHour = to && new Date(Math.floor(to.getTime() / HOUR_MS) * HOUR_MS);
  // The first day that begins in the filter; PostgreSQL computes the day, because the year may be 10000. An interval of
  // `1 day` has 23 or 25 hours where the time zone of the database changes its clocks.
  const firstDay = sql`date_trunc('day', ${from ?? null}::timestamptz - interval '1 ms', 'UTC') + interval '24 hours'`;
  const [row] = await sql<{ until: Date | null; total: number }[]>`
    with span as (
      select counted_until, hours_end, date_trunc('day', hours_end, 'UTC') as days_end,
             coalesce(${firstDay}, '-infinity') as first_day
      from (
        select counted_until,
               case when ${to ?? null}::timestamptz < counted_until then ${endHour ?? null}::timestamptz
                    else 'infinity' end as hours_end
        from audit_count_state
      ) state
    )
    select nullif(counted_until, '-infinity') as until, (
      coalesce((
        select sum(count) from audit_day_counts where day >= first_day and day < days_end ${ofAction}
      ), 0)
      + ${from ? sumOf(sql`hour >= ${from} and hour < least(first_day, hours_end)`) : 0}
      + ${to ? sumOf(sql`hour >= greatest(first_day, days_end) and hour < hours_end`) : 0}
    )::float8 as total
    from span`;
  return { until: row?.until?.getTime() ?? Number.NEGATIVE_INFINITY, total: row?.total ?? 0 };
}

async function countEntries(sql: Sql, filter: AuditFilter): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*)::float8 as total from ${matchingEntries(sql, filter)}`;
  return row?.total ?? 0;
}

async function countSpan(sql: Sql, action: string | undefined, { from, before, to }: Span): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select coalesce(sum(entries), 0)::float8 as total
    from count_audit_actions(
      ${from ?? null}, ${before ?? null}, ${to ?? null}, ${nullableActions(action)}::text[], '1 day'
    )`;
  return row?.total ?? 0;
}

export function nullableActions(action: string | undefined): string[] | null {
  const actions = actionsOf(action);
  return actions ? [...actions] : null;
}

export function ofActions(sql: Sql, action: string | undefined): Fragment {
  const actions = actionsOf(action);
  if (!actions) return sql``;
  return actions.length === 1 ? sql`and action = ${actions[0] ?? ""}` : sql`and action = any(${[...actions]}::text[])`;
}

/** Whether the counted hours cannot serve a filter, because the hours are counts of actions. */
export function isCountedByEntry({ actorId, organizationIds, search }: AuditFilter): boolean {
  return actorId !== undefined || organizationIds !== undefined || search !== undefined;
}

/** The entries of a filter, as the alias `audit_logs` with conditions, for the end of a `from`. */
export function matchingEntries(sql: Sql, filter: AuditFilter): Fragment {
  const conditions = auditConditions(sql, filter);
  if (filter.search === undefined) return sql`audit_logs where ${conditions}`;
  return sql`(
      select * from audit_logs where ${conditions} order by audit_logs.id desc limit ${AUDIT_SEARCHED_MAX}
    ) audit_logs where ${searchCondition(sql, filter.search)}`;
}

/** The text is in a displayed value, or in the address or name of the actor or of the user that the entry concerns. */
function searchCondition(sql: Sql, { text, userIds }: AuditSearch): Fragment {
  return sql`(
    lower(concat_ws(' ', action, resource_id, ip_address, request_id, event_id, actor_id,
                    jsonb_path_query_array(metadata, '$.*'))) like ${likePattern(text)}
    or actor_id = any(${[...userIds]}::uuid[])
    or (resource_type = 'user' and resource_id = any(${[...userIds]}::text[]))
  )`;
}

function auditConditions(sql: Sql, { organizationIds, actorId, action, outcome, from, to }: AuditFilter): Fragment {
  // The outcome is a literal, because PostgreSQL uses a partial index only for a literal of its condition.
  return sql`true
    ${organizationIds === undefined ? sql`` : sql`and organization_id ${amongIds(sql, organizationIds)}`}
    ${actorId === undefined ? sql`` : sql`and actor_id = ${actorId}`}
    ${ofActions(sql, action)}
    ${outcome === undefined ? sql`` : sql`and outcome = ${sql.unsafe(OUTCOME_LITERALS[outcome])}`}
    ${from === undefined ? sql`` : sql`and timestamp >= ${from}`}
    ${to === undefined ? sql`` : sql`and timestamp <= ${to}`}`;
}
