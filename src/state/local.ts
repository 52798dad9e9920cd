import { LRUCache } from "lru-cache";
import type { Clock } from "../base/clock.ts";
import { LOCAL_KEPT_MAX_BYTES } from "../limits/kept-page-limits.ts";
import { LOCAL_COUNTERS_MAX } from "../limits/state-limits.ts";
import type {
  AttemptOutcome,
  AttemptScope,
  Claim,
  Comparison,
  EventBatch,
  State,
  StreamRead,
  WindowCount,
} from "./state.ts";

interface Counter {
  count: number;
  failed: number;
  /** Monotonic milliseconds. */
  endsAt: number;
}

interface Stream {
  /** Number of the first message in `messages`; a position is a message number. */
  first: number;
  messages: string[];
  waiting: Set<() => void>;
}

/** State of this process only: for one replica without Redis, and for a replica whose Redis is unavailable. */
export function localState(clock: Clock): State {
  return {
    shared: true,
    ...localCounters(clock),
    ...localValues(clock),
    ...localStreams(),
    async ping() {
      return 0;
    },
  };
}

/**
 * Counters are bounded by `LOCAL_COUNTERS_MAX`, least recently used first: an attacker needs as many further keys to
 * reset a count.
 */
function localCounters(
  clock: Clock,
): Pick<State, "count" | "claim" | "endClaim" | "recordAttempt" | "mark" | "unmark" | "markFirst" | "isMarked"> {
  const counters = new LRUCache<string, Counter>({ max: LOCAL_COUNTERS_MAX });

  function counter(key: string, windowMs: number): Counter {
    const known = counters.get(key);
    if (known && known.endsAt > clock.monotonic()) return known;
    const fresh = { count: 0, failed: 0, endsAt: clock.monotonic() + windowMs };
    counters.set(key, fresh);
    return fresh;
  }

  function count({ key, windowMs }: Pick<AttemptScope, "key" | "windowMs">, batch?: EventBatch): WindowCount {
    const window = counter(key, windowMs);
    const counted = window.count + (batch?.events ?? 1);
    if (!batch || counted <= batch.limit) window.count = counted;
    return { count: counted, resetMs: window.endsAt - clock.monotonic() };
  }

  const withCounters = (scopes: readonly AttemptScope[]) =>
    scopes.map((scope) => ({ scope, counter: counter(scope.key, scope.windowMs) }));

  return {
    async mark(key, ttlMs) {
      counters.set(key, { count: 1, failed: 0, endsAt: clock.monotonic() + ttlMs });
    },
    async unmark(key) {
      counters.delete(key);
    },
    markFirst: async (key, ttlMs) => count({ key, windowMs: ttlMs }).count === 1,
    isMarked: async (key) => (counters.get(key)?.endsAt ?? 0) > clock.monotonic(),
    count: async (key, windowMs, batch) => count({ key, windowMs }, batch),
    async claim(scopes, admission) {
      const window = admission && count(admission);
      const counted = window ? { admission: window } : {};
      if (admission && window && window.count > admission.limit) return { outcome: "not_admitted", ...counted };
      const found = withCounters(scopes);
      const full =
        found.find(({ scope, counter }) => counter.failed >= scope.limit) ??
        found.find(({ scope, counter }) => counter.count >= scope.limit);
      if (full) return { ...refusal(full.scope, full.counter, clock), ...counted };
      for (const { counter } of found) counter.count += 1;
      return { outcome: "granted", ...counted };
    },
    async endClaim(scopes, failed) {
      for (const scope of scopes) {
        const known = counters.get(scope.key);
        if (!known) continue;
        if (failed) known.failed += 1;
        else known.count = Math.max(0, known.count - 1);
      }
    },
    async recordAttempt({ matched, failedAttempts, consumption, admission }: Comparison): Promise<AttemptOutcome> {
      const window = admission && count(admission);
      const counted = window ? { admission: window } : {};
      if (admission && window && window.count > admission.limit) return { outcome: "not_admitted", ...counted };
      const consumed = consumption && counter(consumption.key, consumption.ttlMs);
      if (consumed && consumed.count > 0) return { outcome: "consumed", ...counted };
      const found = withCounters(failedAttempts);
      const full = found.find(({ scope, counter }) => counter.count >= scope.limit);
      if (full) return { outcome: "locked", retryAfterMs: full.counter.endsAt - clock.monotonic(), ...counted };
      if (!matched) for (const { counter } of found) counter.count += 1;
      else if (consumed) consumed.count += 1;
      return { outcome: matched ? "matched" : "failed", ...counted };
    },
  };
}

/** Kept values are bounded by `LOCAL_KEPT_MAX_BYTES`, oldest first. */
function localValues(clock: Clock): Pick<State, "keep" | "kept"> {
  const values = new LRUCache<string, { readonly value: Buffer; readonly endsAt: number }>({
    maxSize: LOCAL_KEPT_MAX_BYTES,
    sizeCalculation: ({ value }, key) => value.length + key.length,
  });
  return {
    async keep(key, value, ttlMs) {
      values.set(key, { value, endsAt: clock.monotonic() + ttlMs });
      return true;
    },
    async kept(key) {
      const found = values.get(key);
      return found && found.endsAt > clock.monotonic() ? found.value : undefined;
    },
  };
}

function localStreams(): Pick<State, "append" | "position" | "read" | "close"> {
  const streams = new Map<string, Stream>();

  function stream(name: string): Stream {
    const known = streams.get(name);
    if (known) return known;
    const fresh: Stream = { first: 0, messages: [], waiting: new Set() };
    streams.set(name, fresh);
    return fresh;
  }

  function readNow(name: string, position: string, maxMessages: number): StreamRead {
    const { first, messages } = stream(name);
    const from = Math.max(0, Number(position) - first);
    const found = messages.slice(from, from + maxMessages);
    return { position: String(first + from + found.length), messages: found };
  }

  return {
    async append(name, message, maxEntries) {
      const target = stream(name);
      target.messages.push(message);
      if (target.messages.length > maxEntries) {
        target.messages.shift();
        target.first += 1;
      }
      for (const wake of target.waiting) wake();
    },
    async position(name) {
      const { first, messages } = stream(name);
      return String(first + messages.length);
    },
    async read(name, position, blockMs, maxMessages) {
      const available = readNow(name, position, maxMessages);
      if (available.messages.length > 0 || blockMs === 0) return available;
      await nextMessage(stream(name), blockMs);
      return readNow(name, position, maxMessages);
    },
    async close() {
      for (const { waiting } of streams.values()) for (const wake of waiting) wake();
    },
  };
}

function refusal(scope: AttemptScope, counter: Counter, clock: Clock): Claim {
  return {
    outcome: counter.failed >= scope.limit ? "exhausted" : "pending",
    retryAfterMs: counter.endsAt - clock.monotonic(),
  };
}

function nextMessage(stream: Stream, blockMs: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      stream.waiting.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, blockMs);
    stream.waiting.add(wake);
  });
}
