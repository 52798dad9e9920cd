import type { webhooks } from "../../../db/schema/webhooks.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import type { RowOf } from "../../database/row.ts";
import { type SetUpPeriod, setUpWithin } from "../conditions/set-up-period.ts";

type WebhookRow = RowOf<typeof webhooks>;

/** docs/contract.md, section 26.2. Rows with a service account are event streams (`models/signal-stream`). */
export interface Webhook
  extends Pick<WebhookRow, "id" | "url" | "enabled" | "pausedUntil" | "createdAt" | "updatedAt"> {
  /** Null: of the platform. */
  readonly organizationId: WebhookRow["organizationId"];
  /** Audit actions, `auth.*` or `*`. */
  readonly eventTypes: WebhookRow["eventTypes"];
  /** The reason for which the service switched the webhook off. */
  readonly disabledReason: WebhookRow["disabledReason"];
  /** Failed attempts in a row. */
  readonly failures: WebhookRow["failures"];
  /** Until when deliveries are signed with the previous secret too. */
  readonly previousExpiresAt: WebhookRow["previousExpiresAt"];
}

/**
 * A checkpoint of the transparency log (docs/contract.md, section 26.6). A checkpoint is no audit record, so a webhook
 * gets checkpoints only by this name, not by a pattern.
 */
export const CHECKPOINT_PUBLISHED = "audit.checkpoint.published";

function columns(sql: Sql): Fragment {
  return sql`
    w.id, w.organization_id as "organizationId", w.url, w.event_types as "eventTypes", w.enabled,
    w.disabled_reason as "disabledReason", w.failures, w.paused_until as "pausedUntil",
    w.previous_expires_at as "previousExpiresAt", w.created_at as "createdAt", w.updated_at as "updatedAt"`;
}

export interface NewWebhook
  extends Pick<WebhookRow, "id" | "organizationId" | "url" | "eventTypes" | "enabled" | "sealedSecret" | "createdAt"> {
  readonly createdBy: string | null;
}

/**
 * CTE fragment: inserts a webhook and returns the row; no row if the organization, or the platform, has `max` already.
 */
export function insertWebhook(sql: Sql, webhook: NewWebhook, max: number): Fragment {
  return sql`
    insert into webhooks as w (id, organization_id, created_by, url, event_types, enabled, sealed_secret, created_at,
                               updated_at)
    select ${webhook.id}::uuid, ${webhook.organizationId}::uuid, ${webhook.createdBy}::uuid, ${webhook.url}::text,
           ${[...webhook.eventTypes]}::text[], ${webhook.enabled}::boolean, ${webhook.sealedSecret}::bytea,
           ${webhook.createdAt}::timestamptz, ${webhook.createdAt}::timestamptz
    where (
      select count(*) from webhooks
      where organization_id is not distinct from ${webhook.organizationId}::uuid and service_account_id is null
    ) < ${max}
    returning ${columns(sql)}`;
}

/** A page of webhooks, newest first, and the total. `organizationId` null: those of the platform. */
export async function listWebhooks(
  sql: Sql,
  organizationId: string | null,
  page: PageBounds,
): Promise<{ items: Webhook[]; total: number }> {
  const rows = await sql<(Webhook & { total: number })[]>`
    with found as (
      select * from webhooks
      where organization_id is not distinct from ${organizationId}::uuid and service_account_id is null
    )
    select counted.total, ${columns(sql)}
    from (select count(*)::int as total from found) counted
    left join lateral (
      select * from found order by created_at desc, id desc limit ${page.limit} offset ${page.offset}
    ) w on true`;
  return { items: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}

/** The webhook of the organization, or of the platform. */
export async function findWebhook(sql: Sql, id: string, organizationId: string | null): Promise<Webhook | undefined> {
  const [row] = await sql<Webhook[]>`
    select ${columns(sql)} from webhooks w
    where w.id = ${id} and w.organization_id is not distinct from ${organizationId}::uuid
      and w.service_account_id is null`;
  return row;
}

/** Undefined: unchanged. */
export interface WebhookChange {
  readonly url?: string | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
}

/**
 * CTE fragment: updates a webhook and returns the row. A new address, or switching the webhook on, resets the failures.
 */
export function updateWebhook(sql: Sql, id: string, { url, eventTypes, enabled }: WebhookChange, at: Date): Fragment {
  const fresh = url !== undefined || enabled === true;
  return sql`
    update webhooks w
    set url = coalesce(${url ?? null}::text, w.url),
        event_types = coalesce(${eventTypes ? [...eventTypes] : null}::text[], w.event_types),
        enabled = coalesce(${enabled ?? null}::boolean, w.enabled),
        disabled_reason = case when ${enabled !== undefined}::boolean then null else w.disabled_reason end,
        failures = case when ${fresh}::boolean then 0 else w.failures end,
        failing_since = case when ${fresh}::boolean then null else w.failing_since end,
        failure_noticed_at = case when ${fresh}::boolean then null else w.failure_noticed_at end,
        disabled_noticed_at = case when ${fresh}::boolean then null else w.disabled_noticed_at end,
        paused_until = case when ${fresh}::boolean then null else w.paused_until end,
        updated_at = ${at}
    where w.id = ${id}
    returning ${columns(sql)}`;
}

/**
 * CTE fragment: replaces the secret and returns the webhook. The previous secret is kept until `previousExpiresAt`. If
 * a kept secret already ends after `repeatedAfter`, the call repeats a rotation: the receiver has the kept secret,
 * which stays. A kept secret that ends later than `previousExpiresAt` was written by a replica whose clock is ahead by
 * an unknown time.
 */
export function rotateWebhookSecret(
  sql: Sql,
  id: string,
  sealedSecret: Buffer,
  at: Date,
  previousExpiresAt: Date,
  repeatedAfter: Date,
): Fragment {
  return sql`
    update webhooks w
    set sealed_previous_secret = case
          when w.previous_expires_at
            between ${repeatedAfter}::timestamptz and ${previousExpiresAt}::timestamptz + interval '1 s'
          then w.sealed_previous_secret else w.sealed_secret end,
        previous_expires_at = ${previousExpiresAt},
        sealed_secret = ${sealedSecret}, updated_at = ${at}
    where w.id = ${id}
    returning ${columns(sql)}`;
}

/** CTE fragment: deletes a webhook; one row (id) if the webhook existed. The sweeper deletes the deliveries. */
export function deleteWebhook(sql: Sql, id: string): Fragment {
  return sql`delete from webhooks where id = ${id} returning id`;
}

/**
 * CTE fragment: switches off an enabled webhook; one row (id, organization_id) if the webhook was on. `url`: only while
 * the webhook has this address.
 */
export function disableWebhook(
  sql: Sql,
  { id, url }: { readonly id: string; readonly url?: string | undefined },
  reason: "gone" | "backlog",
  at: Date,
): Fragment {
  return sql`
    update webhooks set enabled = false, disabled_reason = ${reason}, updated_at = ${at}
    where id = ${id} and enabled and url = coalesce(${url ?? null}::text, url)
    returning id, organization_id`;
}

/**
 * CTE fragment: disables the webhooks that a user created; returns the previously enabled webhooks (id,
 * organization_id, name: the URL).
 */
export function disableWebhooksOf(sql: Sql, userId: string, at: Date, period: SetUpPeriod = {}): Fragment {
  return sql`
    update webhooks set enabled = false, disabled_reason = 'control_proven', updated_at = ${at}
    where created_by = ${userId} and service_account_id is null and enabled
      and ${setUpWithin(sql, sql`created_at`, period)}
    returning id, organization_id, url as name`;
}

/** The webhooks and event streams that get events and have more than `max` pending deliveries. */
export async function findBacklogged(sql: Sql, max: number): Promise<{ id: string; isStream: boolean }[]> {
  return await sql<{ id: string; isStream: boolean }[]>`
    select w.id, w.service_account_id is not null as "isStream" from webhooks w
    where (w.enabled or w.stream_status <> 'disabled') and exists (
      select 1 from webhook_deliveries d where d.webhook_id = w.id and d.status = 'pending' offset ${max}
    )`;
}

/**
 * Records the outcome of a batch: one success ends a pause. A failure counts once for all replicas, and a response of
 * the previous address does not count. `pausedUntil`: null after a success. A period of failures begins with the first
 * failure after a success, also if a replica of an earlier release recorded the failure.
 */
export async function recordWebhookHealth(
  sql: Sql,
  { webhookId, url, failures }: { readonly webhookId: string; readonly url: string; readonly failures: number },
  pausedUntil: Date | null,
  at: Date,
): Promise<void> {
  if (pausedUntil === null) {
    await sql`
      update webhooks set failures = 0, paused_until = null, failing_since = null, failure_noticed_at = null
      where id = ${webhookId} and url = ${url} and failures > 0`;
    return;
  }
  await sql`
    update webhooks
    set failures = ${failures}::int + 1, paused_until = ${pausedUntil},
        failing_since = case when failures = 0 then ${at}::timestamptz
                             else coalesce(failing_since, ${at}::timestamptz) end,
        failure_noticed_at = case when failures = 0 then null else failure_noticed_at end
    where id = ${webhookId} and url = ${url} and failures = ${failures}`;
}
