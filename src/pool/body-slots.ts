/**
 * Bounds how many large request bodies a replica receives at once. While a handler waits, the server buffers up to 1.5
 * MiB of an unread body, so the first slot is acquired before the first `await` of a request.
 */
import {
  ANONYMOUS_BODIES_MAX,
  CALLER_BODIES_MAX,
  LINGERING_RESPONSES_MAX,
  UNIDENTIFIED_BODIES_MAX,
} from "../limits/body-limits.ts";
import { type AdmissionControl, admissionControl } from "./admission-control.ts";

/** The slot of one body, until the end of its request. */
export interface BodySlot {
  /** Moves the body to the share of the caller, or of anonymous clients. False: the share is exhausted. */
  assign(callerId: string | undefined): boolean;
  release(): void;
}

export interface BodySlots {
  /** Admits a body of a still unknown caller. `network`: the fairness key. Undefined: refused. */
  acquire(network: string): BodySlot | undefined;
  /** Admits a response that waits for the rest of a body. Returns the release. Undefined: refused. */
  acquireLingering(network: string): (() => void) | undefined;
}

export function bodySlots(): BodySlots {
  const unidentified = admissionControl(UNIDENTIFIED_BODIES_MAX);
  const anonymous = admissionControl(ANONYMOUS_BODIES_MAX);
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
      release() {
        release?.();
        release = undefined;
      },
    };
  }

  return { acquire, acquireLingering: (network) => lingering.admit(network) };
}
