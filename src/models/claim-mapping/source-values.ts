/** The values behind the sources of claim mappings: one statement for what the mappings of a response need. */
import { batchedReads } from "../../database/batched-reads.ts";
import type { Database, Fragment, Sql } from "../../database/database.ts";
import { CLAIM_GROUPS_MAX } from "../../limits/claim-limits.ts";
import type { JsonValue } from "../../vocabulary/claim-mapping.ts";
import { SOURCE_PARTS, type SourcePart } from "../../vocabulary/claim-sources.ts";
import type { MemberRole } from "../../vocabulary/member-power.ts";
import { grantColumns } from "../conditions/member-grants.ts";
import { groupNames } from "../conditions/member-group-names.ts";

/** A member in an organization. Ids from the database: a malformed id would refuse the statement for all requests. */
export interface SourceOwner {
  readonly userId: string;
  readonly organizationId: string;
  /** The token family, by which the connection of the sign-in is found; null: no connection is known. */
  readonly familyId: string | null;
}

/** Members of a part are absent in a reading without the part. */
export interface SourceRow {
  readonly number: number | null;
  readonly externalId: string | null;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly displayName: string | null;
  readonly avatarHash: string | null;
  readonly locale: string | null;
  readonly timeZone: string | null;
  readonly createdAt: Date;
  readonly isManaged: boolean;
  readonly role: MemberRole;
  readonly slug: string;
  readonly organizationName: string;
  readonly accountMetadata?: JsonValue;
  readonly organizationMetadata?: JsonValue;
  readonly memberMetadata?: JsonValue;
  readonly roleKeys?: readonly string[];
  readonly granted?: readonly string[];
  /** At most one more than `CLAIM_GROUPS_MAX`. */
  readonly groups?: readonly string[];
  readonly connection?: { readonly id: string; readonly protocol: string; readonly attributes: JsonValue } | null;
}

/**
 * Reads the present values of an enabled user in an organization that is not suspended. Concurrent reads of equal parts
 * share a statement.
 */
export interface SourceReader {
  find(owner: SourceOwner, parts: ReadonlySet<SourcePart>): Promise<SourceRow | undefined>;
}

export function sourceReader(database: Pick<Database, "run">): SourceReader {
  // At most one reader for each combination of the parts.
  const readers = new Map<string, (owner: SourceOwner) => Promise<SourceRow | undefined>>();
  return {
    find(owner, parts) {
      const needed = SOURCE_PARTS.filter((part) => parts.has(part));
      const key = needed.join(" ");
      const read =
        readers.get(key) ??
        batchedReads((owners: readonly SourceOwner[]) =>
          database.run("claim_source.find", (sql) => listSourceRows(sql, owners, needed)),
        );
      readers.set(key, read);
      return read(owner);
    },
  };
}

async function listSourceRows(
  sql: Sql,
  owners: readonly SourceOwner[],
  parts: readonly SourcePart[],
): Promise<(SourceRow | undefined)[]> {
  const [userIds, organizationIds] = [owners.map((each) => each.userId), owners.map((each) => each.organizationId)];
  const familyIds = owners.map((each) => each.familyId);
  const columns = parts.map((part) => PART_COLUMNS[part](sql)).reduce((all, each) => sql`${all}${each}`, sql``);
  const rows = await sql<(SourceRow & { readonly place: number })[]>`
    select asked.place::int, u.number::float8 as number, u.external_id as "externalId", u.email,
           u.email_verified_at is not null as "emailVerified", u.display_name as "displayName",
           u.avatar_hash as "avatarHash", u.locale, u.time_zone as "timeZone",
           u.created_at as "createdAt", u.managed_by is not null as "isManaged", m.role, o.slug,
           o.name as "organizationName"${columns}
    from unnest(${userIds}::uuid[], ${organizationIds}::uuid[], ${familyIds}::uuid[])
      with ordinality as asked (user_id, organization_id, family_id, place)
    join users u on u.id = asked.user_id and u.disabled_at is null
    join members m on m.user_id = u.id and m.organization_id = asked.organization_id
    join organizations o on o.id = m.organization_id and o.suspended_at is null`;
  const found: (SourceRow | undefined)[] = new Array(owners.length).fill(undefined);
  for (const row of rows) found[row.place - 1] = row;
  return found;
}

const PART_COLUMNS: Readonly<Record<SourcePart, (sql: Sql) => Fragment>> = {
  account_metadata: (sql) => sql`, u.public_metadata as "accountMetadata"`,
  metadata: (sql) => sql`
    , o.public_metadata as "organizationMetadata", m.public_metadata as "memberMetadata"`,
  roles: (sql) => sql`, ${grantColumns(sql)}`,
  groups: (sql) => sql`
    , array(
      ${groupNames(sql, sql`(select m.user_id, m.organization_id)`)}
      order by name limit ${CLAIM_GROUPS_MAX + 1}
    ) as groups`,
  connection: (sql) => sql`
    , (
      select jsonb_build_object('id', c.id, 'protocol', c.protocol, 'attributes', coalesce(m.attributes, '{}'::jsonb))
      from oauth_token_families f join sessions s on s.id = f.session_id
      join sso_connections c on c.id = s.sso_connection_id
      where f.id = asked.family_id
    ) as connection`,
};

/** The organization of the next sign-in of a user: the last one, else the oldest membership. */
export async function findLastOrganization(sql: Sql, userId: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select m.organization_id as id from users u join members m on m.user_id = u.id where u.id = ${userId}
    order by m.organization_id = u.last_organization_id desc nulls last, m.joined_at, m.organization_id limit 1`;
  return row?.id;
}
