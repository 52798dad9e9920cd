/** The sections of the export of a user's data, with the member names of docs/contract.md, section 30.5. */

import type { Fragment, Sql } from "../../database/database.ts";
import { documentHost } from "../conditions/client-identity.ts";

interface DocumentRow {
  readonly [member: string]: unknown;
}

/** The account itself; undefined after the erasure. */
export async function readExportedUser(sql: Sql, userId: string): Promise<DocumentRow | undefined> {
  const [row] = await sql<DocumentRow[]>`
    select id as user_id, email, email_verified_at, display_name, locale, time_zone, platform_role, external_id,
           coalesce(public_metadata, '{}') as public_metadata, coalesce(private_metadata, '{}') as private_metadata,
           avatar_hash is not null as has_picture, password_hash is not null as has_password,
           last_password_change, last_login_at, created_at, updated_at
    from users where id = ${userId}`;
  return row;
}

/** The bounded lists, in the order of the document. No list contains a secret or the hash of a secret. */
export const EXPORT_SECTIONS = [
  "emails",
  "identities",
  "memberships",
  "sessions",
  "trusted_browsers",
  "passkeys",
  "second_factors",
  "grants",
  "invitations_sent",
] as const;
export type ExportSection = (typeof EXPORT_SECTIONS)[number];

export interface SectionQuery {
  readonly userId: string;
  readonly sessionsSince: Date;
  readonly limit: number;
}

export async function readExportSection(
  sql: Sql,
  section: ExportSection,
  query: SectionQuery,
): Promise<readonly DocumentRow[]> {
  return await sql<Record<string, string>[]>`${SECTIONS[section](sql, query)} limit ${query.limit}`;
}

const SECTIONS: Readonly<Record<ExportSection, (sql: Sql, query: SectionQuery) => Fragment>> = {
  emails: (sql, { userId }) => sql`
    select email, "primary", verified_at is not null as verified, created_at
    from user_emails where user_id = ${userId} order by created_at, id`,
  identities: (sql, { userId }) => sql`
    select id, provider, issuer, subject, label, created_at, last_used_at
    from user_identities where user_id = ${userId} order by created_at, id`,
  memberships: (sql, { userId }) => sql`
    select m.organization_id, o.name as organization_name, o.slug as organization_slug, m.role, m.attributes,
           m.joined_at
    from members m join organizations o on o.id = m.organization_id where m.user_id = ${userId}
      and o.kind = 'team'
    order by m.joined_at, m.organization_id`,
  sessions: (sql, { userId, sessionsSince }) => sql`
    select id, organization_id, name, auth_method, aal, ip_address, last_ip_address, user_agent, created_at,
           rotated_at as last_used_at, revoked_at, revoked_reason, least(expires_at, ends_at) as expires_at
    from sessions where user_id = ${userId} and created_at > ${sessionsSince} order by created_at desc, id desc`,
  trusted_browsers: (sql, { userId, sessionsSince }) => sql`
    select id, name, user_agent, ip_address, last_ip_address, created_at, last_used_at, expires_at, revoked_at
    from trusted_browsers where user_id = ${userId} and created_at > ${sessionsSince}
    order by created_at desc, id desc`,
  passkeys: (sql, { userId }) => sql`
    select id, name, transports, device_type, backed_up, aaguid, created_at, last_used_at
    from passkeys where user_id = ${userId} and deleted_at is null order by created_at, id`,
  second_factors: (sql, { userId }) => sql`
    select 'totp' as type, confirmed_at, (
      select count(*)::int from recovery_codes r where r.user_id = t.user_id and r.used_at is null
    ) as recovery_codes_remaining
    from totp_factors t where user_id = ${userId} and confirmed_at is not null`,
  grants: (sql, { userId }) => sql`
    select g.id, g.client_id, c.name as client_name,
           ${documentHost(sql)} as client_host, g.scopes, g.resources, g.created_at,
           g.updated_at
    from oauth_grants g join oauth_clients c on c.id = g.client_id where g.user_id = ${userId}
    order by g.created_at, g.id`,
  invitations_sent: (sql, { userId }) => sql`
    select id, organization_id, email, role, created_at, expires_at, accepted_at, revoked_at
    from invitations where invited_by = ${userId} order by created_at desc, id desc`,
};

export interface ExportedRecord {
  readonly rowId: string;
  readonly record: DocumentRow;
}

/** Audit records with the user as actor, the newest first. `before`: the row id of the last record of a batch. */
export async function readExportedRecords(
  sql: Sql,
  userId: string,
  before: string | null,
  limit: number,
): Promise<ExportedRecord[]> {
  const rows = await sql<({ readonly rowId: string } & Record<string, unknown>)[]>`
    select id::text as "rowId", event_id, timestamp, organization_id, action, resource_type, resource_id, ip_address,
           user_agent, request_id, metadata, outcome
    from audit_logs where actor_id = ${userId} and (${before}::bigint is null or id < ${before})
    order by id desc limit ${limit}`;
  return rows.map(({ rowId, ...record }) => ({ rowId, record }));
}
