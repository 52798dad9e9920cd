import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { DELIVERY_METHODS } from "../../flows/signals/describe.ts";
import {
  STREAM_DESCRIPTION_MAX_CHARACTERS,
  STREAM_ERROR_MAX_CHARACTERS,
  STREAM_EVENT_URI_MAX_CHARACTERS,
  STREAM_EVENTS_REQUESTED_MAX,
  STREAM_POLL_EVENTS_MAX,
  STREAM_POLL_OUTCOMES_MAX,
  STREAM_REASON_MAX_CHARACTERS,
  STREAM_STATE_MAX_CHARACTERS,
  STREAM_VERIFICATION_INTERVAL_SECONDS,
} from "../../limits/signal-limits.ts";
import { EVENTS_SUPPORTED, SESSION_REVOKED } from "../../models/signal-stream/event-type.ts";
import { STREAM_STATUSES } from "../../models/signal-stream/stream.ts";
import { oneOf, text, url } from "./common.ts";

const ISSUER = "https://auth.acme.test";
const STREAM_ID = "019aa5b1-02ab-7b52-a7f3-0e54de4ab0c1";
const NO_NUL = { pattern: "^[^\\u0000]*$", rule: "must not contain NUL" };

const DeliveryMethod = oneOf(Object.values(DELIVERY_METHODS), { $id: "SignalDeliveryMethod" });
const StreamId = text(STREAM_ID, "id of the stream");
const EventUris = Type.Array(Type.String({ ...NO_NUL, maxLength: STREAM_EVENT_URI_MAX_CHARACTERS }), {
  maxItems: STREAM_EVENTS_REQUESTED_MAX,
  examples: [[SESSION_REVOKED]],
});
const Description = Type.String({
  ...NO_NUL,
  maxLength: STREAM_DESCRIPTION_MAX_CHARACTERS,
  examples: ["Sessions of the warehouse"],
});

/** SSF 1.0, section 7.1. */
export const TransmitterConfiguration = Type.Object(
  {
    spec_version: text("1_0"),
    issuer: url(ISSUER, "value of the claim iss"),
    jwks_uri: url(`${ISSUER}/.well-known/jwks.json`, "keys that sign events"),
    delivery_methods_supported: Type.Array(DeliveryMethod),
    configuration_endpoint: url(`${ISSUER}/v1/ssf/stream`, "manages streams"),
    status_endpoint: url(`${ISSUER}/v1/ssf/status`, "status of a stream"),
    verification_endpoint: url(`${ISSUER}/v1/ssf/verify`, "asks for a verification event"),
    authorization_schemes: Type.Array(Type.Object({ spec_urn: text("urn:ietf:rfc:6750", "Bearer: an API key") })),
    default_subjects: Type.Literal("ALL", { description: "all subjects within the reach of the service account" }),
  },
  { $id: "SignalTransmitter" },
);

/** SSF 1.0, section 8.1.1. */
export const StreamConfiguration = Type.Object(
  {
    stream_id: StreamId,
    iss: url(ISSUER, "issuer of the events"),
    aud: text("019aa5b0-7c1d-7e80-b0e3-2f6d1c3a9b44", "audience of the events: the service account"),
    events_supported: Type.Array(text(SESSION_REVOKED), { examples: [[...EVENTS_SUPPORTED]] }),
    events_requested: Type.Optional({ ...EventUris, description: "events as requested; absent: all" }),
    events_delivered: Type.Array(text(SESSION_REVOKED), { description: "events of the stream" }),
    delivery: Type.Object({
      method: DeliveryMethod,
      endpoint_url: url(`${ISSUER}/v1/ssf/poll/${STREAM_ID}`, "where events are pushed to, or where to poll"),
    }),
    min_verification_interval: Type.Integer({
      description: "seconds between verifications",
      examples: [STREAM_VERIFICATION_INTERVAL_SECONDS],
    }),
    description: Type.Optional(Description),
  },
  { $id: "SignalStream" },
);
export const StreamConfigurations = Type.Union([StreamConfiguration, Type.Array(StreamConfiguration)], {
  $id: "SignalStreams",
  description: "the stream of `stream_id`, or all of the account",
});

const settings = {
  delivery: Type.Optional(
    Type.Object(
      {
        method: DeliveryMethod,
        endpoint_url: Type.Optional(
          Type.String({
            description: "for push: https, its host must have public addresses only",
            examples: ["https://app.example.com/events"],
          }),
        ),
        authorization_header: Type.Optional(
          Type.String({ description: "for push: sent with every event", examples: ["Bearer 3f1c"] }),
        ),
      },
      { description: "default: poll" },
    ),
  ),
  events_requested: Type.Optional({
    ...EventUris,
    description: "URIs of events; unknown URIs are ignored; default: all",
  }),
  description: Type.Optional(Description),
};
export const CreateStreamBody = Type.Object(settings, { $id: "CreateSignalStreamRequest" });
/** Members that the service sets may be repeated and must not differ. */
export const ChangeStreamBody = Type.Object(
  {
    stream_id: StreamId,
    ...settings,
    iss: Type.Optional(text(ISSUER)),
    aud: Type.Optional(text("019aa5b0-7c1d-7e80-b0e3-2f6d1c3a9b44")),
    events_supported: Type.Optional(Type.Array(Type.String(), { examples: [[...EVENTS_SUPPORTED]] })),
    events_delivered: Type.Optional(Type.Array(Type.String(), { examples: [[SESSION_REVOKED]] })),
    min_verification_interval: Type.Optional(Type.Integer({ examples: [STREAM_VERIFICATION_INTERVAL_SECONDS] })),
  },
  { $id: "ChangeSignalStreamRequest" },
);

export const StreamQuery = Type.Object({ stream_id: StreamId });
export const StreamsQuery = Type.Object({ stream_id: Type.Optional(StreamId) });

const Reason = Type.String({ ...NO_NUL, maxLength: STREAM_REASON_MAX_CHARACTERS, examples: ["maintenance"] });
const status = {
  stream_id: StreamId,
  status: oneOf(STREAM_STATUSES, { $id: "SignalStreamStatus" }),
  reason: Type.Optional({ ...Reason, description: "`backlog`: the service disabled the stream" }),
};
/** SSF 1.0, section 8.1.2. */
export const StreamStatusBody = Type.Object(status, { $id: "ChangeSignalStreamStatusRequest" });
export const StreamStatusItem = Type.Object(status, { $id: "SignalStreamState" });

export const VerifyStreamBody = Type.Object(
  {
    stream_id: StreamId,
    state: Type.Optional(
      Type.String({ maxLength: STREAM_STATE_MAX_CHARACTERS, description: "is in the event", examples: ["ping 1"] }),
    ),
  },
  { $id: "VerifySignalStreamRequest" },
);

const EventError = Type.Object({
  err: Type.String({ maxLength: STREAM_ERROR_MAX_CHARACTERS, examples: ["invalid_key"] }),
  description: Type.Optional(Type.String({ maxLength: STREAM_ERROR_MAX_CHARACTERS, examples: ["unknown kid"] })),
});

/** An object with equally typed members by the `jti` of an event. */
function byEvent<Member extends TSchema>(member: Member, options: object) {
  const schema = Type.Object({}, { additionalProperties: member, ...options });
  return Type.Unsafe<Record<string, Static<Member>>>(schema);
}

/** RFC 8936, section 2.2. */
export const PollBody = Type.Object(
  {
    maxEvents: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: `at most ${STREAM_POLL_EVENTS_MAX}, also the default; 0: only acknowledge`,
        examples: [10],
      }),
    ),
    returnImmediately: Type.Optional(
      Type.Boolean({ description: "false, the default: wait for events", examples: [true] }),
    ),
    ack: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: STREAM_POLL_OUTCOMES_MAX,
        description: "`jti` of the received events",
        examples: [[STREAM_ID]],
      }),
    ),
    setErrs: Type.Optional(
      byEvent(EventError, {
        maxProperties: STREAM_POLL_OUTCOMES_MAX,
        description: "reasons for rejected events, by `jti`",
        examples: [{ [STREAM_ID]: { err: "invalid_key", description: "unknown kid" } }],
      }),
    ),
  },
  { $id: "PollSignalsRequest" },
);
export const PollResponse = Type.Object(
  {
    sets: byEvent(Type.String(), {
      description: "security event tokens by `jti`, oldest first",
      examples: [{ [STREAM_ID]: "eyJhbGciOiJSUzI1NiIsInR5cCI6InNlY2V2ZW50K2p3dCJ9.e30.c2ln" }],
    }),
    moreAvailable: Type.Optional(Type.Boolean({ description: "more events wait", examples: [false] })),
  },
  { $id: "PolledSignals" },
);
