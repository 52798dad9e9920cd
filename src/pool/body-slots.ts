/**
 * Bounds how many large request bodies a replica receives at once. While a handler waits, the server buffers up to 1.5
 * MiB of an unread body, so the first slot is acquired before the first `await` of a request.
 */
import type { Clock } from "../base/clock.ts";
import { deadlineWatch } from "../base/deadline-watch.ts";
import {
  ANONYMOUS_BODIES_MAX,
  BODY_TURN_DEADLINE_MS,
  CALLER_BODIES_MAX,
  LINGERING_RESPONSES_MAX,
  UNIDENTIFIED_BODIES_MAX,
  WAITING_BODIES_MAX,
} from "../limits/body-limits.ts";
import { type AdmissionControl, admissionControl } from "./admission-control.ts";
import { fairQueue } from "./fair-queue.ts";

/** The slot of one body, until the end of its request. */
export interface BodySlot {
  /** Moves the body to the share of the caller, or of anonymous clients. False: the share is exhausted. */
  assign(callerId: string | undefined): boolean;
  /** As `assign` for an anonymous client, who waits for a turn. False: the turn did not come in time. */
  assignInTurn(): Promise<boolean>;
  release(): void;
}

export interface BodySlots {
  /** Admits a body of a still unknown caller. `network`: the fairness key. Undefined: refused. */
  acquire(network: string): BodySlot | undefined;
  /** Admits a response that waits for the rest of a body. Returns the release. Undefined: refused. */
  acquireLingering(network: string): (() => void) | undefined;
}

export function bodySlots(clock: Clock): BodySlots {
  const unidentified = admissionControl(UNIDENTIFIED_BODIES_MAX);
  const anonymous = admissionInTurn(clock, admissionControl(ANONYMOUS_BODIES_MAX));
  const callers = admissionControl(CALLER_BODIES_MAX);
  const lingering = admissionControl(LINGERING_RESPONSES_MAX);

  function acquire(network: string): BodySlot | undefined {
    let release = unidentified.admit(network);
    if (!release) return undefined;
    const moveTo = (share: AdmissionControl, lane: string): boolean => {
      const releaseNext = share.admit(lane);
      release?.();
      release = releaseNext;
      return releaseNext !== undefined;
    };
    return {
      assign: (callerId) => (callerId === undefined ? moveTo(anonymous, network) : moveTo(callers, callerId)),
      async assignInTurn() {
        release?.();
        release = await anonymous.admitInTurn(network);
        return release !== undefined;
      },
      release() {
        release?.();
        release = undefined;
      },
    };
  }

  return { acquire, acquireLingering: (network) => lingering.admit(network) };
}

interface Waiter {
  readonly lane: string;
  readonly deadlineAt: number;
  readonly settle: (release: (() => void) | undefined) => void;
}

interface AdmissionInTurn extends AdmissionControl {
  /** Admits a request at once or in turn; `undefined` after the deadline, and beyond the bound of waiting requests. */
  admitInTurn(lane: string): Promise<(() => void) | undefined>;
}

/** Lanes take turns among the waiting requests, so a flood of one network delays a request of another by one turn. */
function admissionInTurn(clock: Clock, share: AdmissionControl): AdmissionInTurn {
  const waiting = fairQueue<Waiter>(WAITING_BODIES_MAX);
  const deadlines = deadlineWatch<Waiter>(clock, (waiter) => {
    waiting.remove(waiter.lane, waiter);
    waiter.settle(undefined);
  });

  function admit(lane: string): (() => void) | undefined {
    const release = share.admit(lane);
    return (
      release &&
      (() => {
        release();
        admitWaiting();
      })
    );
  }

  function admitWaiting(): void {
    while (share.hasRoom) {
      const waiter = waiting.next();
      if (!waiter) return;
      deadlines.delete(waiter);
      waiter.settle(admit(waiter.lane));
    }
  }

  function wait(lane: string): Promise<(() => void) | undefined> {
    return new Promise((settle) => {
      const waiter = { lane, deadlineAt: clock.monotonic() + BODY_TURN_DEADLINE_MS, settle };
      deadlines.add(waiter);
      const evicted = waiting.offer(lane, waiter);
      if (!evicted) return;
      deadlines.delete(evicted);
      evicted.settle(undefined);
    });
  }

  return {
    admit,
    get hasRoom() {
      return share.hasRoom;
    },
    admitInTurn: async (lane) => admit(lane) ?? (await wait(lane)),
  };
}
