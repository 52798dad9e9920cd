import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type postgres from "postgres";
import { afterFailure, eventsSince, LOG_START, type LogPosition } from "../../../src/models/session/event-log.ts";
import { freshDatabase, openSql } from "../../support/services.ts";

const WRITERS = 3;
const BATCH = 2;
let sql: postgres.Sql;
let writing: postgres.Sql[];

beforeAll(async () => {
  const url = await freshDatabase();
  sql = openSql(url);
  writing = Array.from({ length: WRITERS }, () => openSql(url));
});

const insert = (sql: postgres.ISql, id: string) => sql`
  insert into session_events (session_id, kind, reason, at, expires_at)
  values (${id}, 'revoked', 'logout', now(), now() + interval '1 hour')`;

/** Reads new events; returns the ids. */
function reader() {
  let position: LogPosition = LOG_START;
  return async () => {
    const read = await eventsSince(sql, position, new Date(), BATCH);
    position = read.position;
    return read.events.map(({ sessionId }) => sessionId);
  };
}

/** Opens a transaction until the test ends the transaction. The first statement assigns an id. */
async function openTransaction(writer = 0) {
  const connection = await (writing[writer] ?? sql).reserve();
  await connection`begin`;
  return {
    async write(): Promise<string> {
      const id = crypto.randomUUID();
      await insert(connection, id);
      return id;
    },
    async end(how: "commit" | "rollback"): Promise<void> {
      await connection.unsafe(how);
      connection.release();
    },
  };
}

describe("a reader of the log", () => {
  test("reads each event once beside an open transaction, whose events follow after its end", async () => {
    const read = reader();
    await read();
    const open = await openTransaction();
    const late = await open.write();
    const ids = Array.from({ length: BATCH * 3 }, () => crypto.randomUUID());
    for (const id of ids) await insert(sql, id);
    expect(await read()).toEqual(ids);
    expect(await read()).toEqual([]);
    const later = await open.write();
    await open.end("commit");
    expect(await read()).toEqual([late, later]);
    expect(await read()).toEqual([]);
  });

  test("reads all committed events, each once, with any overlap of transactions", async () => {
    const steps = fc.array(
      fc.record({
        writer: fc.nat({ max: WRITERS - 1 }),
        does: fc.constantFrom("write", "write", "commit", "rollback", "read"),
      }),
      { minLength: 10, maxLength: 30 },
    );
    const property = fc.asyncProperty(steps, async (steps) => {
      const read = reader();
      await read();
      const expected: string[] = [];
      const seen: string[] = [];
      type Writer = Awaited<ReturnType<typeof openTransaction>> & { ids: string[] };
      const writers = new Map<number, Writer>();
      const end = async (index: number, how: "commit" | "rollback") => {
        const writer = writers.get(index);
        if (!writer) return;
        writers.delete(index);
        await writer.end(how);
        if (how === "commit") expected.push(...writer.ids);
      };
      for (const { writer, does } of steps) {
        if (does === "read") seen.push(...(await read()));
        else if (does !== "write") await end(writer, does);
        else {
          const one = writers.get(writer) ?? { ...(await openTransaction(writer)), ids: [] };
          writers.set(writer, one);
          one.ids.push(await one.write());
        }
      }
      for (const index of [...writers.keys()]) await end(index, "commit");
      seen.push(...(await read()));
      expect(seen.toSorted()).toEqual(expected.toSorted());
    });
    await fc.assert(property, { numRuns: 15 });
  });

  test("reads from the beginning where the database is another, or its transaction ids went back (G40)", async () => {
    const read = await eventsSince(sql, LOG_START, new Date(), BATCH);
    const all = read.events.length;
    const count = async (position: Partial<LogPosition>) =>
      (await eventsSince(sql, { ...read.position, ...position }, new Date(), BATCH)).events.length;
    expect(all).toBeGreaterThan(BATCH);
    expect(await count({})).toBe(0);
    expect(await count({ database: "another" })).toBe(all);
    expect(await count({ watermark: "999999999", next: "999999999" })).toBe(all);
    // After a crash, the ids of formerly open transactions are below the reader's position.
    expect(await count({ next: "999999999" })).toBe(all);
  });

  test("reads again from the watermark after a failure, since ids that a crash lost are given anew", async () => {
    const { position } = await eventsSince(sql, LOG_START, new Date(), BATCH);
    const open = await openTransaction();
    await open.write();
    const id = crypto.randomUUID();
    await insert(sql, id);
    const read = await eventsSince(sql, position, new Date(), BATCH);
    expect(read.events.map(({ sessionId }) => sessionId)).toEqual([id]);
    const again = await eventsSince(sql, afterFailure(read.position), new Date(), BATCH);
    expect(again.events.map(({ sessionId }) => sessionId)).toEqual([id]);
    await open.end("rollback");
  });
});
