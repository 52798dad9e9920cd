/**
 * Follows the revocation feed (docs/contract.md, section 18.3) by cursor and ETag. What it knows is a set of revoked
 * sessions and the time for which that set is complete.
 */
import { ask, type Service } from "./http.ts";

export interface FeedOptions {
  /** Pause between two requests (ms). */
  readonly pollMs: number;
  /** For how long what was heard counts as complete (ms). */
  readonly maxAgeMs: number;
  /** More revoked sessions than this are not remembered: the feed then counts as not heard. */
  readonly maxRevocations: number;
}

export interface Feed {
  /** Without waiting: revoked, live as far as the feed is heard, or `blind` when it is not. */
  stateOf(sid: string): "revoked" | "live" | "blind";
  /** Waits for the request under way where it may help: at the start, and after the process was suspended. */
  hear(): Promise<void>;
  close(): void;
}

/** The first answer holds all sessions that were revoked in the last quarter of an hour. */
const FIRST_TIMEOUT_MS = 10_000;
/** How often expired entries are looked for (ms). */
const SWEEP_MS = 10_000;

interface FeedBody {
  readonly cursor: string;
  readonly age_ms: number;
  readonly revocations: readonly { readonly sid: string; readonly expires_at: string }[];
}

/** `now`: monotonic milliseconds. */
export function feed(service: Service, options: FeedOptions, now: () => number): Feed {
  const { pollMs, maxAgeMs, maxRevocations } = options;
  /** Session ids, with the wall-clock time (ms) after which no token of it can be live. */
  const revoked = new Map<string, number>();
  let cursor: string | undefined;
  let etag: string | undefined;
  /** The set was complete at this time. */
  let completeAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  let sweptAt = Number.NEGATIVE_INFINITY;
  /** In a row. One may be due to a stall of this process. */
  let failures = 0;
  let polling: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  async function poll(): Promise<void> {
    const startedAt = now();
    askedAt = startedAt;
    const url = `${service.baseUrl}/.well-known/service-revocations.json${cursor ? `?since=${cursor}` : ""}`;
    // A cache on the way must ask too: what it kept is older than it looks.
    const headers = { "cache-control": "no-cache", ...(etag ? { "if-none-match": etag } : {}) };
    const answer = await ask(service, url, headers, cursor ? maxAgeMs : FIRST_TIMEOUT_MS);
    if (answer.status === 304) return heard(startedAt);
    if (answer.status !== 200) throw new Error(`the feed was answered with ${answer.status}`);
    const body: FeedBody = JSON.parse(answer.text);
    const before = revoked.size;
    for (const { sid, expires_at } of body.revocations) revoked.set(sid, Date.parse(expires_at));
    // A tag is of what came after one cursor: the cursor moves only with news, so that all else is a 304.
    const moves = cursor === undefined || revoked.size > before;
    cursor = moves ? body.cursor : cursor;
    etag = moves ? undefined : (answer.headers.get("etag") ?? undefined);
    heard(startedAt - body.age_ms);
  }

  function heard(at: number): void {
    if (revoked.size > maxRevocations || at - sweptAt > SWEEP_MS) forgetExpired(at);
    failures = 0;
    if (revoked.size <= maxRevocations) completeAt = Math.max(completeAt, at);
  }

  function forgetExpired(at: number): void {
    sweptAt = at;
    const wallClock = Date.now();
    for (const [sid, expiresAt] of revoked) if (expiresAt < wallClock) revoked.delete(sid);
  }

  function pollOnce(): Promise<void> {
    polling ??= poll()
      .catch(() => {
        failures += 1;
      })
      .finally(() => {
        polling = undefined;
        schedule();
      });
    return polling;
  }

  function schedule(): void {
    clearTimeout(timer);
    if (closed) return;
    timer = setTimeout(pollOnce, pollMs);
    // Node.js, Bun, Deno: following the feed keeps no process alive.
    (timer as { unref?: () => void }).unref?.();
  }

  const isComplete = () => now() - completeAt <= maxAgeMs;
  /** Requests are made in time and fail: waiting for the next one would only delay the answer. */
  const isAway = () => failures > 1 && now() - askedAt <= maxAgeMs + 2 * pollMs;

  return {
    stateOf(sid) {
      if (revoked.has(sid)) return "revoked";
      return isComplete() ? "live" : "blind";
    },
    async hear() {
      if (isComplete() || isAway() || closed) return;
      await pollOnce();
      // What was under way when the process was suspended is old, or timed out although it was answered.
      if (!isComplete() && failures < 2 && !closed) await pollOnce();
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
