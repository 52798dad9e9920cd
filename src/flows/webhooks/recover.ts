import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { DAY_MS } from "../../base/time-units.ts";
import type { Sql } from "../../database/database.ts";
import { parseTimestamp } from "../../database/timestamp.ts";
import {
  WEBHOOK_BACKLOG_KEPT,
  WEBHOOK_DELIVERY_LIFETIME_MS,
  WEBHOOK_RECOVERY_MAX_MS,
  WEBHOOK_REPEAT_BATCH,
  WEBHOOK_REPEATED_MAX,
} from "../../limits/machine-limits.ts";
import { recordAudit } from "../../models/audit/audit.ts";
import {
  type Repetition,
  repeatFailed,
  repeatRange,
  type TimeRange,
  wakeAndCountPending,
} from "../../models/webhook/replay.ts";
import type { Webhook } from "../../models/webhook/webhook.ts";
import { SWITCHED_OFF } from "./deliveries.ts";
import { findManagedWebhook, type WebhookFlowDeps, type WebhookInput, webhookAuditEvent } from "./manage.ts";

const NOT_A_TIME = "not a time in RFC 3339";
const NOT_BEFORE_UNTIL = invalidInput("since", "conflicting", "must be before until");
const TOO_EARLY = invalidInput("since", "too_small", `at most ${WEBHOOK_RECOVERY_MAX_MS / DAY_MS} days ago`);
const TOO_MANY_WAIT = refusal(
  "conflict",
  `More than ${WEBHOOK_BACKLOG_KEPT - WEBHOOK_REPEATED_MAX} deliveries wait already. Try again once they are sent.`,
);

export interface RepeatInput extends WebhookInput {
  /** Undefined: as far back as possible. */
  readonly since: string | undefined;
  /** Undefined: now. */
  readonly until: string | undefined;
}

export interface Repeated {
  /** The number of deliveries that are due again. */
  readonly events: number;
  /** The time of the last event, where `WEBHOOK_REPEATED_MAX` ended the request; null: the range is complete. */
  readonly continueFrom: Date | null;
}

type Repeating = Promise<Result<Repeated, Refusal<"conflict" | "invalid_input" | "not_found">>>;

/**
 * POST …/webhooks/:id/recover (docs/contract.md, section 26.7): sends every event of a time range again, including
 * events of a time when the webhook was off.
 */
export async function recoverWebhook(deps: WebhookFlowDeps, input: RepeatInput): Repeating {
  return await repeat(deps, input, "webhook.recovered", async (sql, webhook, range, repetition) => {
    let [events, after, lastAt]: [number, string, Date | null] = [0, "0", null];
    while (events < WEBHOOK_REPEATED_MAX) {
      const part = await repeatRange(sql, webhook, range, after, WEBHOOK_REPEAT_BATCH, repetition);
      if (part.last === null) return { events, continueFrom: null };
      events += part.events;
      [after, lastAt] = [part.last, part.lastAt];
    }
    return { events, continueFrom: lastAt };
  });
}

/**
 * POST …/webhooks/:id/deliveries/resend (docs/contract.md, section 26.7): sends the failed deliveries of a time range
 * again. Refuses as `recoverWebhook` does.
 */
export async function resendFailed(deps: WebhookFlowDeps, input: RepeatInput): Repeating {
  return await repeat(deps, input, "webhook.failed_resent", async (sql, webhook, range, repetition) => {
    const events = await repeatFailed(sql, webhook.id, range, WEBHOOK_REPEATED_MAX, repetition);
    // The remaining deliveries are still failed, so an identical request continues.
    return { events, continueFrom: events === WEBHOOK_REPEATED_MAX ? range.since : null };
  });
}

type RepeatWork = (sql: Sql, webhook: Webhook, range: TimeRange, repetition: Repetition) => Promise<Repeated>;

async function repeat(
  deps: WebhookFlowDeps,
  input: RepeatInput,
  action: "webhook.failed_resent" | "webhook.recovered",
  work: RepeatWork,
): Repeating {
  const at = new Date(deps.clock.now());
  const range = validateRange(input, at);
  if (!range.ok) return range;
  const webhook = await findManagedWebhook(deps, input);
  if (!webhook.ok) return webhook;
  if (!webhook.value.enabled) return err(SWITCHED_OFF);
  const { since, until } = range.value;
  const expiresAt = new Date(at.getTime() + WEBHOOK_DELIVERY_LIFETIME_MS);
  const repetition = { at, expiresAt, traceparent: input.client.traceparent };
  const repeated = await deps.database.transaction(action, async (sql): Repeating => {
    const waiting = await wakeAndCountPending(sql, input.webhookId, WEBHOOK_BACKLOG_KEPT);
    if (waiting > WEBHOOK_BACKLOG_KEPT - WEBHOOK_REPEATED_MAX) return err(TOO_MANY_WAIT);
    const outcome = await work(sql, webhook.value, range.value, repetition);
    const metadata = { since: since.toISOString(), until: until.toISOString(), events: outcome.events };
    await recordAudit(sql, webhookAuditEvent(deps, input, action, at, metadata));
    return ok(outcome);
  });
  if (repeated.ok) deps.webhooks.wake();
  return repeated;
}

function validateRange({ since, until }: RepeatInput, at: Date): Result<TimeRange, Refusal<"invalid_input">> {
  const earliest = new Date(at.getTime() - WEBHOOK_RECOVERY_MAX_MS);
  const begin = since === undefined ? earliest : parseTimestamp(since);
  if (begin === undefined) return err(invalidInput("since", "format", NOT_A_TIME));
  const end = until === undefined ? at : parseTimestamp(until);
  if (end === undefined) return err(invalidInput("until", "format", NOT_A_TIME));
  if (begin < earliest) return err(TOO_EARLY);
  return begin < end ? ok({ since: begin, until: end < at ? end : at }) : err(NOT_BEFORE_UNTIL);
}
