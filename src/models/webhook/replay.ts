/** The events of a webhook in the audit trail: for catching up, and for sending again. */
import type { Fragment, Sql } from "../../database/database.ts";

/** The settings that select the events of a webhook. */
export interface EventSource {
  /** Null: the records of every organization. */
  readonly organizationId: string | null;
  readonly eventTypes: readonly string[];
}

/** A time range of records: `since` inclusive, `until` exclusive. */
export interface TimeRange {
  readonly since: Date;
  readonly until: Date;
}

export interface WebhookEvent {
  readonly eventId: string;
  readonly eventType: string;
  /** The body of the delivery, byte for byte. */
  readonly payload: string;
  readonly createdAt: Date;
}

/** One part of the trail. `last`: the id of the last record read, event or not; null: no record was read. */
export interface EventPage {
  readonly events: readonly WebhookEvent[];
  readonly last: string | null;
  /** Whether the part ended at the bounds, so that more may follow. */
  readonly isFull: boolean;
}

/** The newest record, and the transactions that may still insert older records (as decimal numbers). */
export interface TrailEnd {
  readonly latestId: string;
  /** Every transaction that has inserted up to `latestId` is below this id. */
  readonly nextTransaction: string;
  /** Every transaction below has ended. */
  readonly oldestRunning: string;
}

export async function readTrailEnd(sql: Sql, organizationId: string | null): Promise<TrailEnd> {
  const [end] = await sql<TrailEnd[]>`
    select coalesce(max(e.id), 0)::text as "latestId",
           pg_snapshot_xmax(pg_current_snapshot())::text as "nextTransaction",
           pg_snapshot_xmin(pg_current_snapshot())::text as "oldestRunning"
    from audit_logs e where ${isOwned(sql, organizationId)}`;
  if (!end) throw new Error("an aggregate has one row");
  return end;
}

/**
 * The events after a record, oldest first: at most `limit`, of at most `scanned` records, so that a webhook with rare
 * event types costs no more. `upTo`: excludes later records, since earlier records may follow.
 */
export async function listEvents(
  sql: Sql,
  source: EventSource,
  { after, upTo, since }: { readonly after: string; readonly upTo: string; readonly since: Date },
  { limit, scanned }: { readonly limit: number; readonly scanned: number },
): Promise<EventPage> {
  const rows = await sql<(WebhookEvent & { id: string; count: number })[]>`
    with part as (
      select e.* from audit_logs e
      where ${isOwned(sql, source.organizationId)} and e.id > ${after}::bigint and e.id <= ${upTo}::bigint
        and e.timestamp >= ${since}
      order by e.id limit ${scanned}
    ),
    events as (
      select e.id from part e where ${matches(sql, source)} order by e.id limit ${limit}
    ),
    counted as (select count(*)::int as count, max(id) as last from part)
    select e.id::text as id, e.event_id as "eventId", e.action as "eventType", webhook_payload(a) as payload,
           e.timestamp as "createdAt", counted.count
    from counted, part e join events on events.id = e.id
    join audit_logs a on a.id = e.id and a.timestamp = e.timestamp
    union all
    select counted.last::text, null, null, null, null, counted.count from counted where counted.last is not null
`;
  return pageOf(rows, { limit, scanned });
}

function pageOf(
  rows: readonly (WebhookEvent & { readonly id: string; readonly count: number })[],
  { limit, scanned }: { readonly limit: number; readonly scanned: number },
): EventPage {
  const found = rows.filter(({ eventId }) => eventId !== null).sort((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
  const events = found.map(({ eventId, eventType, payload, createdAt }) => ({
    eventId,
    eventType,
    payload,
    createdAt,
  }));
  const end = rows.find(({ eventId }) => eventId === null);
  if (events.length === limit) return { events, last: found.at(-1)?.id ?? null, isFull: true };
  return { events, last: end?.id ?? null, isFull: (end?.count ?? 0) === scanned };
}

/** The values that a repetition of deliveries writes. */
export interface Repetition {
  readonly at: Date;
  readonly expiresAt: Date;
  readonly traceparent: string | undefined;
}

/**
 * Makes the deliveries of a time range due again, delivered ones included, and inserts missing deliveries: for events
 * from a time when the webhook was off, or whose deliveries were deleted. Waiting deliveries stay unchanged. Returns
 * the number, and the id of the last record.
 */
export async function repeatRange(
  sql: Sql,
  source: EventSource & { readonly id: string },
  range: TimeRange,
  after: string,
  batch: number,
  repetition: Repetition,
): Promise<{ readonly events: number; readonly last: string | null; readonly lastAt: Date | null }> {
  const { at, expiresAt, traceparent } = repetition;
  const [row] = await sql<{ events: number; last: string | null; lastAt: Date | null }[]>`
    with found as (
      select e.id, e.timestamp from audit_logs e
      where ${isOwned(sql, source.organizationId)} and e.id > ${after}::bigint
        and e.timestamp >= ${range.since} and e.timestamp < ${range.until} and ${matches(sql, source)}
      order by e.id limit ${batch}
    ),
    written as (
      insert into webhook_deliveries as d
        (webhook_id, event_id, subject, event_type, payload, status, next_attempt_at, expires_at, created_at,
         traceparent)
      select ${source.id}, e.event_id,
        case when e.resource_type = 'user' then coalesce(e.resource_id, '')
             else coalesce(e.actor_id::text, e.resource_id, '') end,
        e.action, webhook_payload(e), 'pending', ${at}, ${expiresAt}, e.timestamp, ${traceparent ?? null}
      from found join audit_logs e on e.id = found.id and e.timestamp = found.timestamp
      order by e.id
      on conflict (webhook_id, event_id) do update
      set status = 'pending', attempts = 0, next_attempt_at = excluded.next_attempt_at,
          expires_at = excluded.expires_at, traceparent = excluded.traceparent
      where d.status <> 'pending'
      returning 1
    )
    select (select count(*) from written)::int as events, max(found.id)::text as last,
           max(found.timestamp) as "lastAt" from found`;
  return row ?? { events: 0, last: null, lastAt: null };
}

/** Makes at most `max` failed deliveries of a time range due again, the oldest first; returns how many. */
export async function repeatFailed(
  sql: Sql,
  webhookId: string,
  { since, until }: TimeRange,
  max: number,
  { at, expiresAt, traceparent }: Repetition,
): Promise<number> {
  const repeated = await sql`
    update webhook_deliveries d
    set status = 'pending', attempts = 0, next_attempt_at = ${at}, expires_at = ${expiresAt},
        traceparent = ${traceparent ?? null}
    from (
      select f.event_id from webhook_deliveries f
      where f.webhook_id = ${webhookId} and f.status = 'failed' and f.created_at >= ${since} and f.created_at < ${until}
      order by f.sequence limit ${max}
    ) chosen
    where d.webhook_id = ${webhookId} and d.event_id = chosen.event_id and d.status = 'failed'`;
  return repeated.count;
}

/**
 * Ends the pause of a webhook, which is locked first, as in a lease; returns how many deliveries wait, at most `max`.
 */
export async function wakeAndCountPending(sql: Sql, webhookId: string, max: number): Promise<number> {
  await sql`update webhooks set paused_until = null where id = ${webhookId}`;
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from webhook_deliveries where webhook_id = ${webhookId} and status = 'pending' limit ${max}
    ) waiting`;
  return row?.count ?? 0;
}

function isOwned(sql: Sql, organizationId: string | null): Fragment {
  return organizationId === null ? sql`true` : sql`e.organization_id = ${organizationId}`;
}

/** Whether a record matches, by the rule of the trigger that writes deliveries (migration 0019). */
function matches(sql: Sql, { eventTypes }: EventSource): Fragment {
  return sql`exists (
    select 1 from unnest(${[...eventTypes]}::text[]) pattern
    where pattern in ('*', e.action) or (pattern like '%.*' and starts_with(e.action, left(pattern, -1)))
  )`;
}
