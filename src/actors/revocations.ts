/**
 * Owns: recently revoked sessions and API keys, and cached views of live sessions, keys and device authorizations, so a
 * check needs no network call.
 * Updated by: flows of this replica at once (`announce`), other replicas through a Redis stream, and a poll of the log
 * in PostgreSQL, the source of truth, which finds events missing from the stream after a crash.
 * Bound: `REVOCATION_ENTRIES_MAX` entries; beyond this bound the actor is not current, and every check asks PostgreSQL.
 * `SESSION_VIEWS_MAX` views, least recently used first; the database bounds concurrent loads. `MAILBOX_MAX` messages; a
 * dropped message counts as `streamLost`, so checks ask PostgreSQL until the stream was read again.
 * A crash loses: no data; start() reads the log again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { LRUCache } from "lru-cache";
import type { Clock } from "../base/clock.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import { type Mailbox, openMailbox } from "../base/mailbox.ts";
import type { Database, Sql } from "../database/database.ts";
import { DEVICE_CODE_KEPT_MS } from "../limits/oauth-limits.ts";
import { MAILBOX_MAX } from "../limits/process-limits.ts";
import {
  REVOCATION_BATCH,
  REVOCATION_FEED_WAIT_MS,
  REVOCATION_POLL_MS,
  REVOCATION_STREAM_BLOCK_MS,
  REVOCATION_STREAM_MAX_ENTRIES,
} from "../limits/session-limits.ts";
import { type DeviceView, deviceEventId, findDevice } from "../models/oauth-device/device-code.ts";
import { findLiveKey, type KeyView } from "../models/service-account/api-key.ts";
import { findLiveTrust } from "../models/service-account/trust.ts";
import { afterFailure, eventsSince, readCursor } from "../models/session/event-log.ts";
import { SESSION_EVENT_STREAM, type SessionEvent } from "../models/session/revocation.ts";
import {
  beginLoad,
  emptyCache,
  endLoad,
  forgetView,
  isCurrent,
  type Message,
  type RevocationCache,
  type RevocationFeed,
  readFeed,
  step,
} from "../models/session/revocation-cache.ts";
import { findLiveSession, type SessionView } from "../models/session/session.ts";
import type { State } from "../state/state.ts";
import type { Logger } from "../telemetry/log.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";

export interface Revocations {
  /** Reads the log, then follows stream and log. Rejects when PostgreSQL is away; may then be called again. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * Finds a live session. Needs no network call while the actor is current and has the view; asks PostgreSQL otherwise.
   * Rejects while PostgreSQL is unavailable: an unknown state is never "signed out" (docs/contract.md, section 3.8).
   */
  session(sessionId: string): MaybePromise<SessionView | undefined>;
  /**
   * Whether the log, as far as read by this replica, has the revocation of a session, a token family or a token. While
   * the actor is current, the log has all revocations since before the last access token expired.
   */
  isRevoked(id: string): boolean;
  /** Finds a live API key by id, like `session`. */
  key(keyId: string): MaybePromise<KeyView | undefined>;
  /** Finds a live trust of a service account by id, like `session`. */
  trust(trustId: string): MaybePromise<KeyView | undefined>;
  /** Finds the authorization of a device code in any status, like `session`. */
  device(deviceCodeHash: Buffer): MaybePromise<DeviceView | undefined>;
  /**
   * Applies events committed by this replica and sends the events to the other replicas. Does not reject while Redis is
   * unavailable.
   */
  announce(events: readonly SessionEvent[]): Promise<void>;
  /**
   * Drops the view of a session after a change of the row without an event (a refresh, of no concern to other
   * replicas).
   */
  forget(sessionId: string): void;
  /** The public feed (docs/contract.md, section 18.3). `since`: the cursor of an earlier response. */
  feed(since: string | undefined): Promise<RevocationFeed>;
  /** Whether session checks are served from memory. */
  current(): boolean;
  readonly size: number;
}

export interface RevocationsDeps {
  readonly database: Database;
  readonly state: State;
  readonly clock: Clock;
  readonly log: Logger;
  readonly telemetry: Telemetry;
}

/** A plain value needs no wait. */
type MaybePromise<T> = Promise<T> | T;

interface Expiring {
  /** Milliseconds. */
  readonly expiresAt: number;
  /** The next time at which a rule about the credential has another effect. Milliseconds. */
  readonly staleAt?: number | null;
}

/** The kind of a checked credential: session, API key or device authorization. */
interface Kind<View extends object> {
  readonly views: LRUCache<string, View>;
  readonly statement: string;
  readonly find: (sql: Sql, id: string, at: Date) => Promise<View | undefined>;
}

// Models do not import one another; only this file writes to the views of keys and devices.
interface Kinds {
  readonly sessions: Kind<SessionView>;
  readonly keys: Kind<KeyView>;
  readonly trusts: Kind<KeyView>;
}

function kindsOf(cache: RevocationCache): Kinds {
  const views = cache.keys as LRUCache<string, KeyView>;
  return {
    sessions: { views: cache.views, statement: "session.find_live", find: findLiveSession },
    keys: { views, statement: "api_key.find_live", find: findLiveKey },
    trusts: { views, statement: "service_account_trust.find_live", find: findLiveTrust },
  };
}

function deviceKind(cache: RevocationCache, deviceCodeHash: Buffer): Kind<DeviceView> {
  const views = cache.devices as LRUCache<string, DeviceView>;
  const find = (sql: Sql) => findDevice(sql, deviceCodeHash, DEVICE_CODE_KEPT_MS);
  return { views, statement: "oauth_device.find_state", find };
}

/** Stream and log of session events, read into the mailbox. */
interface EventSources {
  /** Reads the stream once. */
  readStream(): Promise<void>;
  /** To be called when the stream could not be read: checks then ask PostgreSQL. */
  streamFailed(error: unknown): void;
  /** Reads the log in PostgreSQL. Concurrent calls share a read. */
  reconcile(): Promise<void>;
}

export function revocations(deps: RevocationsDeps): Revocations {
  const { database, state, clock, log, telemetry } = deps;
  const cache = emptyCache();
  const loops: Loop[] = [];
  const mailbox = openMailbox<Message>({
    bound: MAILBOX_MAX,
    handle: (message) => step(cache, message),
    whenFull() {
      telemetry.metrics.boundRefused("revocation_mailbox");
      step(cache, { type: "streamLost" });
    },
    onError: (error) => log.error({ err: error }, "revocations: a message could not be applied"),
  });
  const { readStream, streamFailed, reconcile } = eventSources(deps, cache, mailbox);
  const current = () => isCurrent(cache, clock.monotonic());

  async function load<View extends object>({ views, statement, find }: Kind<View>, id: string) {
    const underway = beginLoad(cache, id);
    try {
      const found = await database.run(statement, (sql) => find(sql, id, new Date(clock.now())));
      if (cache.revoked.has(id)) return undefined;
      if (found && current() && !underway.stale) views.set(id, found);
      return found;
    } finally {
      endLoad(cache, id, underway);
    }
  }

  function findLive<View extends Expiring>(kind: Kind<View>, id: string): MaybePromise<View | undefined> {
    if (cache.revoked.has(id)) return undefined;
    const view = current() ? kind.views.get(id) : undefined;
    if (view && Math.min(view.expiresAt, view.staleAt ?? view.expiresAt) > clock.now()) return view;
    return load(kind, id);
  }

  const { sessions, keys, trusts } = kindsOf(cache);

  return {
    async start() {
      await reconcile();
      if (loops.length > 0) return;
      loops.push(
        startLoop({ pauseMs: 0, round: readStream, onFailure: streamFailed, failurePauseMaxMs: 500 }),
        startLoop({
          pauseMs: REVOCATION_POLL_MS,
          round: reconcile,
          onFailure: (error) => log.warn({ err: error }, "revocations: the log in PostgreSQL could not be read"),
          failurePauseMaxMs: 1_000,
        }),
      );
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await mailbox.stop();
    },
    session: (sessionId) => findLive(sessions, sessionId),
    key: (keyId) => findLive(keys, keyId),
    trust: (trustId) => findLive(trusts, trustId),
    device: (deviceCodeHash) => findLive(deviceKind(cache, deviceCodeHash), deviceEventId(deviceCodeHash)),
    isRevoked: (id) => cache.revoked.has(id),
    async announce(events) {
      if (events.length === 0) return;
      mailbox.post({ type: "eventsReceived", events, wallClock: clock.now() });
      await state.append(SESSION_EVENT_STREAM, JSON.stringify(events), REVOCATION_STREAM_MAX_ENTRIES);
    },
    forget: (sessionId) => forgetView(cache, sessionId),
    async feed(since) {
      if (repeatsEntries(cache, since))
        await Promise.race([reconcile().catch(() => undefined), sleep(REVOCATION_FEED_WAIT_MS)]);
      const now = clock.now();
      return readFeed(cache, since, current() ? now : cache.completeUntil, now);
    },
    current,
    get size() {
      return cache.revoked.size;
    },
  };
}

/**
 * Whether the feed would repeat entries: events at or above the watermark stay behind every cursor, and a cursor of a
 * replica with a later part of the log is unknown here. One more read of the log avoids repetition.
 */
function repeatsEntries(cache: RevocationCache, since: string | undefined): boolean {
  const unknownCursor = since !== undefined && readCursor(since, cache.position) === undefined;
  return unknownCursor || cache.newestXid >= BigInt(cache.position.watermark);
}

function eventSources(deps: RevocationsDeps, cache: RevocationCache, mailbox: Mailbox<Message>): EventSources {
  const { database, state, clock, log } = deps;
  let position: string | undefined;
  let following = true;
  /** Whether the last reading of the log did. */
  let failed = false;
  let reconciling: Promise<void> | undefined;

  async function readStream(): Promise<void> {
    const requestedAt = clock.monotonic();
    position ??= await state.position(SESSION_EVENT_STREAM);
    const read = await state.read(SESSION_EVENT_STREAM, position, REVOCATION_STREAM_BLOCK_MS, REVOCATION_BATCH);
    position = read.position;
    const wallClock = clock.now();
    for (const message of read.messages) {
      mailbox.post({ type: "eventsReceived", events: JSON.parse(message), wallClock });
    }
    if (read.messages.length < REVOCATION_BATCH) mailbox.post({ type: "streamFollowed", askedAt: requestedAt });
    if (!following) log.info("revocations: the stream is followed again");
    following = true;
  }

  function streamFailed(error: unknown): void {
    mailbox.post({ type: "streamLost" });
    if (following) log.warn({ err: error }, "revocations: the stream cannot be followed; checks ask PostgreSQL");
    following = false;
  }

  async function readLog(): Promise<void> {
    const requestedAt = clock.monotonic();
    const wallClock = clock.now();
    const from = failed ? afterFailure(cache.position) : cache.position;
    failed = true;
    const read = await database.run("session_event.since", (sql) =>
      eventsSince(sql, from, new Date(wallClock), REVOCATION_BATCH),
    );
    failed = false;
    mailbox.post({ type: "reconciled", ...read, askedAt: requestedAt, wallClock });
  }

  function reconcile(): Promise<void> {
    reconciling ??= readLog().finally(() => {
      reconciling = undefined;
    });
    return reconciling;
  }

  return { readStream, streamFailed, reconcile };
}
