/** The revoked sessions received from the feed, and the time for which the set is known to be complete. */
import { CLOCK_TOLERANCE_MS, type FeedBody, type FeedEntry } from "./feed-response.ts";

/** How often expired entries are deleted (ms). */
const SWEEP_MS = 10_000;
/**
 * After this time the cursor moves without news too, so that the cursor of a replaced database does not remain (ms).
 */
const CURSOR_MAX_AGE_MS = 60_000;

/** All times are monotonic milliseconds: a wall clock that jumps removes no entry. */
export class RevokedSessions {
  /** Where the next request continues; undefined before the first response. */
  cursor: string | undefined;
  /** The ETag of the content after the cursor; undefined to request the full content. */
  etag: string | undefined;
  readonly #max: number;
  /** Session ids, with the time after which no token of the session can be live. */
  readonly #expiries = new Map<string, number>();
  /** Until when an entry is missing for lack of room. */
  #missingUntil = Number.NEGATIVE_INFINITY;
  #completeAt = Number.NEGATIVE_INFINITY;
  #movedAt = Number.NEGATIVE_INFINITY;
  #sweptAt = Number.NEGATIVE_INFINITY;

  /**
   * More sessions than `max` are not kept; the set then counts as incomplete until the missing entries have expired.
   */
  constructor(max: number) {
    this.#max = max;
  }

  has(sid: string): boolean {
    return this.#expiries.has(sid);
  }

  /** The set was complete at this time. */
  get completeAt(): number {
    return this.#completeAt;
  }

  /** `requestedAt`: when the request of this response was sent. */
  update(body: FeedBody, etag: string | null, requestedAt: number): void {
    if (this.#expiries.size + body.revocations.length > this.#max) this.#deleteExpired(requestedAt);
    const generatedAt = Date.parse(body.generated_at);
    let hasNews = false;
    for (const entry of body.revocations) {
      if (this.#add(entry.sid, requestedAt + lifetimeMs(entry, generatedAt))) hasNews = true;
    }
    // A tag describes the content after a cursor: the cursor hardly moves without news, so that most responses are a
    // 304.
    const moves = this.cursor === undefined || hasNews || requestedAt - this.#movedAt > CURSOR_MAX_AGE_MS;
    this.etag = moves ? undefined : (etag ?? undefined);
    if (moves) {
      this.cursor = body.cursor;
      this.#movedAt = requestedAt;
    }
    this.confirm(requestedAt - body.age_ms);
  }

  /** At this time only entries dropped for lack of room are missing. */
  confirm(at: number): void {
    if (at - this.#sweptAt > SWEEP_MS) this.#deleteExpired(at);
    if (at - this.#movedAt > CURSOR_MAX_AGE_MS) this.etag = undefined;
    if (at > this.#missingUntil) this.#completeAt = Math.max(this.#completeAt, at);
  }

  /** Whether the entry is new. */
  #add(sid: string, expiresAt: number): boolean {
    const isNew = !this.#expiries.has(sid);
    if (isNew && this.#expiries.size >= this.#max) this.#missingUntil = Math.max(this.#missingUntil, expiresAt);
    else this.#expiries.set(sid, expiresAt);
    return isNew;
  }

  #deleteExpired(at: number): void {
    this.#sweptAt = at;
    for (const [sid, expiresAt] of this.#expiries) if (expiresAt < at) this.#expiries.delete(sid);
  }
}

/**
 * How long an entry is kept (ms): as long as a token of the session can be live. At least from the revocation on, so
 * that a service whose clock is ahead ends no entry early; longer by the response time and the clock difference.
 */
function lifetimeMs({ expires_at, revoked_at }: FeedEntry, generatedAt: number): number {
  const begin = revoked_at === undefined ? generatedAt : Math.min(generatedAt, Date.parse(revoked_at));
  return Date.parse(expires_at) - begin + CLOCK_TOLERANCE_MS;
}
