/** At most `running` at once and `waiting` behind them, in order. */
export interface Gate {
  /** `undefined`, at once, when too many wait already: the work was not begun. */
  run<T>(work: () => Promise<T>): Promise<T> | undefined;
}

export function gate(limits: { readonly running: number; readonly waiting: number }): Gate {
  const queue: (() => void)[] = [];
  let running = 0;

  async function pass<T>(work: () => Promise<T>): Promise<T> {
    if (running >= limits.running) await new Promise<void>((admitted) => queue.push(admitted));
    else running += 1;
    try {
      return await work();
    } finally {
      // Whoever waits takes over this one's place.
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    run: (work) => (running >= limits.running && queue.length >= limits.waiting ? undefined : pass(work)),
  };
}
