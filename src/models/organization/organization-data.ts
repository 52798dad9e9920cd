/** The lines of the export of an organization's data (docs/contract.md, section 30.6). */
import type { Fragment, Sql } from "../../database/database.ts";

/** The kinds of lines, in the order of the export. */
export const ORGANIZATION_DATA_KINDS = ["member", "invitation", "service_account", "api_key", "webhook"] as const;
export type OrganizationDataKind = (typeof ORGANIZATION_DATA_KINDS)[number];

/** A line of the export. `id` orders the lines of one kind. */
export type OrganizationDataRow = { readonly id: string } & Readonly<Record<string, unknown>>;

/** The organization itself; undefined after the erasure. */
export async function readOrganizationRow(sql: Sql, organizationId: string): Promise<OrganizationDataRow | undefined> {
  const [row] = await sql<OrganizationDataRow[]>`
    select id, name, slug, tier, created_at, updated_at from organizations
    where id = ${organizationId} and kind = 'team'`;
  return row;
}

/** A batch of rows of one kind, in the order of the ids, without secrets and hashes. */
export async function readOrganizationRows(
  sql: Sql,
  kind: OrganizationDataKind,
  organizationId: string,
  after: string,
  limit: number,
): Promise<OrganizationDataRow[]> {
  return await sql<OrganizationDataRow[]>`${ROWS[kind](sql, organizationId, after)} order by 1 limit ${limit}`;
}

const ROWS: Readonly<Record<OrganizationDataKind, (sql: Sql, organizationId: string, after: string) => Fragment>> = {
  member: (sql, organizationId, after) => sql`
    select m.user_id as id, u.email, u.display_name, m.role, m.joined_at
    from members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.user_id > ${after}::uuid`,
  invitation: (sql, organizationId, after) => sql`
    select id, email, role, invited_by, created_at, expires_at, accepted_at, revoked_at
    from invitations where organization_id = ${organizationId} and id > ${after}::uuid`,
  service_account: (sql, organizationId, after) => sql`
    select id, name, created_by, created_at
    from service_accounts where organization_id = ${organizationId} and id > ${after}::uuid`,
  api_key: (sql, organizationId, after) => sql`
    select k.id, k.service_account_id, k.scopes, k.allowed_ips, k.allowed_referrers, k.created_by, k.created_at,
           k.expires_at, k.revoked_at, k.last_used_at
    from api_keys k join service_accounts a on a.id = k.service_account_id
    where a.organization_id = ${organizationId} and k.id > ${after}::uuid`,
  webhook: (sql, organizationId, after) => sql`
    select id, url, event_types, enabled, description, created_by, created_at
    from webhooks
    where organization_id = ${organizationId} and service_account_id is null and id > ${after}::uuid`,
};
