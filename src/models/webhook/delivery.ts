import type { Lease } from "../../base/batches.ts";
import type { Fragment, Sql } from "../../base/database.ts";
import { NIL_UUID } from "../../base/random.ts";

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** docs/contract.md, section 26.3. */
export interface Delivery {
  readonly eventId: string;
  readonly eventType: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAt: Date;
  /** Of the last attempt. */
  readonly answerStatus: number | null;
  readonly answerMs: number | null;
  readonly answer: string | null;
  readonly attemptedAt: Date | null;
  readonly createdAt: Date;
}

function columns(sql: Sql): Fragment {
  return sql`
    d.event_id as "eventId", d.event_type as "eventType", d.status, d.attempts, d.next_attempt_at as "nextAttemptAt",
    d.answer_status as "answerStatus", d.answer_ms as "answerMs", d.answer, d.attempted_at as "attemptedAt",
    d.created_at as "createdAt"`;
}

/** A page of the deliveries of a webhook, newest first, and the total. */
export async function listDeliveries(
  sql: Sql,
  webhookId: string,
  status: DeliveryStatus | undefined,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ items: Delivery[]; total: number }> {
  const wanted = status === undefined ? sql`` : sql`and d.status = ${status}`;
  const [counted, items] = await Promise.all([
    sql<{ total: number }[]>`
      select count(*)::int as total from webhook_deliveries d where d.webhook_id = ${webhookId} ${wanted}`,
    sql<Delivery[]>`
      select ${columns(sql)} from webhook_deliveries d where d.webhook_id = ${webhookId} ${wanted}
      order by d.sequence desc limit ${page.limit} offset ${page.offset}`,
  ]);
  return { items, total: counted[0]?.total ?? 0 };
}

export interface Renewal {
  readonly webhookId: string;
  readonly eventId: string;
  readonly at: Date;
  readonly expiresAt: Date;
  /** Of the request that renews it. */
  readonly traceparent: string | undefined;
}

/** CTE fragment: makes a delivery due again, whatever became of it; returns it. */
export function renewDelivery(sql: Sql, { webhookId, eventId, at, expiresAt, traceparent }: Renewal): Fragment {
  return sql`
    update webhook_deliveries d
    set status = 'pending', attempts = 0, next_attempt_at = ${at}, expires_at = ${expiresAt},
        traceparent = ${traceparent ?? null}
    where d.webhook_id = ${webhookId} and d.event_id = ${eventId}
    returning ${columns(sql)}`;
}

/**
 * Inserts the delivery of an audit record that was just written by `actorId`, unless its event types have led to one,
 * and returns it. For a test event.
 */
export async function insertDelivery(
  sql: Sql,
  webhookId: string,
  eventId: string,
  actorId: string,
  at: Date,
  expiresAt: Date,
): Promise<Delivery | undefined> {
  await sql`
    insert into webhook_deliveries
      (webhook_id, event_id, subject, event_type, payload, status, next_attempt_at, expires_at, created_at)
    select ${webhookId}, e.event_id, ${actorId}, e.action, webhook_payload(e), 'pending', ${at}, ${expiresAt}, ${at}
    from audit_logs e where e.actor_id = ${actorId} and e.event_id = ${eventId}
    on conflict do nothing`;
  const [row] = await sql<Delivery[]>`
    select ${columns(sql)} from webhook_deliveries d where d.webhook_id = ${webhookId} and d.event_id = ${eventId}`;
  return row;
}

/** What a replica needs to send one delivery. */
export interface DueDelivery {
  readonly webhookId: string;
  /** Set for an event stream: the account that it belongs to. */
  readonly serviceAccountId: string | null;
  readonly eventId: string;
  readonly eventType: string;
  /** Of the request that caused it, if that was traced. */
  readonly traceparent: string | null;
  readonly url: string;
  readonly payload: string;
  /** Attempts so far, this one included. */
  readonly attempts: number;
  /** Failures of the webhook in a row before this attempt. */
  readonly failures: number;
  readonly expiresAt: Date;
  readonly createdAt: Date;
  readonly sealedSecret: Buffer;
  /** Null once it has expired. */
  readonly sealedPreviousSecret: Buffer | null;
}

/**
 * Leases due deliveries to this replica, webhook by webhook in turns, so that slow receivers with much to get delay
 * the others by one turn. Of one webhook and subject only the oldest pending one is due, so that the next waits for its
 * outcome; without a subject nothing waits. A webhook that has failed gets one at a time, one that was tried least, so
 * that an event that its receiver refuses does not keep the others back. Those of a suspended organization wait until
 * it is restored, or their time ends. An event stream is sent to while its account has a live key that may read it; one
 * that is disabled is told nothing but that. The last condition is evaluated again on rows that another replica has
 * just leased.
 *
 * `distinct on` and `materialized`: by statistics of a time without a backlog the planner would compare each pending
 * delivery with each other one, and once more for each row of the update.
 */
export async function leaseDueDeliveries(
  sql: Sql,
  { at, leaseEnds, busy, turns, limit, batch }: Lease,
): Promise<DueDelivery[]> {
  return await sql<DueDelivery[]>`
    with due as materialized (
      select p.webhook_id, p.event_id
      from (
        select id, failures, stream_status from webhooks
        where (enabled or (${pushesNow(sql, at)})) and not ${isSuspended(sql)}
          and (paused_until is null or paused_until <= ${at}) and id <> all(${[...busy]}::uuid[])
        order by coalesce(array_position(${[...turns]}::uuid[], id), 0), id
      ) w
      cross join lateral (
        select d.webhook_id, d.event_id from (
          select distinct on (subject, unordered) webhook_id, event_id, attempts, sequence, next_attempt_at,
                 case when subject = '' then sequence end as unordered
          from webhook_deliveries
          where webhook_id = w.id and status = 'pending' and expires_at > ${at}
            and ${sendable(sql)}
          order by subject, unordered, sequence
        ) d
        where d.next_attempt_at <= ${at}
        order by case when w.failures = 0 then 0 else d.attempts end, d.sequence
        limit case when w.failures = 0 then ${batch}::int else 1 end
      ) p
      limit ${limit}
    )
    update webhook_deliveries d set next_attempt_at = ${leaseEnds}, attempts = d.attempts + 1
    from due join webhooks w on w.id = due.webhook_id
    where d.webhook_id = due.webhook_id and d.event_id = due.event_id
      and d.status = 'pending' and d.next_attempt_at <= ${at}
    returning d.webhook_id as "webhookId", w.service_account_id as "serviceAccountId", d.event_id as "eventId",
              d.event_type as "eventType", d.traceparent, w.url, d.payload, d.attempts, w.failures,
              d.expires_at as "expiresAt", d.created_at as "createdAt", w.sealed_secret as "sealedSecret",
              case when w.previous_expires_at > ${at} then w.sealed_previous_secret end as "sealedPreviousSecret"`;
}

/** Whether the organization of a row of `webhooks` is suspended. */
function isSuspended(sql: Sql): Fragment {
  return sql`
    exists (select 1 from organizations s where s.id = webhooks.organization_id and s.suspended_at is not null)`;
}

/** The deliveries of `w` that may be sent: a disabled stream is told nothing but that. */
function sendable(sql: Sql): Fragment {
  return sql`(w.stream_status is distinct from 'disabled' or event_type = 'stream.updated')`;
}

/** Whether a row of `webhooks` is a stream that is pushed to: a revoked key, or a suspended organization, ends that. */
function pushesNow(sql: Sql, at: Date): Fragment {
  return sql`
    stream_method = 'push' and stream_status <> 'paused' and exists (
      select 1 from api_keys k
      join service_accounts a on a.id = k.service_account_id left join organizations o on o.id = a.organization_id
      where a.id = webhooks.service_account_id and k.revoked_at is null and k.expires_at > ${at}
        and 'ssf.read' = any(k.scopes) and o.suspended_at is null
    )`;
}

export interface AttemptOutcome {
  readonly status: DeliveryStatus;
  /** When it is tried again, if it is still pending. */
  readonly nextAttemptAt: Date;
  readonly answerStatus: number | null;
  readonly answerMs: number;
  readonly answer: string;
  readonly at: Date;
}

export async function recordAttempt(
  sql: Sql,
  webhookId: string,
  eventId: string,
  outcome: AttemptOutcome,
): Promise<void> {
  await sql`
    update webhook_deliveries
    set status = ${outcome.status}, next_attempt_at = ${outcome.nextAttemptAt}, attempted_at = ${outcome.at},
        answer_status = ${outcome.answerStatus}, answer_ms = ${outcome.answerMs}, answer = ${outcome.answer}
    where webhook_id = ${webhookId} and event_id = ${eventId}`;
}

export const WEBHOOK_STATES = ["healthy", "failing", "switched_off"] as const;

/** What waits for the webhooks of one state. */
export interface WebhookQueue {
  readonly state: (typeof WEBHOOK_STATES)[number];
  readonly webhooks: number;
  /** Organizations that own them; the platform counts as one. */
  readonly owners: number;
  readonly waiting: number;
  /** When the oldest event happened that waits. */
  readonly oldest: Date | null;
  /** Since when one could have been sent, and was not. */
  readonly dueSince: Date | null;
}

/**
 * The webhooks that are on and the streams that are pushed to, by whether they fail, and the webhooks that the service
 * has switched off, for which nothing waits to be sent; without suspended organizations. Of the deliveries of one
 * subject, only the oldest can be due.
 */
export async function readWebhookQueues(sql: Sql, at: Date): Promise<WebhookQueue[]> {
  return await sql<WebhookQueue[]>`
    select w.state, count(*)::float8 as webhooks,
           count(distinct coalesce(w.organization_id, ${NIL_UUID}::uuid))::float8 as owners,
           coalesce(sum(q.waiting), 0)::float8 as waiting,
           min(q.oldest) as oldest, min(q.due_since) as "dueSince"
    from (
      select id, organization_id, stream_status, case when disabled_reason is not null then 'switched_off'
                 when failures > 0 then 'failing' else 'healthy' end as state
      from webhooks
      where (enabled or disabled_reason is not null or (${pushesNow(sql, at)})) and not ${isSuspended(sql)}
    ) w
    left join lateral (
      select
        (select count(*) from webhook_deliveries where webhook_id = w.id and status = 'pending') as waiting,
        (select created_at from webhook_deliveries where webhook_id = w.id and status = 'pending'
         order by sequence limit 1) as oldest,
        (select min(next_attempt_at) from (
           select distinct on (subject, unordered) next_attempt_at,
                  case when subject = '' then sequence end as unordered
           from webhook_deliveries
           where webhook_id = w.id and status = 'pending' and expires_at > ${at} and ${sendable(sql)}
           order by subject, unordered, sequence
         ) head where next_attempt_at <= ${at} and w.state = 'healthy') as due_since
      where w.state <> 'switched_off'
    ) q on true
    group by w.state`;
}

/** Marks at most `batch` deliveries failed that are pending beyond their end; returns how many. */
export async function failExpiredDeliveries(sql: Sql, before: Date, batch: number): Promise<number> {
  const failed = await sql`
    update webhook_deliveries d set status = 'failed'
    from (
      select webhook_id, event_id from webhook_deliveries
      where expires_at < ${before} and status = 'pending' order by expires_at limit ${batch} for update skip locked
    ) ended
    where d.webhook_id = ended.webhook_id and d.event_id = ended.event_id`;
  return failed.count;
}

/** Deletes at most `batch` deliveries that ended before `before`; returns how many. */
export async function deleteEndedDeliveries(sql: Sql, before: Date, batch: number): Promise<number> {
  const deleted = await sql`
    delete from webhook_deliveries d
    using (
      select webhook_id, event_id from webhook_deliveries
      where expires_at < ${before} order by expires_at limit ${batch} for update skip locked
    ) ended
    where d.webhook_id = ended.webhook_id and d.event_id = ended.event_id`;
  return deleted.count;
}
