import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { StreamOwner } from "../../models/signal-stream/stream.ts";
import type { Actor } from "./audit-event.ts";
import { keyActor, type Principal } from "./authorize-member.ts";

const KEYS_ONLY = refusal("forbidden", "Streams of events are for service accounts: use an API key.");

declare const authorized: unique symbol;

/** A service account that receives events, by a key whose scope was checked. Only this file constructs one. */
export interface Receiver extends StreamOwner {
  readonly [authorized]: true;
  readonly keyId: string;
  /** Who acts, in audit records. */
  readonly actor: Actor;
}

/** Authorizes the management and the reading of streams (docs/contract.md, section 27.1). Refuses with `forbidden`. */
export function authorizeReceiver(principal: Principal): Result<Receiver, Refusal<"forbidden">> {
  if (!("key" in principal)) return err(KEYS_ONLY);
  const { key } = principal;
  const { id: keyId, serviceAccountId, organizationId } = key;
  return ok({ keyId, serviceAccountId, organizationId, actor: keyActor(key) } as unknown as Receiver);
}
