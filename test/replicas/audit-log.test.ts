/** The transparency log during failures of the sequencers and databases (G59). */
import { expect, test } from "bun:test";
import { coveringNodes } from "../../clients/js/src/audit/merkle.ts";
import { type Checkpoint, readCheckpoint, readNote } from "../../clients/js/src/audit.ts";
import { rootOfNodes } from "../../src/models/transparency-log/tiles.ts";
import { hashesOf } from "../../src/models/transparency-log/transparency-log.ts";
import { Client } from "../support/client.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { until } from "../support/waiting.ts";

const FROZEN_MS = 700;
const WATCH_MS = 50;

test("two replicas never fork the log: frozen database, cut connections, kill -9 of the appender", async () => {
  const databaseUrl = await freshDatabase();
  const sql = openSql(databaseUrl);
  const start = () => startReplica({ DATABASE_URL: databaseUrl });
  let replicas: readonly Replica[] = await Promise.all([start(), start()]);
  const seen = new Map<string, Checkpoint>();
  const contradictions: string[] = [];
  let running = true;

  const watch = async () => {
    for (const { url } of running ? replicas : []) {
      const response = await new Client(url).get("/v1/audit-log/checkpoint").catch(() => undefined);
      if (response?.status !== 200) continue;
      const checkpoint = readCheckpoint(readNote(response.text).text);
      const key = `${checkpoint.origin} ${checkpoint.size}`;
      const known = seen.get(key);
      if (known && Buffer.compare(known.root, checkpoint.root) !== 0) contradictions.push(key);
      seen.set(key, checkpoint);
    }
  };
  const repeat = async (work: () => Promise<unknown>) => {
    for (; running; await Bun.sleep(WATCH_MS)) await work();
  };
  const insert = () => sql`
    insert into audit_logs (event_id, timestamp, actor_type, action, resource_type, metadata, outcome)
    select gen_random_uuid(), now(), 'user', 'auth.login', 'session', '{}', 'success' from generate_series(1, 7)`;
  const largest = () => Math.max(0, ...[...seen.values()].map(({ size }) => size));
  const grows = async () => {
    const before = largest();
    await until("the log grows", async () => largest() > before + 7);
  };
  const backends = async () =>
    await sql<{ pid: number }[]>`
      select pid from pg_stat_activity
      where datname = current_database() and application_name like 'identity-service%' and pid <> pg_backend_pid()`;

  const work = Promise.all([repeat(watch), repeat(insert)]);
  await grows();
  const frozen = await backends();
  for (const { pid } of frozen) process.kill(pid, "SIGSTOP");
  await Bun.sleep(FROZEN_MS);
  for (const { pid } of frozen) process.kill(pid, "SIGCONT");
  await grows();
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'identity-service%'`;
  await grows();
  // Either replica has the lease; without the lease holder the second replica takes over.
  for (const index of [0, 1]) {
    await replicas[index]?.kill();
    await grows();
    const started = await start();
    replicas = replicas.map((each, place) => (place === index ? started : each));
  }
  running = false;
  await work;
  const [row] = await sql<{ rows: number }[]>`select count(*)::int as rows from audit_logs`;
  running = true;
  await until("all records are leaves", async () => {
    await watch();
    return largest() === row?.rows;
  });
  expect(contradictions).toEqual([]);
  expect(new Set([...seen.values()].map(({ origin }) => origin)).size).toBe(1);
  for (const { size, root } of seen.values()) {
    const hashes = await hashesOf(sql, coveringNodes(0, size));
    expect(Buffer.compare(rootOfNodes(size, hashes), root)).toBe(0);
  }
  const [leaves] = await sql<{ leaves: number; distinct: number }[]>`
    select count(*)::int as leaves, count(distinct id)::int as distinct
    from transparency_tiles, unnest(row_ids) id where level = 0`;
  expect(leaves).toEqual({ leaves: row?.rows ?? 0, distinct: row?.rows ?? 0 });
  await Promise.all(replicas.map((each) => each.kill()));
});
