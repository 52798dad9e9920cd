/** The lease of deliveries to a replica that sends them (docs/decisions/0017, 0023). */
import type { webhookDeliveries } from "../../../db/schema/webhooks.ts";
import type { DispatchLease } from "../../base/dispatch.ts";
import { NIL_UUID } from "../../base/random.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import { hasLiveCredential } from "../conditions/live-credential.ts";
import { type DeliveryLane, failExpired } from "./delivery.ts";

type DeliveryRow = RowOf<typeof webhookDeliveries>;

/** The data that a replica needs to send one delivery. */
export interface DueDelivery
  extends Pick<DeliveryRow, "webhookId" | "eventId" | "eventType" | "payload" | "expiresAt" | "createdAt"> {
  /** The organization; the nil UUID for the platform. */
  readonly ownerId: string;
  /** Set for an event stream: the owning account. */
  readonly serviceAccountId: string | null;
  /** Trace context of the causing request, if there is a trace. */
  readonly traceparent: string | null;
  readonly url: string;
  /** Attempts so far, including the present attempt. */
  readonly attempts: DeliveryRow["attempts"];
  /** Failures of the webhook in a row before this attempt. */
  readonly failures: number;
  /**
   * End of the lease: no further replica sends the delivery before; the outcome counts while the row still has this
   * value.
   */
  readonly leaseEnds: Date;
  readonly sealedSecret: Buffer;
  /** Null after expiry. */
  readonly sealedPreviousSecret: Buffer | null;
}

/** The result of a round of leasing. */
export interface LeaseRound {
  readonly leased: readonly DueDelivery[];
  /** Deliveries that expired before an attempt. */
  readonly expired: number;
  /** Deliveries that left the ready index because an older delivery of the same subject is pending. */
  readonly blocked: number;
}

/** The kind of deliveries to lease. */
export interface DeliveryKind {
  readonly lane: DeliveryLane;
  /** Pushed event streams; otherwise webhooks. */
  readonly ofStreams: boolean;
}

/**
 * Leases ready deliveries to this replica (docs/decisions/0023). To be run in a transaction: the second statement needs
 * the row locks of the first, and a newer snapshot.
 *
 * The oldest pending delivery of a webhook and subject is always ready, and only the oldest is leased, so that the next
 * delivery waits for the outcome; a delivery without a subject waits for no other. The owner with the fewest requests
 * in progress comes first. The cost depends on the number of leased deliveries and of webhooks with pending deliveries,
 * not on the number of pending deliveries.
 */
export async function leaseDueDeliveries(sql: Sql, kind: DeliveryKind, lease: DispatchLease): Promise<LeaseRound> {
  await fixPlans(sql);
  const rows = await sql<{ ctid: string }[]>`
    with recursive ${readyHeads(sql, kind)},
    receivers as materialized (${dueReceivers(sql, kind, lease)}),
    ready as (
      select d.ctid, r.is_slow, r.due_since,
             r.owner_load + row_number() over (partition by r.owner order by d.place, r.due_since, r.id) as owner_place,
             row_number() over (partition by r.is_slow order by d.place, r.owner_load, r.due_since) as slow_place
      from receivers r
      cross join lateral (${firstReady(sql, kind, lease)}) d
    )
    select ctid::text from ready
    where owner_place <= ${lease.ownerLimit} and (not is_slow or slow_place <= ${lease.slowLimit})
    order by owner_place, due_since limit ${lease.limit}`;
  if (rows.length === 0) return { leased: [], expired: 0, blocked: 0 };
  return await leaseCandidates(
    sql,
    kind,
    lease,
    rows.map(({ ctid }) => ctid),
  );
}

/**
 * Until the end of the transaction, statements read by indexes in order. Statistics from a time without a backlog would
 * otherwise lead to plans that read or sort each pending delivery. Up to PostgreSQL 17 the cost of a plan that uses a
 * disabled method is beyond every threshold of `jit`: each round would compile its plans. Connections have `jit` off
 * already, except behind a pooler before `migrate`.
 */
export async function fixPlans(sql: Sql): Promise<void> {
  await sql`
    select set_config(name, 'off', true) from unnest(array[
      'enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'enable_incremental_sort', 'enable_hashjoin',
      'enable_mergejoin', 'jit'
    ]) name`;
}

/** Recursive CTE `heads`: the first ready delivery of each webhook, one index probe for each webhook. */
function readyHeads(sql: Sql, { lane }: DeliveryKind): Fragment {
  const head = (after: Fragment) => sql`
    select webhook_id, next_attempt_at from webhook_deliveries
    where lane = ${lane} and status = 'pending' and not blocked ${after}
    order by webhook_id, next_attempt_at limit 1`;
  return sql`
    heads as (
      (${head(sql``)})
      union all
      select head.* from heads cross join lateral (${head(sql`and webhook_id > heads.webhook_id`)}) head
    )`;
}

/**
 * The webhooks or pushed streams of `heads` that may get a delivery now. Deliveries of a suspended organization wait
 * until the organization is restored, or until expiry. An event stream is pushed to while the account has a live key
 * with the scope.
 */
function dueReceivers(sql: Sql, { lane, ofStreams }: DeliveryKind, lease: DispatchLease): Fragment {
  const { at, receivers, owners } = lease;
  const slow = receivers.filter(({ isSlow }) => isSlow);
  return sql`
    select * from (
      select webhooks.id, stream_status, coalesce(organization_id, ${NIL_UUID}::uuid) as owner,
             heads.next_attempt_at as due_since, coalesce(o.load, 0)::int as owner_load,
             coalesce(known.free, ${lease.receiverLimit})::int as free, slow.is_slow,
             row_number() over (partition by slow.is_slow order by o.load nulls first, heads.next_attempt_at) as turn
      from heads join webhooks on webhooks.id = heads.webhook_id
      cross join lateral (select webhooks.id = any(${slow.map(({ id }) => id)}::uuid[]) as is_slow) slow
      left join unnest(${receivers.map(({ id }) => id)}::uuid[], ${receivers.map(({ free }) => free)}::float8[])
        known (id, free) on known.id = webhooks.id
      left join unnest(${owners.map(({ id }) => id)}::uuid[], ${owners.map(({ inProgress }) => inProgress)}::float8[])
        o (id, load) on o.id = coalesce(organization_id, ${NIL_UUID}::uuid)
      where heads.next_attempt_at <= ${at} and ${ofStreams ? pushesNow(sql, at) : sql`enabled`}
        and not ${isSuspended(sql)} and (${lane} = 'test' or paused_until is null or paused_until <= ${at})
        and coalesce(known.free, 1) > 0 and coalesce(o.load, 0) < ${lease.ownerLimit}
    ) due
    where turn <= case when is_slow then ${lease.slowLimit}::int else ${lease.limit}::int end`;
}

/** The first ready deliveries of the receiver `r`, locked, with their place in the order of sending. */
function firstReady(sql: Sql, { lane }: DeliveryKind, { at }: DispatchLease): Fragment {
  return sql`
    select locked.ctid, row_number() over () as place
    from (
      select ctid from webhook_deliveries
      where lane = ${lane} and webhook_id = r.id and status = 'pending' and not blocked and next_attempt_at <= ${at}
        and ${sendable(sql, sql`r`)}
      order by next_attempt_at, sequence limit r.free
      for no key update skip locked
    ) locked`;
}

/**
 * Processes the locked candidates (a `ctid` is stable under a lock): ends the expired candidates, leases the candidates
 * without an older pending delivery of the subject, and blocks the rest. A delivery is blocked only under the lock of
 * an older pending delivery, so that the end of the older delivery comes later and resets the flag; without this lock,
 * the candidate stays ready. A webhook that has failed gets one delivery at a time, the delivery that is due for
 * longest, so that a refused event does not keep the rest back. The webhook is paused for the lease, so that the limit
 * holds for all replicas. A test event waits for no pause.
 */
async function leaseCandidates(
  sql: Sql,
  { lane }: DeliveryKind,
  { at, leaseEnds }: DispatchLease,
  candidates: readonly string[],
): Promise<LeaseRound> {
  const older = olderPending(sql);
  const rows = await sql<(DueDelivery & { expired: number; blocked: number })[]>`
    with candidates as materialized (
      select d.ctid, d.webhook_id, d.subject, d.sequence, d.next_attempt_at, d.expires_at <= ${at} as is_expired
      from unnest(${[...candidates]}::text[]) c (place) join webhook_deliveries d on d.ctid = c.place::tid
    ),
    expired as (
      ${failExpired(sql, sql`candidates c`)} and c.is_expired returning 1
    ),
    waiting as materialized (
      select c.ctid, held.ctid is not null as is_held
      from candidates c
      cross join lateral (${older} limit 1) found
      left join lateral (${older} limit 1 for no key update skip locked) held on true
      where c.subject <> '' and not c.is_expired
    ),
    blocked as (
      update webhook_deliveries d set blocked = true from waiting c where d.ctid = c.ctid and c.is_held returning 1
    ),
    heads as materialized (
      select c.ctid, c.webhook_id,
             row_number() over (partition by c.webhook_id order by c.next_attempt_at, c.sequence) as place
      from candidates c
      where not c.is_expired and not exists (select 1 from waiting where waiting.ctid = c.ctid)
    ),
    failing as (
      select id from webhooks
      where ${lane} <> 'test' and id in (select webhook_id from heads) and failures > 0
        and (paused_until is null or paused_until <= ${at})
      order by id for no key update skip locked
    ),
    probed as (
      update webhooks set paused_until = ${leaseEnds} from failing where webhooks.id = failing.id returning webhooks.id
    ),
    leased as (
      update webhook_deliveries d set next_attempt_at = ${leaseEnds}, attempts = d.attempts + 1
      from heads h join webhooks w on w.id = h.webhook_id
      where d.ctid = h.ctid and (
          ${lane} = 'test' or w.failures = 0 or (h.place = 1 and w.id in (select id from probed))
        )
      returning d.webhook_id as "webhookId", coalesce(w.organization_id, ${NIL_UUID}::uuid) as "ownerId",
                w.service_account_id as "serviceAccountId", d.event_id as "eventId",
                d.event_type as "eventType", d.traceparent, w.url, d.payload, d.attempts, w.failures,
                d.next_attempt_at as "leaseEnds", d.expires_at as "expiresAt", d.created_at as "createdAt",
                w.sealed_secret as "sealedSecret",
                case when w.previous_expires_at > ${at} then w.sealed_previous_secret end as "sealedPreviousSecret"
    )
    select counted.*, leased.*
    from (
      select (select count(*) from expired)::int as expired, (select count(*) from blocked)::int as blocked
    ) counted
    left join leased on true`;
  const { expired = 0, blocked = 0 } = rows[0] ?? {};
  return { leased: rows.filter(({ webhookId }) => webhookId !== null), expired, blocked };
}

/**
 * Query: the pending deliveries of the subject of `c` that are older than `c`, the oldest first. Row comparisons, not
 * equations, because only webhook_deliveries_subject_idx has the order: no statistics lead to another index.
 */
export function olderPending(sql: Sql): Fragment {
  return sql`
    select p.ctid from webhook_deliveries p
    where p.status = 'pending' and (p.webhook_id, p.subject, p.sequence) < (c.webhook_id, c.subject, c.sequence)
      and (p.webhook_id, p.subject) >= (c.webhook_id, c.subject)
    order by p.webhook_id, p.subject, p.sequence`;
}

/** Whether the organization of a row of `webhooks` is suspended. */
export function isSuspended(sql: Sql): Fragment {
  return sql`
    exists (select 1 from organizations s where s.id = webhooks.organization_id and s.suspended_at is not null)`;
}

/** The sendable deliveries of a receiver: a disabled stream gets only the event of its status. */
export function sendable(sql: Sql, receiver: Fragment): Fragment {
  return sql`(${receiver}.stream_status is distinct from 'disabled' or event_type = 'stream.updated')`;
}

/**
 * Whether a row of `webhooks` is a pushed stream: the end of the last key or trust with a scope of streams, or a
 * suspended organization, ends the pushes.
 */
export function pushesNow(sql: Sql, at: Date): Fragment {
  return sql`
    stream_method = 'push' and stream_status <> 'paused' and exists (
      select 1 from service_accounts a left join organizations o on o.id = a.organization_id
      where a.id = webhooks.service_account_id and o.suspended_at is null
        and ${hasLiveCredential(sql, ["ssf.manage", "ssf.read"], at)}
    )`;
}
