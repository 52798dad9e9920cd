/**
 * A bounded queue with one lane for each fairness key; lanes take turns. A burst from few addresses delays a job of
 * another lane by one job per lane, not by the complete burst.
 */
export interface FairQueue<Item> {
  readonly size: number;
  /** Adds an item. When full, evicts and returns the newest item of the longest lane, possibly the added item. */
  offer(lane: string, item: Item): Item | undefined;
  /** Removes and returns the oldest item of the next lane in turn. */
  next(): Item | undefined;
  remove(lane: string, item: Item): void;
}

/** At most `max` items in all lanes. Empty lanes are removed, so there are no more lanes than items. */
export function fairQueue<Item>(max: number): FairQueue<Item> {
  // A Map iterates in insertion order: the first lane has the turn and is then moved to the end.
  const lanes = new Map<string, Set<Item>>();
  let size = 0;

  function longest(): [lane: string, items: Set<Item>] | undefined {
    let found: [string, Set<Item>] | undefined;
    for (const each of lanes) if (!found || each[1].size > found[1].size) found = each;
    return found;
  }

  const lengthOf = (lane: string) => lanes.get(lane)?.size ?? 0;
  const refuses = (lane: string) => size >= max && lengthOf(lane) >= (longest()?.[1].size ?? 0) - 1;

  function remove(lane: string, item: Item): void {
    const items = lanes.get(lane);
    if (!items?.delete(item)) return;
    size -= 1;
    if (items.size === 0) lanes.delete(lane);
  }

  function evict(): Item | undefined {
    const [lane, items] = longest() ?? [];
    const newest = items && [...items].at(-1);
    if (lane !== undefined && newest !== undefined) remove(lane, newest);
    return newest;
  }

  return {
    get size() {
      return size;
    },
    offer(lane, item) {
      if (refuses(lane)) return item;
      const evicted = size >= max ? evict() : undefined;
      const items = lanes.get(lane) ?? new Set();
      items.add(item);
      lanes.set(lane, items);
      size += 1;
      return evicted;
    },
    next() {
      const [lane, items] = lanes.entries().next().value ?? [];
      const oldest = items?.values().next().value;
      if (lane === undefined || !items || oldest === undefined) return undefined;
      remove(lane, oldest);
      if (lanes.delete(lane)) lanes.set(lane, items);
      return oldest;
    },
    remove,
  };
}
