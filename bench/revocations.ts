/**
 * `bun bench/revocations.ts` measures the revocation stream and log at 10,000 revocations per second. The program
 * simulates 50 replicas, then two replicas up to the memory bound, then measures the cost of a revocation for
 * PostgreSQL, Redis and a reader. Writes the table of docs/capacity.md.
 */
import postgres from "postgres";
import { systemClock } from "../src/base/clock.ts";
import { REVOCATION_BATCH, REVOCATION_ENTRIES_MAX } from "../src/limits/session-limits.ts";
import { eventsSince, LOG_START } from "../src/models/session/event-log.ts";
import { SESSION_EVENT_STREAM } from "../src/models/session/revocation.ts";
import { emptyCache, step } from "../src/models/session/revocation-cache.ts";
import { findLiveSession } from "../src/models/session/session.ts";
import { redisState } from "../src/state/redis.ts";
import { silentTelemetry } from "../test/support/telemetry.ts";
import { serverCpuMs } from "./cpu.ts";
import { fixed, registerAccounts, type Servers, startService, whole, withServers } from "./harness.ts";
import { simulate } from "./revocation-simulation.ts";
import { writeTable } from "./tables.ts";

const PER_SECOND = 10_000;
const REPLICAS = 50;
/** Access tokens are valid for 15 minutes, and clocks may differ by 5 seconds. */
const TOKEN_LIFETIME_MS = 905_000;
/** A short lifetime for the simulation of 50 replicas, which share the memory of a single process. */
const SHORT_LIFETIME_MS = 2_000;
const ROWS = 50_000;
const PASSES = 8;
const STREAM_READ = 100;
const CHECKS = 10_000;

const bytesPerEntry = measureMemory();
const wide = await simulate({
  replicas: REPLICAS,
  perSecond: PER_SECOND,
  seconds: 10,
  tickMs: 20,
  lifetimeMs: SHORT_LIFETIME_MS,
  unannouncedEvery: 100,
});
console.error(wide);
const deep = await simulate({
  replicas: 2,
  perSecond: PER_SECOND,
  seconds: 90,
  tickMs: 100,
  lifetimeMs: TOKEN_LIFETIME_MS,
  unannouncedEvery: 100,
});
console.error(deep);
const { log, stream, check } = await withServers(async (servers) => ({
  log: await measureLog(servers),
  stream: await measureStream(servers),
  check: await measureCheck(servers),
}));
const rows = [
  [`${whole(wide.revoked)} revocations on ${REPLICAS} replicas (simulated): missed`, whole(wide.missed)],
  ["latest that a replica knew one that was not announced (simulated), ms", whole(wide.unannouncedLagMs)],
  ["a replica, to apply one from stream and log, CPU µs", fixed(wide.cpuMicroseconds)],
  ["a replica, memory for each that it knows, bytes", whole(bytesPerEntry)],
  ["no longer current after (simulated, tokens of 15 minutes), s", fixed(deep.currentUntilSeconds ?? Number.NaN)],
  [`the whole feed of ${whole(deep.entriesMax)} entries, ms`, whole(deep.feedMs)],
  ["one read of the log: PostgreSQL, CPU µs each row", fixed(log.server)],
  ["one read of the log: the reader, CPU µs each row", fixed(log.reader)],
  ["one append to the stream: Redis, CPU µs", fixed(stream.append)],
  ["one delivery from the stream to one replica: Redis, CPU µs", fixed(stream.server)],
  ["one delivery: the reader, CPU µs", fixed(stream.reader)],
  ["one message of the stream, bytes", whole(stream.bytes)],
  ["a session check that asks PostgreSQL, its CPU µs", whole(check.server)],
];
const table = [
  `| At ${whole(PER_SECOND)} a second | |`,
  "|---|---|",
  ...rows.map((cells) => `| ${cells.join(" | ")} |`),
];
writeTable("docs/capacity.md", "revocations", table.join("\n"));
console.log(table.join("\n"));
process.exit(0);

/** Returns microseconds of CPU time per unit of work, for a server and for this process. */
async function costOf(pid: number, units: number, work: () => Promise<void>) {
  const before = serverCpuMs(pid);
  const own = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(own);
  return { server: ((serverCpuMs(pid) - before) * 1000) / units, reader: (user + system) / units };
}

async function measureLog({ databaseUrl, postgresPid }: Servers) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  await sql`
    insert into session_events (session_id, kind, reason, at, expires_at)
    select gen_random_uuid(), 'revoked', 'logout', now(), now() + interval '905 seconds'
    from generate_series(1, ${ROWS}::int)`;
  await sql`vacuum analyze session_events`;
  const cost = await costOf(postgresPid, ROWS * PASSES, async () => {
    for (let pass = 0; pass < PASSES; pass += 1) await eventsSince(sql, LOG_START, new Date(), REVOCATION_BATCH);
  });
  await sql.end();
  return cost;
}

/** Builds the message of a sign-out. */
function message(): string {
  const at = Date.now();
  const times = { at, expiresAt: at + TOKEN_LIFETIME_MS };
  const sessionId = Bun.randomUUIDv7();
  return JSON.stringify([{ sessionId, kind: "revoked", reason: "logout", ...times, xid: "123456789" }]);
}

/**
 * Returns bytes of memory per entry of a replica. The measurement runs first, while freed memory does not distort the
 * result.
 */
function measureMemory(): number {
  const known = emptyCache();
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  for (let entry = 0; entry < REVOCATION_ENTRIES_MAX; entry += 1)
    step(known, { type: "eventsReceived", events: JSON.parse(message()), wallClock: Date.now() });
  Bun.gc(true);
  return (process.memoryUsage.rss() - before) / known.revoked.size;
}

/** Measures the cost of a session check at a replica that is not current. */
async function measureCheck({ databaseUrl, redisUrl, postgresPid }: Servers) {
  const service = await startService({ databaseUrl, redisUrl });
  await registerAccounts(service.url, 1);
  await service.stop();
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  const [session] = await sql<{ id: string }[]>`select id from sessions limit 1`;
  const cost = await costOf(postgresPid, CHECKS, async () => {
    for (let check = 0; check < CHECKS; check += 1) await findLiveSession(sql, session?.id ?? "", new Date());
  });
  await sql.end();
  return cost;
}

async function measureStream({ redisUrl, redisPid }: Servers) {
  const telemetry = await silentTelemetry();
  const state = redisState({ url: redisUrl, clock: systemClock, telemetry, onConnectionError: () => undefined });
  // The connection has no queue for commands that precede the open connection.
  while (
    !(await state.ping().then(
      () => true,
      () => false,
    ))
  )
    await Bun.sleep(10);
  const appends = await costOf(redisPid, ROWS, async () => {
    for (let sent = 0; sent < ROWS; sent += STREAM_READ)
      await Promise.all(
        Array.from({ length: STREAM_READ }, () => state.append(SESSION_EVENT_STREAM, message(), 2 * ROWS)),
      );
  });
  const delivery = await costOf(redisPid, ROWS * PASSES, async () => {
    for (let pass = 0; pass < PASSES; pass += 1) {
      for (let position = "0-0", found = STREAM_READ; found === STREAM_READ; ) {
        const read = await state.read(SESSION_EVENT_STREAM, position, 1, STREAM_READ);
        for (const text of read.messages) JSON.parse(text);
        position = read.position;
        found = read.messages.length;
      }
    }
  });
  await state.close();
  return { ...delivery, append: appends.server, bytes: message().length };
}
