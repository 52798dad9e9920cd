import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../base/clock.ts";
import { STATE_CONNECT_DEADLINE_MS, STATE_CONNECT_PAUSE_MS } from "../limits/process-limits.ts";
import { STATE_RECONNECT_PROBES, STATE_RETRY_AFTER_MS } from "../limits/state-limits.ts";
import type { Logger } from "../telemetry/log.ts";
import type { State } from "./state.ts";

/** Shared state with a fallback: Redis while it responds, counters of this replica otherwise. */
export interface ResilientState extends State {
  /**
   * Waits for Redis, at most `STATE_CONNECT_DEADLINE_MS`, so that the first command does not switch to the fallback.
   */
  connect(): Promise<void>;
}

export interface ResilientOptions {
  readonly primary: State & { reconnect(): void };
  readonly fallback: State;
  readonly clock: Clock;
  readonly log: Logger;
}

type Otherwise = <T>(value: T) => (error: unknown) => T;

/** The marks of the replicas are unknown while Redis is unavailable. */
function knownMarks(
  isAway: () => boolean,
  primary: State,
  otherwise: Otherwise,
): Pick<State, "isMarked" | "markFirst"> {
  return {
    markFirst: async (key, ttlMs) =>
      isAway() ? undefined : await primary.markFirst(key, ttlMs).catch(otherwise(undefined)),
    isMarked: async (key) => isAway() || (await primary.isMarked(key).catch(otherwise<boolean>(true))),
  };
}

/** A fallback would keep values that no other replica knows. */
function keptValues(isAway: () => boolean, primary: State, otherwise: Otherwise): Pick<State, "keep" | "kept"> {
  return {
    keep: async (key, value, ttlMs) =>
      !isAway() && (await primary.keep(key, value, ttlMs).catch(otherwise<boolean>(false))),
    kept: async (key) => (isAway() ? undefined : await primary.kept(key).catch(otherwise(undefined))),
  };
}

/**
 * The first failed command switches to the fallback; from then on a background probe, never a client's request, detects
 * that Redis is back. An unresponsive connection is closed, because a partition can leave the connection half open for
 * minutes; the successor gets `STATE_RECONNECT_PROBES` probes of time. Streams have no fallback: a failed read tells
 * the followers that events may be missing.
 */
export function resilientState({ primary, fallback, clock, log }: ResilientOptions): ResilientState {
  let away = false;
  let closed = false;
  let probe: ReturnType<typeof setTimeout> | undefined;

  function switchToFallback(error: unknown): void {
    if (away || closed) return;
    away = true;
    log.warn({ err: error }, "Redis is away: limits are counted by this replica only");
    scheduleProbe(1);
  }

  function scheduleProbe(attempt: number): void {
    probe = setTimeout(async () => {
      try {
        await primary.ping();
        away = false;
        log.info("Redis is back");
      } catch {
        if (closed) return;
        if (attempt % STATE_RECONNECT_PROBES === 1) primary.reconnect();
        scheduleProbe(attempt + 1);
      }
    }, STATE_RETRY_AFTER_MS);
  }

  async function withFallback<T>(work: (state: State) => Promise<T>): Promise<T> {
    if (away) return work(fallback);
    try {
      return await work(primary);
    } catch (error) {
      switchToFallback(error);
      return work(fallback);
    }
  }

  function otherwise<T>(value: T): (error: unknown) => T {
    return (error) => {
      switchToFallback(error);
      return value;
    };
  }

  return {
    get shared() {
      return !away;
    },
    async connect() {
      const giveUpAt = clock.monotonic() + STATE_CONNECT_DEADLINE_MS;
      for (;;) {
        const failure = await primary.ping().then(
          () => undefined,
          (error: unknown) => error,
        );
        if (failure === undefined) return;
        if (clock.monotonic() >= giveUpAt) return switchToFallback(failure);
        await sleep(STATE_CONNECT_PAUSE_MS);
      }
    },
    count: (key, windowMs, batch) => withFallback((state) => state.count(key, windowMs, batch)),
    claim: (scopes, admission) => withFallback((state) => state.claim(scopes, admission)),
    endClaim: (scopes, failed) => withFallback((state) => state.endClaim(scopes, failed)),
    recordAttempt: (comparison) => withFallback((state) => state.recordAttempt(comparison)),
    mark: (key, ttlMs) => withFallback((state) => state.mark(key, ttlMs)),
    unmark: (key) => withFallback((state) => state.unmark(key)),
    ...knownMarks(() => away, primary, otherwise),
    ...keptValues(() => away, primary, otherwise),
    async append(stream, message, maxEntries) {
      if (away) return;
      await primary.append(stream, message, maxEntries).catch(switchToFallback);
    },
    position: (stream) => primary.position(stream),
    read: (stream, position, blockMs, maxMessages) => primary.read(stream, position, blockMs, maxMessages),
    ping: () => primary.ping(),
    async close() {
      closed = true;
      clearTimeout(probe);
      await primary.close();
      await fallback.close();
    },
  };
}
