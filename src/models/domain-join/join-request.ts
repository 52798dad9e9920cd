/** Requests to join an organization by a verified domain, which a member with `members.invite` decides. */
import type { domainJoinRequests } from "../../../db/schema/domain-join-requests.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import type { RowOf } from "../../database/row.ts";

export type NewJoinRequest = Omit<RowOf<typeof domainJoinRequests>, "deniedAt">;

export interface JoinRequest extends NewJoinRequest {
  readonly email: string;
  readonly displayName: string | null;
}

function columns(sql: Sql): Fragment {
  return sql`
    q.id, q.organization_id as "organizationId", q.user_id as "userId", q.domain, q.created_at as "createdAt",
    q.expires_at as "expiresAt", u.email, u.display_name as "displayName"`;
}

/** A page of the open requests, oldest first, and the total. */
export async function listJoinRequests(
  sql: Sql,
  organizationId: string,
  at: Date,
  page: PageBounds,
): Promise<{ items: JoinRequest[]; total: number }> {
  const from = sql`
    domain_join_requests q join users u on u.id = q.user_id
    where q.organization_id = ${organizationId} and q.denied_at is null and q.expires_at > ${at}`;
  const [[counted], items] = await Promise.all([
    sql<[{ total: number }]>`select count(*)::int as total from ${from}`,
    sql<JoinRequest[]>`
      select ${columns(sql)} from ${from} order by q.created_at, q.id limit ${page.limit} offset ${page.offset}`,
  ]);
  return { items, total: counted.total };
}

/** An open request, locked: one decision counts. */
export async function lockJoinRequest(
  sql: Sql,
  organizationId: string,
  id: string,
  at: Date,
): Promise<JoinRequest | undefined> {
  const [row] = await sql<JoinRequest[]>`
    select ${columns(sql)} from domain_join_requests q join users u on u.id = q.user_id
    where q.id = ${id} and q.organization_id = ${organizationId} and q.denied_at is null and q.expires_at > ${at}
    for update of q`;
  return row;
}

export async function countOpenJoinRequests(sql: Sql, organizationId: string, at: Date): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from domain_join_requests
    where organization_id = ${organizationId} and denied_at is null and expires_at > ${at}`;
  return row.count;
}

/** Inserts a request, and deletes expired requests of all organizations. */
export async function insertJoinRequest(sql: Sql, request: NewJoinRequest): Promise<void> {
  await sql`delete from domain_join_requests where expires_at <= ${request.createdAt}`;
  await sql`
    insert into domain_join_requests (id, organization_id, user_id, domain, created_at, expires_at)
    values (${request.id}, ${request.organizationId}, ${request.userId}, ${request.domain}, ${request.createdAt},
            ${request.expiresAt})`;
}

export async function denyJoinRequest(sql: Sql, id: string, at: Date): Promise<void> {
  await sql`update domain_join_requests set denied_at = ${at} where id = ${id}`;
}

export async function deleteJoinRequest(sql: Sql, organizationId: string, userId: string): Promise<void> {
  await sql`delete from domain_join_requests where organization_id = ${organizationId} and user_id = ${userId}`;
}
