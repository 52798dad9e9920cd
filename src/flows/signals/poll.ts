import { setTimeout as sleep } from "node:timers/promises";
import { retrySchedule } from "../../base/delivery-retries.ts";
import { NOT_SIGNED_IN, type Refusal, refusal } from "../../base/problem.ts";
import { isUuid } from "../../base/random.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import {
  STREAM_ERROR_MAX_CHARACTERS,
  STREAM_POLL_EVENTS_MAX,
  STREAM_POLL_LOOK_MS,
  STREAM_POLL_WAIT_MS,
  STREAM_POLLS_WAITING_EACH_MAX,
  STREAM_POLLS_WAITING_MAX,
} from "../../limits/signal-limits.ts";
import type { QueuedEvent } from "../../models/signal-stream/event-token.ts";
import { isTemporaryError } from "../../models/signal-stream/set-error.ts";
import { type EventOutcome, listWaitingEvents, recordOutcomes } from "../../models/signal-stream/signal-queue.ts";
import { acquireSigningSlot } from "../steps/tokens/issue-session-tokens.ts";
import { signEvent } from "../steps/tokens/sign-event-token.ts";
import { findOwnStream, type StreamInput } from "./manage.ts";

export type PollDeps = Pick<
  Deps,
  "clock" | "config" | "database" | "health" | "keyRing" | "revocations" | "signing" | "telemetry"
>;

/** The number of polls waiting for events on this replica, by organization; null: of the platform. */
export type WaitingPolls = Map<string | null, number>;

export interface PollInput extends Pick<StreamInput, "receiver" | "streamId"> {
  /** Undefined: as many as fit. */
  readonly maxEvents: number | undefined;
  readonly returnImmediately: boolean;
  /** Ids of the events accepted by the receiver. */
  readonly acknowledged: readonly string[];
  /** The receiver's errors for refused events, by id. */
  readonly errors: Readonly<Record<string, { readonly err: string; readonly description?: string | undefined }>>;
  readonly waiting: WaitingPolls;
  /** Aborted when the receiver has gone. */
  readonly signal: AbortSignal;
}

export interface Polled {
  /** Tokens by `jti`, in the order of the events. */
  readonly sets: Readonly<Record<string, string>>;
  readonly moreAvailable: boolean;
}

const NOT_POLLED = refusal("not_found", "This stream is pushed, not polled.");

/**
 * POST /v1/ssf/poll/:stream_id (RFC 8936; docs/contract.md, section 27.6): ends the events named by the receiver, then
 * returns the oldest waiting events. An event waits until acknowledged, so an unacknowledged event is returned again.
 */
export async function pollEvents(
  deps: PollDeps,
  input: PollInput,
): Promise<Result<Polled, Refusal<"authentication_required" | "not_found" | "rate_limited">>> {
  const found = await findOwnStream(deps, input);
  if (!found.ok) return found;
  if (found.value.method !== "poll") return err(NOT_POLLED);
  await endEvents(deps, input);
  const max = Math.min(input.maxEvents ?? STREAM_POLL_EVENTS_MAX, STREAM_POLL_EVENTS_MAX);
  const events = await waitForEvents(deps, input, max);
  if (!(await deps.revocations.key(input.receiver.keyId))) return err(NOT_SIGNED_IN);
  const returned = events.slice(0, max);
  if (returned.length === 0) return ok({ sets: {}, moreAvailable: events.length > 0 });
  const slot = acquireSigningSlot(deps, input.streamId);
  if (!slot.ok) return slot;
  using _slot = slot.value;
  const sets: Record<string, string> = {};
  // Signs sequentially: a slot stands for one signature at a time.
  for (const event of returned) sets[event.eventId] = await signEvent(deps, event);
  return ok({ sets, moreAvailable: events.length > max });
}

async function endEvents(deps: PollDeps, { streamId, acknowledged, errors }: PollInput): Promise<void> {
  const outcomes: EventOutcome[] = [
    ...acknowledged.map((eventId) => ({ eventId, error: undefined, isTemporary: false })),
    ...Object.entries(errors).map(([eventId, error]) => {
      return { eventId, error: errorText(error), isTemporary: isTemporaryError(error.err) };
    }),
  ].filter(({ eventId }) => isUuid(eventId));
  if (outcomes.length === 0) return;
  const at = new Date(deps.clock.now());
  await deps.database.run("signal_stream.record_outcomes", (sql) =>
    recordOutcomes(sql, streamId, outcomes, at, retrySchedule()),
  );
}

/** PostgreSQL refuses NUL in text. */
function errorText({ err: code, description }: { err: string; description?: string | undefined }): string {
  const text = description === undefined ? code : `${code}: ${description}`;
  return text.replaceAll("\0", "").slice(0, STREAM_ERROR_MAX_CHARACTERS);
}

/**
 * At most `max` + 1 events. Waits for the first event unless the receiver requests an immediate response, or too many
 * polls wait.
 */
async function waitForEvents(deps: PollDeps, input: PollInput, max: number): Promise<readonly QueuedEvent[]> {
  const look = () =>
    deps.database.run("signal_stream.list_events", (sql) =>
      listWaitingEvents(sql, input.streamId, new Date(deps.clock.now()), max + 1),
    );
  const events = await look();
  if (events.length > 0 || input.returnImmediately || max === 0) return events;
  const { waiting, receiver } = input;
  const { organizationId } = receiver;
  const others = waiting.get(organizationId) ?? 0;
  if (others >= STREAM_POLLS_WAITING_EACH_MAX || sum(waiting.values()) >= STREAM_POLLS_WAITING_MAX) {
    deps.telemetry.metrics.boundRefused("stream_polls");
    return events;
  }
  waiting.set(organizationId, others + 1);
  try {
    return await lookAgain(deps, input, look);
  } finally {
    const left = (waiting.get(organizationId) ?? 1) - 1;
    if (left > 0) waiting.set(organizationId, left);
    else waiting.delete(organizationId);
  }
}

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((total, count) => total + count, 0);
}

async function lookAgain(
  deps: PollDeps,
  { signal, receiver }: PollInput,
  look: () => Promise<readonly QueuedEvent[]>,
): Promise<readonly QueuedEvent[]> {
  const until = deps.clock.monotonic() + STREAM_POLL_WAIT_MS;
  while (deps.clock.monotonic() < until && !signal.aborted && !deps.health.draining()) {
    await sleep(STREAM_POLL_LOOK_MS);
    if (!(await deps.revocations.key(receiver.keyId))) return [];
    const events = await look();
    if (events.length > 0) return events;
  }
  return [];
}
