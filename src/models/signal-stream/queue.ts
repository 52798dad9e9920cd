/** The events that wait for the receiver of a stream: rows of `webhook_deliveries`. */
import type { Fragment, Sql } from "../../base/database.ts";
import type { Cte } from "../../base/statement.ts";
import type { QueuedEvent } from "./event-token.ts";
import type { StreamEvent } from "./event-type.ts";

/** The oldest events that wait, at most `limit`. */
export async function listWaitingEvents(sql: Sql, streamId: string, at: Date, limit: number): Promise<QueuedEvent[]> {
  return await sql<QueuedEvent[]>`
    select d.webhook_id as "streamId", w.service_account_id as "serviceAccountId", d.event_id as "eventId",
           d.event_type as "eventType", d.payload, d.created_at as "createdAt"
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where d.webhook_id = ${streamId} and d.status = 'pending' and d.expires_at > ${at}
      and w.stream_method = 'poll' and w.stream_status <> 'paused'
    order by d.sequence limit ${limit}`;
}

/** What a receiver says of an event: taken, or why not. */
export interface EventOutcome {
  readonly eventId: string;
  /** Undefined: acknowledged. */
  readonly error: string | undefined;
}

/** Ends events that wait. One that is unknown or ended is passed over. */
export async function recordOutcomes(
  sql: Sql,
  streamId: string,
  outcomes: readonly EventOutcome[],
  at: Date,
): Promise<void> {
  const errors = outcomes.map(({ error }) => error ?? null);
  await sql`
    update webhook_deliveries d
    set status = case when o.error is null then 'delivered' else 'failed' end, answer = o.error, attempted_at = ${at}
    from unnest(${outcomes.map(({ eventId }) => eventId)}::uuid[], ${errors}::text[]) o (event_id, error)
    where d.webhook_id = ${streamId} and d.event_id = o.event_id and d.status = 'pending'`;
}

export interface NewStreamEvent {
  readonly eventId: string;
  readonly eventType: StreamEvent;
  readonly payload: Readonly<Record<string, string>>;
  readonly at: Date;
  readonly expiresAt: Date;
}

/**
 * CTE fragment: inserts an event about each stream of `from`, such as `from changed` (`id`). It has no subject, so it
 * waits for no other.
 */
export function insertStreamEvent(sql: Sql, event: NewStreamEvent, from: Fragment): Fragment {
  return sql`
    insert into webhook_deliveries
      (webhook_id, event_id, subject, event_type, payload, status, next_attempt_at, expires_at, created_at)
    select id, ${event.eventId}::uuid, '', ${event.eventType}, ${JSON.stringify(event.payload)}::text, 'pending',
           ${event.at}::timestamptz, ${event.expiresAt}::timestamptz, ${event.at}::timestamptz ${from}`;
}

/** Inserts a verification, unless the stream is disabled or the last one was asked for after `before`. */
export async function insertVerification(sql: Sql, streamId: string, event: NewStreamEvent, before: Date) {
  const rows = await sql`
    with verified as (
      update webhooks set verified_at = ${event.at}
      where id = ${streamId} and stream_status <> 'disabled' and (verified_at is null or verified_at <= ${before})
      returning id
    )
    ${insertStreamEvent(sql, event, sql`from verified`)} returning event_id`;
  return rows.length > 0;
}

/** CTE fragment: deletes the events that wait for the streams of `disabled` (`id`). */
export function deleteWaitingEvents(sql: Sql, disabled: Cte): Fragment {
  return sql`delete from webhook_deliveries where webhook_id in (select id from ${disabled}) and status = 'pending'`;
}
