import type { Fragment, Sql } from "../../database/database.ts";
import type { AuditAction } from "../../vocabulary/audit-action.ts";
import type { AuditClient } from "./audit-client.ts";
import type { AuditResourceType } from "./resource-type.ts";
import { moveStrayRecords } from "./stray-records.ts";

/** A value, or an SQL expression over the rows of the audit statement's `from`. */
type Value<T> = T | Fragment;

export interface AuditEntry {
  readonly eventId: Value<string>;
  readonly at: Date;
  readonly action: AuditAction;
  readonly outcome: "success" | "failure";
  readonly organizationId: Value<string | null>;
  readonly actorId: Value<string | null>;
  /** With `api_key`, `service_account` and `setup_link`, `actorId` is the id of the key, account or link. */
  readonly actorType: "user" | "system" | "api_key" | "service_account" | "setup_link";
  readonly resourceType: AuditResourceType;
  readonly resourceId: Value<string | null>;
  /** Never a secret, token, code or password. */
  readonly metadata: Readonly<Record<string, string | number | boolean | null>>;
  /** An SQL expression of type jsonb over the rows of `from`, merged into the metadata. */
  readonly metadataOfRow?: Fragment;
  /** SQL expressions over the rows of `from`, for rows of several actions; in place of `action` and `resourceType`. */
  readonly kindOfRow?: { readonly action: Fragment; readonly resourceType: Fragment };
  readonly client: AuditClient;
}

/**
 * CTE fragment of the statement that makes the reported change (docs/contract.md, section 17.1): one entry for each row
 * of `from`, such as `from revoked`, and no entry if the change did not happen.
 */
export function insertAudit(sql: Sql, entry: AuditEntry, from: Fragment): Fragment {
  const { action, resourceType } = entry.kindOfRow ?? entry;
  return sql`
    insert into audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type,
                            resource_id, ip_address, user_agent, request_id, metadata, outcome)
    select ${entry.eventId}::uuid, ${entry.at}::timestamptz, ${entry.organizationId}::uuid, ${entry.actorId}::uuid,
           ${entry.actorType}, ${action}, ${resourceType}, ${entry.resourceId}::text,
           ${entry.client.ipAddress}::text, ${entry.client.userAgent}::text, ${requestIdAndTrace(sql, entry.client)},
           ${sql.json(entry.metadata)}::jsonb ${entry.metadataOfRow ? sql`|| ${entry.metadataOfRow}` : sql``},
           ${entry.outcome}
    ${from}`;
}

/**
 * The id of the request, and the trace context of the request for the deliveries that triggers of this statement write:
 * a column of the delivery tables has the setting as its default. The setting ends with the transaction and is absent
 * without tracing.
 */
function requestIdAndTrace(sql: Sql, { requestId, traceparent }: AuditClient): Fragment {
  if (traceparent === undefined) return sql`${requestId}::uuid`;
  return sql`
    case when set_config('service.traceparent', ${traceparent}::text, true) is not null then ${requestId}::uuid end`;
}

/** Inserts one entry in a separate statement. */
export async function recordAudit(sql: Sql, entry: AuditEntry): Promise<void> {
  await insertAudit(sql, entry, sql``);
}

/** Counts what is older than twenty minutes, a day at most; returns whether more is left. */
export async function countAuditHours(sql: Sql, at: Date): Promise<boolean> {
  const [row] = await sql<{ more: boolean }[]>`select count_audit_hours(${at}) as more`;
  return row?.more ?? false;
}

/**
 * Drops the partitions of months that ended longer ago than `retentionMs`; returns how many. The database's clock
 * bounds the caller's clock: a clock that is ahead would drop records within the retention period.
 */
export async function dropAuditPartitions(sql: Sql, at: Date, retentionMs: number): Promise<number> {
  const retention = sql`make_interval(secs => ${retentionMs / 1000})`;
  const [row] = await sql<{ dropped: number }[]>`
    select drop_audit_partitions(least(${at}::timestamptz, now()) - ${retention}) as dropped`;
  return row?.dropped ?? 0;
}

/**
 * Creates the partitions of the coming months; returns how many were missing. Fails while a long transaction, such as
 * an export or a backup, uses the trail: every insert of a record would wait behind the lock. A later call retries.
 */
export async function ensureAuditPartitions(sql: Sql, today: Date, monthsAhead: number): Promise<number> {
  await moveStrayRecords(sql, today);
  const [row] = await sql<{ made: number }[]>`
    select ensure_audit_partitions(${today}::date, ${monthsAhead}) as made
    where set_config('lock_timeout', '1s', true) is not null`;
  return row?.made ?? 0;
}
