/**
 * Reads of concurrent requests in one statement: the reads of one turn of the event loop share a round trip. Unlike a
 * value of a cache, each value is read after the request for the value.
 */
import { READS_PER_STATEMENT_MAX } from "../limits/database-limits.ts";

interface WaitingRead<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** `read`: reads the values of at most `READS_PER_STATEMENT_MAX` keys, in the order of the keys. */
export function batchedReads<Key, Value>(
  read: (keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>,
): (key: Key) => Promise<Value | undefined> {
  let waiting: WaitingRead<Key, Value>[] = [];

  async function readWaiting(): Promise<void> {
    const batch = waiting;
    waiting = [];
    try {
      const values = await read(batch.map(({ key }) => key));
      for (const [index, { resolve }] of batch.entries()) resolve(values[index]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (waiting.length >= READS_PER_STATEMENT_MAX) void readWaiting();
      else if (waiting.length === 1) setImmediate(readIfWaiting);
    });

  function readIfWaiting(): void {
    if (waiting.length > 0) void readWaiting();
  }
}
