import type { Clock } from "../base/clock.ts";
import { STATE_CONNECT_DEADLINE_MS, STATE_CONNECT_PAUSE_MS, STATE_RETRY_AFTER_MS } from "../base/limits.ts";
import type { Logger } from "../base/log.ts";
import type { State } from "./state.ts";

/** State with a second place to stand: Redis while it answers, this replica's own counters while it does not. */
export interface ResilientState extends State {
  /** False while Redis is away and counters are this replica's own. */
  readonly shared: boolean;
  /** Resolves once Redis answers, or has not within `STATE_CONNECT_DEADLINE_MS`. Until then the first command would find it away. */
  connect(): Promise<void>;
}

export interface ResilientOptions {
  readonly primary: State & { reconnect(): void };
  readonly fallback: State;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The first failed command switches to the fallback; from then on a probe in the background, never a client's request,
 * finds out when Redis is back. A connection that stays silent is torn down, since a partition can leave it half open for
 * minutes. Streams have no fallback: their followers must learn that they cannot know.
 */
export function resilientState({ primary, fallback, clock, log }: ResilientOptions): ResilientState {
  let away = false;
  let closed = false;
  let probe: ReturnType<typeof setTimeout> | undefined;

  function goLocal(error: unknown): void {
    if (away || closed) return;
    away = true;
    log.warn({ err: error }, "Redis is away: limits are counted by this replica alone");
    scheduleProbe();
  }

  function scheduleProbe(): void {
    probe = setTimeout(async () => {
      try {
        await primary.ping();
        away = false;
        log.info("Redis is back");
      } catch {
        if (closed) return;
        primary.reconnect();
        scheduleProbe();
      }
    }, STATE_RETRY_AFTER_MS);
  }

  async function either<T>(work: (state: State) => Promise<T>): Promise<T> {
    if (away) return work(fallback);
    try {
      return await work(primary);
    } catch (error) {
      goLocal(error);
      return work(fallback);
    }
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
        if (clock.monotonic() >= giveUpAt) return goLocal(failure);
        await Bun.sleep(STATE_CONNECT_PAUSE_MS);
      }
    },
    count: (key, windowMs) => either((state) => state.count(key, windowMs)),
    claim: (scopes) => either((state) => state.claim(scopes)),
    endClaim: (scopes, failed) => either((state) => state.endClaim(scopes, failed)),
    recordAttempt: (comparison) => either((state) => state.recordAttempt(comparison)),
    async append(stream, message, maxEntries) {
      if (away) return;
      await primary.append(stream, message, maxEntries).catch(goLocal);
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
