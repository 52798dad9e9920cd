import type { Clock } from "../base/clock.ts";

export interface WatchedAge {
  /** Looks again. */
  read(): Promise<void>;
  /** In seconds, 0 without items; undefined before the first reading. The age keeps growing while the readings fail. */
  age(): number | undefined;
}

/** The age of the oldest item. `find`: when the item was written, undefined without items. */
export function watchedAge(clock: Clock, find: () => Promise<Date | undefined>): WatchedAge {
  let known: { readonly writtenAt: Date | undefined } | undefined;
  return {
    async read() {
      known = { writtenAt: await find() };
    },
    age() {
      if (!known) return undefined;
      return known.writtenAt ? Math.max(0, (clock.now() - known.writtenAt.getTime()) / 1000) : 0;
    },
  };
}
