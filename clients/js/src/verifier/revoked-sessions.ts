/** The revoked sessions that the feed has told of, and the time for which they are known to be all of them. */

/** An answer of the feed (docs/contract.md, section 18.3). */
export interface FeedBody {
  readonly cursor: string;
  /** How long ago its content was complete, by the clock of the service. */
  readonly age_ms: number;
  readonly revocations: readonly { readonly sid: string; readonly expires_at: string }[];
}

/** How often expired entries are looked for (ms). */
const SWEEP_MS = 10_000;

export class RevokedSessions {
  /** Where the next request goes on; undefined before the first answer. */
  cursor: string | undefined;
  /** Of what came after that cursor. */
  etag: string | undefined;
  readonly #max: number;
  /** Session ids, with the wall-clock time (ms) after which no token of it can be live. */
  readonly #expiries = new Map<string, number>();
  #completeAt = Number.NEGATIVE_INFINITY;
  #sweptAt = Number.NEGATIVE_INFINITY;

  /** More sessions than `max` are not remembered: they then never count as complete. */
  constructor(max: number) {
    this.#max = max;
  }

  has(sid: string): boolean {
    return this.#expiries.has(sid);
  }

  /** The set was complete at this time (monotonic ms). */
  get completeAt(): number {
    return this.#completeAt;
  }

  /** `askedAt`: when the request was sent that this is the answer to. */
  learn(body: FeedBody, etag: string | null, askedAt: number): void {
    const before = this.#expiries.size;
    for (const { sid, expires_at } of body.revocations) this.#expiries.set(sid, Date.parse(expires_at));
    // A tag is of what came after one cursor: the cursor moves only with news, so that all else is a 304.
    const moves = this.cursor === undefined || this.#expiries.size > before;
    this.etag = moves ? undefined : (etag ?? undefined);
    if (moves) this.cursor = body.cursor;
    this.confirm(askedAt - body.age_ms);
  }

  /** Nothing is missing at this time. */
  confirm(at: number): void {
    if (this.#expiries.size > this.#max || at - this.#sweptAt > SWEEP_MS) this.#forgetExpired(at);
    if (this.#expiries.size <= this.#max) this.#completeAt = Math.max(this.#completeAt, at);
  }

  #forgetExpired(at: number): void {
    this.#sweptAt = at;
    const wallClock = Date.now();
    for (const [sid, expiresAt] of this.#expiries) if (expiresAt < wallClock) this.#expiries.delete(sid);
  }
}
