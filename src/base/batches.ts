/**
 * What one replica sends to receivers that may be slow or away: leased in batches, receiver by receiver in turns, so
 * that one of them delays the others by no more than its turn.
 */
import type { Clock } from "./clock.ts";

/** What may be leased now. */
export interface Lease {
  readonly at: Date;
  /** From then on other replicas find it again. */
  readonly leaseEnds: Date;
  /** Receivers that this replica is sending to already. */
  readonly busy: readonly string[];
  /** Receivers that had a turn, the latest last; all others are before them. */
  readonly turns: readonly string[];
  readonly limit: number;
  /** Of one receiver. */
  readonly batch: number;
}

export interface BatchesOptions<Due> {
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly inProgressMax: number;
  readonly batch: number;
  /** A receiver whose turn was forgotten comes before the others again. */
  readonly turnsMax: number;
  readonly lease: (lease: Lease) => Promise<readonly Due[]>;
  readonly receiverOf: (due: Due) => string;
  readonly send: (receiver: string, batch: readonly Due[]) => Promise<unknown>;
  /** A batch whose outcome was not recorded: its leases end, and it is sent again. */
  readonly onFailure: (error: unknown, receiver: string) => void;
  /** After each batch. */
  readonly onEnd: () => void;
}

export interface Batches {
  /** Leases what is due and begins to send it; returns how much that is. Waits for none. */
  begin(): Promise<number>;
  /** Resolves when what is in progress has ended. */
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
