/** Reads for a change of policies (docs/contract.md, sections 33.6 and 33.7), which must lock no organization out. */
import type { PolicySettings } from "../../base/organization-policy.ts";
import type { Sql } from "../../database/database.ts";

/** The own sign-in methods and factors of a user. */
export interface OwnMethods {
  readonly methods: readonly string[];
  readonly hasPasskey: boolean;
}

/** The methods that a user can use: a usable password, passkeys, e-mailed codes, linked providers. */
export async function findOwnMethods(sql: Sql, userId: string): Promise<OwnMethods> {
  const [row] = await sql<OwnMethods[]>`
    select array(select method from (${methodsOf(sql)}) usable (method) where method is not null) as methods,
           exists (select 1 from passkeys k where k.user_id = u.id and k.deleted_at is null) as "hasPasskey"
    from users u where u.id = ${userId}`;
  return row ?? { methods: [], hasPasskey: false };
}

/** Rows with the methods of the user `u`. An e-mailed code needs no set-up. */
function methodsOf(sql: Sql) {
  return sql`
    select case when u.password_hash is not null then 'password' end
    union all select 'email_otp'
    union all select 'passkey' from passkeys k where k.user_id = u.id and k.deleted_at is null
    union all select i.provider from user_identities i where i.user_id = u.id`;
}

/**
 * Whether an owner with emergency access can sign in: enabled, with a proven address and a factor. Locks the owner: a
 * removal and the loss of the factor wait.
 */
export async function lockEmergencyAccess(sql: Sql, organizationId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from sso_policies p
    join members m on m.organization_id = p.organization_id and m.role = 'owner' and m.user_id = any(p.break_glass)
    join users u on u.id = m.user_id and u.disabled_at is null and u.controlled_at is not null
    where p.organization_id = ${organizationId} and (
      exists (select 1 from passkeys k where k.user_id = u.id and k.deleted_at is null)
      or exists (select 1 from totp_factors t where t.user_id = u.id and t.confirmed_at is not null)
    )
    limit 1 for share of m, u`;
  return rows.length > 0;
}

/** A rule that affects a member. */
export type AffectingRule = "allowed_ips" | "invite_domains" | "methods" | "mfa" | "session";

export interface AffectedMember {
  readonly userId: string;
  readonly email: string;
  readonly rules: readonly AffectingRule[];
}

export interface Affected {
  /** Members whom at least one rule affects. */
  readonly affected: number;
  readonly counts: Readonly<Record<AffectingRule, number>>;
  /** Live sessions that the settings would end. */
  readonly sessionsEnded: number;
  /** The first of the affected members, by address. */
  readonly members: readonly AffectedMember[];
}

type AffectedRow = Pick<Affected, "affected" | "members" | "sessionsEnded"> &
  Readonly<Record<"mfa" | "methods" | "session" | "allowedIps" | "inviteDomains", number>>;

/**
 * The members whom settings would affect. `mfa`: without the factor; `methods`: without a permitted method; `session`:
 * with a session that would end; `allowed_ips`: with a session whose last address is in no range; `invite_domains`:
 * with an address of another domain, who stay members. Owners with emergency access are exempt from methods and
 * addresses.
 */
export async function findAffected(
  sql: Sql,
  organizationId: string,
  settings: PolicySettings,
  { at, limit }: { readonly at: Date; readonly limit: number },
): Promise<Affected> {
  const stored = sql.json(settings as never);
  const passkey = sql`exists (select 1 from passkeys k where k.user_id = u.id and k.deleted_at is null)`;
  const totp = sql`exists (select 1 from totp_factors t where t.user_id = u.id and t.confirmed_at is not null)`;
  const live = sql`
    select 1 from sessions s
    where s.organization_id = m.organization_id and s.user_id = u.id and s.revoked_at is null and s.expires_at > ${at}`;
  const ends = sql`
    policy_access_until(${stored}::jsonb, s.auth_method, s.identity_provider, s.auth_time, s.rotated_at, b.exempt)
      <= ${at}::timestamptz`;
  const [row] = await sql<AffectedRow[]>`
    with member as materialized (
      select u.id, u.email,
             case ${settings.mfa}
               when 'phishing_resistant' then not ${passkey}
               when 'required' then not ${passkey} and not ${totp}
               else false
             end as mfa,
             not b.exempt and jsonb_typeof(${stored}::jsonb -> 'methods') = 'array' and not exists (
               select 1 from (${methodsOf(sql)}) usable (method) where (${stored}::jsonb -> 'methods') ? method
             ) and not exists (
               select 1 from sso_identities i join sso_connections c on c.id = i.connection_id
               where c.organization_id = m.organization_id and c.status = 'active' and i.user_id = u.id
             ) as methods,
             exists (${live} and ${ends}) as session,
             not b.exempt and exists (
               ${live} and not address_in_ranges(
                 coalesce(s.last_ip_address, s.ip_address), ${stored}::jsonb -> 'allowedIps')
             ) as addresses,
             jsonb_array_length(${stored}::jsonb -> 'inviteDomains') > 0
               and not (${stored}::jsonb -> 'inviteDomains') ? address_domain(u.email) as domains
      from members m join users u on u.id = m.user_id
      cross join lateral (
        select exists (
          select 1 from sso_policies p
          where p.organization_id = m.organization_id and m.role = 'owner' and u.id = any(p.break_glass)
        )
      ) b (exempt)
      where m.organization_id = ${organizationId} and u.disabled_at is null
    ),
    affected as (select * from member where mfa or methods or session or addresses or domains)
    select (select count(*)::int from affected) as affected,
           (select count(*)::int from affected where mfa) as mfa,
           (select count(*)::int from affected where methods) as methods,
           (select count(*)::int from affected where session) as session,
           (select count(*)::int from affected where addresses) as "allowedIps",
           (select count(*)::int from affected where domains) as "inviteDomains",
           (
             select count(*)::int from sessions s cross join (select false) b (exempt)
             where s.organization_id = ${organizationId} and s.revoked_at is null and s.expires_at > ${at} and ${ends}
           ) as "sessionsEnded",
           coalesce((
             select jsonb_agg(jsonb_build_object(
               'userId', f.id, 'email', f.email, 'rules', array_remove(array[
                 case when f.addresses then 'allowed_ips' end, case when f.domains then 'invite_domains' end,
                 case when f.methods then 'methods' end, case when f.mfa then 'mfa' end,
                 case when f.session then 'session' end], null)
             ) order by f.email)
             from (select * from affected order by email limit ${limit}) f
           ), '[]') as members`;
  if (!row) throw new Error("a select without a table returned no row");
  const { affected, members, sessionsEnded, mfa, methods, session } = row;
  const counts = { mfa, methods, session, allowed_ips: row.allowedIps, invite_domains: row.inviteDomains };
  return { affected, members, sessionsEnded, counts };
}

/**
 * Whether at least one enabled owner can sign in under settings: by a permitted method, with the factor, and from an
 * address of a live session.
 */
export async function ownerComplies(
  sql: Sql,
  organizationId: string,
  settings: PolicySettings,
  at: Date,
): Promise<boolean> {
  const stored = sql.json(settings as never);
  const rows = await sql`
    select 1 from members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.role = 'owner' and u.disabled_at is null
      and (jsonb_typeof(${stored}::jsonb -> 'methods') <> 'array' or exists (
        select 1 from (${methodsOf(sql)}) usable (method) where (${stored}::jsonb -> 'methods') ? method
      ))
      and (${settings.mfa} <> 'phishing_resistant' or exists (
        select 1 from passkeys k where k.user_id = u.id and k.deleted_at is null
      ))
      and (${settings.allowedIps.length} = 0 or exists (
        select 1 from sessions s
        where s.user_id = u.id and s.revoked_at is null and s.expires_at > ${at}
          and address_in_ranges(coalesce(s.last_ip_address, s.ip_address), ${stored}::jsonb -> 'allowedIps')
      ))
    limit 1`;
  return rows.length > 0;
}
