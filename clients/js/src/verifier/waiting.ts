/** Waiting with a bound: for responses that may never arrive, and for a slot among many callers. */

/** Work that is late by more than this is lost: the promise will not settle any more. */
const GRACE_MS = 1_000;

/** Waits no longer than this, and throws then. The work goes on. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Work shared by concurrent callers. Edge runtimes drop the work of a request, timers included, once the request has
 * ended: every caller therefore waits with a separate timer, and lost work is started again.
 */
export class Shared<T> {
  readonly #now: () => number;
  #underway: { readonly promise: Promise<T>; readonly until: number } | undefined;

  /** `now`: monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get isUnderway(): boolean {
    return this.#underway !== undefined && this.#now() < this.#underway.until;
  }

  /** Joins the work that is under way, or begins the work. Throws the error of the work, and throws for lost work. */
  async run(maxMs: number, work: () => Promise<T>): Promise<T> {
    const joined = this.isUnderway ? this.#underway : undefined;
    const { promise, until } = joined ?? this.#begin(maxMs, work);
    return await within(until - this.#now(), promise);
  }

  #begin(maxMs: number, work: () => Promise<T>) {
    const underway = { promise: work(), until: this.#now() + maxMs + GRACE_MS };
    const end = () => {
      if (this.#underway === underway) this.#underway = undefined;
    };
    underway.promise.then(end, end);
    this.#underway = underway;
    return underway;
  }
}

interface SlotBounds {
  /** Slots that are held at once. */
  readonly max: number;
  /** Callers that wait at once. */
  readonly waitingMax: number;
  /** How long a caller waits (ms). */
  readonly patienceMs: number;
  /** How long a slot is held (ms); a slot held for much longer was lost. */
  readonly holdMs: number;
}

/** A queue for slots: at most `max` slots are held at once, and waiting callers are served in order of arrival. */
export class Slots {
  readonly #bounds: SlotBounds;
  readonly #now: () => number;
  /** When each slot was acquired. */
  readonly #held = new Map<object, number>();
  readonly #waiting = new Set<() => void>();

  /** `now`: monotonic milliseconds. */
  constructor(bounds: SlotBounds, now: () => number) {
    this.#bounds = bounds;
    this.#now = now;
  }

  /** A slot, which the caller releases; undefined where no slot became free in time. */
  async acquire(): Promise<object | undefined> {
    const { max, waitingMax, patienceMs } = this.#bounds;
    if (this.#held.size >= max) this.#dropLost();
    if (this.#held.size < max) return this.#hold();
    if (this.#waiting.size >= waitingMax) return undefined;
    return await new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        resolve(undefined);
      }, patienceMs);
      const begin = () => {
        clearTimeout(timer);
        this.#waiting.delete(begin);
        resolve(this.#hold());
      };
      this.#waiting.add(begin);
    });
  }

  release(slot: object): void {
    if (!this.#held.delete(slot)) return;
    const [next] = this.#waiting;
    next?.();
  }

  #hold(): object {
    const slot = {};
    this.#held.set(slot, this.#now());
    return slot;
  }

  #dropLost(): void {
    const lostBefore = this.#now() - this.#bounds.holdMs - GRACE_MS;
    for (const [slot, at] of this.#held) if (at < lostBefore) this.#held.delete(slot);
  }
}
