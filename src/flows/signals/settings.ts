/** The settings requested by receivers, validated (docs/contract.md, section 27.3). */

import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { seal } from "../../base/seal.ts";
import type { Deps } from "../../deps.ts";
import { STREAM_HEADER_MAX_CHARACTERS } from "../../limits/signal-limits.ts";
import { actionsOf, eventsDelivered } from "../../models/signal-stream/event-type.ts";
import { headerIdentity, type SignalStream, type StoredSettings } from "../../models/signal-stream/stream.ts";
import { readTargetUrl } from "../../providers/guarded-post.ts";
import { DELIVERY_METHODS, type DeliveryMethodUri, describeStream, pollUrl } from "./describe.ts";

export type SettingsDeps = Pick<Deps, "config" | "random" | "sealing">;

export interface RequestedDelivery {
  readonly method: DeliveryMethodUri;
  readonly endpointUrl: string | undefined;
  readonly authorizationHeader: string | undefined;
}

/** Undefined: not in the request. */
export interface RequestedSettings {
  readonly delivery: RequestedDelivery | undefined;
  readonly eventsRequested: readonly string[] | undefined;
  readonly description: string | undefined;
}

/** Members that a receiver may repeat but not change. */
export interface RepeatedMembers {
  readonly iss?: string | undefined;
  readonly aud?: string | undefined;
  readonly events_supported?: readonly string[] | undefined;
  readonly events_delivered?: readonly string[] | undefined;
  readonly min_verification_interval?: number | undefined;
}

type Destination = Pick<StoredSettings, "method" | "url" | "sealedHeader">;
type SettingsProblem = Refusal<"invalid_input">;

const POLL: RequestedDelivery = {
  method: DELIVERY_METHODS.poll,
  endpointUrl: undefined,
  authorizationHeader: undefined,
};
const NOT_OURS = invalidInput(
  "delivery.endpoint_url",
  "not_allowed",
  "must be absent: the service chooses the poll endpoint",
);
const NOT_A_HEADER = invalidInput("delivery.authorization_header", "format", "the value of an Authorization header");
/** The value of a header field (RFC 9110, section 5.5), of ASCII. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** The settings of a new stream, or a complete replacement. The default method is poll (SSF 1.0, section 8.1.1.1). */
export function newSettings(
  deps: SettingsDeps,
  streamId: string,
  { delivery = POLL, ...requested }: RequestedSettings,
): Result<StoredSettings, SettingsProblem> {
  const { eventsRequested = null, description = null } = requested;
  const destination = validateDelivery(deps, streamId, delivery);
  if (!destination.ok) return destination;
  const eventTypes = actionsOf(eventsDelivered(eventsRequested));
  return ok({ ...destination.value, eventsRequested, description, eventTypes });
}

/** The settings of a stream with the changes of the request. */
export function changedSettings(
  deps: SettingsDeps,
  stream: SignalStream,
  requested: RequestedSettings,
): Result<StoredSettings, SettingsProblem> {
  const { delivery, eventsRequested = stream.eventsRequested, description = stream.description } = requested;
  const unchanged = { method: stream.method, url: stream.url, sealedHeader: null };
  const destination = delivery ? validateDelivery(deps, stream.id, delivery) : ok(unchanged);
  if (!destination.ok) return destination;
  const eventTypes = actionsOf(eventsDelivered(eventsRequested));
  return ok({ ...destination.value, eventsRequested, description, eventTypes });
}

/** Refuses values different from the current stream (SSF 1.0, sections 8.1.1.3 and 8.1.1.4). */
export function validateRepeated(
  deps: Pick<Deps, "config">,
  stream: SignalStream,
  repeated: RepeatedMembers,
): Result<void, SettingsProblem> {
  const known: Readonly<Record<string, unknown>> = describeStream(deps, stream);
  const differs = Object.entries(repeated).find(
    ([name, value]) => value !== undefined && canonical(value) !== canonical(known[name]),
  );
  return differs
    ? err(invalidInput(differs[0], "conflicting", "differs from the value that the service sets"))
    : ok(undefined);
}

/** The order of a list has no meaning. */
function canonical(value: unknown): string {
  return JSON.stringify(Array.isArray(value) ? [...value].sort() : value);
}

function validateDelivery(
  deps: SettingsDeps,
  streamId: string,
  { method, endpointUrl, authorizationHeader: header = "" }: RequestedDelivery,
): Result<Destination, SettingsProblem> {
  if (method === DELIVERY_METHODS.poll) {
    const isOurs = endpointUrl === undefined || endpointUrl === pollUrl(deps, streamId);
    return isOurs ? ok({ method: "poll", url: "", sealedHeader: Buffer.alloc(0) }) : err(NOT_OURS);
  }
  const target = readTargetUrl(deps.config.webhooks, endpointUrl ?? "");
  if (!target.ok) return err(invalidInput("delivery.endpoint_url", target.error.rule, target.error.text));
  const url = target.value;
  if (header === "") return ok({ method: "push", url, sealedHeader: Buffer.alloc(0) });
  if (header.length > STREAM_HEADER_MAX_CHARACTERS || !HEADER_VALUE.test(header)) return err(NOT_A_HEADER);
  const sealedHeader = seal(deps.sealing, deps.random, headerIdentity(streamId), Buffer.from(header));
  return ok({ method: "push", url, sealedHeader });
}
