/** The events that wait for the receiver of a stream: rows of `webhook_deliveries`. */
import type { Fragment, Sql } from "../../database/database.ts";
import type { Cte } from "../../database/statement.ts";
import type { QueuedEvent } from "./event-token.ts";
import type { StreamEvent } from "./event-type.ts";

/**
 * The sendable part of the events of `w`: a disabled stream sends only the event of its status. An audit record of an
 * earlier open transaction may still add events.
 */
function sendable(sql: Sql): Fragment {
  return sql`(w.stream_status is distinct from 'disabled' or event_type = 'stream.updated')`;
}

/**
 * The oldest waiting events, at most `limit`. An event that the receiver could not verify returns at the next attempt;
 * later events of the user wait, so that order is kept.
 */
export async function listWaitingEvents(sql: Sql, streamId: string, at: Date, limit: number): Promise<QueuedEvent[]> {
  return await sql<QueuedEvent[]>`
    select d.webhook_id as "streamId", w.service_account_id as "serviceAccountId", d.event_id as "eventId",
           d.event_type as "eventType", d.payload, d.created_at as "createdAt"
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where d.webhook_id = ${streamId} and d.status = 'pending' and d.expires_at > ${at} and d.next_attempt_at <= ${at}
      and w.stream_method = 'poll' and w.stream_status <> 'paused' and ${sendable(sql)}
      and (d.subject = '' or not exists (
        select 1 from webhook_deliveries p
        where p.webhook_id = d.webhook_id and p.subject = d.subject and p.status = 'pending'
          and p.sequence < d.sequence and p.next_attempt_at > ${at}
      ))
    order by d.sequence limit ${limit}`;
}

/** The receiver's result for an event: acknowledged, or the error. */
export interface EventOutcome {
  readonly eventId: string;
  /** Undefined: acknowledged. */
  readonly error: string | undefined;
  /** The event comes again, as after a failed push. */
  readonly isTemporary: boolean;
}

/**
 * Ends waiting events, or postpones events after temporary errors, until expiry. An unknown or ended event is ignored.
 * The rows are locked in one order: two polls with events in different orders would deadlock. `pausesMs`: the pauses
 * after each attempt.
 */
export async function recordOutcomes(
  sql: Sql,
  streamId: string,
  outcomes: readonly EventOutcome[],
  at: Date,
  pausesMs: readonly number[],
): Promise<void> {
  const errors = outcomes.map(({ error }) => error ?? null);
  const ids = outcomes.map(({ eventId }) => eventId);
  const temporary = outcomes.filter(({ isTemporary }) => isTemporary).map(({ eventId }) => eventId);
  await sql`
    with waiting as (
      select event_id, event_id = any(${temporary}::uuid[]) as is_temporary,
             ${at}::timestamptz + interval '1 ms' * (${[...pausesMs]}::float8[])[
               least(attempts + 1, ${pausesMs.length}::int)
             ] as next_attempt_at
      from webhook_deliveries
      where webhook_id = ${streamId} and event_id = any(${ids}::uuid[]) and status = 'pending'
      order by event_id for no key update
    )
    update webhook_deliveries d
    set status = case when o.error is null then 'delivered'
                      when waiting.is_temporary and waiting.next_attempt_at <= d.expires_at then 'pending'
                      else 'failed' end,
        next_attempt_at = case when waiting.is_temporary then waiting.next_attempt_at else d.next_attempt_at end,
        attempts = d.attempts + waiting.is_temporary::int, answer = o.error, attempted_at = ${at}
    from waiting join unnest(${ids}::uuid[], ${errors}::text[]) o (event_id, error) using (event_id)
    where d.webhook_id = ${streamId} and d.event_id = waiting.event_id`;
}

export interface NewStreamEvent {
  readonly eventId: string;
  readonly eventType: StreamEvent;
  readonly payload: Readonly<Record<string, string>>;
  readonly at: Date;
  readonly expiresAt: Date;
}

/**
 * CTE fragment: inserts an event about each stream of `from`, such as `from changed` (`id`). The event has no subject,
 * so the event waits for no further delivery.
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

/**
 * CTE fragment: deletes the events that arrived while a stream was disabled, if the stream is still disabled when the
 * statement begins.
 */
export function deleteUnsendableEvents(sql: Sql, streamId: string): Fragment {
  return sql`
    delete from webhook_deliveries using webhooks w
    where w.id = ${streamId} and webhook_id = w.id and status = 'pending' and not ${sendable(sql)}`;
}
