import type { Clock } from "../base/clock.ts";

export interface WatchedAge {
  /** Looks again. */
  read(): Promise<void>;
  /** In seconds, 0 if there is nothing; undefined until it was read. It grows on while it cannot be read. */
  age(): number | undefined;
}

/** The age of the oldest of something. `find`: when that was written, undefined if there is nothing. */
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
