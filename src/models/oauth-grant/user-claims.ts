import type { Sql } from "../../database/database.ts";

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
}

/** The claims of an enabled user in an organization that is not suspended. */
export async function findUserClaims(
  sql: Sql,
  owner: { readonly userId: string; readonly organizationId: string },
): Promise<UserClaims | undefined> {
  const [row] = await sql<UserClaims[]>`
    select u.display_name as "displayName", u.avatar_hash as "avatarHash", u.locale, u.updated_at as "updatedAt",
           u.email, u.email_verified_at is not null as "emailVerified", o.id as "organizationId",
           o.slug as "organizationSlug", m.role
    from users u
    join members m on m.user_id = u.id and m.organization_id = ${owner.organizationId}
    join organizations o on o.id = m.organization_id and o.suspended_at is null
    where u.id = ${owner.userId} and u.disabled_at is null`;
  return row;
}
