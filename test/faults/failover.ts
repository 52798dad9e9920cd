/** A failover of PostgreSQL behind one address, after which the former primary is the standby of the new primary. */
import postgres from "postgres";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../db/embedded.ts";
import { configureStandby, copyWhileRunning } from "../support/standby.ts";
import { until } from "../support/waiting.ts";
import type { TcpProxy } from "./tcp-proxy.ts";

export interface Cluster {
  readonly directory: string;
  readonly server: EmbeddedPostgres;
}

/** Starts the cluster of a directory. */
export function startCluster(directory: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ directory, durable: true, maxConnections: 100, onLog: () => undefined });
}

/**
 * Replicates synchronously, so that an acknowledged commit survives, then promotes the standby. For `holdMs` the
 * address leads to the former primary, which takes no writes; the open connections to it are never closed.
 */
export async function failOver(from: Cluster, wire: TcpProxy, holdMs: number): Promise<Cluster & { former: Cluster }> {
  const directory = `${from.directory}-standby`;
  await copyWhileRunning(from.server.url, from.directory, directory);
  configureStandby(from.server.url, directory);
  const server = await startCluster(directory);
  await onServer(from.server, async (sql) => {
    await sql.unsafe("alter system set synchronous_standby_names = '*'");
    await sql`select pg_reload_conf()`;
    await until("commits wait for the standby", async () => {
      const [row] = await sql`select sync_state from pg_stat_replication`;
      return row?.sync_state === "sync";
    });
  });
  await from.server.stop();
  await onServer(server, (sql) => sql`select pg_promote()`);
  configureStandby(server.url, from.directory);
  const former = { directory: from.directory, server: await startCluster(from.directory) };
  wire.target = portOf(former.server);
  await Bun.sleep(holdMs);
  wire.target = portOf(server);
  return { directory, server, former };
}

export function portOf({ url }: EmbeddedPostgres): number {
  return Number(new URL(url).port);
}

async function onServer(server: EmbeddedPostgres, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
  await work(sql).finally(() => sql.end());
}
