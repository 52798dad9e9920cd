import { type Refusal, rateLimited, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { WEBHOOK_DELIVERY_LIFETIME_MS } from "../../limits/machine-limits.ts";
import { STREAM_VERIFICATION_INTERVAL_SECONDS } from "../../limits/signal-limits.ts";
import { insertVerification, type NewStreamEvent } from "../../models/signal-stream/signal-queue.ts";
import { authorizeDelivery } from "../steps/authorization/authorize-receiver.ts";
import { findOwnStream, type StreamDeps, type StreamInput } from "./manage.ts";

const DISABLED = refusal("conflict", "This stream is disabled. Enable it first.");

/** POST /v1/ssf/verify (docs/contract.md, section 27.5): queues an event with the receiver's `state`. */
export async function requestVerification(
  deps: StreamDeps,
  input: Pick<StreamInput, "receiver" | "streamId"> & { readonly state: string | undefined },
): Promise<Result<void, Refusal<"conflict" | "forbidden" | "not_found" | "rate_limited">>> {
  const found = await findOwnStream(deps, input);
  if (!found.ok) return found;
  const allowed = authorizeDelivery(input.receiver, [found.value.method]);
  if (!allowed.ok) return allowed;
  if (found.value.status === "disabled") return err(DISABLED);
  const now = deps.clock.now();
  const event: NewStreamEvent = {
    eventId: deps.random.uuid(),
    eventType: "stream.verification",
    payload: input.state === undefined ? {} : { state: input.state },
    at: new Date(now),
    expiresAt: new Date(now + WEBHOOK_DELIVERY_LIFETIME_MS),
  };
  const seconds = STREAM_VERIFICATION_INTERVAL_SECONDS;
  const queued = await deps.database.run("signal_stream.verify", (sql) =>
    insertVerification(sql, input.streamId, event, new Date(now - seconds * 1000)),
  );
  if (!queued) return err(rateLimited("stream_verifications", seconds, "a verification was asked for a moment ago"));
  deps.webhooks.wake();
  return ok(undefined);
}
