import type { Deps } from "../../../deps.ts";
import { eventClaims, type QueuedEvent } from "../../../models/signal-stream/event-token.ts";
import { encodeProviderHeader } from "../../../models/token/compact.ts";
import { signRs256 } from "./issue-session-tokens.ts";

/**
 * Signs the security event token of an event (RFC 8417) under the current signing key. Streams take turns in the pool.
 */
export async function signEvent(
  deps: Pick<Deps, "config" | "keyRing" | "signing">,
  event: QueuedEvent,
): Promise<string> {
  const claims = eventClaims(deps.config.urls.publicBaseUrl, event);
  return await signRs256(deps, event.streamId, claims, ({ kid }) => encodeProviderHeader("event", "RS256", kid));
}
