import { NOT_SIGNED_IN, type Refusal, refusal } from "../../base/problem.ts";
import { isUuid } from "../../base/random.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { cte } from "../../database/statement.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { STREAMS_MAX } from "../../limits/signal-limits.ts";
import { type AuditEntry, insertAudit } from "../../models/audit/audit.ts";
import { lockServiceAccount } from "../../models/service-account/service-account.ts";
import { deleteUnsendableEvents, deleteWaitingEvents } from "../../models/signal-stream/signal-queue.ts";
import {
  deleteStream,
  findStream,
  insertStream,
  listStreams,
  lockStream,
  type SignalStream,
  type StreamStatus,
  setStreamStatus,
  updateStream,
} from "../../models/signal-stream/stream.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { authorizeDelivery, type Receiver } from "../steps/authorization/authorize-receiver.ts";
import { lockCredential } from "../steps/credentials/lock-credential.ts";
import { DELIVERY_METHODS } from "./describe.ts";
import {
  changedSettings,
  newSettings,
  type RepeatedMembers,
  type RequestedSettings,
  type SettingsDeps,
  validateRepeated,
} from "./settings.ts";

export type StreamDeps = SettingsDeps & Pick<Deps, "database" | "clock" | "webhooks">;

const NO_SUCH_STREAM = refusal("not_found", "There is no such stream.");
const TOO_MANY = refusal("conflict", `A service account has at most ${STREAMS_MAX} streams.`);

export interface StreamInput {
  readonly receiver: Receiver;
  readonly streamId: string;
  readonly client: RequestContext;
}

export interface ChangeStreamInput extends StreamInput {
  readonly requested: RequestedSettings;
  readonly repeated: RepeatedMembers;
}

/** POST /v1/ssf/stream (docs/contract.md, section 27.3). */
export async function createStream(
  deps: StreamDeps,
  { receiver, requested, client }: Pick<ChangeStreamInput, "receiver" | "requested" | "client">,
): Promise<Result<SignalStream, Refusal<"authentication_required" | "conflict" | "forbidden" | "invalid_input">>> {
  const allowed = authorizeDelivery(receiver, methodsIn(requested));
  if (!allowed.ok) return allowed;
  const [streamId, at] = [deps.random.uuid(), new Date(deps.clock.now())];
  const settings = newSettings(deps, streamId, requested);
  if (!settings.ok) return settings;
  const input = { receiver, streamId, client };
  const entry = streamAuditEvent(deps, input, "signal_stream.created", at, { method: settings.value.method });
  return await deps.database.transaction("signal_stream.create", async (sql) => {
    const locked = await lockCredential(sql, receiver.credential, at);
    if (!locked.ok) return locked;
    if (!(await lockServiceAccount(sql, receiver.serviceAccountId))) return err(NOT_SIGNED_IN);
    const [row] = await sql<SignalStream[]>`
      with changed as (${insertStream(sql, streamId, receiver, settings.value, at, STREAMS_MAX)}),
      audit as (${insertAudit(sql, entry, sql`from changed`)})
      select * from changed`;
    return row ? ok(row) : err(TOO_MANY);
  });
}

/** GET /v1/ssf/stream without an id: the streams of the account. */
export async function listOwnStreams(
  deps: Pick<Deps, "database">,
  receiver: Receiver,
): Promise<readonly SignalStream[]> {
  return await deps.database.run("signal_stream.list", (sql) => listStreams(sql, receiver.serviceAccountId));
}

/** The stream, if the stream belongs to the account. */
export async function findOwnStream(
  deps: Pick<Deps, "database">,
  { receiver, streamId }: Pick<StreamInput, "receiver" | "streamId">,
): Promise<Result<SignalStream, Refusal<"not_found">>> {
  if (!isUuid(streamId)) return err(NO_SUCH_STREAM);
  const stream = await deps.database.run("signal_stream.find", (sql) =>
    findStream(sql, streamId, receiver.serviceAccountId),
  );
  return stream ? ok(stream) : err(NO_SUCH_STREAM);
}

/**
 * PATCH and PUT /v1/ssf/stream (docs/contract.md, section 27.3). `replaces`: members absent from the request are
 * deleted.
 */
export async function changeStream(
  deps: StreamDeps,
  input: ChangeStreamInput,
  { replaces }: { readonly replaces: boolean },
): Promise<Result<SignalStream, Refusal<"authentication_required" | "forbidden" | "invalid_input" | "not_found">>> {
  if (!isUuid(input.streamId)) return err(NO_SUCH_STREAM);
  const changed = await deps.database.transaction("signal_stream.update", (sql) =>
    changeLocked(deps, sql, input, replaces),
  );
  if (changed.ok) deps.webhooks.wake();
  return changed;
}

/**
 * Members absent from the request keep their current values: a concurrent change may have set the push address, the
 * status or further members.
 */
async function changeLocked(
  deps: StreamDeps,
  sql: Sql,
  input: ChangeStreamInput,
  replaces: boolean,
): Promise<Result<SignalStream, Refusal<"authentication_required" | "forbidden" | "invalid_input" | "not_found">>> {
  const { receiver, streamId, requested } = input;
  const at = new Date(deps.clock.now());
  const locked = await lockCredential(sql, receiver.credential, at);
  if (!locked.ok) return locked;
  const stream = await lockStream(sql, streamId, receiver.serviceAccountId);
  if (!stream) return err(NO_SUCH_STREAM);
  const allowed = authorizeDelivery(receiver, [stream.method, ...methodsIn(requested)]);
  if (!allowed.ok) return allowed;
  const repeated = validateRepeated(deps, stream, input.repeated);
  if (!repeated.ok) return repeated;
  const settings = replaces ? newSettings(deps, streamId, requested) : changedSettings(deps, stream, requested);
  if (!settings.ok) return settings;
  const entry = streamAuditEvent(deps, input, "signal_stream.updated", at, { method: settings.value.method });
  const [row] = await sql<SignalStream[]>`
    with changed as (${updateStream(sql, streamId, settings.value, at)}),
    audit as (${insertAudit(sql, entry, sql`from changed`)})
    select * from changed`;
  return row ? ok(row) : err(NO_SUCH_STREAM);
}

/**
 * POST /v1/ssf/status (docs/contract.md, section 27.5). A disabled stream keeps no events: waiting events are deleted.
 */
export async function changeStreamStatus(
  deps: StreamDeps,
  input: StreamInput & { readonly status: StreamStatus; readonly reason: string | undefined },
): Promise<Result<SignalStream, Refusal<"authentication_required" | "forbidden" | "not_found">>> {
  const found = await findOwnStream(deps, input);
  if (!found.ok) return found;
  const allowed = authorizeDelivery(input.receiver, [found.value.method]);
  if (!allowed.ok) return allowed;
  const { receiver, streamId, status, reason = null } = input;
  const at = new Date(deps.clock.now());
  const entry = streamAuditEvent(deps, input, "signal_stream.updated", at, { status });
  const changed = await deps.database.transaction("signal_stream.set_status", async (sql) => {
    const locked = await lockCredential(sql, receiver.credential, at);
    if (!locked.ok) return locked;
    const [row] = await sql<SignalStream[]>`
      with changed as (${setStreamStatus(sql, streamId, { status, reason, at })}),
      audit as (${insertAudit(sql, entry, sql`from changed`)})
      , dropped as (${
        status === "disabled" ? deleteWaitingEvents(sql, cte(sql, "changed")) : deleteUnsendableEvents(sql, streamId)
      })
      select * from changed`;
    return row ? ok(row) : err(NO_SUCH_STREAM);
  });
  if (changed.ok) deps.webhooks.wake();
  return changed;
}

/** DELETE /v1/ssf/stream (docs/contract.md, section 27.3), together with its events. */
export async function removeStream(deps: StoreDeps, input: StreamInput): Promise<Result<void, Refusal<"not_found">>> {
  const found = await findOwnStream(deps, input);
  if (!found.ok) return found;
  const entry = streamAuditEvent(deps, input, "signal_stream.deleted", new Date(deps.clock.now()), {});
  await deps.database.run(
    "signal_stream.delete",
    (sql) => sql`
      with deleted as (${deleteStream(sql, input.streamId)}) ${insertAudit(sql, entry, sql`from deleted`)}`,
  );
  return ok(undefined);
}

/** The delivery methods in a request. */
function methodsIn({ delivery }: RequestedSettings): readonly SignalStream["method"][] {
  if (delivery === undefined) return [];
  return [delivery.method === DELIVERY_METHODS.push ? "push" : "poll"];
}

function streamAuditEvent(
  deps: Pick<Deps, "random">,
  { receiver, streamId, client }: StreamInput,
  action: Extract<AuditEntry["action"], `signal_stream.${string}`>,
  at: Date,
  metadata: AuditEntry["metadata"],
): AuditEntry {
  const resource = { type: "signal_stream", id: streamId } as const;
  return userAuditEvent(deps, receiver.actor, client, { action, at, resource, metadata });
}
