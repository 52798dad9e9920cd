/**
 * The cross-replica state port: what replicas must agree on at once. `redis.ts` and `local.ts` implement it, one suite
 * (test/state/conformance.test.ts) holds both to it, `resilient.ts` puts the second behind the first.
 *
 * All of it may be lost without letting anyone in (docs/architecture.md, rule 5); each method says what its loss costs.
 */
export interface State {
  /**
   * Counts one more event in the fixed window of `key` and answers the count, this one included.
   * Lost: a limit starts again at zero.
   */
  count(key: string, windowMs: number): Promise<WindowCount>;

  /**
   * Claims one attempt in every scope, or in none. Claimed before the secret is compared, so that parallel guesses
   * cannot outrun the limit; `endClaim` then says how it went.
   * Lost: wrong passwords are counted from zero; a claim that is never settled counts until its window ends.
   */
  claim(scopes: readonly AttemptScope[]): Promise<Claim>;

  /** Ends a claim: a failure stays counted for the rest of the window, anything else is given back. */
  endClaim(scopes: readonly AttemptScope[], failed: boolean): Promise<void>;

  /**
   * Lets the outcome of one comparison out, or keeps it in. The comparison itself happened in memory and nobody has seen its
   * outcome; here, in one atomic step, a miss is counted before it is told, a match is taken by one, and beyond the limit neither
   * is told. Of 40 parallel guesses five learn that they were wrong, the others nothing (promise 3). One round trip, both ways; a request
   * that counts against a limit of its own is counted in the same one.
   * Lost: misses count from zero; a second use is refused by Postgres.
   */
  recordAttempt(comparison: Comparison): Promise<AttemptOutcome>;

  /**
   * Adds a message to a stream that every replica follows. The stream keeps about `maxEntries`.
   * Lost: followers read Postgres, which holds the truth of all that is announced here.
   */
  append(stream: string, message: string, maxEntries: number): Promise<void>;

  /** The position after the newest message, to start following from. */
  position(stream: string): Promise<string>;

  /** Messages after `position`, waiting up to `blockMs` for the first. Rejects when it cannot know. */
  read(stream: string, position: string, blockMs: number, maxMessages: number): Promise<StreamRead>;

  /** Round trip to where the state lives, in milliseconds. Rejects when it is away. */
  ping(): Promise<number>;

  close(): Promise<void>;
}

export interface WindowCount {
  readonly count: number;
  /** Milliseconds until the window ends and the count starts anew. */
  readonly resetMs: number;
}

export interface AttemptScope {
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
}

export type Claim =
  | { readonly granted: true }
  | {
      readonly granted: false;
      /** True when failures alone fill the limit; false when attempts that are being compared now do, and may give way. */
      readonly exhausted: boolean;
      readonly retryAfterMs: number;
    };

export interface StreamRead {
  readonly position: string;
  readonly messages: readonly string[];
}

export interface Comparison {
  readonly matched: boolean;
  /** Misses that refuse whatever follows, the right one included. */
  readonly misses: readonly AttemptScope[];
  /** What a match uses up, once: later comparisons find it gone for `ttlMs`. */
  readonly burn?: { readonly key: string; readonly ttlMs: number };
  /** The limit that the request counts against first. Beyond it nothing is judged, counted or burned. */
  readonly admission?: AttemptScope | undefined;
}

export type AttemptOutcome = {
  /** The window of `admission`, this request included. */
  readonly admission?: WindowCount | undefined;
} & (
  | { readonly outcome: "matched" | "missed" | "burned" | "not_admitted" }
  | { readonly outcome: "locked"; readonly retryAfterMs: number }
);
