/**
 * Bounds how many writes of programs a replica runs at once, by organization and for the platform, so that a program
 * with many connections leaves the connections to PostgreSQL to other tenants and to sign-ins.
 */
import type { Clock } from "../base/clock.ts";
import { deadlineWatch } from "../base/deadline-watch.ts";
import {
  ORGANIZATION_WRITES_MAX,
  PLATFORM_WRITES_MAX,
  WAITING_WRITES_MAX,
  WRITE_TURN_DEADLINE_MS,
} from "../limits/management-limits.ts";
import { type FairQueue, fairQueue } from "./fair-queue.ts";

/** The program of a write. */
export interface WritingProgram {
  readonly serviceAccountId: string;
  /** Null: of the platform. */
  readonly organizationId: string | null;
}

export interface ProgramWrites {
  /** Admits a write, at once or in turn; returns the release. Undefined: the turn did not come in time. */
  acquire(program: WritingProgram): Promise<(() => void) | undefined>;
}

interface Waiter {
  /** Monotonic milliseconds. */
  readonly deadlineAt: number;
  readonly leave: () => void;
  readonly settle: (release: (() => void) | undefined) => void;
}

interface Share {
  writing: number;
  readonly max: number;
  /** The programs of one organization take turns. */
  readonly waiting: FairQueue<Waiter>;
}

/** Shares exist while a write of the organization runs. */
export function programWrites(clock: Clock): ProgramWrites {
  const shares = new Map<string | null, Share>();
  const deadlines = deadlineWatch<Waiter>(clock, (waiter) => {
    waiter.leave();
    waiter.settle(undefined);
  });

  function shareOf(organizationId: string | null): Share {
    const max = organizationId === null ? PLATFORM_WRITES_MAX : ORGANIZATION_WRITES_MAX;
    const share = shares.get(organizationId) ?? { writing: 0, max, waiting: fairQueue<Waiter>(WAITING_WRITES_MAX) };
    shares.set(organizationId, share);
    return share;
  }

  /** The turn passes to the next write, so `writing` changes only without a waiting write. */
  function release(organizationId: string | null, share: Share): void {
    const next = share.waiting.next();
    if (next) {
      deadlines.delete(next);
      next.settle(() => release(organizationId, share));
      return;
    }
    share.writing -= 1;
    if (share.writing === 0) shares.delete(organizationId);
  }

  function wait({ serviceAccountId }: WritingProgram, { waiting }: Share) {
    return new Promise<(() => void) | undefined>((settle) => {
      const waiter: Waiter = {
        deadlineAt: clock.monotonic() + WRITE_TURN_DEADLINE_MS,
        leave: () => waiting.remove(serviceAccountId, waiter),
        settle,
      };
      deadlines.add(waiter);
      const evicted = waiting.offer(serviceAccountId, waiter);
      if (!evicted) return;
      deadlines.delete(evicted);
      evicted.settle(undefined);
    });
  }

  return {
    async acquire(program) {
      const share = shareOf(program.organizationId);
      if (share.writing >= share.max) return await wait(program, share);
      share.writing += 1;
      return () => release(program.organizationId, share);
    },
  };
}
