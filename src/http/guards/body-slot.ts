/** The guard of large request bodies (docs/contract.md, section 20.1). */
import { rateLimited } from "../../base/problem.ts";
import { err } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { BODY_SLOT_RETRY_AFTER_SECONDS, SMALL_BODY_MAX_BYTES } from "../../limits/body-limits.ts";
import { declaredLength } from "../input/body.ts";

/** The members of an endpoint that permit a large body: forms of pages, files, and a bound of the endpoint's own. */
export interface BodyRule {
  readonly page?: object;
  readonly upload?: object | undefined;
  readonly bodyMaxBytes?: number;
  readonly refusals?: "oauth" | "scim";
}

export type BodySlot = NonNullable<ReturnType<Deps["bodySlots"]["acquire"]>>;

export const NO_BODY_SLOT = err(rateLimited("body_slots", BODY_SLOT_RETRY_AFTER_SECONDS, "all slots of large bodies"));

/** Bun buffers up to 1.5 MiB of a body while a guard waits, so a slot is acquired before the first wait. */
export function needsBodySlot(endpoint: BodyRule, request: Request): boolean {
  const { page, upload, bodyMaxBytes, refusals } = endpoint;
  const takesLargeBodies = [page, upload, bodyMaxBytes].some((each) => each !== undefined) || refusals === "scim";
  return takesLargeBodies && declaredLength(request) > SMALL_BODY_MAX_BYTES;
}

/**
 * An anonymous body that fits the bound of its endpoint waits for its turn: after an immediate refusal, a client could
 * repeat the request at once, and a refused body costs the thread of the requests nearly as much as a received body.
 */
export function assignBodySlot(
  slot: BodySlot,
  { bodyMaxBytes }: BodyRule,
  request: Request,
  callerId: string | undefined,
): boolean | Promise<boolean> {
  const waits = callerId === undefined && bodyMaxBytes !== undefined && declaredLength(request) <= bodyMaxBytes;
  return waits ? slot.assignInTurn() : slot.assign(callerId);
}
