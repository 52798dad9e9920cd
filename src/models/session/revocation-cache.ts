/** The state of the actor `revocations`: the sessions that a replica has in memory. Each message is a pure step. */
import { crc32 } from "node:zlib";
import { LRUCache } from "lru-cache";
import {
  REVOCATION_CURRENT_MS,
  REVOCATION_ENTRIES_MAX,
  REVOCATION_RECONCILED_MS,
  SESSION_VIEW_TTL_MS,
  SESSION_VIEWS_MAX,
} from "../../limits/session-limits.ts";
import { cursorOf, LOG_START, type LogPosition, readCursor } from "./event-log.ts";
import { EventsByXid } from "./events-by-xid.ts";
import type { SessionEvent } from "./revocation.ts";
import type { SessionView } from "./session.ts";

export type Message =
  | { readonly type: "eventsReceived"; readonly events: readonly SessionEvent[]; readonly wallClock: number }
  | { readonly type: "streamFollowed"; readonly askedAt: number }
  | {
      readonly type: "reconciled";
      readonly events: readonly SessionEvent[];
      readonly position: LogPosition;
      readonly askedAt: number;
      readonly wallClock: number;
    }
  | { readonly type: "streamLost" };

export interface RevocationCache {
  /** Revoked sessions by id, oldest first, until their last access token has expired. */
  readonly revoked: Map<string, SessionEvent>;
  /** The events for the feed. */
  readonly feedEvents: EventsByXid;
  /** The feed without a cursor, until it changes. */
  fullFeed?: FullFeed;
  readonly views: LRUCache<string, SessionView>;
  /** Views of API keys by id. Key events use the session log, so the rules for caching are equal. */
  readonly keys: LRUCache<string, object>;
  /** Views of device authorizations by `deviceEventId`. Decisions use the session log too. */
  readonly devices: LRUCache<string, object>;
  /** Views that are being loaded, by session or key: a view with an event during its load is not cached. */
  readonly loads: Map<string, Set<Load>>;
  position: LogPosition;
  newestXid: bigint;
  /** Monotonic milliseconds at which the last successful request to each source was sent. */
  followedAt: number;
  reconciledAt: number;
  /** Monotonic milliseconds of the last removal of views after their lifetime. */
  viewsSweptAt: number;
  /** Wall-clock milliseconds of the last reconciliation, for the feed. */
  completeUntil: number;
}

/** A view that is being read from Postgres. */
export interface Load {
  stale: boolean;
}

/** The feed's copy of the log. */
type FeedContent = Pick<RevocationFeed, "revocations" | "version">;

interface FullFeed extends FeedContent {
  readonly revision: number;
  /** Wall-clock milliseconds at which the first entry expires. */
  readonly validUntil: number;
}

export interface RevocationFeed {
  readonly cursor: string;
  /** Wall-clock milliseconds up to which the content is known to be complete. */
  readonly generatedAt: number;
  /** Duration since the content was complete: 0 while this replica is current. */
  readonly ageMs: number;
  readonly revocations: readonly SessionEvent[];
  /** Equal for equal content, on every replica. */
  readonly version: string;
}

export function emptyCache(): RevocationCache {
  return {
    revoked: new Map(),
    feedEvents: new EventsByXid(),
    views: new LRUCache<string, SessionView>({ max: SESSION_VIEWS_MAX, ttl: SESSION_VIEW_TTL_MS }),
    keys: new LRUCache<string, object>({ max: SESSION_VIEWS_MAX, ttl: SESSION_VIEW_TTL_MS }),
    devices: new LRUCache<string, object>({ max: SESSION_VIEWS_MAX, ttl: SESSION_VIEW_TTL_MS }),
    loads: new Map(),
    position: LOG_START,
    newestXid: 0n,
    followedAt: Number.NEGATIVE_INFINITY,
    reconciledAt: Number.NEGATIVE_INFINITY,
    viewsSweptAt: Number.NEGATIVE_INFINITY,
    completeUntil: 0,
  };
}

/** Applies one message. No input or output beyond the state. */
export function step(known: RevocationCache, message: Message): void {
  switch (message.type) {
    case "eventsReceived":
      for (const event of message.events) applyEvent(known, event, message.wallClock);
      return;
    case "streamFollowed":
      known.followedAt = message.askedAt;
      return;
    case "reconciled":
      if (isReplaced(known.position, message.position)) forgetDatabase(known);
      for (const event of message.events) applyEvent(known, event, message.wallClock);
      known.position = message.position;
      known.reconciledAt = message.askedAt;
      known.completeUntil = message.wallClock;
      forgetExpired(known, message.wallClock);
      dropStaleViews(known, message.askedAt);
      return;
    case "streamLost":
      known.followedAt = Number.NEGATIVE_INFINITY;
      forgetViews(known);
  }
}

/** An expired event needs no entry: no token remains to refuse. */
function applyEvent(known: RevocationCache, event: SessionEvent, now: number): void {
  if (event.kind === "organization_changed") forgetViewsOf(known, event.sessionId);
  else forgetView(known, event.sessionId);
  if (event.kind !== "revoked" || event.expiresAt <= now || known.revoked.has(event.sessionId)) return;
  known.revoked.set(event.sessionId, event);
  known.feedEvents.insert(event);
  const xid = BigInt(event.xid);
  if (xid > known.newestXid) known.newestXid = xid;
}

export function beginLoad(known: RevocationCache, sessionId: string): Load {
  const underway: Load = { stale: false };
  const loads = known.loads.get(sessionId) ?? new Set();
  known.loads.set(sessionId, loads.add(underway));
  return underway;
}

export function endLoad(known: RevocationCache, sessionId: string, underway: Load): void {
  const loads = known.loads.get(sessionId);
  loads?.delete(underway);
  if (loads?.size === 0) known.loads.delete(sessionId);
}

export function forgetView(known: RevocationCache, sessionId: string): void {
  known.views.delete(sessionId);
  known.keys.delete(sessionId);
  known.devices.delete(sessionId);
  for (const underway of known.loads.get(sessionId) ?? []) underway.stale = true;
}

/** The users of the sessions in loading are not known yet, so no such view is cached. */
function forgetViewsOf(known: RevocationCache, organizationId: string): void {
  const ofOrganization = [...known.views.entries()].filter(([, view]) => view.organizationId === organizationId);
  for (const [sessionId] of ofOrganization) known.views.delete(sessionId);
  forgetLoads(known);
}

function forgetViews(known: RevocationCache): void {
  known.views.clear();
  known.keys.clear();
  known.devices.clear();
  forgetLoads(known);
}

function forgetLoads(known: RevocationCache): void {
  for (const loads of known.loads.values()) for (const underway of loads) underway.stale = true;
}

/** The database differs from the previous database, or has older transaction ids (G40). */
function isReplaced(before: LogPosition, now: LogPosition): boolean {
  const wentBack = BigInt(before.watermark) > BigInt(now.watermark) || BigInt(before.next) > BigInt(now.next);
  return before.database !== now.database || wentBack;
}

/**
 * Drops the views of the old database. The revocations stay, so that an older copy does not bring a revoked session
 * back. Transaction ids start over.
 */
function forgetDatabase(known: RevocationCache): void {
  forgetViews(known);
  known.newestXid = 0n;
}

/** Entries are roughly in the order of their expiry, so the sweep ends at the first that has not expired. */
function forgetExpired(known: RevocationCache, now: number): void {
  known.feedEvents.dropExpired(now);
  for (const [sessionId, event] of known.revoked) {
    if (event.expiresAt > now) return;
    known.revoked.delete(sessionId);
  }
}

/** Without the removal a cache keeps a view after its lifetime, and memory grows up to the bound of the cache. */
function dropStaleViews(known: RevocationCache, monotonicNow: number): void {
  if (monotonicNow - known.viewsSweptAt < SESSION_VIEW_TTL_MS) return;
  known.viewsSweptAt = monotonicNow;
  for (const views of [known.views, known.keys, known.devices]) views.purgeStale();
}

export function isCurrent(known: RevocationCache, monotonicNow: number): boolean {
  return (
    monotonicNow - known.followedAt < REVOCATION_CURRENT_MS &&
    monotonicNow - known.reconciledAt < REVOCATION_RECONCILED_MS &&
    known.revoked.size < REVOCATION_ENTRIES_MAX
  );
}

export function readFeed(
  known: RevocationCache,
  since: string | undefined,
  generatedAt: number,
  now: number,
): RevocationFeed {
  const from = (since === undefined ? undefined : readCursor(since, known.position)) ?? 0n;
  const { revocations, version } = from === 0n ? fullFeed(known, now) : feedFrom(known, from, now);
  return { cursor: cursorOf(known.position), generatedAt, ageMs: Math.max(0, now - generatedAt), revocations, version };
}

function feedFrom(known: RevocationCache, from: bigint, now: number): FeedContent {
  const live = known.feedEvents.from(from).filter((event) => event.expiresAt > now);
  const sum = live.reduce((total, event) => total + crc32(event.sessionId), 0);
  return { revocations: live, version: `${live.length}.${sum}.${from}` };
}

/** Returns an identical array while there is no change, so that the array is serialised once (G87). */
function fullFeed(known: RevocationCache, now: number): FeedContent {
  const { revision } = known.feedEvents;
  const kept = known.fullFeed;
  if (kept && kept.revision === revision && now < kept.validUntil) return kept;
  const content = feedFrom(known, 0n, now);
  const validUntil = content.revocations.reduce((first, { expiresAt }) => Math.min(first, expiresAt), Infinity);
  known.fullFeed = { ...content, revision, validUntil };
  return known.fullFeed;
}
