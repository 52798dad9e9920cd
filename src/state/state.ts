/**
 * The port for state that replicas share in real time. `redis.ts` and `local.ts` implement the port and pass
 * test/state/conformance.test.ts, and `resilient.ts` falls back from Redis to local state. The loss of this state
 * grants no access (docs/architecture.md, rule 5); each method states the cost of a loss.
 */
export interface State {
  /** False while the state of further replicas is unknown. */
  readonly shared: boolean;

  /**
   * Counts an event, or the events of a batch, in the fixed window of `key` and returns the count, these events
   * included. A batch that exceeds its limit is not counted. Lost: the limit restarts at zero.
   */
  count(key: string, windowMs: number, batch?: EventBatch): Promise<WindowCount>;

  /**
   * Claims one attempt in every scope, or in no scope. The claim precedes the comparison, so that parallel guesses
   * cannot exceed the limit (docs/architecture.md, rule 4); `endClaim` reports the outcome. One round trip, including
   * the request's limit (`admission`): the admission is counted first, and beyond the limit no attempt is claimed.
   * Lost: wrong passwords are counted from zero; a claim that is never ended counts until the window ends.
   */
  claim(scopes: readonly AttemptScope[], admission?: AttemptScope): Promise<Claim>;

  /** Ends a claim: a failure stays counted for the rest of the window, otherwise the claim is released. */
  endClaim(scopes: readonly AttemptScope[], failed: boolean): Promise<void>;

  /**
   * Records the outcome of a comparison before the outcome is revealed (docs/decisions/0006). The caller has compared
   * in memory and not yet responded. In one atomic step a failed attempt is counted, a match sets the key of
   * `consumption` for one caller, and beyond a limit the outcome is withheld: of 40 parallel wrong guesses five get the
   * outcome "failed", the rest get no outcome (G3). One round trip, including the request's limit (`admission`). Lost:
   * failed attempts are counted from zero; PostgreSQL refuses a second use.
   */
  recordAttempt(comparison: Comparison): Promise<AttemptOutcome>;

  /**
   * Sets a mark that ends after `ttlMs`, or extends a mark to last that long from now. Lost: a list from a read replica
   * may for a moment lack the caller's latest write.
   */
  mark(key: string, ttlMs: number): Promise<void>;

  /** Ends a mark at once: the next `markFirst` returns true. Lost: the mark ends after its time. */
  unmark(key: string): Promise<void>;

  /**
   * Sets a mark that ends after `ttlMs`, unless the mark is set. Of parallel calls one returns true: this call set the
   * mark. Undefined: the marks of the replicas are unknown. Lost: a proof of possession is accepted once more.
   */
  markFirst(key: string, ttlMs: number): Promise<boolean | undefined>;

  /** Whether the mark is set. True if the state is unknown. */
  isMarked(key: string): Promise<boolean>;

  /**
   * Keeps a value for `ttlMs`. False: the state that replicas share is away, and nothing was kept.
   * Lost: the page of a form is displayed without its result, or a form that was sent twice is executed twice.
   */
  keep(key: string, value: Buffer, ttlMs: number): Promise<boolean>;

  /** The kept value; undefined after its end, and while the shared state is away. */
  kept(key: string): Promise<Buffer | undefined>;

  /**
   * Appends a message to a stream that every replica follows. The stream keeps about `maxEntries`.
   * Lost: followers read PostgreSQL, the source of truth of every message.
   */
  append(stream: string, message: string, maxEntries: number): Promise<void>;

  /** The position after the newest message, to start following from. */
  position(stream: string): Promise<string>;

  /** Reads messages after `position`, waiting up to `blockMs` for the first. Rejects when Redis is away. */
  read(stream: string, position: string, blockMs: number, maxMessages: number): Promise<StreamRead>;

  /** Round-trip time to the store in milliseconds. Rejects while the store is unavailable. */
  ping(): Promise<number>;

  close(): Promise<void>;
}

export interface EventBatch {
  readonly events: number;
  readonly limit: number;
}

export interface WindowCount {
  readonly count: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
}

export interface AttemptScope {
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
}

export type Claim = {
  /** The window of `admission`, this request included. */
  readonly admission?: WindowCount | undefined;
} & (
  | { readonly outcome: "granted" | "not_admitted" }
  /** `exhausted`: failures alone reach a limit; `pending`: attempts under comparison do, which may still succeed. */
  | { readonly outcome: "exhausted" | "pending"; readonly retryAfterMs: number }
);

export interface StreamRead {
  readonly position: string;
  readonly messages: readonly string[];
}

export interface Comparison {
  readonly matched: boolean;
  /** Counters of failed attempts. At a limit every further attempt is refused, a correct one included. */
  readonly failedAttempts: readonly AttemptScope[];
  /** Set by the first match: for `ttlMs` every later comparison returns `consumed`. */
  readonly consumption?: { readonly key: string; readonly ttlMs: number };
  /**
   * The limit that is counted first. Beyond the limit the outcome is withheld, and no attempt is counted and no token
   * consumed.
   */
  readonly admission?: AttemptScope | undefined;
}

export type AttemptOutcome = {
  /** The window of `admission`, this request included. */
  readonly admission?: WindowCount | undefined;
} & (
  | { readonly outcome: "matched" | "failed" | "consumed" | "not_admitted" }
  | { readonly outcome: "locked"; readonly retryAfterMs: number }
);
