import type { Clock } from "../base/clock.ts";

interface Timed {
  /** Monotonic milliseconds. */
  readonly deadlineAt: number;
}

/** Calls back for items that are not deleted before their deadline. */
export interface DeadlineWatch<Item extends Timed> {
  /** No item may have an earlier deadline than the one that was added before it. */
  add(item: Item): void;
  delete(item: Item): void;
  close(): void;
}

/**
 * One timer for all items: setting and clearing one for each statement and job costs the thread that serves requests
 * more than most of what it does for them.
 * The timer waits for the item that is the oldest when it is set; when that one has gone meanwhile, it is set again.
 * `expired` is called at most once for an item.
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
