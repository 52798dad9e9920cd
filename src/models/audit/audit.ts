import type { Fragment, Sql } from "../../database/database.ts";
import type { AuditClient } from "./audit-client.ts";
import type { AuditResourceType } from "./resource-type.ts";
import { moveStrayRecords } from "./stray-records.ts";

/** Every action of the trail (docs/contract.md, section 17.2); the filter of the console displays this order. */
export const AUDIT_ACTIONS = [
  "auth.control.proven",
  "auth.credential_review.confirmed",
  "auth.credential_review.ended",
  "auth.credential_review.opened",
  "auth.email.verification_requested",
  "auth.email.verified",
  "auth.email_otp.requested",
  "auth.identity.unlinked",
  "auth.login",
  "auth.logout",
  "auth.mfa.challenge.failed",
  "auth.mfa.challenge.locked",
  "auth.mfa.challenge.succeeded",
  "auth.mfa.step_up",
  "auth.oauth.linked",
  "auth.oauth.login",
  "auth.organization.switched",
  "auth.passkey.counter_regressed",
  "auth.passkey.deleted",
  "auth.passkey.login",
  "auth.passkey.registered",
  "auth.password.changed",
  "auth.password.confirmation_failed",
  "auth.password.removed",
  "auth.password_reset.consumed",
  "auth.password_reset.requested",
  "auth.refresh.reuse_detected",
  "auth.register",
  "auth.session.revoked",
  "auth.sign_in.disowned",
  "auth.sso.break_glass_used",
  "auth.sso.linked",
  "auth.sso.login",
  "auth.sso.unlinked",
  "auth.trusted_browser.created",
  "auth.trusted_browser.revoked",
  "audit.exported",
  "api_key.created",
  "api_key.expiring",
  "api_key.revoked",
  "directory.created",
  "directory.deleted",
  "directory.paused",
  "directory.updated",
  "directory_group.created",
  "directory_group.deleted",
  "directory_group.members_changed",
  "directory_group.role_mapped",
  "directory_group.updated",
  "directory_user.activated",
  "directory_user.created",
  "directory_user.deactivated",
  "directory_user.deleted",
  "directory_user.refused",
  "directory_user.updated",
  "domain_join.approved",
  "domain_join.denied",
  "domain_join.requested",
  "email.tested",
  "feature_flag.updated",
  "group.created",
  "group.deleted",
  "group.member_added",
  "group.member_removed",
  "group.updated",
  "invitation.accepted",
  "invitation.created",
  "invitation.resent",
  "invitation.revoked",
  "member.deactivated",
  "member.joined_by_domain",
  "member.metadata_updated",
  "member.provisioned",
  "member.removed",
  "member.role_changed",
  "member.roles_changed",
  "mfa.disabled",
  "mfa.enabled",
  "mfa.recovery_codes.regenerated",
  "mfa.reset",
  "oauth.assertion.accepted",
  "oauth.assertion.refused",
  "oauth.authorized",
  "oauth.client.brand_updated",
  "oauth.client.created",
  "oauth.client.deleted",
  "oauth.client.document_changed",
  "oauth.client.document_seen",
  "oauth.client.registered",
  "oauth.client.secret_created",
  "oauth.client.secret_deleted",
  "oauth.client.updated",
  "oauth.code.reuse_detected",
  "oauth.consent.denied",
  "oauth.grant.revoked",
  "oauth.host.blocked",
  "oauth.host.unblocked",
  "oauth.refresh.reuse_detected",
  "oauth.device.approved",
  "oauth.device.denied",
  "oauth.device.requested",
  "oauth.dpop.replayed",
  "oauth.registration_token.created",
  "oauth.registration_token.deleted",
  "oauth.resource.created",
  "oauth.resource.deleted",
  "oauth.resource.updated",
  "oauth.token.exchanged",
  "oauth.token.revoked",
  "organization.application_approved",
  "organization.application_denied",
  "organization.application_requested",
  "organization.application_revoked",
  "organization.brand_updated",
  "organization.created",
  "organization.deleted",
  "organization.deletion_cancelled",
  "organization.deletion_requested",
  "organization.exported",
  "organization.metadata_updated",
  "organization.restored",
  "organization.suspended",
  "organization.updated",
  "platform_role.granted",
  "platform_role.revoked",
  "provider.tested",
  "provider.updated",
  "role.created",
  "role.deleted",
  "role.template_widened",
  "role.updated",
  "service_account.created",
  "service_account.deleted",
  "signal_stream.created",
  "signal_stream.deleted",
  "signal_stream.disabled",
  "signal_stream.updated",
  "sso.certificate.expiring",
  "sso.connection.activated",
  "sso.connection.created",
  "sso.connection.deactivated",
  "sso.connection.deleted",
  "sso.connection.service_key_changed",
  "sso.connection.tested",
  "sso.connection.updated",
  "sso.connection.metadata_changed",
  "sso.domain.claimed",
  "sso.domain.deleted",
  "sso.domain.failing",
  "sso.domain.lost",
  "sso.domain.transferred",
  "sso.domain.verified",
  "sso.factor.enabled",
  "sso.factor.reset",
  "policy.enforced",
  "policy.updated",
  "sso.policy.paused",
  "sso.policy.updated",
  "sso.secret.expiring",
  "sso.setup_link.begun",
  "sso.setup_link.created",
  "sso.setup_link.revoked",
  "user.deleted",
  "user.deletion_cancelled",
  "user.deletion_requested",
  "user.disabled",
  "user.email.added",
  "user.email.change_requested",
  "user.email.changed",
  "user.email.removed",
  "user.email.reverted",
  "user.enabled",
  "user.export_requested",
  "user.updated",
  "users.imported",
  "webhook.created",
  "webhook.deleted",
  "webhook.disabled",
  "webhook.failed_resent",
  "webhook.recovered",
  "webhook.resent",
  "webhook.secret_rotated",
  "webhook.tested",
  "webhook.updated",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** A value, or an SQL expression over the rows of the audit statement's `from`. */
type Value<T> = T | Fragment;

export interface AuditEntry {
  readonly eventId: Value<string>;
  readonly at: Date;
  readonly action: AuditAction;
  readonly outcome: "success" | "failure";
  readonly organizationId: Value<string | null>;
  readonly actorId: Value<string | null>;
  /** With `api_key` and `setup_link`, `actorId` is the id of the key or link. */
  readonly actorType: "user" | "system" | "api_key" | "setup_link";
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
