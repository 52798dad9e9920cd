/** Follows the revocation feed (docs/contract.md, section 18.3) by cursor and ETag, with a single request at a time. */
import { cachedMs, readFeedBody, validateNotModified } from "./feed-response.ts";
import { type Service, sendRequest } from "./http.ts";
import { RevokedSessions } from "./revoked-sessions.ts";
import { Shared, within } from "./waiting.ts";

export interface FeedOptions {
  /** Pause between two requests (ms). */
  readonly pollMs: number;
  /** How long received content counts as complete (ms). */
  readonly maxAgeMs: number;
  /**
   * Maximum number of cached revoked sessions: beyond the maximum the feed counts as unavailable until entries expire.
   */
  readonly maxRevocations: number;
}

export const DEFAULT_FEED: FeedOptions = { pollMs: 250, maxAgeMs: 1_000, maxRevocations: 1_000_000 };

export interface Feed {
  /**
   * Does not wait: returns revoked, live while the feed is available, or `unavailable` when the feed is unavailable.
   */
  stateOf(sid: string): "revoked" | "live" | "unavailable";
  /** Waits for the request under way where waiting may help: at the start, and after the process was suspended. */
  refresh(): Promise<void>;
  close(): void;
}

/** The first response contains all sessions revoked in the last quarter of an hour. */
const FIRST_TIMEOUT_MS = 10_000;
/** An entry has about 170 bytes: a response may hold twice as many as the cache. */
const ENTRY_BYTES = 360;
const HEADER_BYTES = 4_096;

/** `now`: monotonic milliseconds. `wall`: milliseconds since 1970, compared with the time of responses. */
export function feed(
  service: Service,
  { pollMs, maxAgeMs, maxRevocations }: FeedOptions,
  now: () => number,
  wall?: () => number,
): Feed {
  const revoked = new RevokedSessions(maxRevocations);
  const maxBytes = HEADER_BYTES + maxRevocations * ENTRY_BYTES;
  const polling = new Shared<void>(now);
  let requestedAt = Number.NEGATIVE_INFINITY;
  /**
   * Consecutive requests whose response left the set incomplete. A stall of this process may cause a single failure.
   */
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const isComplete = () => now() - revoked.completeAt <= maxAgeMs;
  const timeoutMs = () => (revoked.cursor === undefined ? FIRST_TIMEOUT_MS : maxAgeMs);
  /** Requests are sent in time without success: waiting for the next request would only delay the response. */
  const isUnavailable = () => failures > 1 && now() - requestedAt <= timeoutMs() + 2 * pollMs;

  async function poll(): Promise<void> {
    requestedAt = now();
    try {
      await requestFeed(service, revoked, { requestedAt, wall, timeoutMs: timeoutMs(), maxBytes });
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

  async function pollAgain(): Promise<void> {
    await pollOnce();
    // A request under way when the process was suspended is old, or timed out although the service responded.
    if (!isComplete() && failures < 2 && !closed) await pollOnce();
  }

  return {
    stateOf(sid) {
      if (revoked.has(sid)) return "revoked";
      return isComplete() ? "live" : "unavailable";
    },
    async refresh() {
      if (isComplete() || isUnavailable() || closed) return;
      await within(2 * maxAgeMs, pollAgain()).catch(() => undefined);
      // A caller has waited long enough for a missing response: later callers do not wait again.
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
  readonly requestedAt: number;
  readonly wall: (() => number) | undefined;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Sends a request. Throws for a response that does not state, in every documented member, the time of completeness. */
async function requestFeed(service: Service, revoked: RevokedSessions, request: FeedRequest): Promise<void> {
  const { requestedAt, wall, timeoutMs, maxBytes } = request;
  const query = revoked.cursor === undefined ? "" : `?since=${encodeURIComponent(revoked.cursor)}`;
  const url = `${service.baseUrl}/.well-known/service-revocations.json${query}`;
  // A cache on the way must revalidate: cached content is older than the age in the body.
  const { etag } = revoked;
  const condition: Record<string, string> = etag === undefined ? {} : { "if-none-match": etag };
  const headers = { "cache-control": "no-cache", ...condition };
  const response = await sendRequest(service, url, { headers, timeoutMs, maxBytes });
  const completeAt = requestedAt - cachedMs(response);
  if (response.status === 304) {
    validateNotModified(response, etag);
    return revoked.confirm(completeAt);
  }
  if (response.status !== 200) throw new Error(`the feed responded with ${response.status}`);
  revoked.update(readFeedBody(response.text, wall?.()), response.headers.get("etag"), completeAt);
}
