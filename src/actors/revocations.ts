/**
 * Owns: which sessions were revoked lately, and views of live sessions, so that a request is judged without a network call.
 * Told by: this replica's own flows at once (`announce`), the other replicas through a Redis stream read from a cursor, and a
 * poll of the log in Postgres, which is the truth and finds what a crash kept from the stream.
 * Bound: `REVOCATION_ENTRIES_MAX` entries; beyond that the actor no longer calls itself current, so every check asks Postgres.
 * Views: `SESSION_VIEWS_MAX`, least recently used go first. Messages: `MAILBOX_MAX`; a dropped one makes the actor not current
 * until the next poll has read it.
 * A crash loses: nothing; start() reads the log again.
 */
import { LRUCache } from "lru-cache";
import type { Clock } from "../base/clock.ts";
import type { Database } from "../base/database.ts";
import {
  MAILBOX_MAX,
  REVOCATION_BATCH,
  REVOCATION_CURRENT_MS,
  REVOCATION_ENTRIES_MAX,
  REVOCATION_FEED_WAIT_MS,
  REVOCATION_POLL_MS,
  REVOCATION_RECONCILED_MS,
  REVOCATION_STREAM_BLOCK_MS,
  REVOCATION_STREAM_MAX_ENTRIES,
  SESSION_VIEW_TTL_MS,
  SESSION_VIEWS_MAX,
} from "../base/limits.ts";
import type { Logger } from "../base/log.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import { openMailbox } from "../base/mailbox.ts";
import { eventsSince, SESSION_EVENT_STREAM, type SessionEvent } from "../models/session/revocation.ts";
import { findLiveSession, type SessionView } from "../models/session/session.ts";
import type { State } from "../state/state.ts";

export interface Revocations {
  /** Reads the log once, then follows. Rejects when Postgres is away, and may then be called again. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * The session if it may act now. Without a network call while this replica knows that it is current and has the view; from
   * Postgres otherwise. Rejects when neither can tell: "cannot tell" is never "signed out" (decisions, section 3).
   */
  session(sessionId: string): Promise<SessionView | undefined>;
  /** Applies events that were just committed here, and tells the other replicas. Resolves once they were told, or could not be. */
  announce(events: readonly SessionEvent[]): Promise<void>;
  /** Drops the view of a session whose row changed without an event: its own refresh, which others need not hear of. */
  forget(sessionId: string): void;
  /** What the public feed says (decisions, section 10), from the same state. `since`: a cursor of an earlier answer. */
  feed(since: string | undefined): Promise<RevocationFeed>;
  /** Whether checks are answered from memory now. */
  current(): boolean;
  readonly size: number;
}

export interface RevocationFeed {
  readonly cursor: string;
  /** Wall-clock milliseconds for which the content is known to be whole. */
  readonly generatedAt: number;
  readonly revocations: readonly SessionEvent[];
  /** Equal for equal content, on every replica. */
  readonly version: string;
}

export interface RevocationsDeps {
  readonly database: Database;
  readonly state: State;
  readonly clock: Clock;
  readonly log: Logger;
}

type Message =
  | { readonly type: "told"; readonly events: readonly SessionEvent[] }
  | { readonly type: "followed"; readonly askedAt: number }
  | { readonly type: "reconciled"; readonly watermark: string; readonly askedAt: number; readonly wallClock: number }
  | { readonly type: "blind" };

interface Known {
  /** Revoked sessions by id, oldest first, until no access token of theirs can be live. */
  readonly revoked: Map<string, SessionEvent>;
  readonly views: LRUCache<string, SessionView>;
  /** Grows with every event; a view that was loaded across one is not kept. */
  generation: number;
  watermark: string;
  newestXid: bigint;
  /** Monotonic milliseconds of the question whose answer last confirmed each source. */
  followedAt: number;
  reconciledAt: number;
  /** Wall-clock milliseconds of the same, for the feed. */
  wholeAt: number;
}

export function revocations(deps: RevocationsDeps): Revocations {
  const { database, state, clock, log } = deps;
  const known = nothingKnown();
  const loops: Loop[] = [];
  let position: string | undefined;
  let following = true;
  let reconciling: Promise<void> | undefined;

  const mailbox = openMailbox<Message>({
    bound: MAILBOX_MAX,
    handle: (message) => step(known, message),
    whenFull: () => step(known, { type: "blind" }),
    onError: (error) => log.error({ err: error }, "revocations: a message could not be applied"),
  });

  async function follow(): Promise<void> {
    const askedAt = clock.monotonic();
    position ??= await state.position(SESSION_EVENT_STREAM);
    const read = await state.read(SESSION_EVENT_STREAM, position, REVOCATION_STREAM_BLOCK_MS, REVOCATION_BATCH);
    position = read.position;
    for (const message of read.messages) mailbox.post({ type: "told", events: JSON.parse(message) });
    if (read.messages.length < REVOCATION_BATCH) mailbox.post({ type: "followed", askedAt });
    if (!following) log.info("revocations: the stream is followed again");
    following = true;
  }

  function lostStream(error: unknown): void {
    mailbox.post({ type: "blind" });
    if (following) log.warn({ err: error }, "revocations: the stream cannot be followed, checks ask Postgres");
    following = false;
  }

  async function reconcile(): Promise<void> {
    const askedAt = clock.monotonic();
    const wallClock = clock.now();
    const { events, watermark } = await database.run("session_event.since", (sql) =>
      eventsSince(sql, known.watermark, new Date(wallClock), REVOCATION_BATCH),
    );
    if (events.length > 0) mailbox.post({ type: "told", events });
    mailbox.post({ type: "reconciled", watermark, askedAt, wallClock });
  }

  function reconcileOnce(): Promise<void> {
    reconciling ??= reconcile().finally(() => {
      reconciling = undefined;
    });
    return reconciling;
  }

  const current = () => isCurrent(known, clock.monotonic());

  return {
    async start() {
      await reconcileOnce();
      if (loops.length > 0) return;
      loops.push(
        startLoop({ pauseMs: 0, round: follow, onFailure: lostStream, failurePauseMaxMs: 500 }),
        startLoop({
          pauseMs: REVOCATION_POLL_MS,
          round: reconcileOnce,
          onFailure: (error) => log.warn({ err: error }, "revocations: the log in Postgres could not be read"),
          failurePauseMaxMs: 1_000,
        }),
      );
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await mailbox.stop();
    },
    async session(sessionId) {
      if (known.revoked.has(sessionId)) return undefined;
      const view = current() ? known.views.get(sessionId) : undefined;
      if (view && view.expiresAt > clock.now()) return view;
      const generation = known.generation;
      const found = await database.run("session.find_live", (sql) =>
        findLiveSession(sql, sessionId, new Date(clock.now())),
      );
      if (known.revoked.has(sessionId)) return undefined;
      if (found && current() && generation === known.generation) known.views.set(sessionId, found);
      return found;
    },
    async announce(events) {
      if (events.length === 0) return;
      mailbox.post({ type: "told", events });
      await state.append(SESSION_EVENT_STREAM, JSON.stringify(events), REVOCATION_STREAM_MAX_ENTRIES);
    },
    forget(sessionId) {
      known.generation += 1;
      known.views.delete(sessionId);
    },
    async feed(since) {
      // What is not settled here would be given twice, and the cursor may come from a replica that read the log later than
      // this one. One more read settles both; without Postgres, twice it is.
      const ahead = BigInt(since ?? "0") > BigInt(known.watermark);
      if (ahead || known.newestXid >= BigInt(known.watermark)) {
        await Promise.race([reconcileOnce().catch(() => undefined), Bun.sleep(REVOCATION_FEED_WAIT_MS)]);
      }
      return readFeed(known, since, current() ? clock.now() : known.wholeAt, clock.now());
    },
    current,
    get size() {
      return known.revoked.size;
    },
  };
}

function nothingKnown(): Known {
  return {
    revoked: new Map(),
    views: new LRUCache<string, SessionView>({ max: SESSION_VIEWS_MAX, ttl: SESSION_VIEW_TTL_MS }),
    generation: 0,
    watermark: "0",
    newestXid: 0n,
    followedAt: Number.NEGATIVE_INFINITY,
    reconciledAt: Number.NEGATIVE_INFINITY,
    wholeAt: 0,
  };
}

/** Applies one message. No input or output beyond the state. */
export function step(known: Known, message: Message): void {
  switch (message.type) {
    case "told":
      for (const event of message.events) applyEvent(known, event);
      return;
    case "followed":
      known.followedAt = message.askedAt;
      return;
    case "reconciled":
      known.watermark = message.watermark;
      known.reconciledAt = message.askedAt;
      known.wholeAt = message.wallClock;
      forgetExpired(known, message.wallClock);
      return;
    case "blind":
      known.followedAt = Number.NEGATIVE_INFINITY;
      known.generation += 1;
      known.views.clear();
  }
}

function applyEvent(known: Known, event: SessionEvent): void {
  known.generation += 1;
  known.views.delete(event.sessionId);
  if (event.kind !== "revoked" || known.revoked.has(event.sessionId)) return;
  known.revoked.set(event.sessionId, event);
  const xid = BigInt(event.xid);
  if (xid > known.newestXid) known.newestXid = xid;
}

/** Entries stand about in the order of their expiry, so the sweep ends at the first that still counts. */
function forgetExpired(known: Known, now: number): void {
  for (const [sessionId, event] of known.revoked) {
    if (event.expiresAt > now) return;
    known.revoked.delete(sessionId);
  }
}

function isCurrent(known: Known, monotonicNow: number): boolean {
  return (
    monotonicNow - known.followedAt < REVOCATION_CURRENT_MS &&
    monotonicNow - known.reconciledAt < REVOCATION_RECONCILED_MS &&
    known.revoked.size < REVOCATION_ENTRIES_MAX
  );
}

function readFeed(known: Known, since: string | undefined, generatedAt: number, now: number): RevocationFeed {
  // A cursor from before the database was restored elsewhere lies in the future here; then everything is news.
  const asked = BigInt(since ?? "0");
  const from = asked > BigInt(known.watermark) ? 0n : asked;
  const live = [...known.revoked.values()].filter((event) => event.expiresAt > now && BigInt(event.xid) >= from);
  return {
    cursor: known.watermark,
    generatedAt,
    revocations: live,
    version: `${known.newestXid}.${live.length}.${from}`,
  };
}
