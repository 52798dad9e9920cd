/**
 * Sends the due requests of a replica: leases as many as fair slots allow, and refills slots one by one, so that no
 * request waits for the slowest request of a batch.
 */
import type { Clock } from "./clock.ts";
import { type FairSlotsOptions, type FreeSlots, fairSlots, type SlotUser } from "./fair-slots.ts";

export interface DispatchLease extends FreeSlots {
  readonly at: Date;
  /** Until then no other replica sends the leased requests. */
  readonly leaseEnds: Date;
}

export interface SendOutcome {
  /** Whether the receiver is well: the receiver accepted the request, or refused only this request. */
  readonly isWell: boolean;
  /** The pause requested by the receiver. */
  readonly retryAfterMs?: number | undefined;
}

export interface DispatchOptions<Due> extends FairSlotsOptions {
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly lease: (lease: DispatchLease) => Promise<readonly Due[]>;
  readonly userOf: (due: Due) => SlotUser;
  readonly send: (due: Due) => Promise<SendOutcome>;
  /** All requests in progress of a receiver have ended without a sign that the receiver is well. */
  readonly onUnwell: (last: Due, outcome: SendOutcome) => Promise<unknown>;
  /** A failure of `send` or `onUnwell` itself: the lease ends, and another replica sends again. */
  readonly onFailure: (error: unknown, receiverId: string) => void;
  /** Called after each request. */
  readonly onEnd: () => void;
}

export interface Dispatch {
  /** Leases what is due and begins to send; returns the number of requests. Waits for no request. */
  begin(): Promise<number>;
  /** Resolves when all requests in progress have ended. */
  ended(): Promise<void>;
}

export function dispatch<Due>(options: DispatchOptions<Due>): Dispatch {
  const slots = fairSlots(options);
  const requests = new Set<Promise<void>>();
  /**
   * Receivers with a failed request and no success since: no further request until the requests in progress have ended.
   */
  const suspects = new Set<string>();

  async function run(due: Due): Promise<void> {
    const user = options.userOf(due);
    const { receiverId } = user;
    const release = slots.occupy(user);
    try {
      const outcome = await options.send(due).finally(release);
      if (outcome.isWell) suspects.delete(receiverId);
      else suspects.add(receiverId);
      if (suspects.has(receiverId) && slots.inProgress(receiverId) === 0) await options.onUnwell(due, outcome);
    } catch (error) {
      options.onFailure(error, receiverId);
    } finally {
      if (slots.inProgress(receiverId) === 0) suspects.delete(receiverId);
    }
  }

  function start(due: Due): void {
    const request = run(due).then(() => {
      requests.delete(request);
      options.onEnd();
    });
    requests.add(request);
  }

  return {
    async begin() {
      const free = withoutSuspects(slots.free(), suspects);
      if (free.limit <= 0) return 0;
      const now = options.clock.now();
      const due = await options.lease({ ...free, at: new Date(now), leaseEnds: new Date(now + options.leaseMs) });
      for (const each of due) start(each);
      return due.length;
    },
    async ended() {
      await Promise.all(requests);
    },
  };
}

function withoutSuspects(free: FreeSlots, suspects: ReadonlySet<string>): FreeSlots {
  const others = free.receivers.filter(({ id }) => !suspects.has(id));
  return { ...free, receivers: [...others, ...[...suspects].map((id) => ({ id, free: 0, isSlow: false }))] };
}
