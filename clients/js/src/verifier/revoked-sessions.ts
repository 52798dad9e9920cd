/** The revoked sessions that the feed has told of, and the time for which they are known to be all of them. */
import { CLOCK_TOLERANCE_MS, type FeedBody, type FeedEntry } from "./feed-response.ts";

/** How often expired entries are looked for (ms). */
const SWEEP_MS = 10_000;
/** After this the cursor moves without news too, so that one of a database that is no more does not stay (ms). */
const CURSOR_MAX_AGE_MS = 60_000;

/** All times are monotonic milliseconds: a wall clock that jumps forgets nothing. */
export class RevokedSessions {
  /** Where the next request goes on; undefined before the first answer. */
  cursor: string | undefined;
  /** Of what came after that cursor; undefined where the whole answer is wanted. */
  etag: string | undefined;
  readonly #max: number;
  /** Session ids, with the time after which no token of it can be live. */
  readonly #expiries = new Map<string, number>();
  /** Until when an entry is missing for which there was no room. */
  #missingUntil = Number.NEGATIVE_INFINITY;
  #completeAt = Number.NEGATIVE_INFINITY;
  #movedAt = Number.NEGATIVE_INFINITY;
  #sweptAt = Number.NEGATIVE_INFINITY;

  /** More sessions than `max` are not kept; the set then counts as incomplete until the others have expired. */
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

  /** `askedAt`: when the request was sent that this is the answer to. */
  learn(body: FeedBody, etag: string | null, askedAt: number): void {
    if (this.#expiries.size + body.revocations.length > this.#max) this.#forgetExpired(askedAt);
    const generatedAt = Date.parse(body.generated_at);
    let hasNews = false;
    for (const entry of body.revocations) {
      if (this.#add(entry.sid, askedAt + lifetimeMs(entry, generatedAt))) hasNews = true;
    }
    // A tag is of what came after one cursor: the cursor hardly moves but with news, so that all else is a 304.
    const moves = this.cursor === undefined || hasNews || askedAt - this.#movedAt > CURSOR_MAX_AGE_MS;
    this.etag = moves ? undefined : (etag ?? undefined);
    if (moves) {
      this.cursor = body.cursor;
      this.#movedAt = askedAt;
    }
    this.confirm(askedAt - body.age_ms);
  }

  /** Nothing is missing at this time but what there was no room for. */
  confirm(at: number): void {
    if (at - this.#sweptAt > SWEEP_MS) this.#forgetExpired(at);
    if (at - this.#movedAt > CURSOR_MAX_AGE_MS) this.etag = undefined;
    if (at > this.#missingUntil) this.#completeAt = Math.max(this.#completeAt, at);
  }

  /** Whether it was not there yet. */
  #add(sid: string, expiresAt: number): boolean {
    const isNew = !this.#expiries.has(sid);
    if (isNew && this.#expiries.size >= this.#max) this.#missingUntil = Math.max(this.#missingUntil, expiresAt);
    else this.#expiries.set(sid, expiresAt);
    return isNew;
  }

  #forgetExpired(at: number): void {
    this.#sweptAt = at;
    for (const [sid, expiresAt] of this.#expiries) if (expiresAt < at) this.#expiries.delete(sid);
  }
}

/**
 * For how long an entry is kept (ms): as long as a token of its session can be live. No less than from the revocation
 * on, so that a service whose clock is ahead ends no entry early; longer by what the response took and clocks differ.
 */
function lifetimeMs({ expires_at, revoked_at }: FeedEntry, generatedAt: number): number {
  const begin = revoked_at === undefined ? generatedAt : Math.min(generatedAt, Date.parse(revoked_at));
  return Date.parse(expires_at) - begin + CLOCK_TOLERANCE_MS;
}
