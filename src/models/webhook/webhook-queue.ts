/** The outcomes of attempts, and the state of the queues. */

import { NIL_UUID } from "../../base/random.ts";
import type { Sql } from "../../database/database.ts";
import { WEBHOOK_WATCHED_HEADS, WEBHOOK_WATCHED_MAX } from "../../limits/machine-limits.ts";
import { DELIVERY_LANES, type DeliveryStatus } from "./delivery.ts";
import { type DueDelivery, fixPlans, isSuspended, olderPending, pushesNow, sendable } from "./webhook-lease.ts";

export interface AttemptOutcome {
  readonly status: DeliveryStatus;
  /** Time of the next attempt, if the delivery is still pending. */
  readonly nextAttemptAt: Date;
  readonly answerStatus: number | null;
  readonly answerMs: number;
  readonly answer: string;
  readonly at: Date;
}

/**
 * Returns the present status of the delivery. Undefined, without a change, if the lease is no longer held: a different
 * replica has sent the delivery since, or a user made the delivery due. A delivery that the sweeper gave up during the
 * attempt still takes the outcome. A failure at an address that was replaced during the attempt makes the delivery due
 * now, at the new address.
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

/** The waiting deliveries for the webhooks of one state. */
export interface WebhookQueue {
  readonly state: (typeof WEBHOOK_STATES)[number];
  readonly webhooks: number;
  /** Owning organizations; the platform counts as one. */
  readonly owners: number;
  /** At most `WEBHOOK_WATCHED_MAX` of each webhook are counted. */
  readonly waiting: number;
  /** Time of the oldest waiting event. */
  readonly oldest: Date | null;
  /** Time since which a delivery could have been sent, and was not. */
  readonly dueSince: Date | null;
}

/**
 * The enabled webhooks and the pushed streams, by whether attempts fail, and the webhooks switched off by the service,
 * for which no delivery waits; without suspended organizations. Among the deliveries of one subject, only the oldest
 * can be due. Called in a transaction.
 */
export async function readWebhookQueues(sql: Sql, at: Date): Promise<WebhookQueue[]> {
  await fixPlans(sql);
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
        (select count(*) from (
           select from webhook_deliveries where webhook_id = w.id and status = 'pending' limit ${WEBHOOK_WATCHED_MAX}
         ) counted) as waiting,
        (select created_at from webhook_deliveries where webhook_id = w.id and status = 'pending'
         order by webhook_id, sequence limit 1) as oldest,
        (select min(c.next_attempt_at) from unnest(${[...DELIVERY_LANES]}::text[]) lanes (lane) cross join lateral (
           select webhook_id, subject, sequence, next_attempt_at from webhook_deliveries
           where lane = lanes.lane and webhook_id = w.id and status = 'pending' and not blocked
             and next_attempt_at <= ${at} and expires_at > ${at} and ${sendable(sql, sql`w`)}
           order by next_attempt_at limit ${WEBHOOK_WATCHED_HEADS}
         ) c left join lateral (${olderPending(sql)} limit 1) older on c.subject <> ''
         where older.ctid is null and w.state = 'healthy') as due_since
      where w.state <> 'switched_off'
    ) q on true
    group by w.state`;
}
