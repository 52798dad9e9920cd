/**
 * Owns: the sending of webhook deliveries by this replica.
 * Woken by: flows that made a delivery due (`wake`), the end of a batch, and a poll, which finds the deliveries that
 * the statements of audit records have written, on any replica, and due retries.
 * Bound: `WEBHOOK_IN_PROGRESS_MAX` deliveries at once, `WEBHOOK_BATCH` of one webhook, each leased for longer than it
 * may take. A webhook that fails is paused as a whole, so it uses up none of this.
 * A crash loses: nothing. Any replica sends a leased delivery after the lease has ended, under the same id (G57).
 */
import { backoffMs } from "../base/backoff.ts";
import { NO_CLIENT } from "../base/client-facts.ts";
import { type Clock, unixSeconds } from "../base/clock.ts";
import type { Database } from "../base/database.ts";
import type { Logger } from "../base/log.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import {
  WEBHOOK_ANSWER_KEPT_BYTES,
  WEBHOOK_BACKLOG_CHECK_MS,
  WEBHOOK_BACKLOG_MAX,
  WEBHOOK_BATCH,
  WEBHOOK_IN_PROGRESS_MAX,
  WEBHOOK_LEASE_MS,
  WEBHOOK_POLL_MS,
  WEBHOOK_RETRY_MAX_MS,
  WEBHOOK_RETRY_MIN_MS,
  WEBHOOK_TURNS_MAX,
} from "../base/machine-limits.ts";
import type { Random } from "../base/random.ts";
import type { SealingKey } from "../base/seal.ts";
import { insertAudit } from "../models/audit/audit.ts";
import {
  type AttemptOutcome,
  type DeliveryStatus,
  type DueDelivery,
  leaseDueDeliveries,
  recordAttempt,
} from "../models/webhook/delivery.ts";
import { openWebhookSecret, type WebhookSigner, webhookHeaders } from "../models/webhook/signature.ts";
import { disableWebhook, findBacklogged, recordWebhookHealth } from "../models/webhook/webhook.ts";
import type { GuardedPost } from "../providers/guarded-post.ts";

export interface WebhookSender {
  start(): void;
  /** Waits for deliveries in progress. */
  stop(): Promise<void>;
  /** To be called after a delivery became due: sends it now instead of at the next poll. */
  wake(): void;
}

export interface WebhookSenderDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly sealing: SealingKey;
  readonly signer: WebhookSigner;
  readonly post: GuardedPost;
}

/** HTTP 410: the receiver says that it wants no more (RFC 9110, section 15.5.11). */
const GONE = 410;

/** What one replica is doing. */
interface Sending {
  /** The batches that are being sent, by webhook. */
  readonly inProgress: Map<string, { readonly deliveries: number; readonly ended: Promise<void> }>;
  /** The webhooks that had a turn, the latest last: `WEBHOOK_TURNS_MAX`. */
  readonly turns: Set<string>;
}

export function webhookSender(deps: WebhookSenderDeps): WebhookSender {
  const sending: Sending = { inProgress: new Map(), turns: new Set() };
  const loops: Loop[] = [];
  const wake = () => loops[0]?.wake();
  const onFailure = (error: unknown) => deps.log.warn({ err: error }, "webhooks: a round failed; the next continues");
  return {
    start() {
      loops.push(
        startLoop({
          pauseMs: WEBHOOK_POLL_MS,
          round: async () => void (await beginBatches(deps, sending, wake)),
          onFailure,
        }),
        startLoop({ pauseMs: WEBHOOK_BACKLOG_CHECK_MS, round: () => disableBacklogged(deps), onFailure }),
      );
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await Promise.all([...sending.inProgress.values()].map(({ ended }) => ended));
    },
    wake,
  };
}

/** Sends all that is due, batch by batch. For the tests, which move the clock. */
export async function sendDueDeliveries(deps: WebhookSenderDeps): Promise<void> {
  const sending: Sending = { inProgress: new Map(), turns: new Set() };
  while ((await beginBatches(deps, sending, () => undefined)) > 0) {
    await Promise.all([...sending.inProgress.values()].map(({ ended }) => ended));
  }
}

/** Leases what is due and begins to send it, webhook by webhook; returns how many deliveries. Waits for none. */
async function beginBatches(deps: WebhookSenderDeps, sending: Sending, wake: () => void): Promise<number> {
  const { inProgress, turns } = sending;
  const room = WEBHOOK_IN_PROGRESS_MAX - [...inProgress.values()].reduce((sum, each) => sum + each.deliveries, 0);
  if (room <= 0) return 0;
  const now = deps.clock.now();
  const due = await deps.database.run("webhook_delivery.lease_due", (sql) =>
    leaseDueDeliveries(sql, {
      at: new Date(now),
      leaseEnds: new Date(now + WEBHOOK_LEASE_MS),
      busy: [...inProgress.keys()],
      turns: [...turns],
      limit: room,
      batch: WEBHOOK_BATCH,
    }),
  );
  for (const [webhookId, batch] of Map.groupBy(due, (delivery) => delivery.webhookId)) {
    const ended = sendBatch(deps, webhookId, batch)
      // Their leases end, and they are sent again.
      .catch((error) => deps.log.warn({ err: error, webhook: webhookId }, "webhooks: an outcome was not recorded"))
      .finally(() => {
        inProgress.delete(webhookId);
        wake();
      });
    inProgress.set(webhookId, { deliveries: batch.length, ended });
    takeTurn(turns, webhookId);
  }
  return due.length;
}

/** A webhook whose turn was forgotten comes before the others again. */
function takeTurn(turns: Set<string>, webhookId: string): void {
  turns.delete(webhookId);
  turns.add(webhookId);
  const [oldest = ""] = turns;
  if (turns.size > WEBHOOK_TURNS_MAX) turns.delete(oldest);
}

/** One success shows that the webhook is well. Otherwise all of it pauses, longer each time. */
async function sendBatch(deps: WebhookSenderDeps, webhookId: string, batch: readonly DueDelivery[]): Promise<void> {
  const statuses = await Promise.all(batch.map((delivery) => deliver(deps, delivery)));
  const failures = batch[0]?.failures ?? 0;
  const delivered = statuses.includes("delivered");
  if (delivered && failures === 0) return;
  const pausedUntil = delivered ? null : new Date(deps.clock.now() + pauseMs(failures + 1));
  await deps.database.run("webhook.record_health", (sql) => recordWebhookHealth(sql, webhookId, pausedUntil));
}

async function deliver(deps: WebhookSenderDeps, delivery: DueDelivery): Promise<DeliveryStatus> {
  const { webhookId, eventId, attempts, expiresAt } = delivery;
  const startedAt = deps.clock.monotonic();
  const result = await send(deps, delivery);
  const at = deps.clock.now();
  const nextAttemptAt = new Date(at + pauseMs(attempts));
  const gone = result.answerStatus === GONE;
  const ended = gone || nextAttemptAt > expiresAt;
  const undelivered = ended ? "failed" : "pending";
  const outcome: AttemptOutcome = {
    ...result,
    status: isSuccess(result.answerStatus) ? "delivered" : undelivered,
    nextAttemptAt,
    answerMs: Math.round(deps.clock.monotonic() - startedAt),
    at: new Date(at),
  };
  await deps.database.run("webhook_delivery.record", (sql) => recordAttempt(sql, webhookId, eventId, outcome));
  if (gone) await disable(deps, webhookId, "gone");
  return outcome.status;
}

async function send(deps: WebhookSenderDeps, delivery: DueDelivery) {
  const { webhookId, eventId, url, payload, sealedSecret, sealedPreviousSecret } = delivery;
  const secrets = [sealedSecret, ...(sealedPreviousSecret ? [sealedPreviousSecret] : [])].flatMap(
    (sealed) => openWebhookSecret(deps.sealing, webhookId, sealed) ?? [],
  );
  if (secrets.length === 0) return { answerStatus: null, answer: "the secret cannot be unsealed: rotate it" };
  const message = { id: eventId, timestamp: unixSeconds(deps.clock.now()), body: payload };
  const headers = {
    "content-type": "application/json",
    "user-agent": "identity-service-webhooks/1",
    ...webhookHeaders(deps.signer, secrets, message),
  };
  const answer = await deps.post({ url, headers, body: payload });
  if (!answer.ok) return { answerStatus: null, answer: answer.error.cause };
  return { answerStatus: answer.value.status, answer: storable(answer.value.body) };
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** The beginning of an answer as text. PostgreSQL refuses NUL in text. */
function storable(body: Buffer): string {
  return body.subarray(0, WEBHOOK_ANSWER_KEPT_BYTES).toString().replaceAll("\0", "");
}

/** Exponential back-off, from `WEBHOOK_RETRY_MIN_MS` to `WEBHOOK_RETRY_MAX_MS`. */
function pauseMs(attempts: number): number {
  return backoffMs(attempts, { minMs: WEBHOOK_RETRY_MIN_MS, maxMs: WEBHOOK_RETRY_MAX_MS });
}

/** Switches off webhooks whose receivers keep up for so little that what waits would grow without a bound. */
async function disableBacklogged(deps: WebhookSenderDeps): Promise<void> {
  const found = await deps.database.run("webhook.find_backlogged", (sql) => findBacklogged(sql, WEBHOOK_BACKLOG_MAX));
  for (const webhookId of found) await disable(deps, webhookId, "backlog");
}

async function disable(deps: WebhookSenderDeps, webhookId: string, reason: "gone" | "backlog"): Promise<void> {
  const at = new Date(deps.clock.now());
  await deps.database.run("webhook.disable", async (sql) => {
    const entry = {
      eventId: deps.random.uuid(),
      at,
      action: "webhook.disabled",
      outcome: "success",
      organizationId: sql`disabled.organization_id`,
      actorId: null,
      actorType: "system",
      resourceType: "webhook",
      resourceId: webhookId,
      metadata: { reason },
      client: NO_CLIENT,
    } as const;
    const disabled = disableWebhook(sql, webhookId, reason, at);
    await sql`with disabled as (${disabled}) ${insertAudit(sql, entry, sql`from disabled`)}`;
  });
  deps.log.warn({ webhook: webhookId, reason }, "webhooks: a webhook was switched off");
}
