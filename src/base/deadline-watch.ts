import type { Clock } from "./clock.ts";

interface Timed {
  /** Monotonic milliseconds. */
  readonly deadlineAt: number;
}

/** Calls back for items that are not deleted before the deadline. */
export interface DeadlineWatch<Item extends Timed> {
  /** Deadlines must be added in ascending order. */
  add(item: Item): void;
  delete(item: Item): void;
  close(): void;
}

/**
 * A single timer for all items: a timer per statement and job costs the thread that serves requests more than most of
 * the remaining work per statement. The timer waits for the oldest item; if the item was deleted meanwhile, the timer
 * is set again. `expired` is called at most once for an item.
 */
export function deadlineWatch<Item extends Timed>(clock: Clock, expired: (item: Item) => void): DeadlineWatch<Item> {
  // A Set iterates in insertion order, which is the order of the deadlines.
  const items = new Set<Item>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function look(): void {
    timer = undefined;
    const now = clock.monotonic();
    for (const item of items) {
      if (item.deadlineAt > now) {
        wait(item);
        return;
      }
      items.delete(item);
      expired(item);
    }
  }

  function wait({ deadlineAt }: Item): void {
    timer ??= setTimeout(look, Math.max(0, deadlineAt - clock.monotonic()));
    timer.unref();
  }

  return {
    add(item) {
      items.add(item);
      if (!timer) wait(item);
    },
    delete: (item) => void items.delete(item),
    close: () => clearTimeout(timer),
  };
}
