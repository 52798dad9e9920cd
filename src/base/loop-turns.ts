/**
 * Divides work into steps with a turn of the event loop for each: between two steps, the process serves everything that
 * arrived meanwhile. A burst of requests thus delays other requests by one step, not by the whole burst.
 */
export interface LoopTurns {
  /** Resolves in a turn of the event loop in which no earlier step resolves. */
  next(): Promise<void>;
}

export function loopTurns(): LoopTurns {
  let last = Promise.resolve();
  return {
    next() {
      last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
      return last;
    },
  };
}
