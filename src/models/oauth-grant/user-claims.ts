import { batchedReads } from "../../database/batched-reads.ts";
import type { Database, Fragment, Sql } from "../../database/database.ts";
import { grantColumns } from "../conditions/member-grants.ts";
import { groupNames } from "../conditions/member-group-names.ts";

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
}

/** The user claims of the scope `organization`. */
export interface MembershipClaims extends UserClaims {
  readonly role: string;
  /** The keys of additional roles, sorted. */
  readonly roleKeys: readonly string[];
  /** Public metadata of the organization and of the membership; null: empty. */
  readonly organizationMetadata: Readonly<Record<string, unknown>> | null;
  readonly memberMetadata: Readonly<Record<string, unknown>> | null;
}

/** A user in an organization. Ids from the database: a malformed id would refuse the statement for all requests. */
export interface ClaimsOwner {
  readonly userId: string;
  readonly organizationId: string;
}

/**
 * Reads the present claims of an enabled user in an organization that is not suspended. Concurrent reads share a
 * statement.
 */
export interface UserClaimsReader {
  find(owner: ClaimsOwner): Promise<UserClaims | undefined>;
  /** Costs two further look-ups of each user. */
  findWithMembership(owner: ClaimsOwner): Promise<MembershipClaims | undefined>;
}

export function userClaimsReader(database: Pick<Database, "run">): UserClaimsReader {
  const read = <Claims extends UserClaims>(columns: (sql: Sql) => Fragment) =>
    batchedReads((owners: readonly ClaimsOwner[]) =>
      database.run("oauth_family.find_claims", (sql) => listUserClaims<Claims>(sql, owners, columns(sql))),
    );
  return { find: read<UserClaims>((sql) => sql``), findWithMembership: read<MembershipClaims>(membershipColumns) };
}

function membershipColumns(sql: Sql): Fragment {
  return sql`
    , m.role, o.public_metadata as "organizationMetadata", m.public_metadata as "memberMetadata", ${grantColumns(sql)}`;
}

async function listUserClaims<Claims extends UserClaims>(
  sql: Sql,
  owners: readonly ClaimsOwner[],
  moreColumns: Fragment,
): Promise<(Claims | undefined)[]> {
  const [userIds, organizationIds] = [owners.map((each) => each.userId), owners.map((each) => each.organizationId)];
  const rows = await sql<(Claims & { readonly place: number })[]>`
    select asked.place::int, u.display_name as "displayName", u.avatar_hash as "avatarHash", u.locale,
           u.updated_at as "updatedAt", u.email, u.email_verified_at is not null as "emailVerified",
           o.id as "organizationId", o.slug as "organizationSlug" ${moreColumns}
    from unnest(${userIds}::uuid[], ${organizationIds}::uuid[])
      with ordinality as asked (user_id, organization_id, place)
    join users u on u.id = asked.user_id and u.disabled_at is null
    join members m on m.user_id = u.id and m.organization_id = asked.organization_id
    join organizations o on o.id = m.organization_id and o.suspended_at is null`;
  const found: (Claims | undefined)[] = new Array(owners.length).fill(undefined);
  for (const row of rows) found[row.place - 1] = row;
  return found;
}

/** The names of the groups of a member, of the organization and of the directory, sorted, at most `limit`. */
export async function listGroupNames(
  sql: Sql,
  { userId, organizationId }: ClaimsOwner,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    ${groupNames(sql, sql`(select ${userId}::uuid as user_id, ${organizationId}::uuid as organization_id)`)}
    order by name limit ${limit}`;
  return rows.map(({ name }) => name);
}
