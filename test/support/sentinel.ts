/** A Redis master, a Redis replica, and three sentinels, all real and with passwords. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { freePort } from "../../db/embedded.ts";
import { findProgram } from "./packages.ts";
import { launch, startRedis, stopLater, type TestRedis } from "./services.ts";
import { until } from "./waiting.ts";

const NAME = "identity";
const PASSWORD = "a password, of redis";
const SENTINEL_PASSWORD = "another";

export interface SentinelDeployment {
  /** The value of REDIS_URL. */
  readonly url: string;
  readonly servers: readonly [TestRedis, TestRedis];
  /** Returns the port of the master that the sentinels name. */
  masterPort(): Promise<number>;
  /** Waits until a failover is possible and orders the failover, like an operator: the old master keeps running. */
  switchOver(): Promise<void>;
}

export async function startSentinelDeployment(): Promise<SentinelDeployment> {
  const secrets = ["--requirepass", PASSWORD, "--masterauth", PASSWORD, "--repl-diskless-sync-delay", "0"];
  const master = await startRedis(secrets);
  const replica = await startRedis([...secrets, "--replicaof", "127.0.0.1", String(master.port)]);
  await until("the replica follows", async () => (await ask(replica.port, PASSWORD, "role"))[3] === "connected");
  const ports = await Promise.all([0, 1, 2].map(() => startSentinel(master.port)));
  const [first = 0] = ports;
  const query = (...words: string[]) => ask(first, SENTINEL_PASSWORD, "sentinel", ...words);
  await until("the sentinels know each other and the replica", async () => {
    const [others, replicas] = [await query("sentinels", NAME), await query("replicas", NAME)];
    const wellKnown = replicas.every((each) => String(each).includes("slave,") && String(each).includes(",ok,"));
    return others.length === 2 && replicas.length === 1 && wellKnown;
  });
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(",");
  const login = `default:${encodeURIComponent(PASSWORD)}`;
  return {
    url: `redis+sentinel://${login}@${hosts}/${NAME}?sentinel_password=${SENTINEL_PASSWORD}`,
    servers: [master, replica],
    masterPort: async () => Number((await query("get-master-addr-by-name", NAME))[1]),
    switchOver: () =>
      until("the sentinels begin a failover", () =>
        query("failover", NAME).then(
          () => true,
          () => false,
        ),
      ),
  };
}

async function startSentinel(masterPort: number): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "identity-sentinel-"));
  const port = await freePort();
  const file = join(directory, "sentinel.conf");
  const lines = [
    `port ${port}`,
    "bind 127.0.0.1",
    `dir ${directory}`,
    `requirepass ${SENTINEL_PASSWORD}`,
    `sentinel monitor ${NAME} 127.0.0.1 ${masterPort} 2`,
    `sentinel auth-pass ${NAME} "${PASSWORD}"`,
    // A stall of the machine below this bound must not cause an election.
    `sentinel down-after-milliseconds ${NAME} 2000`,
    `sentinel failover-timeout ${NAME} 10000`,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const child = await launch(findProgram("redis"), [file, "--sentinel"], "monitor master");
  stopLater(() => {
    child.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  });
  return port;
}

/** Sends a command to a server or sentinel. */
export async function ask(port: number, password: string, command: string, ...words: string[]): Promise<unknown[]> {
  const client = new Redis({ port, password, lazyConnect: true, retryStrategy: () => null });
  client.on("error", () => undefined);
  try {
    return [(await client.call(command, ...words)) as unknown].flat();
  } finally {
    client.disconnect();
  }
}
