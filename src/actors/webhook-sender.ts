/**
 * Owns: the sending of webhook deliveries by this replica, and of events of push streams.
 * Woken by: flows after a delivery became due (`wake`), the end of each request, and a poll, for due retries and the
 * deliveries written by audit statements of any replica.
 * Bound: the slots of each kind (`DELIVERY_KINDS`), shared by organization (docs/decisions/0023), each delivery leased
 * for longer than a request may take. A failing webhook is paused as a whole and uses no slots.
 * A crash loses: nothing. Any replica sends a leased delivery after the end of the lease, under the same id (G57).
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../base/clock.ts";
import { readRetryAfter, retryPauseMs } from "../base/delivery-retries.ts";
import { type Dispatch, type DispatchLease, dispatch, type SendOutcome } from "../base/dispatch.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import type { Random } from "../base/random.ts";
import { NO_CLIENT } from "../base/request-context.ts";
import type { SealingKey } from "../base/seal.ts";
import type { Database, Fragment, Sql } from "../database/database.ts";
import { cte } from "../database/statement.ts";
import {
  WEBHOOK_BACKLOG_CHECK_MS,
  WEBHOOK_BACKLOG_MAX,
  WEBHOOK_BATCH,
  WEBHOOK_CHECKPOINTS_IN_PROGRESS_MAX,
  WEBHOOK_DELIVERY_LIFETIME_MS,
  WEBHOOK_IN_PROGRESS_MAX,
  WEBHOOK_LEASE_MS,
  WEBHOOK_LEASE_ROUNDS_MAX,
  WEBHOOK_POLL_MS,
  WEBHOOK_REFILL_MS,
  WEBHOOK_RESPONSE_KEPT_BYTES,
  WEBHOOK_SLOW_AFTER_MS,
  WEBHOOK_SLOW_BATCH,
  WEBHOOK_SLOW_REMEMBERED_MAX,
  WEBHOOK_STREAMS_IN_PROGRESS_MAX,
  WEBHOOK_TESTS_IN_PROGRESS_MAX,
} from "../limits/machine-limits.ts";
import { type AuditEntry, insertAudit } from "../models/audit/audit.ts";
import { pushRequest, refusesEvent, type SignEvent } from "../models/signal-stream/push-request.ts";
import { deleteWaitingEvents, insertStreamEvent } from "../models/signal-stream/signal-queue.ts";
import { setStreamStatus } from "../models/signal-stream/stream.ts";
import { disableWebhook, findBacklogged, recordWebhookHealth } from "../models/webhook/webhook.ts";
import { type DeliveryKind, type DueDelivery, leaseDueDeliveries } from "../models/webhook/webhook-lease.ts";
import { type AttemptOutcome, recordAttempt } from "../models/webhook/webhook-queue.ts";
import { type WebhookSigner, webhookRequest } from "../models/webhook/webhook-signature.ts";
import type { GuardedPost } from "../providers/guarded-post.ts";
import type { Logger } from "../telemetry/log.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";

export interface WebhookSender {
  start(): void;
  /** Waits for deliveries in progress. */
  stop(): Promise<void>;
  /** Called after a delivery became due: sends the delivery now instead of at the next poll. */
  wake(): void;
}

export interface WebhookSenderDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  readonly sealing: SealingKey;
  readonly signer: WebhookSigner;
  /** Makes the security event token of an event of a stream. */
  readonly signEvent: SignEvent;
  readonly post: GuardedPost;
}

/** HTTP 410: the receiver requests the end of deliveries (RFC 9110, section 15.5.11). */
const GONE = 410;

/** 429 and 503: the receiver may say when to send again (RFC 6585, section 4; RFC 9110, section 15.6.4). */
const RETRY_AFTER_STATUSES = new Set([429, 503]);

const METRIC_OUTCOMES = { delivered: "delivered", pending: "failed", failed: "given_up" } as const;

export function webhookSender(deps: WebhookSenderDeps): WebhookSender {
  const loops: Loop[] = [];
  const wake = () => loops[0]?.wake();
  const dispatches = deliveryDispatches(deps, wake);
  const onFailure = (error: unknown) => deps.log.warn({ err: error }, "webhooks: a round failed; the next continues");
  return {
    start() {
      loops.push(
        startLoop({
          pauseMs: WEBHOOK_POLL_MS,
          // The pause between two leases lets several requests end, so one lease refills their slots.
          round: async () => void (await Promise.all([beginAll(dispatches), sleep(WEBHOOK_REFILL_MS)])),
          onFailure,
        }),
        startLoop({
          pauseMs: WEBHOOK_BACKLOG_CHECK_MS,
          round: () => disableBacklogged(deps, WEBHOOK_BACKLOG_MAX),
          onFailure,
        }),
      );
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await Promise.all(dispatches.map((each) => each.ended()));
    },
    wake,
  };
}

/** Sends all due deliveries, batch by batch. Exported for the tests, which move the clock. */
export async function sendDueDeliveries(deps: WebhookSenderDeps): Promise<void> {
  const dispatches = deliveryDispatches(deps, () => undefined);
  while ((await beginAll(dispatches)) > 0) await Promise.all(dispatches.map((each) => each.ended()));
}

/** Kinds of deliveries have separate slots: a checkpoint or a test waits for no event. */
const DELIVERY_KINDS: readonly (DeliveryKind & { readonly slotsMax: number })[] = [
  { lane: "event", ofStreams: false, slotsMax: WEBHOOK_IN_PROGRESS_MAX },
  { lane: "event", ofStreams: true, slotsMax: WEBHOOK_STREAMS_IN_PROGRESS_MAX },
  { lane: "checkpoint", ofStreams: false, slotsMax: WEBHOOK_CHECKPOINTS_IN_PROGRESS_MAX },
  { lane: "test", ofStreams: false, slotsMax: WEBHOOK_TESTS_IN_PROGRESS_MAX },
];

function deliveryDispatches(deps: WebhookSenderDeps, wake: () => void): readonly Dispatch[] {
  return DELIVERY_KINDS.map((kind) =>
    dispatch<DueDelivery>({
      clock: deps.clock,
      leaseMs: WEBHOOK_LEASE_MS,
      slotsMax: kind.slotsMax,
      receiverSlotsMax: WEBHOOK_BATCH,
      slowAfterMs: WEBHOOK_SLOW_AFTER_MS,
      slowReceiverSlotsMax: WEBHOOK_SLOW_BATCH,
      historyMax: WEBHOOK_SLOW_REMEMBERED_MAX,
      lease: (lease) => leaseDeliveries(deps, kind, lease),
      userOf: ({ webhookId, ownerId }) => ({ receiverId: webhookId, ownerId }),
      send: (delivery) => deliverInSpan(deps, delivery),
      onUnwell: (delivery, { retryAfterMs }) => pauseWebhook(deps, delivery, retryAfterMs),
      onFailure: (error, webhookId) =>
        deps.log.warn({ err: error, webhook: webhookId }, "webhooks: an outcome was not recorded"),
      onEnd: wake,
    }),
  );
}

/** Returns the number of requests. */
async function beginAll(dispatches: readonly Dispatch[]): Promise<number> {
  let begun = 0;
  for (const each of dispatches) begun += await each.begin();
  return begun;
}

/** Repeats while a round only ends expired deliveries and blocks others, at most `WEBHOOK_LEASE_ROUNDS_MAX` times. */
async function leaseDeliveries(
  deps: WebhookSenderDeps,
  kind: DeliveryKind,
  lease: DispatchLease,
): Promise<readonly DueDelivery[]> {
  for (let round = 0; round < WEBHOOK_LEASE_ROUNDS_MAX; round += 1) {
    const { leased, expired, blocked } = await deps.database.transaction("webhook_delivery.lease_due", (sql) =>
      leaseDueDeliveries(sql, kind, lease),
    );
    for (let ended = 0; ended < expired; ended += 1) deps.telemetry.metrics.webhook("given_up");
    if (leased.length > 0 || expired + blocked === 0) return leased;
  }
  return [];
}

/** Pauses a webhook after failures without a success; each pause is longer than the last. */
async function pauseWebhook(
  deps: WebhookSenderDeps,
  delivery: DueDelivery,
  retryAfterMs: number | undefined,
): Promise<void> {
  const at = deps.clock.now();
  const pausedUntil = new Date(at + retryPauseMs(delivery.failures + 1, retryAfterMs));
  await deps.database.run("webhook.record_health", (sql) =>
    recordWebhookHealth(sql, delivery, pausedUntil, new Date(at)),
  );
}

/** The trace is a root with a link to the request that caused the event. The receiver gets no `traceparent`. */
async function deliverInSpan(deps: WebhookSenderDeps, delivery: DueDelivery): Promise<SendOutcome> {
  const { eventType, webhookId, attempts, traceparent } = delivery;
  const attributes = { "service.webhook.id": webhookId, "service.webhook.attempt": attempts };
  const span = { name: `webhook ${eventType}`, attributes, cause: traceparent ?? undefined };
  return await deps.telemetry.inLinkedSpan(span, () => deliver(deps, delivery));
}

async function deliver(deps: WebhookSenderDeps, delivery: DueDelivery): Promise<SendOutcome> {
  const startedAt = deps.clock.monotonic();
  const { refused, retryAfter, ...result } = await send(deps, delivery);
  const at = deps.clock.now();
  const retryAfterMs = readRetryAfter(retryAfter, at);
  const nextAttemptAt = new Date(at + retryPauseMs(delivery.attempts, retryAfterMs));
  const isStream = delivery.serviceAccountId !== null;
  const gone = !isStream && result.answerStatus === GONE;
  const undelivered = gone || refused || nextAttemptAt > delivery.expiresAt ? "failed" : "pending";
  const outcome: AttemptOutcome = {
    ...result,
    status: isSuccess(result.answerStatus) ? "delivered" : undelivered,
    nextAttemptAt,
    answerMs: Math.round(deps.clock.monotonic() - startedAt),
    at: new Date(at),
  };
  const recorded = await deps.database.run("webhook_delivery.record", (sql) => recordAttempt(sql, delivery, outcome));
  if (recorded) deps.telemetry.metrics.webhook(METRIC_OUTCOMES[recorded]);
  if (outcome.status !== "delivered") deps.telemetry.annotate({ "error.type": outcome.status });
  if (gone) await disable(deps, { id: delivery.webhookId, url: delivery.url, isStream }, "gone");
  // A receiver of a stream works even when the receiver refuses an event.
  const isWell = refused || outcome.status === "delivered";
  if (isWell && delivery.failures > 0)
    await deps.database.run("webhook.record_health", (sql) => recordWebhookHealth(sql, delivery, null, new Date(at)));
  return { isWell, retryAfterMs };
}

interface Attempt {
  readonly answerStatus: number | null;
  readonly answer: string;
  /** A stream's receiver refuses the event for good. */
  readonly refused: boolean;
  readonly retryAfter: string | undefined;
}

async function send(deps: WebhookSenderDeps, delivery: DueDelivery): Promise<Attempt> {
  const { serviceAccountId, url } = delivery;
  const unsent = { answerStatus: null, refused: false, retryAfter: undefined };
  const request =
    serviceAccountId === null
      ? webhookRequest(deps, delivery)
      : await pushRequest(deps, { ...delivery, serviceAccountId, streamId: delivery.webhookId });
  if (!request) return { ...unsent, answer: "the secret cannot be unsealed: rotate it" };
  const response = await deps.post({ url, ...request, connectionScope: delivery.webhookId });
  if (!response.ok) return { ...unsent, answer: response.error.cause };
  const { status, body } = response.value;
  const refused = serviceAccountId !== null && refusesEvent(response.value);
  const retryAfter = RETRY_AFTER_STATUSES.has(status) ? response.value.retryAfter : undefined;
  return { answerStatus: status, answer: storable(body), refused, retryAfter };
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** The beginning of a response as text. PostgreSQL refuses NUL in text. */
function storable(body: Buffer): string {
  return body.subarray(0, WEBHOOK_RESPONSE_KEPT_BYTES).toString().replaceAll("\0", "");
}

/** Disables webhooks with too slow receivers, to bound pending deliveries by `max`. Exported for the tests. */
export async function disableBacklogged(deps: WebhookSenderDeps, max: number): Promise<void> {
  const found = await deps.database.run("webhook.find_backlogged", (sql) => findBacklogged(sql, max));
  for (const each of found) await disable(deps, each, "backlog");
}

async function disable(
  deps: WebhookSenderDeps,
  { id, url, isStream }: { readonly id: string; readonly url?: string; readonly isStream: boolean },
  reason: "gone" | "backlog",
): Promise<void> {
  const at = new Date(deps.clock.now());
  const resourceType = isStream ? "signal_stream" : "webhook";
  const { count } = await deps.database.run("webhook.disable", async (sql) => {
    const entry: AuditEntry = {
      eventId: deps.random.uuid(),
      at,
      action: `${resourceType}.disabled`,
      outcome: "success",
      organizationId: sql`disabled.organization_id`,
      actorId: null,
      actorType: "system",
      resourceType,
      resourceId: id,
      metadata: { reason },
      client: NO_CLIENT,
    };
    const audit = insertAudit(sql, entry, sql`from disabled`);
    if (isStream) return await sql`${disableStream(deps, sql, id, reason, at)} ${audit}`;
    return await sql`with disabled as (${disableWebhook(sql, { id, url }, reason, at)}) ${audit}`;
  });
  // Another replica was first, or the webhook has a new address.
  if (count === 0) return;
  if (isStream) deps.telemetry.metrics.boundRefused("stream_backlog");
  deps.log.warn({ [resourceType]: id, reason }, "webhooks: a receiver was switched off");
}

/** Drops the waiting events and reports the drop to the receiver in the last event (SSF 1.0, section 8.1.5). */
function disableStream(deps: WebhookSenderDeps, sql: Sql, id: string, reason: string, at: Date): Fragment {
  const status = "disabled";
  const expiresAt = new Date(at.getTime() + WEBHOOK_DELIVERY_LIFETIME_MS);
  const eventType = "stream.updated";
  const event = { eventId: deps.random.uuid(), eventType, payload: { status, reason }, at, expiresAt } as const;
  return sql`
    with changed as (${setStreamStatus(sql, id, { status, reason, at }, ["enabled", "paused"])}),
    disabled as (select id, "organizationId" as organization_id from changed),
    dropped as (${deleteWaitingEvents(sql, cte(sql, "changed"))}),
    told as (${insertStreamEvent(sql, event, sql`from changed`)})`;
}
