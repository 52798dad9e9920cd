/**
 * The slots of a replica for requests to receivers that may be slow or unavailable, shared fairly by the owners of the
 * receivers. An owner may use a quarter of the slots that are free at the moment (dynamic thresholds, Choudhury and
 * Hahne 1998): a single owner gets many slots, and however many owners compete, some slots stay free for the next
 * owner.
 */
import { LRUCache } from "lru-cache";
import type { Clock } from "./clock.ts";

/** A request that occupies a slot. */
export interface SlotUser {
  readonly receiverId: string;
  readonly ownerId: string;
}

export interface FairSlotsOptions {
  readonly clock: Clock;
  readonly slotsMax: number;
  /** Slots of a receiver. */
  readonly receiverSlotsMax: number;
  /** A receiver whose requests take longer on average is slow: fewer slots, from a separate share. */
  readonly slowAfterMs: number;
  readonly slowReceiverSlotsMax: number;
  /** Slow receivers that are remembered. */
  readonly historyMax: number;
}

/** The requests that may begin now. */
export interface FreeSlots {
  /** Slots without a request. */
  readonly freeSlots: number;
  readonly limit: number;
  /** Part of `limit` for slow receivers. */
  readonly slowLimit: number;
  /** Requests that an owner may have in progress. */
  readonly ownerLimit: number;
  /** Requests that a receiver may have in progress, unless `receivers` names the receiver. */
  readonly receiverLimit: number;
  readonly owners: readonly { readonly id: string; readonly inProgress: number }[];
  /** Receivers with requests in progress, and slow receivers. */
  readonly receivers: readonly { readonly id: string; readonly free: number; readonly isSlow: boolean }[];
}

export interface FairSlots {
  free(): FreeSlots;
  /** Occupies a slot; returns the function that releases the slot. */
  occupy(user: SlotUser): () => void;
  /** Requests in progress. */
  inProgress(receiverId: string): number;
}

/** The part of the free slots that an owner may use. */
const OWNER_SHARE = 1 / 4;
/** The part of all slots that slow receivers may use. */
const SLOW_SHARE = 1 / 2;
/** The weight of the latest request in the average of a receiver. */
const LATEST_WEIGHT = 1 / 3;

interface Occupied extends SlotUser {
  readonly startedAt: number;
}

export function fairSlots(options: FairSlotsOptions): FairSlots {
  const { clock, slotsMax, receiverSlotsMax, slowAfterMs, slowReceiverSlotsMax } = options;
  const occupied = new Set<Occupied>();
  const averageMs = new LRUCache<string, number>({ max: options.historyMax });

  function isSlow(receiverId: string, requests: readonly Occupied[]): boolean {
    const oldestAt = Math.min(...requests.map(({ startedAt }) => startedAt));
    return (averageMs.peek(receiverId) ?? 0) > slowAfterMs || clock.monotonic() - oldestAt > slowAfterMs;
  }

  /** Only receivers that have been slow are remembered; several fast requests make a slow receiver fast. */
  function remember(receiverId: string, tookMs: number): void {
    const before = averageMs.get(receiverId) ?? (tookMs > slowAfterMs ? tookMs : 0);
    const average = before + LATEST_WEIGHT * (tookMs - before);
    if (average > slowAfterMs / 2) averageMs.set(receiverId, average);
    else averageMs.delete(receiverId);
  }

  return {
    free() {
      const byReceiver = Map.groupBy(occupied, ({ receiverId }) => receiverId);
      const slow = new Set(
        [...new Set([...byReceiver.keys(), ...averageMs.keys()])].filter((id) => isSlow(id, byReceiver.get(id) ?? [])),
      );
      const free = slotsMax - occupied.size;
      const slowInProgress = [...occupied].filter(({ receiverId }) => slow.has(receiverId)).length;
      const slowFree = Math.min(free, slotsMax * SLOW_SHARE - slowInProgress);
      const named = new Set([...byReceiver.keys(), ...slow]);
      return {
        freeSlots: free,
        // Half of the free slots, so that the shares of the next round count the requests that this round has begun.
        limit: Math.ceil(free / 2),
        slowLimit: Math.max(0, Math.ceil(slowFree / 2)),
        ownerLimit: Math.ceil(free * OWNER_SHARE),
        receiverLimit: receiverSlotsMax,
        owners: [...Map.groupBy(occupied, ({ ownerId }) => ownerId)].map(([id, { length }]) => ({
          id,
          inProgress: length,
        })),
        receivers: [...named].map((id) => {
          const max = slow.has(id) ? slowReceiverSlotsMax : receiverSlotsMax;
          return { id, free: Math.max(0, max - (byReceiver.get(id)?.length ?? 0)), isSlow: slow.has(id) };
        }),
      };
    },
    occupy(user) {
      const slot = { ...user, startedAt: clock.monotonic() };
      occupied.add(slot);
      return () => {
        occupied.delete(slot);
        remember(user.receiverId, clock.monotonic() - slot.startedAt);
      };
    },
    inProgress: (receiverId) => [...occupied].filter((each) => each.receiverId === receiverId).length,
  };
}

/** Bounds of an owner beyond the share of the free slots. */
export interface OwnerBounds {
  readonly ownerSlotsMax?: number;
  /** Slots for owners without a request in progress. */
  readonly reserved?: number;
}

/**
 * Whether a request of a user may begin at once. The first request of an owner uses any slot; further requests leave
 * the reserved slots to other owners.
 */
export function hasFairSlot(
  slots: FairSlots,
  { receiverId, ownerId }: SlotUser,
  { ownerSlotsMax = Number.POSITIVE_INFINITY, reserved = 0 }: OwnerBounds = {},
): boolean {
  const { freeSlots, slowLimit, ownerLimit, receiverLimit, owners, receivers } = slots.free();
  const receiver = receivers.find(({ id }) => id === receiverId);
  if (freeSlots === 0 || (receiver?.free ?? receiverLimit) === 0 || (receiver?.isSlow && slowLimit === 0)) return false;
  const ofOwner = owners.find(({ id }) => id === ownerId)?.inProgress ?? 0;
  return ofOwner === 0 || (ofOwner < Math.min(ownerLimit, ownerSlotsMax) && freeSlots > reserved);
}
