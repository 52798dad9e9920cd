/**
 * Revocations in the order of their transactions, so that the feed finds the events after a cursor without a scan of
 * the whole list: verifiers poll four times a second.
 */
import type { SessionEvent } from "./revocation.ts";

interface Entry {
  readonly xid: bigint;
  readonly event: SessionEvent;
}

export class EventsByXid {
  readonly #entries: Entry[] = [];
  #revision = 0;

  /** Grows with each change. */
  get revision(): number {
    return this.#revision;
  }

  /** Events arrive almost in order, so the place is near the end. */
  insert(event: SessionEvent): void {
    this.#revision += 1;
    const xid = BigInt(event.xid);
    const last = this.#entries.at(-1);
    if (!last || last.xid <= xid) this.#entries.push({ xid, event });
    else this.#entries.splice(this.#firstFrom(xid + 1n), 0, { xid, event });
  }

  /** The events of this transaction and later transactions. */
  from(xid: bigint): SessionEvent[] {
    return this.#entries.slice(this.#firstFrom(xid)).map(({ event }) => event);
  }

  /** Drops expired events up to the first event that has not expired; the reader of `from` filters the expired rest. */
  dropExpired(now: number): void {
    const live = this.#entries.findIndex(({ event }) => event.expiresAt > now);
    const dropped = this.#entries.splice(0, live === -1 ? this.#entries.length : live);
    if (dropped.length > 0) this.#revision += 1;
  }

  /** Binary search: the index of the first entry at or after this transaction. */
  #firstFrom(xid: bigint): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.#entries[middle];
      if (entry && entry.xid < xid) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
