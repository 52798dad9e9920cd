import { setTimeout as sleep } from "node:timers/promises";
import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import {
  WEBHOOK_EVENTS_RETENTION_MS,
  WEBHOOK_EVENTS_SCANNED_MAX,
  WEBHOOK_EVENTS_SETTLE_LOOK_MS,
  WEBHOOK_EVENTS_SETTLE_MS,
} from "../../limits/machine-limits.ts";
import { type EventSource, listEvents, readTrailEnd, type WebhookEvent } from "../../models/webhook/replay.ts";
import type { EventReader } from "../steps/authorization/authorize-service-accounts.ts";
import { findManagedWebhook } from "./manage.ts";

const NOT_A_CURSOR = invalidInput("after", "format", "the cursor of an earlier response");
/** In place of a cursor: the end of the trail, for a reader that begins now. */
export const LATEST = "latest";
/** The id of a record of the trail; 2^63 has 19 digits. */
const CURSOR = /^(?:0|[1-9]\d{0,17})$/;

export interface EventsInput {
  readonly caller: EventReader;
  readonly webhookId: string;
  /** Undefined: from the oldest stored event. */
  readonly after: string | undefined;
  readonly limit: number;
}

export interface EventsPage {
  readonly events: readonly WebhookEvent[];
  /** The cursor for the next page: `after` of this page if no event was found. */
  readonly cursor: string;
  readonly hasMore: boolean;
}

/**
 * GET …/webhooks/:id/events (docs/contract.md, section 26.7): the events of the webhook, oldest first, including times
 * when the webhook was off. A reader that follows the cursor misses no event: a page ends before a record that a
 * running transaction may still precede.
 */
export async function listWebhookEvents(
  deps: Pick<Deps, "clock" | "database">,
  input: EventsInput,
): Promise<Result<EventsPage, Refusal<"invalid_input" | "not_found">>> {
  const { after = "0", limit } = input;
  if (after !== LATEST && !CURSOR.test(after)) return err(NOT_A_CURSOR);
  const webhook = await findManagedWebhook(deps, input);
  return webhook.ok ? ok(await readEvents(deps, webhook.value, after, limit)) : webhook;
}

/** One page of the events of a source. `after`: a cursor, or `LATEST` for the cursor of now without events. */
export async function readEvents(
  deps: Pick<Deps, "clock" | "database">,
  source: EventSource,
  after: string,
  limit: number,
): Promise<EventsPage> {
  const upTo = await settledEnd(deps, source.organizationId);
  if (after === LATEST) return { events: [], cursor: upTo ?? LATEST, hasMore: false };
  if (upTo === undefined) return { events: [], cursor: after, hasMore: false };
  const since = new Date(deps.clock.now() - WEBHOOK_EVENTS_RETENTION_MS);
  const bounds = { limit, scanned: WEBHOOK_EVENTS_SCANNED_MAX };
  const page = await deps.database.run("webhook_event.list", (sql) =>
    listEvents(sql, source, { after, upTo, since }, bounds),
  );
  return { events: page.events, cursor: page.last ?? after, hasMore: page.isFull };
}

/**
 * The id up to which the trail is complete. Ids are assigned in order and become visible by commit, so the newest
 * visible id is complete as soon as every transaction running at the time of the read has ended. Undefined if a
 * transaction runs for longer than `WEBHOOK_EVENTS_SETTLE_MS`: the reader gets no events and an unchanged cursor.
 */
async function settledEnd(
  deps: Pick<Deps, "clock" | "database">,
  organizationId: string | null,
): Promise<string | undefined> {
  const read = () => deps.database.run("webhook_event.read_end", (sql) => readTrailEnd(sql, organizationId));
  const deadline = deps.clock.monotonic() + WEBHOOK_EVENTS_SETTLE_MS;
  const { latestId, nextTransaction, oldestRunning } = await read();
  let running = BigInt(oldestRunning);
  while (running < BigInt(nextTransaction) && deps.clock.monotonic() < deadline) {
    await sleep(WEBHOOK_EVENTS_SETTLE_LOOK_MS);
    running = BigInt((await read()).oldestRunning);
  }
  return running < BigInt(nextTransaction) ? undefined : latestId;
}
