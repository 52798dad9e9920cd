import { describe, expect, test } from "bun:test";
import { batchedReads } from "../../src/database/batched-reads.ts";
import { READS_PER_STATEMENT_MAX } from "../../src/limits/database-limits.ts";

/** Reads squares, and records the keys of every statement. */
function squares() {
  const statements: (readonly number[])[] = [];
  const read = batchedReads(async (keys: readonly number[]) => {
    statements.push(keys);
    if (keys.includes(13)) throw new Error("the database is away");
    return keys.map((key) => (key === 0 ? undefined : key * key));
  });
  return { read, statements };
}

describe("reads of concurrent requests", () => {
  test("share a statement, and each request has its own value or failure", async () => {
    const { read, statements } = squares();
    expect(await Promise.all([3, 0, 3].map(read))).toEqual([9, undefined, 9]);
    expect(await read(2)).toBe(4);
    expect(statements).toEqual([[3, 0, 3], [2]]);
    const failed = await Promise.allSettled([1, 13].map(read));
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await read(1)).toBe(1);
  });

  test("are read after the request: no read joins a begun statement", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const statements: number[][] = [];
    const read = batchedReads(async (keys: readonly number[]) => {
      statements.push([...keys]);
      if (statements.length === 1) await released;
      return keys;
    });
    const first = read(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await read(2)).toBe(2);
    release();
    expect([await first, statements]).toEqual([1, [[1], [2]]]);
  });

  test("of one statement have a bound", async () => {
    const { read, statements } = squares();
    const keys = Array.from({ length: 2 * READS_PER_STATEMENT_MAX + 1 }, (_, index) => index + 20);
    expect(await Promise.all(keys.map(read))).toEqual(keys.map((key) => key * key));
    expect(statements.map(({ length }) => length)).toEqual([READS_PER_STATEMENT_MAX, READS_PER_STATEMENT_MAX, 1]);
  });
});
