/** When a failed delivery is sent again: the one place of the schedule. */

import {
  WEBHOOK_DELIVERY_LIFETIME_MS,
  WEBHOOK_RETRY_AFTER_MAX_MS,
  WEBHOOK_RETRY_MAX_MS,
  WEBHOOK_RETRY_MIN_MS,
} from "../limits/machine-limits.ts";
import { backoffMs } from "./backoff.ts";

/**
 * The pause after `attempts` attempts in milliseconds, or the pause requested by the receiver (`Retry-After`) if
 * longer.
 */
export function retryPauseMs(attempts: number, askedMs = 0): number {
  const scheduled = backoffMs(attempts, { minMs: WEBHOOK_RETRY_MIN_MS, maxMs: WEBHOOK_RETRY_MAX_MS });
  return Math.max(scheduled, Math.min(askedMs, WEBHOOK_RETRY_AFTER_MAX_MS));
}

/** The pauses between the attempts of a delivery that always fails, in milliseconds, until the delivery expires. */
export function retrySchedule(): readonly number[] {
  const pauses: number[] = [];
  for (let elapsed = 0; ; ) {
    const pause = retryPauseMs(pauses.length + 1);
    elapsed += pause;
    if (elapsed > WEBHOOK_DELIVERY_LIFETIME_MS) return pauses;
    pauses.push(pause);
  }
}

const DELAY_SECONDS = /^\d{1,10}$/;
/** `Sun, 06 Nov 1994 08:49:37 GMT`; the obsolete forms end differently or have no comma (RFC 9110, section 5.6.7). */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The value of `Retry-After` in milliseconds from `now`; undefined without a valid value (RFC 9110, section 10.2.3).
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (DELAY_SECONDS.test(text)) return Number(text) * 1000;
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
