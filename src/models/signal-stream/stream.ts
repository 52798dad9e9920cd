/** Event streams: rows of `webhooks` that belong to a service account (docs/decisions/0021). */

import type { webhooks } from "../../../db/schema/webhooks.ts";
import { open, type SealingKey } from "../../base/seal.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import { setUpByUserOrKeys } from "../conditions/made-by-keys.ts";
import type { SetUpPeriod } from "../conditions/set-up-period.ts";

type WebhookRow = RowOf<typeof webhooks>;

export const STREAM_STATUSES = ["enabled", "paused", "disabled"] as const;
export type StreamStatus = (typeof STREAM_STATUSES)[number];

/** The settings under the receiver's control. */
export interface StreamSettings extends Pick<WebhookRow, "description"> {
  readonly method: NonNullable<WebhookRow["streamMethod"]>;
  /** The target of pushes; empty for poll. */
  readonly url: WebhookRow["url"];
  /** As requested; null: the receiver requested no list. */
  readonly eventsRequested: WebhookRow["eventsRequested"];
}

/** docs/contract.md, section 27.3. */
export interface SignalStream extends StreamSettings {
  readonly id: WebhookRow["id"];
  readonly serviceAccountId: NonNullable<WebhookRow["serviceAccountId"]>;
  /** Null: of the platform. */
  readonly organizationId: WebhookRow["organizationId"];
  readonly status: NonNullable<WebhookRow["streamStatus"]>;
  readonly reason: WebhookRow["streamReason"];
}

/** The service account that manages the stream. */
export interface StreamOwner {
  readonly serviceAccountId: string;
  readonly organizationId: string | null;
}

/** Settings in stored form. */
export interface StoredSettings extends StreamSettings {
  /** The audit actions that cause the events. */
  readonly eventTypes: readonly string[];
  /** The Authorization header of pushes; empty: no header; null: keep the stored header. */
  readonly sealedHeader: Buffer | null;
}

function columns(sql: Sql): Fragment {
  return sql`
    w.id, w.service_account_id as "serviceAccountId", w.organization_id as "organizationId",
    w.stream_method as method, w.url, w.events_requested as "eventsRequested", w.description,
    w.stream_status as status, w.stream_reason as reason`;
}

/** CTE fragment: inserts a stream and returns the row; no row if the account, which is locked, has `max` already. */
export function insertStream(
  sql: Sql,
  id: string,
  { serviceAccountId, organizationId, createdBy }: StreamOwner & { readonly createdBy: string | null },
  settings: StoredSettings,
  at: Date,
  max: number,
): Fragment {
  return sql`
    insert into webhooks as w (id, organization_id, created_by, url, event_types, enabled, sealed_secret, created_at,
                               updated_at, service_account_id, stream_method, stream_status, events_requested,
                               description)
    select ${id}::uuid, ${organizationId}::uuid, ${createdBy}::uuid, ${settings.url}::text,
           ${[...settings.eventTypes]}::text[], false,
           ${settings.sealedHeader}::bytea, ${at}::timestamptz, ${at}::timestamptz, ${serviceAccountId}::uuid,
           ${settings.method}::text, 'enabled', ${textArray(settings.eventsRequested)}::text[],
           ${settings.description}::text
    where (select count(*) from webhooks where service_account_id = ${serviceAccountId}::uuid) < ${max}
    returning ${columns(sql)}`;
}

/** The streams of an account, oldest first. */
export async function listStreams(sql: Sql, serviceAccountId: string): Promise<SignalStream[]> {
  return await sql<SignalStream[]>`
    select ${columns(sql)} from webhooks w
    where w.service_account_id = ${serviceAccountId} and w.stream_status is not null order by w.created_at, w.id`;
}

/** The stream, if the account owns the stream. */
export async function findStream(sql: Sql, id: string, serviceAccountId: string): Promise<SignalStream | undefined> {
  const [row] = await sql<SignalStream[]>`
    select ${columns(sql)} from webhooks w where w.id = ${id} and w.service_account_id = ${serviceAccountId}`;
  return row;
}

/** Locks the stream, so that changes of a stream run in sequence. */
export async function lockStream(sql: Sql, id: string, serviceAccountId: string): Promise<SignalStream | undefined> {
  const [row] = await sql<SignalStream[]>`
    select ${columns(sql)} from webhooks w where w.id = ${id} and w.service_account_id = ${serviceAccountId}
    for no key update`;
  return row;
}

/** CTE fragment: replaces the settings and returns the stream. A pause after failed pushes ends. */
export function updateStream(sql: Sql, id: string, settings: StoredSettings, at: Date): Fragment {
  return sql`
    update webhooks w
    set stream_method = ${settings.method}, url = ${settings.url}, event_types = ${[...settings.eventTypes]}::text[],
        events_requested = ${textArray(settings.eventsRequested)}::text[], description = ${settings.description},
        sealed_secret = coalesce(${settings.sealedHeader}::bytea, w.sealed_secret), failures = 0, paused_until = null,
        updated_at = ${at}
    where w.id = ${id}
    returning ${columns(sql)}`;
}

/**
 * CTE fragment: sets the status of a stream whose status is in `from`; returns the stream. A pause after failed pushes
 * ends.
 */
export function setStreamStatus(
  sql: Sql,
  id: string,
  { status, reason, at }: { readonly status: StreamStatus; readonly reason: string | null; readonly at: Date },
  from: readonly StreamStatus[] = STREAM_STATUSES,
): Fragment {
  return sql`
    update webhooks w
    set stream_status = ${status}, stream_reason = ${reason}, failures = 0, paused_until = null, updated_at = ${at}
    where w.id = ${id} and w.stream_status = any(${[...from]}::text[])
    returning ${columns(sql)}`;
}

/**
 * CTE fragment: disables the streams that a user created with a key; returns them (id, organization_id, name: the URL,
 * or the method of a stream without URL).
 */
export function disableStreamsOf(sql: Sql, userId: string, at: Date, period: SetUpPeriod = {}): Fragment {
  const columns = { id: sql`id`, createdAt: sql`created_at` };
  return sql`
    update webhooks
    set stream_status = 'disabled', stream_reason = 'control_proven', failures = 0, paused_until = null,
        updated_at = ${at}
    where created_by = ${userId} and stream_status <> 'disabled'
      and ${setUpByUserOrKeys(sql, columns, { userId, period, action: "signal_stream.created" })}
    returning id, organization_id, coalesce(nullif(url, ''), stream_method) as name`;
}

/** CTE fragment: deletes a stream; one row (id) if the stream existed. The sweeper deletes the events. */
export function deleteStream(sql: Sql, id: string): Fragment {
  return sql`delete from webhooks where id = ${id} and stream_status is not null returning id`;
}

/**
 * The Authorization header of pushes; undefined without a header, or for a header sealed under a different root secret.
 */
export function openStreamHeader(sealing: SealingKey, streamId: string, sealed: Buffer): string | undefined {
  return sealed.length === 0 ? undefined : open(sealing, headerIdentity(streamId), sealed)?.toString();
}

/** The associated data of the sealed header. */
export function headerIdentity(streamId: string): string {
  return `signal_stream:${streamId}`;
}

function textArray(texts: readonly string[] | null): string[] | null {
  return texts && [...texts];
}
