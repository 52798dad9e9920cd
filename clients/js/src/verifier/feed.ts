/** Follows the revocation feed (docs/contract.md, section 18.3) by cursor and ETag, one request at a time. */
import { cachedMs, readFeedBody, validateNotModified } from "./feed-response.ts";
import { ask, type Service } from "./http.ts";
import { RevokedSessions } from "./revoked-sessions.ts";
import { Shared, within } from "./waiting.ts";

export interface FeedOptions {
  /** Pause between two requests (ms). */
  readonly pollMs: number;
  /** For how long what was heard counts as complete (ms). */
  readonly maxAgeMs: number;
  /** More revoked sessions than this are not remembered: the feed counts as not heard until the others expire. */
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
/** An entry has about 170 bytes: an answer may hold twice as many as are remembered. */
const ENTRY_BYTES = 360;
const HEADER_BYTES = 4_096;

/** `now`: monotonic milliseconds. `wall`: milliseconds since 1970, against which the time of responses is validated. */
export function feed(
  service: Service,
  { pollMs, maxAgeMs, maxRevocations }: FeedOptions,
  now: () => number,
  wall?: () => number,
): Feed {
  const revoked = new RevokedSessions(maxRevocations);
  const maxBytes = HEADER_BYTES + maxRevocations * ENTRY_BYTES;
  const polling = new Shared<void>(now);
  let askedAt = Number.NEGATIVE_INFINITY;
  /** In a row, of requests whose answer did not make it complete. One may be due to a stall of this process. */
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const isComplete = () => now() - revoked.completeAt <= maxAgeMs;
  const timeoutMs = () => (revoked.cursor === undefined ? FIRST_TIMEOUT_MS : maxAgeMs);
  /** Requests are made in time and do not help: waiting for the next one would only delay the answer. */
  const isAway = () => failures > 1 && now() - askedAt <= timeoutMs() + 2 * pollMs;

  async function poll(): Promise<void> {
    askedAt = now();
    try {
      await askFeed(service, revoked, { askedAt, wall, timeoutMs: timeoutMs(), maxBytes });
      failures = isComplete() ? 0 : failures + 1;
    } catch {
      failures += 1;
    } finally {
      schedule();
    }
  }

  /** Joins the request under way. */
  async function pollOnce(): Promise<void> {
    await polling.run(timeoutMs(), poll).catch(() => undefined);
  }

  function schedule(): void {
    clearTimeout(timer);
    if (closed) return;
    timer = setTimeout(pollOnce, pollMs);
    // Node.js, Bun, Deno: following the feed keeps no process alive.
    (timer as { unref?: () => void }).unref?.();
  }

  async function askAgain(): Promise<void> {
    await pollOnce();
    // What was under way when the process was suspended is old, or timed out although it was answered.
    if (!isComplete() && failures < 2 && !closed) await pollOnce();
  }

  return {
    stateOf(sid) {
      if (revoked.has(sid)) return "revoked";
      return isComplete() ? "live" : "blind";
    },
    async hear() {
      if (isComplete() || isAway() || closed) return;
      await within(2 * maxAgeMs, askAgain()).catch(() => undefined);
      // One has waited long enough for what does not come: others need not wait for it too.
      if (!isComplete()) failures = Math.max(failures, 2);
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

interface FeedRequest {
  /** Monotonic milliseconds. */
  readonly askedAt: number;
  readonly wall: (() => number) | undefined;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** One request. Throws for a response that does not show, by every documented member, for which time it is complete. */
async function askFeed(service: Service, revoked: RevokedSessions, request: FeedRequest): Promise<void> {
  const { askedAt, wall, timeoutMs, maxBytes } = request;
  const query = revoked.cursor === undefined ? "" : `?since=${encodeURIComponent(revoked.cursor)}`;
  const url = `${service.baseUrl}/.well-known/service-revocations.json${query}`;
  // A cache on the way must ask too: what it kept is older than it looks.
  const { etag } = revoked;
  const condition: Record<string, string> = etag === undefined ? {} : { "if-none-match": etag };
  const headers = { "cache-control": "no-cache", ...condition };
  const response = await ask(service, url, { headers, timeoutMs, maxBytes });
  const completeAt = askedAt - cachedMs(response);
  if (response.status === 304) {
    validateNotModified(response, etag);
    return revoked.confirm(completeAt);
  }
  if (response.status !== 200) throw new Error(`the feed was answered with ${response.status}`);
  revoked.learn(readFeedBody(response.text, wall?.()), response.headers.get("etag"), completeAt);
}
