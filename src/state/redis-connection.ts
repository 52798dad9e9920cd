/** Connections to Redis: one server, a cluster, or the server that Sentinel calls the master. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Cluster, Redis, type RedisOptions } from "ioredis";
import { parseRedisUrl, type RedisAddress } from "../base/redis-url.ts";
import { STATE_CONNECTION_TIMEOUT_MS } from "../limits/state-limits.ts";

export type Connection = Redis | Cluster;

export interface ConnectionOptions {
  /** As in `parseRedisUrl`. For a cluster one node, from which the rest are discovered. */
  readonly url: string;
  /** Called for every failed connection attempt while Redis is away. */
  readonly onConnectionError: (error: Error) => void;
}

/** `commandTimeout`: milliseconds; `undefined` for no time-out. */
export function connect(options: ConnectionOptions, commandTimeout: number | undefined): Connection {
  const connection = open(parseRedisUrl(options.url), {
    ...(commandTimeout === undefined ? {} : { commandTimeout }),
    connectTimeout: STATE_CONNECTION_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
  });
  connection.on("error", options.onConnectionError);
  connection.on("end", () => setTimeout(revive, REVIVE_PAUSE_MS, connection).unref());
  return connection;
}

const REVIVE_PAUSE_MS = 200;
const closed = new WeakSet<Connection>();

/**
 * The driver abandons a connection permanently if a reconnect is requested during a query of the sentinels. A new
 * connection replaces the abandoned connection, until the next failure.
 */
function revive(connection: Connection): void {
  if (connection.status === "end" && !closed.has(connection)) connection.connect().catch(() => undefined);
}

/** Ends a connection for good. */
export function close(connection: Connection): void {
  closed.add(connection);
  connection.disconnect();
}

type ConnectionSettings = Omit<RedisOptions, "replyMapping">;

const pause = (attempt: number) => Math.min(attempt * 100, 1_000);

function open(address: RedisAddress, settings: ConnectionSettings): Connection {
  const secured = { ...settings, ...address.login, ...(address.tls ? { tls: {} } : {}) };
  const commands = { enableOfflineQueue: false, retryStrategy: pause };
  switch (address.kind) {
    case "server": {
      const { endpoint, database: db, family } = address;
      return new Redis({ ...secured, ...commands, ...endpoint, db, ...(family === undefined ? {} : { family }) });
    }
    // Discovered nodes use the user, password and TLS setting of the configured URL.
    case "cluster":
      return new Cluster([{ ...address.endpoint }], {
        redisOptions: secured,
        enableOfflineQueue: false,
        clusterRetryStrategy: pause,
      });
    case "sentinel":
      return new Redis({ ...secured, ...commands, ...sentinelOptions(address) });
  }
}

/**
 * Every connection attempt asks a sentinel for the master, and asks the server for its role. The sentinels also
 * announce a new master, so that connections leave a former master that is reachable and has not yet become a replica.
 */
function sentinelOptions({
  sentinels,
  name,
  tls,
  sentinelLogin,
}: RedisAddress & { kind: "sentinel" }): ConnectionSettings {
  return {
    sentinels: sentinels.map((each) => ({ ...each })),
    name,
    role: "master",
    sentinelUsername: sentinelLogin.username,
    sentinelPassword: sentinelLogin.password,
    sentinelCommandTimeout: STATE_CONNECTION_TIMEOUT_MS,
    sentinelRetryStrategy: pause,
    sentinelReconnectStrategy: pause,
    failoverDetector: true,
    ...(tls ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
  };
}

/** Waits for a connection that is being established, but not for a lost connection. */
export async function connected(connection: Connection): Promise<Connection> {
  if (connection.status === "connecting" || connection.status === "connect") {
    await Promise.race([once(connection, "ready"), sleep(STATE_CONNECTION_TIMEOUT_MS)]);
  }
  return connection;
}
