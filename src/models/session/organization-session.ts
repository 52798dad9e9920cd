import type { members } from "../../../db/schema/members.ts";
import type { Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import type { RowOf } from "../../database/row.ts";
import { grantColumns, type MemberGrants } from "../conditions/member-grants.ts";
import { listColumns, type SessionListItem } from "./session.ts";

type Role = RowOf<typeof members>["role"];

/** The user of a session in an organization. */
export interface SessionUser {
  readonly userId: string;
  readonly email: string;
  readonly displayName: string | null;
  /** Null for a former member. */
  readonly role: Role | null;
  /** The permissions of additional roles. */
  readonly granted: MemberGrants["granted"];
}

/** A live session in an organization. */
export type OrganizationSession = SessionListItem & SessionUser;

/** A page of the live sessions in an organization, newest first, and their total. */
export async function listOrganizationSessions(
  sql: Sql,
  organizationId: string,
  at: Date,
  page: PageBounds,
): Promise<{ items: OrganizationSession[]; total: number }> {
  const rows = await sql<(OrganizationSession & { total: number })[]>`
    with live as (
      select s.*, u.email, u.display_name from sessions s join users u on u.id = s.user_id
      where s.organization_id = ${organizationId} and s.revoked_at is null and s.expires_at > ${at}
        and u.disabled_at is null
    )
    select counted.total, ${listColumns(sql)}, l.user_id as "userId", l.email, l.display_name as "displayName", m.role,
           ${grantColumns(sql)}
    from (select count(*)::int as total from live) counted
    left join lateral (
      select * from live order by created_at desc, id desc limit ${page.limit} offset ${page.offset}
    ) l on true
    left join members m on m.user_id = l.user_id and m.organization_id = ${organizationId}
    order by l.created_at desc, l.id desc`;
  return { items: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}

/** The user of a session in an organization, and the device; the session may have ended. */
export async function findOrganizationSession(
  sql: Sql,
  organizationId: string,
  id: string,
): Promise<(SessionUser & Pick<SessionListItem, "userAgent">) | undefined> {
  const [row] = await sql<(SessionUser & Pick<SessionListItem, "userAgent">)[]>`
    select s.user_id as "userId", u.email, u.display_name as "displayName", m.role, s.user_agent as "userAgent",
           ${grantColumns(sql)}
    from sessions s join users u on u.id = s.user_id
    left join members m on m.user_id = s.user_id and m.organization_id = s.organization_id
    where s.id = ${id} and s.organization_id = ${organizationId}`;
  return row;
}
