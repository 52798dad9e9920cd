/** The deliveries that wait, as the replicas that send them see them. */
import type { Lease } from "../../base/batches.ts";
import type { Fragment, Sql } from "../../base/database.ts";
import { NIL_UUID } from "../../base/random.ts";
import type { DeliveryStatus } from "./delivery.ts";

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
  /** Until when no other replica sends it; its outcome counts while this is what the row says. */
  readonly leaseEnds: Date;
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
 * that an event that its receiver refuses does not keep the others back; it is paused for the lease, so that it is one
 * for all replicas. Those of a suspended organization wait until
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
    ),
    failing as (
      select id from webhooks
      where id in (select webhook_id from due) and failures > 0 and (paused_until is null or paused_until <= ${at})
      order by id for no key update skip locked
    ),
    probed as (
      update webhooks set paused_until = ${leaseEnds} from failing where webhooks.id = failing.id returning webhooks.id
    )
    update webhook_deliveries d set next_attempt_at = ${leaseEnds}, attempts = d.attempts + 1
    from due join webhooks w on w.id = due.webhook_id
    where d.webhook_id = due.webhook_id and d.event_id = due.event_id
      and d.status = 'pending' and d.next_attempt_at <= ${at} and (w.failures = 0 or w.id in (select id from probed))
    returning d.webhook_id as "webhookId", w.service_account_id as "serviceAccountId", d.event_id as "eventId",
              d.event_type as "eventType", d.traceparent, w.url, d.payload, d.attempts, w.failures,
              d.next_attempt_at as "leaseEnds", d.expires_at as "expiresAt", d.created_at as "createdAt",
              w.sealed_secret as "sealedSecret",
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
        and k.scopes && array['ssf.manage', 'ssf.read'] and o.suspended_at is null
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

/**
 * Returns the status that the delivery has now. Undefined, and nothing is changed, when the lease is no longer held:
 * another replica has sent it since, or it was made due by hand. One that the sweeper gave up during the attempt still
 * takes the outcome. A failure at an address that was replaced during the attempt makes it due now, at the new one.
 */
export async function recordAttempt(
  sql: Sql,
  { webhookId, eventId, leaseEnds, url }: Pick<DueDelivery, "webhookId" | "eventId" | "leaseEnds" | "url">,
  outcome: AttemptOutcome,
): Promise<DeliveryStatus | undefined> {
  const failedElsewhere = sql`
    ${outcome.status !== "delivered"}::boolean
    and exists (select 1 from webhooks w where w.id = ${webhookId} and w.url <> ${url})`;
  const [recorded] = await sql<{ status: DeliveryStatus }[]>`
    update webhook_deliveries
    set status = case when ${failedElsewhere} then 'pending' else ${outcome.status}::text end,
        next_attempt_at = case when ${failedElsewhere} then ${outcome.at}::timestamptz
                               else ${outcome.nextAttemptAt}::timestamptz end,
        attempted_at = ${outcome.at}, answer_status = ${outcome.answerStatus}, answer_ms = ${outcome.answerMs},
        answer = ${outcome.answer}
    where webhook_id = ${webhookId} and event_id = ${eventId} and next_attempt_at = ${leaseEnds}
      and status <> 'delivered'
    returning status`;
  return recorded?.status;
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
