import type { Sql } from "../../database/database.ts";
import { grantColumns } from "../../database/member-grants.ts";

/** The user claims of the OpenID Connect scopes (docs/contract.md, section 23.9). */
export interface UserClaims {
  readonly displayName: string | null;
  readonly avatarHash: string | null;
  readonly locale: string | null;
  readonly updatedAt: Date;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly organizationId: string;
  readonly organizationSlug: string;
  readonly role: string;
  /** The keys of additional roles, sorted. */
  readonly roleKeys: readonly string[];
  /** Public metadata of the organization and of the membership; null: empty. */
  readonly organizationMetadata: Readonly<Record<string, unknown>> | null;
  readonly memberMetadata: Readonly<Record<string, unknown>> | null;
}

/** The claims of an enabled user in an organization that is not suspended. */
export async function findUserClaims(
  sql: Sql,
  owner: { readonly userId: string; readonly organizationId: string },
): Promise<UserClaims | undefined> {
  const [row] = await sql<UserClaims[]>`
    select u.display_name as "displayName", u.avatar_hash as "avatarHash", u.locale, u.updated_at as "updatedAt",
           u.email, u.email_verified_at is not null as "emailVerified", o.id as "organizationId",
           o.slug as "organizationSlug", m.role, o.public_metadata as "organizationMetadata",
           m.public_metadata as "memberMetadata", ${grantColumns(sql)}
    from users u
    join members m on m.user_id = u.id and m.organization_id = ${owner.organizationId}
    join organizations o on o.id = m.organization_id and o.suspended_at is null
    where u.id = ${owner.userId} and u.disabled_at is null`;
  return row;
}

/** The names of the groups of a member, of the organization and of the directory, sorted, at most `limit`. */
export async function listGroupNames(
  sql: Sql,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select g.display_name as name
    from directory_users u join directory_group_members x on x.record_id = u.id
    join directory_groups g on g.id = x.group_id join directories d on d.id = g.directory_id
    where u.user_id = ${userId} and d.organization_id = ${organizationId}
    union
    select g.name from member_group_members x join member_groups g on g.id = x.group_id
    where x.user_id = ${userId} and x.organization_id = ${organizationId}
    order by name limit ${limit}`;
  return rows.map(({ name }) => name);
}
