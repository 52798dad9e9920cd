/** Reads for the mode `required` of a policy (docs/contract.md, section 29.47). */
import type { Fragment, Sql } from "../../database/database.ts";
import { heldStatuses } from "../conditions/held-domain-condition.ts";
import { hasOwnFactor } from "../conditions/own-factor-condition.ts";
import type { SsoPolicy } from "./sso-policy.ts";

export interface Prerequisites {
  readonly hasConnection: boolean;
  readonly hasDomain: boolean;
  /** Whether an owner or admin has signed in through an active connection since a time. */
  readonly hasSignIn: boolean;
}

export async function findPrerequisites(sql: Sql, organizationId: string, since: Date): Promise<Prerequisites> {
  const [row] = await sql<Prerequisites[]>`
    select exists (
             select 1 from sso_connections c where c.organization_id = ${organizationId} and c.status = 'active'
           ) as "hasConnection",
           exists (
             select 1 from organization_domains d
             where d.organization_id = ${organizationId} and d.status in ${heldStatuses(sql)}
           ) as "hasDomain",
           exists (
             select 1 from sso_connections c
             join sso_attempts a on a.connection_id = c.id and a.outcome = 'success' and a.at > ${since}
             join members m on m.organization_id = c.organization_id and m.user_id = a.user_id
             where c.organization_id = ${organizationId} and c.status = 'active' and m.role in ('owner', 'admin')
           ) as "hasSignIn"`;
  if (!row) throw new Error("a select without a table returned no row");
  return row;
}

/** The users among the given users who may have emergency access: owners with a proven address and a factor. */
export async function listBreakGlassCandidates(
  sql: Sql,
  organizationId: string,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    select u.id from users u join members m on m.user_id = u.id
    where m.organization_id = ${organizationId} and m.role = 'owner' and u.id = any(${[...userIds]}::uuid[])
      and ${hasOwnFactor(sql)}`;
  return rows.map(({ id }) => id);
}

/** An owner whom the policy may name for emergency access. */
export interface EmergencyCandidate {
  readonly userId: string;
  readonly email: string;
}

/** The owners fit for emergency access, by address, at most `limit`. */
export async function listEmergencyCandidates(
  sql: Sql,
  organizationId: string,
  limit: number,
): Promise<readonly EmergencyCandidate[]> {
  return await sql<EmergencyCandidate[]>`
    select u.id as "userId", u.email from users u join members m on m.user_id = u.id
    where m.organization_id = ${organizationId} and m.role = 'owner' and ${hasOwnFactor(sql)}
    order by u.email limit ${limit}`;
}

/** The factor that a user is about to lose: the authenticator app, or one passkey. */
export type FactorLoss = "totp" | { readonly passkeyId: string };

/**
 * The organizations with the mode `required`, or with a confirmed lock-out by a policy (docs/contract.md, section
 * 33.6), in which a user is the last user with emergency access, and would not be after a loss: of the account, of the
 * membership in an organization, or of a factor. Locks the policies, so that two such changes run in sequence.
 */
export async function lockSoleBreakGlass(
  sql: Sql,
  userId: string,
  loss: FactorLoss | { readonly organizationId: string } | "account",
): Promise<readonly string[]> {
  const only = typeof loss === "object" && "organizationId" in loss ? loss.organizationId : null;
  const registered = sql`
    (p.mode = 'required' or ${reliesOnEmergencyAccess(sql)}) and ${userId} = any(p.break_glass)
      and p.organization_id = coalesce(${only}::uuid, p.organization_id)`;
  const locked = await sql`
    select 1 from sso_policies p where ${registered} order by p.organization_id for update`;
  if (locked.length === 0) return [];
  const rows = await sql<{ id: string }[]>`
    select p.organization_id as id from sso_policies p
    where ${registered} and not exists (
      select 1 from users u join members m on m.user_id = u.id
      where m.organization_id = p.organization_id and m.role = 'owner' and u.id = any(p.break_glass)
        and (u.id <> ${userId} and ${hasOwnFactor(sql)} or u.id = ${userId} and ${keepsFactor(sql, loss)})
    )`;
  return rows.map(({ id }) => id);
}

/** Condition on the policy `p`: an owner has confirmed a policy that would lock out the owner. */
function reliesOnEmergencyAccess(sql: Sql): Fragment {
  return sql`exists (
      select 1 from organization_policies r
      where r.organization_id = p.organization_id and (r.settings ->> 'reliesOnEmergencyAccess')::boolean
    )`;
}

/** Whether an organization keeps a user for emergency access also without the mode `required`. */
export async function keepsEmergencyAccess(sql: Sql, organizationId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from sso_policies p where p.organization_id = ${organizationId} and ${reliesOnEmergencyAccess(sql)}`;
  return rows.length > 0;
}

/** Condition on the user `u`: another factor remains after the loss. */
function keepsFactor(sql: Sql, loss: Parameters<typeof lockSoleBreakGlass>[2]): Fragment {
  const passkey = (except: string | null) => sql`
    exists (
      select 1 from passkeys k
      where k.user_id = u.id and k.deleted_at is null and k.id is distinct from ${except}::uuid
    )`;
  if (loss === "totp") return passkey(null);
  if (typeof loss === "object" && "passkeyId" in loss) {
    return sql`
      (${passkey(loss.passkeyId)}
        or exists (select 1 from totp_factors t where t.user_id = u.id and t.confirmed_at is not null))`;
  }
  return sql`false`;
}

/**
 * Whether an organization with the mode `required` covers a member by this address alone: without the address the
 * member would be a guest, who signs in by own methods.
 */
export async function isCoveredByAddress(sql: Sql, userId: string, email: string): Promise<boolean> {
  const held = (address: Fragment) => sql`
    exists (
      select 1 from organization_domains d
      where d.organization_id = p.organization_id and d.domain = address_domain(${address})
        and d.status in ${heldStatuses(sql)}
    )`;
  const rows = await sql`
    select 1 from sso_policies p join members m on m.organization_id = p.organization_id and m.user_id = ${userId}
    where p.mode = 'required' and p.guests <> 'required' and ${held(sql`${email}::text`)} and not exists (
      select 1 from user_emails e
      where e.user_id = m.user_id and e.email <> ${email} and (e."primary" or e.verified_at is not null)
        and ${held(sql`e.email`)}
    ) limit 1`;
  return rows.length > 0;
}

export interface CoveredMember {
  readonly userId: string;
  readonly email: string;
}

export interface Coverage {
  /** The members whom the policy covers. */
  readonly covered: number;
  /** The covered members without an identity at a connection. */
  readonly withoutIdentity: number;
  /** The first of the covered members without an identity, by address. */
  readonly members: readonly CoveredMember[];
}

/** The members whom a policy would cover, and the covered members who have no identity yet. */
export async function findCoverage(
  sql: Sql,
  organizationId: string,
  { guests, breakGlass }: Pick<SsoPolicy, "guests" | "breakGlass">,
  limit: number,
): Promise<Coverage> {
  const [row] = await sql<Coverage[]>`
    with covered as materialized (
      select u.id as "userId", u.email,
             exists (
               select 1 from sso_identities i join sso_connections c on c.id = i.connection_id
               where c.organization_id = m.organization_id and i.user_id = u.id
             ) as linked
      from members m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId}
        and not (u.id = any(${[...breakGlass]}::uuid[]) and m.role = 'owner')
        and (
          ${guests} = 'required' or exists (
            select 1 from user_emails e join organization_domains d on d.domain = address_domain(e.email)
            where e.user_id = u.id and (e."primary" or e.verified_at is not null)
              and d.organization_id = m.organization_id and d.status in ${heldStatuses(sql)}
          )
        )
    )
    select (select count(*)::int from covered) as covered,
           (select count(*)::int from covered where not linked) as "withoutIdentity",
           coalesce((
             select jsonb_agg(jsonb_build_object('userId', f."userId", 'email', f.email) order by f.email)
             from (select "userId", email from covered where not linked order by email limit ${limit}) f
           ), '[]') as members`;
  if (!row) throw new Error("a select without a table returned no row");
  return row;
}
