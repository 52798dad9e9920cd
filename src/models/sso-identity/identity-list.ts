/** The linked identities of an organization, for its administrators and for the linked members. */

import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import type { CompanyAccount } from "../../vocabulary/control-proof.ts";
import { type SetUpPeriod, setUpWithin } from "../conditions/set-up-period.ts";
import { hashSubject, type SsoIdentity } from "./sso-identity.ts";

export interface IdentityListItem
  extends Pick<SsoIdentity, "id" | "connectionId" | "userId" | "subject" | "linkedBy" | "createdAt" | "lastUsedAt"> {
  readonly email: string;
}

/** All identities of an organization; with `userId`, the identities of this member. */
export interface IdentityScope {
  readonly organizationId: string;
  readonly userId?: string | undefined;
}

function within(sql: Sql, { organizationId, userId }: IdentityScope): Fragment {
  return sql`
    sso_identities i
    join sso_connections c on c.id = i.connection_id and c.organization_id = ${organizationId}
    join users u on u.id = i.user_id
    where (${userId ?? null}::uuid is null or i.user_id = ${userId ?? null})`;
}

/** A page of identities, newest first, and the total. */
export async function listIdentities(
  sql: Sql,
  scope: IdentityScope,
  page: PageBounds,
): Promise<{ items: IdentityListItem[]; total: number }> {
  const [counted, items] = await Promise.all([
    sql<{ total: number }[]>`select count(*)::int as total from ${within(sql, scope)}`,
    sql<IdentityListItem[]>`
      select i.id, i.connection_id as "connectionId", i.user_id as "userId", u.email, i.subject,
             i.linked_by as "linkedBy", i.created_at as "createdAt", i.last_used_at as "lastUsedAt"
      from ${within(sql, scope)} order by i.created_at desc, i.id desc limit ${page.limit} offset ${page.offset}`,
  ]);
  return { items, total: counted[0]?.total ?? 0 };
}

/** Locks an identity within a scope: a sign-in with the identity waits. */
export async function lockIdentity(
  sql: Sql,
  scope: IdentityScope,
  id: string,
): Promise<Pick<SsoIdentity, "connectionId" | "userId" | "subjectHash"> | undefined> {
  const [row] = await sql<Pick<SsoIdentity, "connectionId" | "userId" | "subjectHash">[]>`
    select i.connection_id as "connectionId", i.user_id as "userId", i.subject_hash as "subjectHash"
    from ${within(sql, scope)} and i.id = ${id} for update of i`;
  return row;
}

/**
 * CTE fragment: deletes the links that the user made in the period except the link of `kept`. Returns the
 * user, the organization and the name of the connection. Links by a domain or a directory follow from the organization
 * and remain.
 */
export function unlinkOwnLinks(
  sql: Sql,
  userId: string,
  kept: CompanyAccount | undefined,
  period: SetUpPeriod = {},
): Fragment {
  return sql`
    delete from sso_identities i using sso_connections c
    where c.id = i.connection_id and i.user_id = ${userId} and i.linked_by = 'user'
      and (i.connection_id, i.subject_hash) is distinct from
        (${kept?.connectionId ?? null}::uuid, ${kept ? hashSubject(kept.subject) : null}::bytea)
      and ${setUpWithin(sql, sql`i.created_at`, period)}
    returning i.user_id as id, c.organization_id, c.name`;
}

export async function deleteIdentity(sql: Sql, id: string): Promise<void> {
  await sql`delete from sso_identities where id = ${id}`;
}
