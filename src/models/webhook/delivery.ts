import type { webhookDeliveries } from "../../../db/schema/webhooks.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import type { RowOf } from "../../database/row.ts";
import { WEBHOOK_LEASE_MS } from "../../limits/machine-limits.ts";

type DeliveryRow = RowOf<typeof webhookDeliveries>;

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Deliveries of different lanes have separate slots in each replica (docs/decisions/0023). */
export const DELIVERY_LANES = ["event", "checkpoint", "test"] as const;
export type DeliveryLane = (typeof DELIVERY_LANES)[number];

/** docs/contract.md, section 26.3. */
export interface Delivery
  extends Pick<
    DeliveryRow,
    | "eventId"
    | "eventType"
    | "status"
    | "attempts"
    | "nextAttemptAt"
    | "answerMs"
    | "answer"
    | "attemptedAt"
    | "createdAt"
    | "payload"
  > {
  /** HTTP status of the last attempt. */
  readonly answerStatus: DeliveryRow["answerStatus"];
}

function columns(sql: Sql): Fragment {
  return sql`
    d.event_id as "eventId", d.event_type as "eventType", d.status, d.attempts, d.next_attempt_at as "nextAttemptAt",
    d.answer_status as "answerStatus", d.answer_ms as "answerMs", d.answer, d.attempted_at as "attemptedAt",
    d.created_at as "createdAt", d.payload`;
}

/** A page of the deliveries of a webhook, newest first, and the total. */
export async function listDeliveries(
  sql: Sql,
  webhookId: string,
  status: DeliveryStatus | undefined,
  page: PageBounds,
): Promise<{ items: Delivery[]; total: number }> {
  const wanted = ofStatus(sql, status);
  const [counted, items] = await Promise.all([
    sql<{ total: number }[]>`
      select count(*)::int as total from webhook_deliveries d where d.webhook_id = ${webhookId} ${wanted}`,
    sql<Delivery[]>`
      select ${columns(sql)} from webhook_deliveries d where d.webhook_id = ${webhookId} ${wanted}
      order by d.sequence desc limit ${page.limit} offset ${page.offset}`,
  ]);
  return { items, total: counted[0]?.total ?? 0 };
}

/** As literals: plans for any status do not use the partial indexes. */
function ofStatus(sql: Sql, status: DeliveryStatus | undefined): Fragment {
  if (status === "pending") return sql`and d.status = 'pending'`;
  if (status === "delivered") return sql`and d.status = 'delivered'`;
  return status === "failed" ? sql`and d.status = 'failed'` : sql``;
}

export interface Renewal {
  readonly webhookId: string;
  readonly eventId: string;
  readonly at: Date;
  readonly expiresAt: Date;
  /** Trace context of the renewing request. */
  readonly traceparent: string | undefined;
}

/**
 * CTEs `awake`, `hastened` and `changed`: makes a delivery due again, in any status; `changed` returns the delivery.
 * The pause of the webhook ends, since the owner wants to see whether the webhook works now; after a failure, the next
 * pause is as long as before. The webhook is locked first, as in a lease.
 */
export function renewDelivery(sql: Sql, renewal: Renewal): Fragment {
  const { webhookId, eventId, at, expiresAt, traceparent } = renewal;
  return sql`
    awake as (
      update webhooks w set paused_until = null
      where w.id = ${webhookId} and exists (
        select 1 from webhook_deliveries d where d.webhook_id = w.id and d.event_id = ${eventId}
      )
      returning w.id
    ),
    hastened as (${hastenBefore(sql, renewal)}),
    changed as (
      update webhook_deliveries d
      set status = 'pending', attempts = 0, next_attempt_at = ${at}, expires_at = ${expiresAt},
          traceparent = ${traceparent ?? null}
      from awake where d.webhook_id = awake.id and d.event_id = ${eventId}
      returning ${columns(sql)}
    )`;
}

/**
 * Makes the older deliveries of the user due, unless a replica is sending the delivery: the renewed delivery waits for
 * the older ones.
 */
function hastenBefore(sql: Sql, { webhookId, eventId, at }: Pick<Renewal, "webhookId" | "eventId" | "at">): Fragment {
  const leasesEnd = new Date(at.getTime() + WEBHOOK_LEASE_MS);
  return sql`
    update webhook_deliveries p set next_attempt_at = ${at}
    from webhook_deliveries asked
    where asked.webhook_id = ${webhookId} and asked.event_id = ${eventId} and asked.subject <> ''
      and p.webhook_id = asked.webhook_id and p.subject = asked.subject and p.sequence < asked.sequence
      and p.status = 'pending' and p.next_attempt_at > ${leasesEnd}`;
}

/**
 * Inserts the delivery of an audit record that `actorId` has just written, or updates the delivery that the event types
 * of the webhook have caused, and returns the delivery. For a test event: a separate lane and an empty subject mean
 * that a test waits for no further delivery and ends a pause.
 */
export async function insertDelivery(
  sql: Sql,
  { webhookId, eventId, at, expiresAt }: Omit<Renewal, "traceparent">,
  actorId: string,
): Promise<Delivery | undefined> {
  const lane: DeliveryLane = "test";
  await sql`update webhooks set paused_until = null where id = ${webhookId}`;
  const [row] = await sql<Delivery[]>`
    insert into webhook_deliveries as d
      (webhook_id, event_id, lane, subject, event_type, payload, status, next_attempt_at, expires_at, created_at)
    select ${webhookId}, e.event_id, ${lane}, '', e.action, webhook_payload(e), 'pending', ${at}, ${expiresAt}, ${at}
    from audit_logs e where e.actor_id = ${actorId} and e.event_id = ${eventId}
    on conflict (webhook_id, event_id) do update set lane = excluded.lane, subject = excluded.subject
    returning ${columns(sql)}`;
  return row;
}

/**
 * Gives up at most `batch` waiting deliveries beyond the newest `keep`, the oldest first, of a webhook that is off
 * because of its backlog: the backlog would switch the webhook off again. Returns how many. The owner can resend the
 * deliveries. The condition is a range of `sequence`, not a join, which would depend on statistics of a time without a
 * backlog.
 */
export async function dropBacklog(sql: Sql, webhookId: string, keep: number, batch: number): Promise<number> {
  const waiting = sql`
    select p.sequence from webhook_deliveries p where p.webhook_id = ${webhookId} and p.status = 'pending'`;
  const kept = sql`(
    select case when w.disabled_reason = 'control_proven' then 0 else ${keep}::int end
    from webhooks w where w.id = ${webhookId}
  )`;
  const dropped = await sql`
    update webhook_deliveries d
    set status = 'failed', answer = coalesce(d.answer, 'beyond what was kept when the webhook was switched on')
    where d.webhook_id = ${webhookId} and d.status = 'pending'
      and exists (
        select 1 from webhooks w where w.id = ${webhookId} and w.disabled_reason in ('backlog', 'control_proven')
      )
      and d.sequence <= (${waiting} order by p.sequence desc offset ${kept} limit 1)
      and d.sequence <= (select max(o.sequence) from (${waiting} order by p.sequence limit ${batch}) o)`;
  return dropped.count;
}

/**
 * Ends at most `max` pending deliveries of the webhooks and event streams that a user created, the oldest first. The
 * new `next_attempt_at` ends the lease of a replica, so that the outcome of a request in flight renews nothing.
 * Deliveries beyond `max` wait for a disabled receiver, to which no replica sends, until their expiry.
 */
export async function endDeliveriesOf(sql: Sql, userId: string, at: Date, max: number): Promise<void> {
  await sql`
    update webhook_deliveries d
    set status = 'failed', next_attempt_at = ${at},
        answer = coalesce(d.answer, 'the owner of the address took over the account that created the receiver')
    from (
      select p.webhook_id, p.event_id
      from webhooks w join webhook_deliveries p on p.webhook_id = w.id and p.status = 'pending'
      where w.created_by = ${userId} and not w.enabled and coalesce(w.stream_status, 'disabled') = 'disabled'
      order by p.webhook_id, p.sequence limit ${max} for update of p
    ) ended
    where d.webhook_id = ended.webhook_id and d.event_id = ended.event_id`;
}

/** Marks at most `batch` deliveries failed that are pending beyond their end; returns how many. */
export async function failExpiredDeliveries(sql: Sql, before: Date, batch: number): Promise<number> {
  const failed = await failExpired(
    sql,
    sql`(
      select ctid from webhook_deliveries
      where expires_at < ${before} and status = 'pending' order by expires_at limit ${batch} for update skip locked
    ) c`,
  );
  return failed.count;
}

/** CTE fragment: marks the deliveries of `c` failed. `c`: locked rows, by `ctid`, which a lock keeps stable. */
export function failExpired(sql: Sql, c: Fragment): Fragment {
  return sql`
    update webhook_deliveries d
    set status = 'failed', answer = coalesce(d.answer, 'not delivered within three days')
    from ${c} where d.ctid = c.ctid`;
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

/**
 * Deletes at most `batch` deliveries whose webhook was deleted; returns how many. The ids are found one by one in the
 * index: there are few ids among many deliveries.
 */
export async function deleteOrphanedDeliveries(sql: Sql, batch: number): Promise<number> {
  const deleted = await sql`
    with recursive named as (
      (select webhook_id from webhook_deliveries order by webhook_id limit 1)
      union all
      select (
        select d.webhook_id from webhook_deliveries d where d.webhook_id > named.webhook_id
        order by d.webhook_id limit 1
      ) from named where named.webhook_id is not null
    ),
    gone as materialized (
      select named.webhook_id from named
      where named.webhook_id is not null and not exists (select 1 from webhooks w where w.id = named.webhook_id)
    ),
    orphaned as materialized (
      select d.webhook_id, d.event_id
      from gone
      cross join lateral (
        select webhook_id, event_id from webhook_deliveries where webhook_id = gone.webhook_id limit ${batch}
      ) d
      limit ${batch}
    )
    delete from webhook_deliveries d using orphaned o where d.webhook_id = o.webhook_id and d.event_id = o.event_id`;
  return deleted.count;
}
