import type { Deps } from "../../deps.ts";
import { STREAM_VERIFICATION_INTERVAL_SECONDS } from "../../limits/signal-limits.ts";
import { EVENTS_SUPPORTED, eventsDelivered } from "../../models/signal-stream/event-type.ts";
import type { SignalStream } from "../../models/signal-stream/stream.ts";

/** Delivery methods (SSF 1.0, section 6.1). */
export const DELIVERY_METHODS = { push: "urn:ietf:rfc:8935", poll: "urn:ietf:rfc:8936" } as const;
export type DeliveryMethodUri = (typeof DELIVERY_METHODS)[keyof typeof DELIVERY_METHODS];

type ConfigDeps = Pick<Deps, "config">;

/** GET /.well-known/ssf-configuration (SSF 1.0, section 7.1; docs/contract.md, section 27.2). */
export function describeTransmitter(deps: ConfigDeps) {
  const issuer = deps.config.urls.publicBaseUrl;
  return {
    spec_version: "1_0",
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    delivery_methods_supported: Object.values(DELIVERY_METHODS),
    configuration_endpoint: `${ssfBase(deps)}/stream`,
    status_endpoint: `${ssfBase(deps)}/status`,
    verification_endpoint: `${ssfBase(deps)}/verify`,
    // CAEP Interoperability Profile 1.0, section 2.3.7, requires the first; API keys are presented by the second.
    authorization_schemes: [{ spec_urn: "urn:ietf:rfc:6749" }, { spec_urn: "urn:ietf:rfc:6750" }],
    default_subjects: "ALL" as const,
  };
}

/** A stream in the view of its receiver (SSF 1.0, section 8.1.1). The Authorization header of pushes is omitted. */
export function describeStream(deps: ConfigDeps, stream: SignalStream) {
  const { id, serviceAccountId, method, url, eventsRequested, description } = stream;
  return {
    stream_id: id,
    iss: deps.config.urls.publicBaseUrl,
    aud: serviceAccountId,
    events_supported: [...EVENTS_SUPPORTED],
    ...(eventsRequested === null ? {} : { events_requested: [...eventsRequested] }),
    events_delivered: [...eventsDelivered(eventsRequested)],
    delivery: { method: DELIVERY_METHODS[method], endpoint_url: method === "push" ? url : pollUrl(deps, id) },
    min_verification_interval: STREAM_VERIFICATION_INTERVAL_SECONDS,
    ...(description === null ? {} : { description }),
  };
}

/** Where the receiver of a stream polls. */
export function pollUrl(deps: ConfigDeps, streamId: string): string {
  return `${ssfBase(deps)}/poll/${streamId}`;
}

function ssfBase({ config }: ConfigDeps): string {
  return `${config.urls.publicBaseUrl}${config.urls.routePrefix}/ssf`;
}
