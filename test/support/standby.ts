/** A separate PostgreSQL with a streaming replica. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../db/embedded.ts";
import { migrate } from "../../db/migrate.ts";
import { TcpProxy } from "../faults/tcp-proxy.ts";
import { stopLater } from "./services.ts";

export interface ReplicatedPostgres {
  readonly primaryUrl: string;
  /** The address of the standby, which stays the same after a restart. */
  readonly standbyUrl: string;
  readonly primary: postgres.Sql;
  /** The connection between primary and standby, which a test can block and restore. */
  readonly wire: TcpProxy;
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  stopStandby(): Promise<void>;
  startStandby(): Promise<void>;
}

export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const directory = mkdtempSync(join(tmpdir(), "identity-replicated-"));
  const options = { durable: true, maxConnections: 100, onLog: () => undefined };
  const server = await startEmbeddedPostgres({ ...options, directory: join(directory, "primary") });
  await migrate(server.url);
  const primary = postgres(server.url, { max: 2, onnotice: () => undefined });
  const standbyFolder = join(directory, "standby");
  await copyWhileRunning(server.url, join(directory, "primary"), standbyFolder);
  configureStandby(server.url, standbyFolder);
  const start = () => startEmbeddedPostgres({ ...options, directory: join(directory, "standby") });
  let standby: EmbeddedPostgres = await start();
  const wire = await TcpProxy.to(portOf(standby.url));
  stopLater(async () => {
    wire.stop();
    await primary.end({ timeout: 1 });
    await Promise.all([standby.stop(), server.stop()]);
    rmSync(directory, { recursive: true, force: true });
  });
  const onStandby = async (command: string) => {
    const sql = postgres(standby.url, { max: 1 });
    await sql.unsafe(command).finally(() => sql.end());
  };
  return {
    primaryUrl: server.url,
    standbyUrl: withPort(standby.url, wire.port),
    primary,
    wire,
    pauseReplay: () => onStandby("select pg_wal_replay_pause()"),
    resumeReplay: () => onStandby("select pg_wal_replay_resume()"),
    stopStandby: () => standby.stop(),
    async startStandby() {
      standby = await start();
      wire.target = portOf(standby.url);
    },
  };
}

/**
 * Takes a base backup into the folder of an embedded server by PostgreSQL's low-level interface (PostgreSQL manual,
 * section 25.3.3), since the packages of npm have no pg_basebackup.
 */
export async function copyWhileRunning(url: string, from: string, to: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  try {
    await sql`select pg_backup_start('copy', true)`;
    mkdirSync(to);
    Bun.spawnSync(["cp", "-a", join(from, "postgres"), join(from, "postgres-password"), to]);
    const [backup] = await sql`select labelfile from pg_backup_stop(false)`;
    const cluster = join(to, "postgres");
    rmSync(join(cluster, "postmaster.pid"), { force: true });
    writeToCluster(cluster, "backup_label", String(backup?.labelfile));
  } finally {
    await sql.end();
  }
}

/** Makes the cluster of a stopped server the standby of a running server. */
export function configureStandby(url: string, folder: string): void {
  const { hostname, port, username, password } = new URL(url);
  const cluster = join(folder, "postgres");
  const connection = `host=${hostname} port=${port} user=${username} password=${password}`;
  writeToCluster(cluster, "standby.signal", "");
  const settings = `primary_conninfo = '${connection}'\nhot_standby_feedback = on\n`;
  writeToCluster(cluster, "postgresql.auto.conf", settings);
}

/** Writes a file as the owner of the cluster, who is not root. */
export function writeToCluster(cluster: string, name: string, content: string): void {
  const file = join(cluster, name);
  writeFileSync(file, content, { mode: 0o600 });
  Bun.spawnSync(["chown", "--reference", cluster, file]);
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
