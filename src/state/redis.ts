import { setTimeout as sleep } from "node:timers/promises";
import { Cluster } from "ioredis";
import type { Clock } from "../base/clock.ts";
import {
  STATE_COMMAND_TIMEOUT_MS,
  STATE_PROBE_KEY,
  STATE_PROBE_LIFETIME_MS,
  STATE_RECONNECT_PROBES,
} from "../limits/state-limits.ts";
import { inRedisSpan } from "../telemetry/spans.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { type Connection, type ConnectionOptions, close, connect, connected } from "./redis-connection.ts";
import type { AttemptOutcome, AttemptScope, Claim, Comparison, State, StreamRead, WindowCount } from "./state.ts";

/**
 * KEYS[1] = counter, ARGV = window in ms, events, and a limit or 0. The first events start the window. Returns {count,
 * ms left}; events beyond the limit are not counted.
 */
const COUNT = `
local count = redis.call('INCRBY', KEYS[1], ARGV[2])
if count == tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
if ARGV[3] ~= '0' and count > tonumber(ARGV[3]) then redis.call('DECRBY', KEYS[1], ARGV[2]) end
return {count, redis.call('PTTL', KEYS[1])}`;

/**
 * Counts an admission at the head of a script: KEYS[1] = the counter; `limit` and `window` are the ARGV of the limit, 0
 * for no limit, and of the window in ms. Beyond the limit the script returns {`refused`, 0, count, ms left}.
 */
const countAdmission = (limit: string, window: string, refused: number) => `
local count, left = 0, 0
if ${limit} ~= '0' then
  count = redis.call('INCR', KEYS[1])
  if count == 1 then redis.call('PEXPIRE', KEYS[1], ${window}) end
  left = redis.call('PTTL', KEYS[1])
  if count > tonumber(${limit}) then return {${refused}, 0, count, left} end
end`;

/**
 * KEYS[1] = counter of admissions, the rest one hash per scope, with the fields `claimed` (failed and pending) and
 * `failed`. ARGV = limit and window of each key. Returns {outcome, ms left of the window, admissions, ms left of the
 * admission window}; outcomes as in `CLAIMS`.
 */
const CLAIM = `${countAdmission("ARGV[1]", "ARGV[2]", 3)}
local busy = nil
for i = 2, #KEYS do
  local limit = tonumber(ARGV[2 * i - 1])
  local used = redis.call('HMGET', KEYS[i], 'claimed', 'failed')
  if tonumber(used[2] or '0') >= limit then return {1, redis.call('PTTL', KEYS[i]), count, left} end
  if tonumber(used[1] or '0') >= limit and not busy then busy = redis.call('PTTL', KEYS[i]) end
end
if busy then return {2, busy, count, left} end
for i = 2, #KEYS do
  if redis.call('HINCRBY', KEYS[i], 'claimed', 1) == 1 then redis.call('PEXPIRE', KEYS[i], ARGV[2 * i]) end
end
return {0, 0, count, left}`;

/** KEYS = the claimed hashes, ARGV[1] = '1' when the attempt failed. An expired window is not created again. */
const END_CLAIM = `
for _, key in ipairs(KEYS) do
  if redis.call('EXISTS', key) == 1 then
    if ARGV[1] == '1' then redis.call('HINCRBY', key, 'failed', 1)
    elseif tonumber(redis.call('HGET', key, 'claimed') or '0') > 0 then redis.call('HINCRBY', key, 'claimed', -1) end
  end
end
return 0`;

/**
 * KEYS[1] = counter of admissions, KEYS[2] = marker of a consumed token, the rest one counter of failed attempts each.
 * ARGV = '1' for a match, lifetime of the marker in ms, then limit and window of each counter. A lifetime or limit of 0
 * disables the key. Returns {outcome, ms left of the lock, admissions, ms left of the admission window}; outcomes as in
 * `OUTCOMES`.
 */
const RECORD_ATTEMPT = `${countAdmission("ARGV[3]", "ARGV[4]", 4)}
local consumes = ARGV[2] ~= '0'
if consumes and redis.call('EXISTS', KEYS[2]) == 1 then return {2, 0, count, left} end
for i = 3, #KEYS do
  if tonumber(redis.call('GET', KEYS[i]) or '0') >= tonumber(ARGV[2 * i - 1]) then
    return {3, redis.call('PTTL', KEYS[i]), count, left}
  end
end
if ARGV[1] == '1' then
  if consumes then redis.call('SET', KEYS[2], '1', 'PX', ARGV[2]) end
  return {0, 0, count, left}
end
for i = 3, #KEYS do
  if redis.call('INCR', KEYS[i]) == 1 then redis.call('PEXPIRE', KEYS[i], ARGV[2 * i]) end
end
return {1, 0, count, left}`;

interface Scripts {
  stateCount(key: string, windowMs: number, events: number, limit: number): Promise<[number, number]>;
  stateClaim(count: number, ...keysAndArguments: (string | number)[]): Promise<[number, number, number, number]>;
  stateEndClaim(count: number, ...keysAndArguments: (string | number)[]): Promise<number>;
  stateRecordAttempt(
    count: number,
    ...keysAndArguments: (string | number)[]
  ): Promise<[number, number, number, number]>;
}

export interface RedisStateOptions extends ConnectionOptions {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/**
 * State shared by all replicas. Commands fail fast (no offline queue, a time-out each), so that callers can fall
 * back.
 */
export function redisState(options: RedisStateOptions): State & { reconnect(): void } {
  const commands = connect(options, STATE_COMMAND_TIMEOUT_MS);
  const clustered = commands instanceof Cluster;
  const followers = streamFollowers(options);
  const scripts = defineScripts(commands);
  const traced = <T>(command: string, work: () => Promise<T>) => inRedisSpan(options.telemetry, command, work);

  async function count(key: string, windowMs: number, batch = { events: 1, limit: 0 }): Promise<WindowCount> {
    const { events, limit } = batch;
    const [counted, resetMs] = await traced("EVALSHA count", () => scripts.stateCount(key, windowMs, events, limit));
    return { count: counted, resetMs: Math.max(0, resetMs) };
  }

  async function recordAttempt(comparison: Comparison): Promise<AttemptOutcome> {
    const [keys, values] = recordAttemptArguments(comparison);
    return attemptOutcomeOf(
      await traced("EVALSHA recordAttempt", () => scripts.stateRecordAttempt(keys.length, ...keys, ...values)),
    );
  }

  async function claim(scopes: readonly AttemptScope[], admission?: AttemptScope): Promise<Claim> {
    const keys = [admission?.key ?? scopes[0]?.key ?? "", ...scopes.map((scope) => scope.key)];
    const bounds = [admission, ...scopes].flatMap((scope) => [scope?.limit ?? 0, scope?.windowMs ?? 0]);
    return claimOf(await traced("EVALSHA claim", () => scripts.stateClaim(keys.length, ...keys, ...bounds)));
  }

  /**
   * The keys of the address and of the user can be on different nodes, so a cluster needs two commands: the admission
   * is counted, and within the limit `work` runs without the admission.
   */
  async function countedFirst<T extends object>(admission: AttemptScope | undefined, work: () => Promise<T>) {
    if (!admission) return await work();
    const counted = await count(admission.key, admission.windowMs);
    if (counted.count > admission.limit) return { outcome: "not_admitted" as const, admission: counted };
    return { ...(await work()), admission: counted };
  }

  return {
    shared: true,
    count,
    claim: clustered ? (scopes, admission) => countedFirst(admission, () => claim(scopes)) : claim,
    async endClaim(scopes: readonly AttemptScope[], failed) {
      const keys = scopes.map((scope) => scope.key);
      await traced("EVALSHA endClaim", () => scripts.stateEndClaim(keys.length, ...keys, failed ? "1" : "0"));
    },
    recordAttempt: clustered
      ? ({ admission, ...comparison }) => countedFirst(admission, () => recordAttempt(comparison))
      : recordAttempt,
    async mark(key, ttlMs) {
      await traced("SET", () => commands.set(key, "1", "PX", Math.ceil(ttlMs)));
    },
    async unmark(key) {
      await traced("DEL", () => commands.del(key));
    },
    // One native command: a script costs Redis three times as much.
    async markFirst(key, ttlMs) {
      return (await traced("SET", () => commands.set(key, "1", "PX", Math.ceil(ttlMs), "NX"))) === "OK";
    },
    isMarked: async (key) => (await traced("EXISTS", () => commands.exists(key))) === 1,
    async keep(key, value, ttlMs) {
      return (await traced("SET", () => commands.set(key, value, "PX", Math.ceil(ttlMs)))) === "OK";
    },
    kept: async (key) => (await traced("GET", () => commands.getBuffer(key))) ?? undefined,
    async append(stream, message, maxEntries) {
      await traced("XADD", () => commands.xadd(stream, "MAXLEN", "~", maxEntries, "*", "m", message));
    },
    async position(stream) {
      const newest = await commands.xrevrange(stream, "+", "-", "COUNT", 1);
      return newest[0]?.[0] ?? "0-0";
    },
    read: followers.read,
    async ping() {
      const startedAt = options.clock.monotonic();
      // A write: a replica (READONLY), a full server (OOM) and a user without the keys (NOPERM) answer PING.
      await commands.set(STATE_PROBE_KEY, "1", "PX", STATE_PROBE_LIFETIME_MS);
      return options.clock.monotonic() - startedAt;
    },
    reconnect() {
      for (const connection of [commands, ...followers.connections()])
        if (connection.status !== "end") connection.disconnect(true);
    },
    async close() {
      for (const connection of [commands, ...followers.connections()]) close(connection);
    },
  };
}

function defineScripts(commands: Connection): Scripts {
  commands.defineCommand("stateCount", { numberOfKeys: 1, lua: COUNT });
  commands.defineCommand("stateClaim", { lua: CLAIM });
  commands.defineCommand("stateEndClaim", { lua: END_CLAIM });
  commands.defineCommand("stateRecordAttempt", { lua: RECORD_ATTEMPT });
  return commands as unknown as Scripts;
}

const CLAIMS = ["granted", "exhausted", "pending", "not_admitted"] as const;

function claimOf([code, retryAfterMs, count, resetMs]: [number, number, number, number]): Claim {
  const outcome = CLAIMS[code] ?? "not_admitted";
  const admission = count > 0 ? { admission: { count, resetMs: Math.max(0, resetMs) } } : {};
  return outcome === "exhausted" || outcome === "pending"
    ? { outcome, retryAfterMs: Math.max(0, retryAfterMs), ...admission }
    : { outcome, ...admission };
}

/** A comparison without `consumption` or `admission` passes a placeholder key, which the script does not touch. */
function recordAttemptArguments({
  matched,
  failedAttempts,
  consumption,
  admission,
}: Comparison): [string[], (string | number)[]] {
  const unused = failedAttempts[0]?.key ?? "";
  const keys = [admission?.key ?? unused, consumption?.key ?? unused, ...failedAttempts.map((scope) => scope.key)];
  const bounds = [admission, ...failedAttempts].flatMap((scope) => [scope?.limit ?? 0, scope?.windowMs ?? 0]);
  return [keys, [matched ? "1" : "0", consumption?.ttlMs ?? 0, ...bounds]];
}

const OUTCOMES = ["matched", "failed", "consumed", "locked", "not_admitted"] as const;

function attemptOutcomeOf([code, retryAfterMs, count, resetMs]: [number, number, number, number]): AttemptOutcome {
  const outcome = OUTCOMES[code] ?? "not_admitted";
  const admission = count > 0 ? { admission: { count, resetMs: Math.max(0, resetMs) } } : {};
  return outcome === "locked"
    ? { outcome, retryAfterMs: Math.max(0, retryAfterMs), ...admission }
    : { outcome, ...admission };
}

interface Followers extends Pick<State, "read"> {
  connections(): Iterable<Connection>;
}

/**
 * XREAD BLOCK occupies the connection, so each followed stream has a separate connection, without a command time-out.
 */
function streamFollowers(options: ConnectionOptions): Followers {
  const followers = new Map<string, Connection>();
  /** Reads in a row without an answer, by stream. */
  const unanswered = new Map<string, number>();
  const followerOf = (stream: string) => {
    const known = followers.get(stream) ?? connect(options, undefined);
    followers.set(stream, known);
    return known;
  };

  /** The connection of one stream can be lost silently while the connection of the commands works. */
  function noteUnanswered(stream: string, follower: Connection): void {
    const reads = (unanswered.get(stream) ?? 0) + 1;
    unanswered.set(stream, reads);
    if (reads % STATE_RECONNECT_PROBES === 0 && follower.status === "ready") follower.disconnect(true);
  }

  return {
    connections: () => followers.values(),
    async read(stream, position, blockMs, maxMessages) {
      const follower = await connected(followerOf(stream));
      try {
        const read = await readStream(follower, stream, position, blockMs, maxMessages);
        unanswered.delete(stream);
        return read;
      } catch (error) {
        if (error instanceof NoResponse) noteUnanswered(stream, follower);
        throw error;
      }
    },
  };
}

class NoResponse extends Error {}

async function readStream(
  follower: Connection,
  stream: string,
  position: string,
  blockMs: number,
  maxMessages: number,
): Promise<StreamRead> {
  const deadline = blockMs + STATE_COMMAND_TIMEOUT_MS;
  const pending = follower.xread("COUNT", maxMessages, "BLOCK", Math.max(1, blockMs), "STREAMS", stream, position);
  const response = await Promise.race([
    pending,
    sleep(deadline).then(() => {
      throw new NoResponse(`XREAD: no response within ${deadline} ms`);
    }),
  ]);
  const entries = response?.[0]?.[1] ?? [];
  return {
    position: entries.at(-1)?.[0] ?? position,
    messages: entries.map(([, fields]) => fields[1] ?? ""),
  };
}
