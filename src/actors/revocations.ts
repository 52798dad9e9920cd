/**
 * Owns: which sessions were revoked lately, and views of live sessions, so that a request is judged without a network call.
 * Told by: this replica's own flows at once (`announce`), the other replicas through a Redis stream read from a cursor, and a
 * poll of the log in Postgres, which is the truth and finds what a crash kept from the stream.
 * Bound: `REVOCATION_ENTRIES_MAX` entries; beyond that the actor no longer calls itself current, so every check asks Postgres.
 * Views: `SESSION_VIEWS_MAX`, least recently used go first. Loads of views: those under way, which the database bounds. Messages: `MAILBOX_MAX`; a dropped one makes the actor not current
 * until the next poll has read it.
 * A crash loses: nothing; start() reads the log again.
 */
import type { Clock } from "../base/clock.ts";
import type { Database } from "../base/database.ts";
import {
  MAILBOX_MAX,
  REVOCATION_BATCH,
  REVOCATION_FEED_WAIT_MS,
  REVOCATION_POLL_MS,
  REVOCATION_STREAM_BLOCK_MS,
  REVOCATION_STREAM_MAX_ENTRIES,
} from "../base/limits.ts";
import type { Logger } from "../base/log.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import { openMailbox } from "../base/mailbox.ts";
import {
  beginLoad,
  endLoad,
  forgetView,
  isCurrent,
  type Message,
  nothingKnown,
  type RevocationFeed,
  readFeed,
  step,
} from "../models/session/known-sessions.ts";
import { eventsSince, readCursor, SESSION_EVENT_STREAM, type SessionEvent } from "../models/session/revocation.ts";
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

export interface RevocationsDeps {
  readonly database: Database;
  readonly state: State;
  readonly clock: Clock;
  readonly log: Logger;
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
    whenFull: () => step(known, { type: "streamLost" }),
    onError: (error) => log.error({ err: error }, "revocations: a message could not be applied"),
  });

  async function follow(): Promise<void> {
    const askedAt = clock.monotonic();
    position ??= await state.position(SESSION_EVENT_STREAM);
    const read = await state.read(SESSION_EVENT_STREAM, position, REVOCATION_STREAM_BLOCK_MS, REVOCATION_BATCH);
    position = read.position;
    for (const message of read.messages) mailbox.post({ type: "eventsReceived", events: JSON.parse(message) });
    if (read.messages.length < REVOCATION_BATCH) mailbox.post({ type: "streamFollowed", askedAt });
    if (!following) log.info("revocations: the stream is followed again");
    following = true;
  }

  function lostStream(error: unknown): void {
    mailbox.post({ type: "streamLost" });
    if (following) log.warn({ err: error }, "revocations: the stream cannot be followed, checks ask Postgres");
    following = false;
  }

  async function reconcile(): Promise<void> {
    const askedAt = clock.monotonic();
    const wallClock = clock.now();
    const { events, position } = await database.run("session_event.since", (sql) =>
      eventsSince(sql, known.position, new Date(wallClock), REVOCATION_BATCH),
    );
    if (events.length > 0) mailbox.post({ type: "eventsReceived", events });
    mailbox.post({ type: "reconciled", position, askedAt, wallClock });
  }

  function reconcileOnce(): Promise<void> {
    reconciling ??= reconcile().finally(() => {
      reconciling = undefined;
    });
    return reconciling;
  }

  const current = () => isCurrent(known, clock.monotonic());

  async function load(sessionId: string): Promise<SessionView | undefined> {
    const underway = beginLoad(known, sessionId);
    try {
      const found = await database.run("session.find_live", (sql) =>
        findLiveSession(sql, sessionId, new Date(clock.now())),
      );
      if (known.revoked.has(sessionId)) return undefined;
      if (found && current() && !underway.stale) known.views.set(sessionId, found);
      return found;
    } finally {
      endLoad(known, sessionId, underway);
    }
  }

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
      return await load(sessionId);
    },
    async announce(events) {
      if (events.length === 0) return;
      mailbox.post({ type: "eventsReceived", events });
      await state.append(SESSION_EVENT_STREAM, JSON.stringify(events), REVOCATION_STREAM_MAX_ENTRIES);
    },
    forget(sessionId) {
      forgetView(known, sessionId);
    },
    async feed(since) {
      // What is not settled here would be given twice, and the cursor may come from a replica that read the log later than
      // this one. One more read settles both; without Postgres, twice it is.
      const elsewhere = since !== undefined && readCursor(since, known.position) === undefined;
      if (elsewhere || known.newestXid >= BigInt(known.position.watermark)) {
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
