/**
 * Simulates many replicas in a single process: real `revocations` actors on a local stream and a log in memory, with a
 * clock that moves by ticks. A tick ends when every replica has read all messages, so that a slow machine changes no
 * result.
 */
import { type Revocations, revocations } from "../src/actors/revocations.ts";
import type { Database } from "../src/database/database.ts";
import { REVOCATION_POLL_MS } from "../src/limits/session-limits.ts";
import type { EventsRead } from "../src/models/session/event-log.ts";
import type { SessionEvent } from "../src/models/session/revocation.ts";
import { localState } from "../src/state/local.ts";
import type { State } from "../src/state/state.ts";
import { createLogger } from "../src/telemetry/log.ts";
import { type MovableClock, movableClock } from "../test/support/clock.ts";
import { silentTelemetry } from "../test/support/telemetry.ts";

export interface SimulationOptions {
  readonly replicas: number;
  readonly perSecond: number;
  /** Simulated duration. The simulation ends earlier if a replica is no longer current. */
  readonly seconds: number;
  readonly tickMs: number;
  /** The time for which replicas keep a revoked session: the lifetime of the access token. */
  readonly lifetimeMs: number;
  /**
   * The ratio of unannounced revocations: every n-th revocation is not announced, as if the replica had crashed after
   * the commit.
   */
  readonly unannouncedEvery: number;
}

export interface SimulationResult {
  readonly revoked: number;
  /** Revocations of unexpired tokens that a replica did not know at the end; the sum over all replicas. */
  readonly missed: number;
  /** Simulated milliseconds until the last replica knew an unannounced revocation. */
  readonly unannouncedLagMs: number;
  /** Simulated seconds until a replica was no longer current; undefined if all replicas were current to the end. */
  readonly currentUntilSeconds: number | undefined;
  readonly entriesMax: number;
  /** CPU time of a replica per revocation in microseconds: stream and log together. */
  readonly cpuMicroseconds: number;
  /** Milliseconds for the whole feed of a replica. */
  readonly feedMs: number;
}

/** The log in PostgreSQL. Transactions end at once, so the watermark is above all transactions. */
class Log {
  readonly events: SessionEvent[] = [];
  private waiting: { readonly at: number; readonly resume: () => void }[] = [];

  advance(clock: MovableClock, milliseconds: number): void {
    clock.advance(milliseconds);
    const due = this.waiting.filter(({ at }) => at <= clock.monotonic());
    this.waiting = this.waiting.filter(({ at }) => at > clock.monotonic());
    for (const { resume } of due) resume();
  }

  /** Resolves at a simulated time. */
  at(clock: MovableClock, at: number): Promise<void> {
    if (clock.monotonic() >= at) return Promise.resolve();
    return new Promise((resume) => this.waiting.push({ at, resume }));
  }

  insert(at: number, lifetimeMs: number): SessionEvent {
    const event: SessionEvent = {
      sessionId: Bun.randomUUIDv7(),
      kind: "revoked",
      reason: "logout",
      at,
      expiresAt: at + lifetimeMs,
      xid: String(this.events.length + 1),
    };
    this.events.push(event);
    return event;
  }
}

interface Replica {
  readonly actor: Revocations;
  /** The number of messages that the replica has read from the stream. */
  delivered: number;
  reads: number;
  polls: number;
  /** The number of unannounced revocations that the replica knows. */
  unannouncedKnown: number;
}

/**
 * A timer yields for a turn of the event loop, because waiting by `setImmediate` would count as CPU time of the
 * replicas.
 */
const turn = () => Bun.sleep(1);

export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const { perSecond, seconds, tickMs, lifetimeMs, unannouncedEvery } = options;
  const clock = movableClock();
  const log = new Log();
  const replicas = await startReplicas(options.replicas, clock, log);
  const unannounced: SessionEvent[] = [];
  const totals = { announced: 0, lagMs: 0, entriesMax: 0 };
  let currentUntilSeconds: number | undefined;
  const cpuBefore = process.cpuUsage();
  for (let tick = 1; tick <= (seconds * 1000) / tickMs && currentUntilSeconds === undefined; tick += 1) {
    log.advance(clock, tickMs);
    while (log.events.length < (tick * tickMs * perSecond) / 1000) {
      const event = log.insert(clock.now(), lifetimeMs);
      if (log.events.length % unannouncedEvery === 0) unannounced.push(event);
      else {
        void replicas[log.events.length % replicas.length]?.actor.announce([event]);
        totals.announced += 1;
      }
    }
    await settled(replicas, totals.announced, clock);
    for (const replica of replicas) totals.lagMs = Math.max(totals.lagMs, await lagOf(replica, unannounced, clock));
    totals.entriesMax = Math.max(totals.entriesMax, ...replicas.map(({ actor }) => actor.size));
    if (!replicas.every(({ actor }) => actor.current())) currentUntilSeconds = clock.monotonic() / 1000;
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  // The next reading of the log finds the last unannounced revocations.
  log.advance(clock, REVOCATION_POLL_MS);
  await settled(replicas, totals.announced, clock);
  const missed = await countMissed(replicas, log, clock);
  const feedMs = await timeFeed(replicas[0]);
  const stopped = replicas.map(({ actor }) => actor.stop());
  // `stop` waits for the running read.
  log.advance(clock, 2 * REVOCATION_POLL_MS);
  await Promise.all(stopped);
  return {
    revoked: log.events.length,
    missed,
    unannouncedLagMs: totals.lagMs,
    currentUntilSeconds,
    entriesMax: totals.entriesMax,
    cpuMicroseconds: (user + system) / log.events.length / replicas.length,
    feedMs,
  };
}

async function startReplicas(count: number, clock: MovableClock, log: Log): Promise<Replica[]> {
  const state = localState(clock);
  const telemetry = await silentTelemetry();
  const logger = await createLogger({ level: "silent", pretty: false, traceIds: () => undefined });
  const replicas = Array.from({ length: count }, (): Replica => {
    const replica = { delivered: 0, reads: 0, polls: 0, unannouncedKnown: 0 };
    const database = logReader(log, clock, replica);
    const actor = revocations({ database, state: counted(state, replica), clock, log: logger, telemetry });
    return Object.assign(replica, { actor });
  });
  await Promise.all(replicas.map(({ actor }) => actor.start()));
  while (replicas.some(({ reads }) => reads === 0)) await turn();
  return replicas;
}

/**
 * Reads the log at most once in each simulated interval. The reader reports every session as live, so that a missed
 * revocation becomes visible.
 */
function logReader(log: Log, clock: MovableClock, replica: Pick<Replica, "polls">): Database {
  let next = 0;
  let begun = 0;
  async function read(): Promise<EventsRead> {
    // The actor reads once at the start and again with the first round of the loop.
    await log.at(clock, (begun - 1) * REVOCATION_POLL_MS);
    begun += 1;
    const events = log.events.slice(next).filter(({ expiresAt }) => expiresAt > clock.now());
    next = log.events.length;
    // The count happens after the actor has applied the revocations, which needs no further turn of the event loop.
    setImmediate(() => {
      replica.polls += 1;
    });
    const position = { database: "simulated", watermark: String(next + 1), open: [], next: String(next + 1) };
    return { events, position };
  }
  return {
    run: async (statement) =>
      (statement === "session_event.since" ? await read() : { id: "live", expiresAt: Number.MAX_VALUE }) as never,
    transaction: () => Promise.reject(new Error("not used")),
    close: async () => undefined,
  };
}

function counted(state: State, replica: Pick<Replica, "delivered" | "reads">): State {
  return {
    ...state,
    read(...args) {
      replica.reads += 1;
      return state.read(...args).then((read) => {
        replica.delivered += read.messages.length;
        return read;
      });
    },
  };
}

/** Waits until each replica has read the whole stream and has made every due read of the log. */
async function settled(replicas: readonly Replica[], announced: number, clock: MovableClock): Promise<void> {
  const due = Math.floor(clock.monotonic() / REVOCATION_POLL_MS) + 2;
  while (replicas.some(({ delivered, polls }) => delivered < announced || polls < due)) await turn();
  await turn();
}

async function lagOf(replica: Replica, unannounced: readonly SessionEvent[], clock: MovableClock): Promise<number> {
  let lagMs = 0;
  for (;;) {
    const event = unannounced[replica.unannouncedKnown];
    if (!event) return lagMs;
    lagMs = Math.max(lagMs, clock.now() - event.at);
    if (await replica.actor.session(event.sessionId)) return lagMs;
    replica.unannouncedKnown += 1;
  }
}

async function countMissed(replicas: readonly Replica[], log: Log, clock: MovableClock): Promise<number> {
  const live = log.events.filter(({ expiresAt }) => expiresAt > clock.now());
  let missed = 0;
  for (const { actor } of replicas) for (const { sessionId } of live) if (await actor.session(sessionId)) missed += 1;
  return missed;
}

async function timeFeed(replica: Replica | undefined): Promise<number> {
  const startedAt = performance.now();
  const feed = await replica?.actor.feed(undefined);
  JSON.stringify(feed?.revocations);
  return performance.now() - startedAt;
}
