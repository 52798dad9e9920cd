/** Two replicas behind HAProxy, on a separate PostgreSQL and Redis, each behind a connection that a test can break. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { type EmbeddedPostgres, freePort } from "../../db/embedded.ts";
import { migrate, setRoleSettings } from "../../db/migrate.ts";
import { startupParameters } from "../../src/database/server-settings.ts";
import { type PgBouncerOptions, startPgBouncer } from "../support/pgbouncer.ts";
import { forTheRun, type Replica, startReplica } from "../support/replica.ts";
import { startRedis, type TestRedis } from "../support/services.ts";
import type { SmallDisk } from "../support/small-disk.ts";
import { stopwatch } from "../support/waiting.ts";
import { type Balancer, startBalancer } from "./balancer.ts";
import { type ProvisionedUser, provisionUser } from "./employee.ts";
import { type Cluster, failOver, portOf, startCluster } from "./failover.ts";
import { FaultMailServer } from "./mail-server.ts";
import { TcpProxy } from "./tcp-proxy.ts";
import { FaultWebhook } from "./webhooks.ts";

/** The role of the service obeys connection limits, which a superuser does not. */
const ROLE = "limited";
const DATABASE = "faults";

export class FaultDeployment {
  readonly balancer: Balancer;
  readonly redis: TestRedis;
  readonly redisWire: TcpProxy;
  readonly postgresWire: TcpProxy;
  readonly webhook: FaultWebhook;
  readonly mail: FaultMailServer;
  readonly replicas: Replica[];
  readonly #ports: readonly number[];
  readonly #settings: Record<string, string>;
  #directory: string;
  /** The former primary of a failover. */
  #former: Cluster | undefined;
  #cluster: EmbeddedPostgres;
  #sql: postgres.Sql;
  #provisioned: Promise<ProvisionedUser> | undefined;

  private constructor(parts: {
    balancer: Balancer;
    redis: TestRedis;
    wires: readonly [TcpProxy, TcpProxy];
    replicas: Replica[];
    ports: readonly number[];
    settings: Record<string, string>;
    directory: string;
    cluster: EmbeddedPostgres;
    webhook: FaultWebhook;
    mail: FaultMailServer;
  }) {
    [this.webhook, this.mail] = [parts.webhook, parts.mail];
    [this.balancer, this.redis, this.replicas] = [parts.balancer, parts.redis, parts.replicas];
    [this.redisWire, this.postgresWire] = parts.wires;
    [this.#ports, this.#settings] = [parts.ports, parts.settings];
    [this.#directory, this.#cluster] = [parts.directory, parts.cluster];
    this.#sql = openSql(parts.cluster);
  }

  /**
   * `pooler` is the mode of a PgBouncer between the replicas and the proxy; undefined: no PgBouncer. `more`: settings
   * of the replicas.
   */
  static async set(
    pooler?: PgBouncerOptions["mode"],
    more: Readonly<Record<string, string>> = {},
  ): Promise<FaultDeployment> {
    const directory = mkdtempSync(join(tmpdir(), "identity-faults-"));
    const cluster = await startCluster(directory);
    const sql = postgres(cluster.url, { max: 1, onnotice: () => undefined });
    await sql.unsafe(`create role ${ROLE} login password '${ROLE}'`);
    await sql.unsafe(`create database ${DATABASE} owner ${ROLE}`);
    await sql.end();
    const redis = await startRedis();
    const wires = [await TcpProxy.to(redis.port), await TcpProxy.to(portOf(cluster))] as const;
    const databaseUrl = `postgres://${ROLE}:${ROLE}@127.0.0.1:${wires[1].port}/${DATABASE}`;
    await migrate(databaseUrl);
    const database = pooler ? await behindPooler(databaseUrl, pooler) : { DATABASE_URL: databaseUrl };
    const mail = await FaultMailServer.start();
    const settings = { ...more, ...mail.settings, ...database, REDIS_URL: `redis://127.0.0.1:${wires[0].port}` };
    const ports = [await freePort(), await freePort()] as const;
    const start = (port: number) => startReplica({ ...settings, PORT: String(port) });
    const replicas = await Promise.all(ports.map(start));
    const balancer = await startBalancer(...ports);
    const webhook = new FaultWebhook();
    const stage = { balancer, redis, wires, replicas, ports, settings, directory, cluster, webhook, mail };
    const deployment = new FaultDeployment(stage);
    await webhook.create(replicas[0]?.url ?? "", deployment.sql);
    return deployment;
  }

  /** A direct connection to the database without the proxy. */
  get sql(): postgres.Sql {
    return this.#sql;
  }

  /** The user of a directory, created with the first call. */
  provisionedUser(): Promise<ProvisionedUser> {
    this.#provisioned ??= provisionUser(this.replicas[0]?.url ?? "", this.#sql);
    return this.#provisioned;
  }

  /** Restarts the replica with this index on the same port; `more`: further settings. */
  async restartReplica(index: number, more: Readonly<Record<string, string>> = {}): Promise<void> {
    const settings = { ...this.#settings, ...more, PORT: String(this.#ports[index]) };
    // The replica survives the restarting test, because later tests use the replica too. `teardown` stops the replica.
    this.replicas[index] = await forTheRun(() => startReplica(settings));
  }

  signalPostgres(name: "SIGSTOP" | "SIGCONT"): void {
    // Each backend is a separate process in the process group of the server.
    for (const pid of [this.#cluster.pid, ...backendsOf(this.#cluster.pid)]) process.kill(pid, name);
  }

  /** Simulates a power cut: no server shuts down cleanly, and the next start recovers. */
  async crashPostgres(): Promise<void> {
    await this.#sql.end({ timeout: 0 });
    process.kill(this.#cluster.pid, "SIGQUIT");
    await this.#cluster.stop();
  }

  async startPostgres(): Promise<void> {
    this.#cluster = await startCluster(this.#directory);
    this.postgresWire.target = portOf(this.#cluster);
    this.#sql = openSql(this.#cluster);
  }

  /** Moves the cluster to a disk without a free block. Then the disk has space again, and the cluster moves back. */
  async fillDisk(mount: (mib: number) => SmallDisk, holdMs: number): Promise<void> {
    const home = this.#directory;
    const disk = mount(mibOf(home) + DISK_FREE_MIB);
    try {
      await this.#moveTo(join(disk.directory, "cluster"));
      disk.fill();
      await Bun.sleep(holdMs);
      disk.free();
      // Without space for its log, PostgreSQL ends; a supervisor starts the server again.
      if (!isRunning(this.#cluster.pid)) await this.#restartPostgres();
      await this.recovered();
      rmSync(home, { recursive: true });
      await this.#moveTo(home);
    } finally {
      disk.remove();
    }
  }

  async #moveTo(directory: string): Promise<void> {
    await this.#sql.end({ timeout: 0 });
    await this.#cluster.stop();
    execFileSync("cp", ["-a", this.#directory, directory]);
    this.#directory = directory;
    await this.startPostgres();
  }

  async #restartPostgres(): Promise<void> {
    await this.#sql.end({ timeout: 0 });
    await this.#cluster.stop();
    await this.startPostgres();
  }

  /** A standby takes the place of the primary behind the address, for good. */
  async failOverPostgres(holdMs: number): Promise<void> {
    await this.#sql.end({ timeout: 0 });
    const from = { directory: this.#directory, server: this.#cluster };
    const { directory, server, former } = await failOver(from, this.postgresWire, holdMs);
    [this.#directory, this.#cluster, this.#former] = [directory, server, former];
    this.#sql = openSql(server);
  }

  /** Sets the connection limit of the service, and ends all current connections. */
  async limitConnections(limit: number): Promise<void> {
    await this.#sql.unsafe(`alter role ${ROLE} connection limit ${limit}`);
    await this.#sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${ROLE}`;
  }

  /** Waits until both replicas are ready and the balancer passes a request; returns the milliseconds. */
  async recovered(): Promise<number> {
    const elapsed = stopwatch();
    const well = async (url: string) => {
      const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
      const body = (await response?.json().catch(() => undefined)) as { status?: string } | undefined;
      return body?.status === "ok";
    };
    for (;;) {
      const all = await Promise.all([...this.replicas, this.balancer].map(({ url }) => well(url)));
      if (all.every(Boolean)) return elapsed();
      if (elapsed() > 30_000) throw new Error("no recovery within 30 s");
      await Bun.sleep(20);
    }
  }

  async teardown(): Promise<void> {
    await this.balancer.stop();
    await Promise.all([this.webhook.stop(), this.mail.stop()]);
    await Promise.all(this.replicas.map((replica) => replica.stop()));
    this.redisWire.stop();
    this.postgresWire.stop();
    await this.#sql.end({ timeout: 1 });
    await this.#cluster.stop();
    await this.#former?.server.stop();
    for (const directory of [this.#directory, this.#former?.directory])
      if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  }
}

/** The time within which PgBouncer notices a restarted PostgreSQL, and the wait of clients, as in ops/scaled. */
const POOLER_SETTINGS = ["server_login_retry = 1", "server_connect_timeout = 2", "query_wait_timeout = 10"];

async function behindPooler(databaseUrl: string, mode: PgBouncerOptions["mode"]): Promise<Record<string, string>> {
  await setRoleSettings(databaseUrl, startupParameters);
  const pooler = await startPgBouncer(databaseUrl, { mode, serverConnections: 20, settings: POOLER_SETTINGS });
  return { DATABASE_URL: pooler.through(databaseUrl), SERVICE_DATABASE_POOLER: mode };
}

function openSql(cluster: EmbeddedPostgres): postgres.Sql {
  return postgres(cluster.url.replace(/\/[^/]*$/, `/${DATABASE}`), {
    max: 1,
    onnotice: () => undefined,
    connection: { application_name: "fault-suite" },
  });
}

/** The space that a moved cluster has for its log and tables before the disk is filled. */
const DISK_FREE_MIB = 24;

function mibOf(directory: string): number {
  return Number(execFileSync("du", ["-sm", directory], { encoding: "utf8" }).split("\t")[0]);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function backendsOf(pid: number): number[] {
  const { stdout } = Bun.spawnSync(["ps", "--ppid", String(pid), "-o", "pid="]);
  return stdout.toString().split(/\s+/).filter(Boolean).map(Number);
}
