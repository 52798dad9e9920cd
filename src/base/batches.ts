/**
 * Deliveries of a replica to receivers that may be slow or unavailable: leased in batches, receiver by receiver in
 * turns, so that a slow receiver delays other receivers by no more than a turn.
 */
import type { Clock } from "./clock.ts";

/** The deliveries that may be leased now. */
export interface Lease {
  readonly at: Date;
  /** The end of the lease; from then on other replicas find the deliveries again. */
  readonly leaseEnds: Date;
  /** Receivers to which this replica is already sending. */
  readonly busy: readonly string[];
  /** Receivers that had a turn, the latest last; receivers outside of the list come first. */
  readonly turns: readonly string[];
  readonly limit: number;
  /** Maximum number of deliveries in progress for a receiver. */
  readonly batch: number;
}

export interface BatchesOptions<Due> {
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly inProgressMax: number;
  readonly batch: number;
  /** A receiver whose turn was dropped from memory comes first again. */
  readonly turnsMax: number;
  readonly lease: (lease: Lease) => Promise<readonly Due[]>;
  readonly receiverOf: (due: Due) => string;
  readonly send: (receiver: string, batch: readonly Due[]) => Promise<unknown>;
  /** Called for a batch whose outcome was not recorded: the leases end, and a replica sends the batch again. */
  readonly onFailure: (error: unknown, receiver: string) => void;
  /** Called after every batch. */
  readonly onEnd: () => void;
}

export interface Batches {
  /** Leases due deliveries and begins to send; returns the number of deliveries. Waits for no delivery. */
  begin(): Promise<number>;
  /** Resolves when all deliveries in progress have ended. */
  ended(): Promise<void>;
}

export function sendInBatches<Due>(options: BatchesOptions<Due>): Batches {
  const inProgress = new Map<string, { readonly size: number; readonly ended: Promise<void> }>();
  const turns = new Set<string>();

  function takeTurn(receiver: string): void {
    turns.delete(receiver);
    turns.add(receiver);
    const [oldest = ""] = turns;
    if (turns.size > options.turnsMax) turns.delete(oldest);
  }

  function beginBatch(receiver: string, batch: readonly Due[]): void {
    const ended = options
      .send(receiver, batch)
      .catch((error) => options.onFailure(error, receiver))
      .then(() => {
        inProgress.delete(receiver);
        options.onEnd();
      });
    inProgress.set(receiver, { size: batch.length, ended });
    takeTurn(receiver);
  }

  return {
    async begin() {
      const room = options.inProgressMax - [...inProgress.values()].reduce((sum, { size }) => sum + size, 0);
      if (room <= 0) return 0;
      const now = options.clock.now();
      const due = await options.lease({
        at: new Date(now),
        leaseEnds: new Date(now + options.leaseMs),
        busy: [...inProgress.keys()],
        turns: [...turns],
        limit: room,
        batch: options.batch,
      });
      for (const [receiver, batch] of Map.groupBy(due, options.receiverOf)) beginBatch(receiver, batch);
      return due.length;
    },
    async ended() {
      await Promise.all([...inProgress.values()].map(({ ended }) => ended));
    },
  };
}
