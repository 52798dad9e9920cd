import { test } from "bun:test";
import Redis from "ioredis";
import type postgres from "postgres";
import { Client } from "./client.ts";
import { type DnsServer, startDnsServer } from "./dns-server.ts";
import { MailProvider } from "./mail.ts";
import { type Replica, startReplica } from "./replica.ts";
import { freshDatabase, openSql, redisUrl, startRedis, type TestRedis } from "./services.ts";
import { sharedByFiles } from "./shared.ts";
import { attempts, until } from "./waiting.ts";

export { eventually } from "./waiting.ts";

/** Two replicas on a shared database and a shared Redis, as behind a load balancer. */
export interface Deployment {
  readonly one: Replica;
  readonly other: Replica;
  readonly databaseUrl: string;
  readonly sql: postgres.Sql;
  /** The email provider of both replicas. */
  readonly mail: MailProvider;
  /** The DNS server of both replicas. */
  readonly dns: DnsServer;
}

/** Connections of a replica: twenty requests at once, divided between two replicas, wait for one lock. */
const SHARED_CONNECTIONS = "16";

/** The deployment that files share unless the tests damage a deployment. */
export const deployment: () => Promise<Deployment> = sharedByFiles(
  async () => await deploy(await redisUrl(), { SERVICE_DATABASE_POOL: SHARED_CONNECTIONS }),
  ({ one, other }) => [one, other],
);

export interface OwnDeployment extends Deployment {
  readonly redis: TestRedis;
  /** The settings of both replicas. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts a separate deployment with a Redis that a test may kill. */
export async function ownDeployment(env: Record<string, string> = {}): Promise<OwnDeployment> {
  const redis = await startRedis();
  return { ...(await deploy(redis.url, env)), redis };
}

async function deploy(redis: string, env: Record<string, string> = {}): Promise<Omit<OwnDeployment, "redis">> {
  const databaseUrl = await freshDatabase();
  const mail = new MailProvider();
  const dns = await startDnsServer();
  const settings = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis,
    SERVICE_EMAIL_API_URL: mail.url,
    SERVICE_EMAIL_API_KEY: "re_test",
    SERVICE_DNS_SERVERS: dns.address,
    ...env,
  };
  const [one, other] = await Promise.all([startReplica(settings), startReplica(settings, { runtime: "bun" })]);
  return { one, other, databaseUrl, sql: openSql(databaseUrl), mail, dns, settings };
}

/**
 * Runs work for which limits must be exact. Limits are exact while the replicas share Redis. A replica that got no core
 * for a quarter of a second stops using Redis, as designed, and counts locally for a moment. Work during such a moment
 * is repeated; every other failure remains a failure.
 */
export async function whileShared<T>(replicas: readonly Replica[], work: () => Promise<T>): Promise<T> {
  const losses = () => replicas.map(({ output }) => output().split("Redis is away").length).join();
  let before = "";
  const attempt = async () => {
    await until("the replicas share Redis", async () => {
      const responses = await Promise.all(replicas.map(({ url }) => new Client(url).get("/readyz")));
      return responses.every(({ body }) => body.status === "ok");
    });
    before = losses();
    return await work();
  };
  return await attempts(attempt, { again: () => losses() !== before });
}

/** `test` for a file whose tests count requests exactly. Each test runs in `whileShared` and creates new users. */
export function testWhileShared(replicas: () => readonly Replica[]) {
  return (title: string, work: () => Promise<void>) => test(title, () => whileShared(replicas(), work));
}

/** The files of a deployment share the bound of records that strangers cause; a test of such a record begins anew. */
export async function forgetAnonymousRecords(): Promise<void> {
  const redis = new Redis(await redisUrl());
  const keys = await redis.keys("service:anonymous-records:*");
  if (keys.length > 0) await redis.del(keys);
  redis.disconnect();
}

/** Runs the work 40 times concurrently, while the Redis of the shared deployment is emptied several times. */
export async function raceWithoutRedis<T>(work: (index: number) => Promise<T>): Promise<T[]> {
  const redis = new Redis(await redisUrl());
  try {
    return await race(async (index) => {
      if (index % 10 === 5) await redis.flushall();
      return await work(index);
    }, 40);
  } finally {
    redis.disconnect();
  }
}

/** Runs the work concurrently, 20 times by default (docs/guarantees.md, "Single use and races"). */
export function race<T>(work: (index: number) => Promise<T>, count = 20): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

/**
 * The deadlocks in a database so far. A deadlock holds the requests for a second, and a repeated deadlock fails the
 * requests, so that races of transactions with one order of locks have none.
 */
export async function deadlocksIn(sql: postgres.Sql): Promise<number> {
  const [row] = await sql`select deadlocks::int as count from pg_stat_database where datname = current_database()`;
  return row?.count;
}
