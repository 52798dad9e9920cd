/**
 * Bounds how many writes of programs a replica runs at once, by organization, for the platform and altogether, so that
 * programs with many connections leave connections to PostgreSQL to other tenants and to sign-ins.
 */
import type { Clock } from "../base/clock.ts";
import { deadlineWatch } from "../base/deadline-watch.ts";
import {
  ORGANIZATION_WRITES_MAX,
  PLATFORM_WRITES_MAX,
  PROGRAM_WRITES_SHARE,
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

/**
 * Shares exist while a write of the organization runs or waits. `connections`: those of the replica to PostgreSQL.
 */
export function programWrites(clock: Clock, connections: number): ProgramWrites {
  const writingMax = Math.max(1, Math.floor(connections * PROGRAM_WRITES_SHARE));
  // A Map iterates in insertion order: a share that had a turn is moved to the end.
  const shares = new Map<string | null, Share>();
  let writing = 0;
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

  function begin(organizationId: string | null, share: Share): () => void {
    share.writing += 1;
    writing += 1;
    return () => {
      share.writing -= 1;
      writing -= 1;
      forgetIdle(organizationId, share);
      beginNext();
    };
  }

  function forgetIdle(organizationId: string | null, share: Share): void {
    if (share.writing === 0 && share.waiting.size === 0) shares.delete(organizationId);
  }

  /** The turn passes to the next organization with a waiting write. */
  function beginNext(): void {
    for (const [organizationId, share] of shares) {
      const next = share.writing < share.max ? share.waiting.next() : undefined;
      if (!next) continue;
      shares.delete(organizationId);
      shares.set(organizationId, share);
      deadlines.delete(next);
      next.settle(begin(organizationId, share));
      return;
    }
  }

  function wait({ organizationId, serviceAccountId }: WritingProgram, share: Share) {
    const { waiting } = share;
    return new Promise<(() => void) | undefined>((settle) => {
      const waiter: Waiter = {
        deadlineAt: clock.monotonic() + WRITE_TURN_DEADLINE_MS,
        leave: () => {
          waiting.remove(serviceAccountId, waiter);
          forgetIdle(organizationId, share);
        },
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
      if (share.writing >= share.max || writing >= writingMax) return await wait(program, share);
      return begin(program.organizationId, share);
    },
  };
}
