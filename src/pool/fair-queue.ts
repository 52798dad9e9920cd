/**
 * A bounded queue with one lane for each fairness key; lanes take turns. A burst from few addresses delays a job of
 * another lane by one job per lane, not by the complete burst. Where jobs have a cost, lanes have equal shares of the
 * cost in place of equal numbers of jobs (start-time fair queueing).
 */
export interface FairQueue<Item> {
  readonly size: number;
  /** Adds an item. When full, evicts and returns the newest item of the longest lane, possibly the added item. */
  offer(lane: string, item: Item): Item | undefined;
  /** Removes and returns the oldest item of the next lane in turn. */
  next(): Item | undefined;
  remove(lane: string, item: Item): void;
  /** Adds the cost of an ended job to its lane. Lanes with smaller sums have their turn first. */
  charge(lane: string, cost: number): void;
}

/** At most `max` items in all lanes. Empty lanes are removed, so there are no more lanes than items. */
export function fairQueue<Item>(max: number): FairQueue<Item> {
  // A Map iterates in insertion order: the first lane has the turn and is then moved to the end.
  const lanes = new Map<string, Set<Item>>();
  // Served items by lane, as in start-time fair queueing: a lane without an entry has the sum of the last served lane.
  const sums = new Map<string, number>();
  let size = 0;
  let base = 0;

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

  const sumOf = (lane: string) => Math.max(sums.get(lane) ?? base, base);

  function laneInTurn(): string | undefined {
    let [found] = lanes.keys();
    if (found === undefined || sums.size === 0) return found;
    for (const lane of lanes.keys()) if (sumOf(lane) < sumOf(found)) found = lane;
    base = sumOf(found);
    for (const [lane, sum] of sums) if (sum <= base) sums.delete(lane);
    return found;
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
      const lane = laneInTurn();
      const items = lane === undefined ? undefined : lanes.get(lane);
      const oldest = items?.values().next().value;
      if (lane === undefined || !items || oldest === undefined) {
        // Without waiting jobs no lane delays another lane.
        sums.clear();
        return undefined;
      }
      remove(lane, oldest);
      if (lanes.delete(lane)) lanes.set(lane, items);
      return oldest;
    },
    remove,
    charge(lane, cost) {
      if (size > 0) sums.set(lane, sumOf(lane) + cost);
    },
  };
}

/** Two queues: items of `behind` have their turn while `front` is empty. */
export interface LayeredQueue<Item> extends Pick<FairQueue<Item>, "next" | "size"> {
  readonly front: FairQueue<Item>;
  readonly behind: FairQueue<Item>;
}

/** At most `max` items in each of the queues. */
export function layeredQueue<Item>(max: number): LayeredQueue<Item> {
  const front = fairQueue<Item>(max);
  const behind = fairQueue<Item>(max);
  return {
    front,
    behind,
    get size() {
      return front.size + behind.size;
    },
    next: () => front.next() ?? behind.next(),
  };
}
