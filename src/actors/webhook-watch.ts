/**
 * Owns: the metrics of deliveries waiting for webhooks, and the start of notices to the owners of failing and disabled
 * webhooks.
 * Started by: a timer, on every replica, so the numbers are available no matter which replica sends.
 * Bound: one statement of each kind at a time.
 * A crash loses: no data.
 */
import type { Clock } from "../base/clock.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import type { Database } from "../database/database.ts";
import { WEBHOOK_NOTICES_LOOK_MS, WEBHOOK_WATCH_MS } from "../limits/machine-limits.ts";
import { readWebhookQueues, WEBHOOK_STATES, type WebhookQueue } from "../models/webhook/webhook-queue.ts";
import type { WebhookGauge } from "../telemetry/gauges.ts";
import type { Logger } from "../telemetry/log.ts";

export interface WebhookWatch {
  start(): void;
  stop(): Promise<void>;
  /**
   * One gauge for each state; empty before the first reading. Ages continue to grow while PostgreSQL is unavailable.
   */
  gauges(): readonly WebhookGauge[];
}

export interface WebhookWatchDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Writes the emails that are due; returns how many. */
  readonly notifyOwners: () => Promise<number>;
  /** To be called after emails were written. */
  readonly wakeOutbox: () => void;
}

export function webhookWatch(deps: WebhookWatchDeps): WebhookWatch {
  const loops: Loop[] = [];
  const queues = webhookQueues(deps);
  return {
    start() {
      loops.push(
        startLoop({
          pauseMs: WEBHOOK_WATCH_MS,
          round: queues.read,
          onFailure: (error) => deps.log.debug({ err: error }, "webhooks: the queue cannot be read"),
        }),
        startLoop({
          pauseMs: WEBHOOK_NOTICES_LOOK_MS,
          round: async () => {
            if ((await deps.notifyOwners()) > 0) deps.wakeOutbox();
          },
          onFailure: (error) => deps.log.warn({ err: error }, "webhooks: owners were not notified"),
        }),
      );
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
    gauges: queues.gauges,
  };
}

/** Exported for the tests. */
export function webhookQueues({ database, clock }: Pick<WebhookWatchDeps, "database" | "clock">) {
  let known: readonly WebhookQueue[] | undefined;
  const ageOf = (at: Date | null | undefined) => (at ? Math.max(0, (clock.now() - at.getTime()) / 1000) : 0);
  return {
    async read(): Promise<void> {
      const at = new Date(clock.now());
      known = await database.transaction("webhook_delivery.read_queues", (sql) => readWebhookQueues(sql, at));
    },
    gauges(): readonly WebhookGauge[] {
      if (!known) return [];
      return WEBHOOK_STATES.map((state) => {
        const found = known?.find((queue) => queue.state === state);
        const { webhooks = 0, owners = 0, waiting = 0 } = found ?? {};
        return { state, webhooks, owners, waiting, oldestAge: ageOf(found?.oldest), overdue: ageOf(found?.dueSince) };
      });
    },
  };
}
