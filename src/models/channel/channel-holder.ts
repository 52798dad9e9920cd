/**
 * The people behind the channels of an organization: who activated a connection, made a key, claimed a domain or
 * created a set-up link, with the present power of these people in the organization.
 */
import type { Fragment, Sql } from "../../database/database.ts";
import { heldStatuses } from "../conditions/held-domain-condition.ts";
import { grantColumns } from "../conditions/member-grants.ts";

/** A power as the models of channels know powers. */
export interface StoredPower {
  readonly role: "owner" | "admin" | "member";
  readonly granted: readonly string[];
}

/** Power behind a connection beyond the present power of the activator. */
export interface KeptPower extends StoredPower {
  /** The power of the activator at the end of the membership; counts while the activator is no member. */
  readonly departed?: StoredPower;
}

/** A channel with the person behind the channel. */
export interface HolderRow {
  /** The id of the connection, key, domain or set-up link. */
  readonly id: string;
  readonly name: string;
  /** Null: the account of the person was deleted. */
  readonly personId: string | null;
  /** Display name or address. */
  readonly personName: string | null;
  /** Null: the person is no member. */
  readonly role: StoredPower["role"] | null;
  readonly granted: StoredPower["granted"];
  /** The account of the person is disabled. */
  readonly isDisabled: boolean;
  readonly isPlatformAdministrator: boolean;
  /** The power of the person when the person set the channel up, which bounds the power; null: no bound. */
  readonly setUpPower: StoredPower | null;
  /** The power that a person confirmed for the connection; null for other channels. */
  readonly confirmed: KeptPower | null;
}

/** A connection or key through which a further person reaches the account of a member. */
export interface AccountHolderRow extends HolderRow {
  /** The member. */
  readonly userId: string;
}

/** Columns of the person, of the aliases of `joinPerson`. `setUpPower`: the column of the channel. */
export function personColumns(sql: Sql, organizationId: string, setUpPower: Fragment): Fragment {
  return sql`
    person.id as "personId", coalesce(person.display_name, person.email) as "personName", pm.role,
    ${grantColumns(sql, sql`${organizationId}::uuid`, sql`person.id`)},
    person.disabled_at is not null as "isDisabled",
    coalesce(person.platform_role in ('admin', 'owner'), false) as "isPlatformAdministrator",
    ${setUpPower} as "setUpPower"`;
}

/** The person (alias `person`) behind a channel, and the membership `pm` of the person. */
export function joinPerson(sql: Sql, organizationId: string, personId: Fragment): Fragment {
  return sql`
    left join users person on person.id = ${personId}
    left join members pm on pm.user_id = person.id and pm.organization_id = ${organizationId}`;
}

/** The confirmed power of the connection `c`, unless the connection has another activator since. */
export function confirmedColumn(sql: Sql): Fragment {
  return sql`
    case when c.activated_by is null or c.activated_by::text = c.confirmed_power ->> 'activatedBy'
         then c.confirmed_power end as confirmed`;
}

/** The active connections of an organization, oldest first. */
export async function listConnectionHolders(sql: Sql, organizationId: string): Promise<HolderRow[]> {
  return await sql<HolderRow[]>`
    select c.id, c.name, ${personColumns(sql, organizationId, sql`c.set_up_power`)}, ${confirmedColumn(sql)}
    from sso_connections c ${joinPerson(sql, organizationId, sql`c.activated_by`)}
    where c.organization_id = ${organizationId} and c.status = 'active' order by c.created_at, c.id`;
}

/** The active connections whose claims for rules were chosen after the activation, with the person of that change. */
export async function listClaimsHolders(sql: Sql, organizationId: string): Promise<HolderRow[]> {
  return await sql<HolderRow[]>`
    select kept.*, kept.confirmed - 'departed' as confirmed
    from (
      select c.id, c.name, ${personColumns(sql, organizationId, sql`c.claims_power`)}, ${confirmedColumn(sql)},
             c.created_at
      from sso_connections c ${joinPerson(sql, organizationId, sql`c.claims_set_by`)}
      where c.organization_id = ${organizationId} and c.status = 'active' and c.claims_set_at is not null
    ) kept
    order by kept.created_at, kept.id`;
}

/** A person who acts now, whether or not the person is a member. */
export async function findPerson(
  sql: Sql,
  organizationId: string,
  userId: string | null,
): Promise<Omit<HolderRow, "id" | "name">> {
  const [row] = await sql<[Omit<HolderRow, "id" | "name">]>`
    select ${personColumns(sql, organizationId, sql`null`)}, null as confirmed
    from (values (1)) one ${joinPerson(sql, organizationId, sql`${userId}::uuid`)}`;
  return row;
}

/** The person behind a connection in any state. `activatedBy`: where the connection was not activated yet. */
export async function findConnectionHolder(
  sql: Sql,
  { id, organizationId, activatedBy }: ConnectionQuestion,
): Promise<HolderRow | undefined> {
  const [row] = await sql<HolderRow[]>`
    select c.id, c.name, ${personColumns(sql, organizationId, sql`c.set_up_power`)}, ${confirmedColumn(sql)}
    from sso_connections c ${joinPerson(sql, organizationId, sql`coalesce(c.activated_by, ${activatedBy}::uuid)`)}
    where c.id = ${id} and c.organization_id = ${organizationId}`;
  return row;
}

interface ConnectionQuestion {
  readonly id: string;
  readonly organizationId: string;
  readonly activatedBy: string | null;
}

/** The active connections that sign members in by a link that no member made in person. */
export async function listIdentityHolders(
  sql: Sql,
  organizationId: string,
  userIds: readonly string[],
): Promise<AccountHolderRow[]> {
  return await sql<AccountHolderRow[]>`
    select c.id, c.name, i.user_id as "userId", ${personColumns(sql, organizationId, sql`c.set_up_power`)},
           ${confirmedColumn(sql)}
    from sso_identities i
    join sso_connections c on c.id = i.connection_id and c.organization_id = ${organizationId} and c.status = 'active'
    ${joinPerson(sql, organizationId, sql`c.activated_by`)}
    where i.user_id = any(${[...userIds]}::uuid[]) and i.linked_by <> 'user'
    order by c.created_at, c.id, i.user_id`;
}

/** Who made a key: a member, or a person with a set-up link. */
export type KeyOrigin = "member" | "setup_link";

function liveDirectoryKeys(sql: Sql, organizationId: string, origin: KeyOrigin, at: Date): Fragment {
  return sql`
    a.organization_id = ${organizationId} and k.revoked_at is null and k.expires_at > ${at}
    and 'scim.write' = any(k.scopes) and (k.setup_link_id is null) = ${origin === "member"}::boolean`;
}

export interface KeyQuestion {
  readonly organizationId: string;
  readonly origin: KeyOrigin;
  readonly at: Date;
}

/** The live keys and trusts that change the directory of an organization, oldest first. People alone make trusts. */
export async function listKeyHolders(sql: Sql, { organizationId, origin, at }: KeyQuestion): Promise<HolderRow[]> {
  return await sql<HolderRow[]>`
    select c.id, c.name, ${personColumns(sql, organizationId, sql`c.set_up_power`)}, null as confirmed
    from (
      select k.id, a.name || ' (' || k.key_id || '…)' as name, k.created_by, k.created_at, k.set_up_power
      from api_keys k join service_accounts a on a.id = k.service_account_id
      where ${liveDirectoryKeys(sql, organizationId, origin, at)}
      union all
      select t.id, a.name || ' (' || t.name || ')', t.created_by, t.created_at, t.set_up_power
      from service_account_trusts t join service_accounts a on a.id = t.service_account_id
      where a.organization_id = ${organizationId} and not t.disabled and 'scim.write' = any(t.scopes)
        and ${origin === "member"}::boolean
    ) c ${joinPerson(sql, organizationId, sql`c.created_by`)}
    order by c.created_at, c.id`;
}

/** The person behind a key or trust in any state. */
export async function findProgramHolder(sql: Sql, organizationId: string, id: string): Promise<HolderRow | undefined> {
  const [row] = await sql<HolderRow[]>`
    select c.id, c.name, ${personColumns(sql, organizationId, sql`c.set_up_power`)}, null as confirmed
    from (
      select id, key_id as name, created_by, set_up_power from api_keys where id = ${id}
      union all
      select id, name, created_by, set_up_power from service_account_trusts where id = ${id}
    ) c ${joinPerson(sql, organizationId, sql`c.created_by`)}`;
  return row;
}

/** What the directory of an organization grants by its settings and groups. */
export async function findDirectoryPower(sql: Sql, organizationId: string): Promise<StoredPower> {
  const [row] = await sql<[StoredPower]>`
    select case when exists (
             select 1 from directories d left join directory_groups g on g.directory_id = d.id
             where d.organization_id = ${organizationId}
               and (d.default_role = 'admin' or d.role_source = 'groups' and g.role = 'admin')
           ) then 'admin' else 'member' end as role,
           array(
             select distinct unnest(o.permissions)
             from directories d join directory_groups g on g.directory_id = d.id
             join directory_group_roles r on r.group_id = g.id join organization_roles o on o.id = r.role_id
             where d.organization_id = ${organizationId} and d.role_source = 'groups'
           ) as granted`;
  return row;
}

/** The members among `userIds` whom the directory of the organization provisions. */
export async function listProvisioned(sql: Sql, organizationId: string, userIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ userId: string }[]>`
    select distinct r.user_id as "userId" from directories d join directory_users r on r.directory_id = d.id
    where d.organization_id = ${organizationId} and r.user_id = any(${[...userIds]}::uuid[]) order by 1`;
  return rows.map(({ userId }) => userId);
}

/** The person behind a domain in any state. */
export async function findDomainHolder(
  sql: Sql,
  organizationId: string,
  domainId: string,
): Promise<HolderRow | undefined> {
  const [row] = await sql<HolderRow[]>`
    select d.id, d.domain as name, ${personColumns(sql, organizationId, sql`d.set_up_power`)}, null as confirmed
    from organization_domains d ${joinPerson(sql, organizationId, sql`d.claimed_by`)}
    where d.id = ${domainId} and d.organization_id = ${organizationId}`;
  return row;
}

/** The domains that an organization holds. */
export async function listDomainHolders(sql: Sql, organizationId: string): Promise<HolderRow[]> {
  return await sql<HolderRow[]>`
    select d.id, d.domain as name, ${personColumns(sql, organizationId, sql`d.set_up_power`)}, null as confirmed
    from organization_domains d ${joinPerson(sql, organizationId, sql`d.claimed_by`)}
    where d.organization_id = ${organizationId} and d.status in ${heldStatuses(sql)} order by d.domain`;
}

/** The person behind a set-up link in any state. */
export async function findLinkHolder(
  sql: Sql,
  { id, organizationId }: Pick<HolderRow, "id"> & { readonly organizationId: string },
): Promise<HolderRow | undefined> {
  const [row] = await sql<HolderRow[]>`
    select l.id, coalesce(l.email, '') as name, ${personColumns(sql, organizationId, sql`l.set_up_power`)},
           null as confirmed
    from sso_setup_links l ${joinPerson(sql, organizationId, sql`l.created_by`)}
    where l.id = ${id} and l.organization_id = ${organizationId}`;
  return row;
}

/** The set-up links of an organization that may still act. */
export async function listLinkHolders(sql: Sql, organizationId: string, at: Date): Promise<HolderRow[]> {
  return await sql<HolderRow[]>`
    select l.id, coalesce(l.email, '') as name, ${personColumns(sql, organizationId, sql`l.set_up_power`)},
           null as confirmed
    from sso_setup_links l ${joinPerson(sql, organizationId, sql`l.created_by`)}
    where l.organization_id = ${organizationId} and l.ended_at is null and l.expires_at > ${at}
    order by l.created_at, l.id`;
}
