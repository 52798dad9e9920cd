import type { SealingKey } from "../../base/seal.ts";
import type { QueuedEvent } from "./event-token.ts";
import { isTemporaryError } from "./set-error.ts";
import { openStreamHeader } from "./stream.ts";

/** Makes the security event token of an event. */
export type SignEvent = (event: QueuedEvent) => Promise<string>;

/** The HTTP request for one event (RFC 8935, section 2.1). Undefined if the receiver's header cannot be unsealed. */
export async function pushRequest(
  deps: { readonly sealing: SealingKey; readonly signEvent: SignEvent },
  event: QueuedEvent & { readonly sealedSecret: Buffer },
): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly body: string } | undefined> {
  const { streamId, sealedSecret } = event;
  const authorization = openStreamHeader(deps.sealing, streamId, sealedSecret);
  if (authorization === undefined && sealedSecret.length > 0) return undefined;
  const headers = {
    "content-type": "application/secevent+jwt",
    accept: "application/json",
    "user-agent": "identity-service-signals/1",
    ...(authorization === undefined ? {} : { authorization }),
  };
  return { headers, body: await deps.signEvent(event) };
}

/** The receiver refuses an event (RFC 8935, section 2.3). */
const EVENT_REFUSED = 400;
/** Whether a response says that the receiver would refuse the event again. `body`: JSON with `err`, or anything. */
export function refusesEvent({ status, body }: { readonly status: number; readonly body: Buffer }): boolean {
  return status === EVENT_REFUSED && !isTemporaryError(errorCode(body));
}

function errorCode(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())?.err;
  } catch {
    return undefined;
  }
}
