import { ok } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { describeStream, describeTransmitter } from "../../flows/signals/describe.ts";
import {
  changeStream,
  changeStreamStatus,
  createStream,
  findOwnStream,
  listOwnStreams,
  removeStream,
  type StreamDeps,
} from "../../flows/signals/manage.ts";
import { type PollDeps, pollEvents, type WaitingPolls } from "../../flows/signals/poll.ts";
import { requestVerification } from "../../flows/signals/verify.ts";
import type { Principal } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeReceiver } from "../../flows/steps/authorization/authorize-receiver.ts";
import { JWKS_MAX_AGE_SECONDS } from "../../limits/session-limits.ts";
import type { SignalStream } from "../../models/signal-stream/stream.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply, reply } from "../reply.ts";
import {
  ChangeStreamBody,
  CreateStreamBody,
  PollBody,
  PollResponse,
  StreamConfiguration,
  StreamConfigurations,
  StreamQuery,
  StreamStatusBody,
  StreamStatusItem,
  StreamsQuery,
  TransmitterConfiguration,
  VerifyStreamBody,
} from "../schemas/signals.ts";

export type SignalDeps = StreamDeps & PollDeps;

const tag = "Shared signals";
const CONFIGURATION_CACHE = { "cache-control": `public, max-age=${JWKS_MAX_AGE_SECONDS}` };
/** All endpoints accept keys. `ssf.manage` includes `ssf.read`; the flows check `ssf.manage` for push streams. */
const access = {
  tag,
  auth: "administrative",
  permission: "ssf.read",
  authorize: async (caller: Principal) => authorizeReceiver(caller),
} as const;

/** docs/contract.md, chapter 27. */
export function signalRoutes(deps: SignalDeps): Endpoint[] {
  return [
    ...discoveryRoutes(deps),
    ...collectionRoutes(deps),
    ...changeRoutes(deps),
    ...statusRoutes(deps),
    ...eventRoutes(deps),
  ];
}

function discoveryRoutes(deps: Pick<Deps, "config">): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/.well-known/ssf-configuration",
      prefixed: false,
      operationId: "getSignalTransmitter",
      docs: { clientMethod: "discovery.signalTransmitter", section: "27.2" },
      tag,
      summary: "Transmitter configuration",
      auth: "none",
      responses: {
        200: { description: "SSF 1.0, section 7", schema: TransmitterConfiguration, headers: ["Cache-Control"] },
      },
      problems: [],
      handle: () => ok(reply(200, describeTransmitter(deps), { headers: CONFIGURATION_CACHE })),
    }),
  ];
}

function collectionRoutes(deps: SignalDeps): Endpoint[] {
  return [
    endpoint({
      ...access,
      method: "POST",
      path: "/ssf/stream",
      operationId: "createSignalStream",
      docs: { clientMethod: "signals.create", section: "27.3", access: "key; push: `ssf.manage`" },
      summary: "Create a stream of the service account",
      input: { body: CreateStreamBody },
      responses: { 201: { description: "Created and enabled", schema: StreamConfiguration } },
      problems: ["conflict", "forbidden"],
      async handle({ authorized: receiver, body, client }) {
        const created = await createStream(deps, { receiver, requested: requestedOf(body), client });
        return created.ok ? ok(reply(201, describeStream(deps, created.value))) : created;
      },
    }),
    endpoint({
      ...access,
      method: "GET",
      path: "/ssf/stream",
      operationId: "getSignalStreams",
      docs: { clientMethod: "signals.read", section: "27.3", access: "key" },
      summary: "Read a stream, or all of the service account",
      input: { query: StreamsQuery },
      responses: { 200: { description: "One stream, or a list", schema: StreamConfigurations } },
      problems: ["not_found", "forbidden"],
      async handle({ authorized: receiver, query }) {
        const describe = (stream: SignalStream) => describeStream(deps, stream);
        if (query.stream_id === undefined) {
          return ok(reply(200, (await listOwnStreams(deps, receiver)).map(describe)));
        }
        const found = await findOwnStream(deps, { receiver, streamId: query.stream_id });
        return found.ok ? ok(reply(200, describe(found.value))) : found;
      },
    }),
    endpoint({
      ...access,
      permission: "ssf.manage",
      method: "DELETE",
      path: "/ssf/stream",
      operationId: "deleteSignalStream",
      docs: { clientMethod: "signals.delete", section: "27.3", access: "key" },
      summary: "Delete a stream with its waiting events",
      input: { query: StreamQuery },
      responses: { 204: { description: "Deleted" } },
      problems: ["not_found", "forbidden"],
      async handle({ authorized: receiver, query, client }) {
        const outcome = await removeStream(deps, { receiver, streamId: query.stream_id, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

function changeRoutes(deps: SignalDeps): Endpoint[] {
  const ways = [
    {
      method: "PATCH",
      operationId: "changeSignalStream",
      docs: { clientMethod: "signals.update", section: "27.3", access: "key; push: `ssf.manage`" },
      summary: "Change a stream",
      replaces: false,
    },
    {
      method: "PUT",
      operationId: "replaceSignalStream",
      docs: { clientMethod: "signals.replace", section: "27.3", access: "key; push: `ssf.manage`" },
      summary: "Replace the settings of a stream",
      replaces: true,
    },
  ] as const;
  return ways.map(({ replaces, ...way }) =>
    endpoint({
      ...access,
      ...way,
      path: "/ssf/stream",
      description: replaces ? "Absent members are deleted." : "Absent members keep their values.",
      input: { body: ChangeStreamBody },
      responses: { 200: { description: "The whole stream", schema: StreamConfiguration } },
      problems: ["not_found", "forbidden"],
      async handle({ authorized: receiver, body, client }) {
        const { stream_id: streamId, iss, aud, events_supported, events_delivered, min_verification_interval } = body;
        const repeated = { iss, aud, events_supported, events_delivered, min_verification_interval };
        const input = { receiver, streamId, requested: requestedOf(body), repeated, client };
        const changed = await changeStream(deps, input, { replaces });
        return changed.ok ? ok(reply(200, describeStream(deps, changed.value))) : changed;
      },
    }),
  );
}

function statusRoutes(deps: SignalDeps): Endpoint[] {
  return [
    endpoint({
      ...access,
      method: "GET",
      path: "/ssf/status",
      operationId: "getSignalStreamStatus",
      docs: { clientMethod: "signals.status", section: "27.5", access: "key" },
      summary: "Read the status of a stream",
      input: { query: StreamQuery },
      responses: { 200: { description: "The status", schema: StreamStatusItem } },
      problems: ["not_found", "forbidden"],
      async handle({ authorized: receiver, query }) {
        const found = await findOwnStream(deps, { receiver, streamId: query.stream_id });
        return found.ok ? ok(reply(200, statusBody(found.value))) : found;
      },
    }),
    endpoint({
      ...access,
      method: "POST",
      path: "/ssf/status",
      operationId: "changeSignalStreamStatus",
      docs: { clientMethod: "signals.setStatus", section: "27.5", access: "key; push: `ssf.manage`" },
      summary: "Enable, pause or disable a stream",
      description: "A paused stream keeps events without sending; a disabled stream keeps no events.",
      input: { body: StreamStatusBody },
      responses: { 200: { description: "The new status", schema: StreamStatusItem } },
      problems: ["not_found", "forbidden"],
      async handle({ authorized: receiver, body, client }) {
        const { stream_id: streamId, status, reason } = body;
        const changed = await changeStreamStatus(deps, { receiver, streamId, status, reason, client });
        return changed.ok ? ok(reply(200, statusBody(changed.value))) : changed;
      },
    }),
  ];
}

function eventRoutes(deps: SignalDeps): Endpoint[] {
  const waiting: WaitingPolls = new Map();
  return [
    endpoint({
      ...access,
      method: "POST",
      path: "/ssf/verify",
      operationId: "verifySignalStream",
      docs: { clientMethod: "signals.verify", section: "27.5", access: "key; push: `ssf.manage`" },
      summary: "Ask for a verification event",
      input: { body: VerifyStreamBody },
      responses: { 204: { description: "Queued" } },
      problems: ["not_found", "forbidden", "conflict", "rate_limited"],
      async handle({ authorized: receiver, body }) {
        const { stream_id: streamId, state } = body;
        const outcome = await requestVerification(deps, { receiver, streamId, state });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
    endpoint({
      ...access,
      method: "POST",
      limits: { isLongPoll: true },
      path: "/ssf/poll/:stream_id",
      operationId: "pollSignals",
      docs: { clientMethod: "signals.poll", section: "27.6", access: "key" },
      summary: "Acknowledge events and get the next events",
      description:
        "RFC 8936. An event is delivered again until the receiver acknowledges the event or reports an error.",
      input: { body: PollBody },
      responses: { 200: { description: "Events that wait, signed", schema: PollResponse } },
      problems: ["not_found", "forbidden", "rate_limited"],
      async handle({ authorized: receiver, params, body, request }) {
        const { maxEvents, returnImmediately = false, ack = [], setErrs = {} } = body;
        const wish = { maxEvents, returnImmediately, acknowledged: ack, errors: setErrs };
        const { signal } = request;
        const polled = await pollEvents(deps, { receiver, streamId: params.stream_id, ...wish, waiting, signal });
        return polled.ok ? ok(reply(200, polled.value)) : polled;
      },
    }),
  ];
}

type SettingsBody = (typeof CreateStreamBody)["static"];

function requestedOf({ delivery, events_requested, description }: SettingsBody) {
  const { method, endpoint_url: endpointUrl, authorization_header: authorizationHeader } = delivery ?? {};
  return {
    delivery: method && { method, endpointUrl, authorizationHeader },
    eventsRequested: events_requested,
    description,
  };
}

function statusBody({ id, status, reason }: SignalStream) {
  return { stream_id: id, status, ...(reason === null ? {} : { reason }) };
}
