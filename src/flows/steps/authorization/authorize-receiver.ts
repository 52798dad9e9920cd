import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { hasScope } from "../../../models/service-account/api-key.ts";
import type { StreamOwner, StreamSettings } from "../../../models/signal-stream/stream.ts";
import type { Actor } from "../audit/audit-event.ts";
import { programActor } from "../audit/program-actor.ts";
import type { CallerCredential } from "../credentials/lock-credential.ts";
import { LIMITED_REACH, type Principal } from "./authorize-platform-role.ts";
import { authorized } from "./authorized.ts";
import { lacksScope } from "./key-scope.ts";
import { programCredential } from "./program-credential.ts";

const KEYS_ONLY = refusal("forbidden", "Streams of events are for service accounts: use an API key.");

declare const mark: unique symbol;

/** A service account that receives events, by a key with a checked scope. Only this file constructs a receiver. */
export interface Receiver extends StreamOwner {
  readonly [mark]: true;
  readonly keyId: string;
  /** Whether the key has the scope `ssf.manage`. */
  readonly canManage: boolean;
  /** The user who created the key. */
  readonly createdBy: string | null;
  /** The actor in audit records. */
  readonly actor: Actor;
  readonly credential: CallerCredential;
}

/** Authorizes the management and the reading of streams (docs/contract.md, section 27.1). */
export function authorizeReceiver(principal: Principal): Result<Receiver, Refusal<"forbidden">> {
  if (!("key" in principal)) return err(KEYS_ONLY);
  const { key } = principal;
  if (key.organizations !== null) return err(LIMITED_REACH);
  const { id: keyId, serviceAccountId, organizationId, createdBy } = key;
  const credential = programCredential(key);
  const canManage = hasScope(key, "ssf.manage");
  const identity = { keyId, serviceAccountId, organizationId, createdBy, credential, actor: programActor(key) };
  return ok(authorized<Receiver>({ ...identity, canManage }));
}

/**
 * Authorizes a change of the destination or delivery of events: a stream with push requires `ssf.manage`. A polled
 * stream delivers only to the key itself, so `ssf.read` suffices (CAEP Interoperability Profile 1.0, section 2.7.3;
 * docs/contract.md, section 27.1).
 */
export function authorizeDelivery(
  { canManage }: Receiver,
  methods: readonly StreamSettings["method"][],
): Result<void, Refusal<"forbidden">> {
  return canManage || !methods.includes("push") ? ok(undefined) : err(lacksScope("ssf.manage"));
}
