/** Who waits, one lane for each payer: a wave from few addresses makes others wait for one of its jobs, not for all of them. */
export interface FairQueue<Item> {
  readonly size: number;
  /** Takes an item in. When full, whoever has most waiting gives up its newest, which is answered: perhaps the item itself. */
  offer(lane: string, item: Item): Item | undefined;
  /** The oldest item of the lane whose turn it is. */
  next(): Item | undefined;
  remove(lane: string, item: Item): void;
}

/** At most `max` items in all. Lanes exist while they hold something, so there are no more lanes than items. */
export function fairQueue<Item>(max: number): FairQueue<Item> {
  // A Map keeps the order in which lanes came: the first has the turn, and goes to the end once it has had it.
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
