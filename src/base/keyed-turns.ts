/** Work of one key runs in sequence, and work of different keys concurrently. */
export interface KeyedTurns {
  /** Waits for earlier work of the key. Undefined at once if `max` pieces of work of the key wait or run. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> | undefined;
}

export function keyedTurns(max: number): KeyedTurns {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>();
  return {
    run(key, work) {
      const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 };
      if (queue.length >= max) return undefined;
      queue.length += 1;
      queues.set(key, queue);
      const result = queue.last.then(work).finally(() => {
        queue.length -= 1;
        if (queue.length === 0) queues.delete(key);
      });
      // The failure of earlier work concerns its own caller only.
      queue.last = result.catch(() => undefined);
      return result;
    },
  };
}
