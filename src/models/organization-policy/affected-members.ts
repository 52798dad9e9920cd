import { json } from "../../database/json.ts";
import { DEFAULT_POLICY } from "../../vocabulary/policy-settings.ts";

/** Reads for a change of policies (docs/contract.md, sections 33.6 and 33.7), which must lock no organization out. */

import type { Fragment, Sql } from "../../database/database.ts";
import { DEVICE_GRANT } from "../../vocabulary/grant-type.ts";
import { AFFECTING_RULES, type AffectingRule, type PolicySettings } from "../../vocabulary/policy-settings.ts";
import { hasOwnFactor } from "../conditions/own-factor-condition.ts";

/** The settings as a parameter of a statement. */
type Parameter = ReturnType<Sql["json"]>;

/** The own sign-in methods and factors of a user. */
export interface OwnMethods {
  readonly methods: readonly string[];
  readonly hasPasskey: boolean;
}

/** The methods that a user can use: a usable password, passkeys, emailed codes, linked providers. */
export async function findOwnMethods(sql: Sql, userId: string): Promise<OwnMethods> {
  const [row] = await sql<OwnMethods[]>`
    select array(select method from (${methodsOf(sql)}) usable (method) where method is not null) as methods,
           exists (select 1 from passkeys k where k.user_id = u.id and k.deleted_at is null) as "hasPasskey"
    from users u where u.id = ${userId}`;
  return row ?? { methods: [], hasPasskey: false };
}

/** Rows with the methods of the user `u`. An emailed code needs no set-up. */
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
    join users u on u.id = m.user_id
    where p.organization_id = ${organizationId} and ${hasOwnFactor(sql)}
    limit 1 for share of m, u`;
  return rows.length > 0;
}

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

type AffectedRow = Omit<Affected, "counts"> & { readonly counts: Partial<Affected["counts"]> };
const NO_COUNTS = Object.fromEntries(AFFECTING_RULES.map((rule) => [rule, 0])) as Affected["counts"];

export interface PreviewScope {
  /** The settings now; null: the defaults. */
  readonly inForce: PolicySettings | null;
  readonly at: Date;
  /** The number of listed members. */
  readonly limit: number;
}

/**
 * The members whom settings would affect, by rule (docs/contract.md, section 33.7). Owners with emergency access are
 * exempt from methods and addresses.
 */
export async function findAffected(
  sql: Sql,
  organizationId: string,
  settings: PolicySettings,
  { inForce, at, limit }: PreviewScope,
): Promise<Affected> {
  const stored = json(sql, settings);
  const ends = sql`
    policy_access_until(${stored}::jsonb, s.auth_method, s.identity_provider, s.auth_time, s.rotated_at, b.exempt)
      <= ${at}::timestamptz`;
  const live = sql`
    select 1 from sessions s
    where s.organization_id = m.organization_id and s.user_id = u.id and s.revoked_at is null and s.expires_at > ${at}`;
  const conditions: Readonly<Record<AffectingRule, Fragment>> = {
    ...signInConditions(sql, settings, stored),
    ...applicationConditions(sql, settings, stored, at),
    allowed_ips: sql`
      not b.exempt and exists (
        ${live} and not address_in_ranges(coalesce(s.last_ip_address, s.ip_address), ${stored}::jsonb -> 'allowedIps')
      )`,
    invite_domains: sql`
      jsonb_array_length(${stored}::jsonb -> 'inviteDomains') > 0
      and not (${stored}::jsonb -> 'inviteDomains') ? address_domain(u.email)`,
    passwords: sql`${hasStricterPasswords(settings, inForce)} and u.password_hash is not null`,
    session: sql`exists (${live} and ${ends})`,
    trusted_browsers: sql`
      ${!settings.trustedBrowsers} and exists (
        select 1 from trusted_browsers t where t.user_id = u.id and t.revoked_at is null and t.expires_at > ${at}
      )`,
  };
  const [first, ...others] = AFFECTING_RULES.map((rule) => sql`case when ${conditions[rule]} then ${rule}::text end`);
  const rules = others.reduce((list, each) => sql`${list}, ${each}`, first ?? sql``);
  const [row] = await sql<AffectedRow[]>`
    with member as materialized (
      select u.id, u.email, array_remove(array[${rules}], null) as rules
      from members m join users u on u.id = m.user_id
      cross join lateral (
        select exists (
          select 1 from sso_policies p
          where p.organization_id = m.organization_id and m.role = 'owner' and u.id = any(p.break_glass)
        )
      ) b (exempt)
      where m.organization_id = ${organizationId} and u.disabled_at is null
    ),
    affected as (select * from member where rules <> '{}'),
    counted as (select rule, count(*)::int as members from affected, unnest(rules) rule group by rule)
    select (select count(*)::int from affected) as affected,
           (select coalesce(jsonb_object_agg(rule, members), '{}') from counted) as counts,
           (
             select count(*)::int from sessions s cross join (select false) b (exempt)
             where s.organization_id = ${organizationId} and s.revoked_at is null and s.expires_at > ${at} and ${ends}
           ) as "sessionsEnded",
           coalesce((
             select jsonb_agg(jsonb_build_object('userId', f.id, 'email', f.email, 'rules', f.rules) order by f.email)
             from (select * from affected order by email limit ${limit}) f
           ), '[]') as members`;
  if (!row) throw new Error("a select without a table returned no row");
  return { ...row, counts: { ...NO_COUNTS, ...row.counts } };
}

/** Conditions on the factors and methods of the user `u`. */
function signInConditions(sql: Sql, { mfa }: PolicySettings, stored: Parameter): Record<"methods" | "mfa", Fragment> {
  const passkey = sql`exists (select 1 from passkeys k where k.user_id = u.id and k.deleted_at is null)`;
  const totp = sql`exists (select 1 from totp_factors t where t.user_id = u.id and t.confirmed_at is not null)`;
  return {
    methods: sql`
      not b.exempt and jsonb_typeof(${stored}::jsonb -> 'methods') = 'array' and not exists (
        select 1 from (${methodsOf(sql)}) usable (method) where (${stored}::jsonb -> 'methods') ? method
      ) and not exists (
        select 1 from sso_identities i join sso_connections c on c.id = i.connection_id
        where c.organization_id = m.organization_id and c.status = 'active' and i.user_id = u.id
      )`,
    mfa: sql`
      case ${mfa}
        when 'phishing_resistant' then not ${passkey}
        when 'required' then not ${passkey} and not ${totp}
        else false
      end`,
  };
}

/** Conditions on the applications with access on behalf of the user `u`. */
function applicationConditions(
  sql: Sql,
  { deviceFlow, thirdPartyClients }: PolicySettings,
  stored: Parameter,
  at: Date,
): Record<"device_flow" | "third_party_clients", Fragment> {
  const used = sql`
    select 1 from oauth_token_families f join oauth_clients c on c.id = f.client_id
    where f.user_id = u.id and f.organization_id = m.organization_id and f.revoked_at is null and f.expires_at > ${at}`;
  return {
    device_flow: sql`${!deviceFlow} and exists (${used} and ${DEVICE_GRANT} = any(c.grant_types))`,
    third_party_clients: sql`
      ${thirdPartyClients} <> 'any' and exists (
        ${used} and not c.first_party and (
          ${thirdPartyClients} = 'none' or (
            not (${stored}::jsonb -> 'approvedClients') ? c.id::text and not exists (
              select 1 from organization_applications a
              where a.organization_id = m.organization_id and a.client_id = c.id and a.status = 'approved'
            )
          )
        )
      )`,
  };
}

/** Whether a next password must satisfy more than now; a stored hash does not reveal whether a password complies. */
function hasStricterPasswords(settings: PolicySettings, inForce: PolicySettings | null): boolean {
  const { passwordMinLength, passwordCheck } = inForce ?? DEFAULT_POLICY;
  return (settings.passwordMinLength ?? 0) > (passwordMinLength ?? 0) || (settings.passwordCheck && !passwordCheck);
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
  const stored = json(sql, settings);
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
