/**
 * The rules by which organizations admit sessions. The SQL functions `organization_access` and `organization_refusal`
 * (db/functions) have the rules (docs/contract.md, section 33.3), also within statements that lock and write.
 */

import type { Fragment, Sql } from "../../database/database.ts";
import type { AssuranceLevel, FirstFactor } from "../../vocabulary/assurance.ts";

/** How a session began, and from where a request comes. */
export interface SessionAssurance {
  /** Null: any method of the user's own. */
  readonly method: FirstFactor | null;
  /** The provider of a social sign-in. */
  readonly provider: string | null;
  readonly aal: AssuranceLevel;
  /** Whether a passkey was verified. */
  readonly phishingResistant: boolean;
  readonly authTime: Date;
  /** Whether the session is bound to the organization: begun at the identity provider of the organization. */
  readonly isBound: boolean;
  /** The client address of the request. */
  readonly address: string | null;
}

/** A session whose assurance level depends on a row: an expression. */
export type AssuranceToCheck = Omit<SessionAssurance, "aal"> & { readonly aal: AssuranceLevel | Fragment };

/** Expressions for the user and the organization; default: of the membership `m`. */
export interface AccessSubject {
  readonly account: Fragment;
  readonly organization: Fragment;
}

export function memberSubject(sql: Sql): AccessSubject {
  return { account: sql`m.user_id`, organization: sql`m.organization_id` };
}

/**
 * Expression: the `AccessRule` by which the organization refuses a session with this assurance at a time, else null. A
 * request is activity: the session is not idle.
 */
export function accessRefusal(
  sql: Sql,
  { account, organization }: AccessSubject,
  { method, provider, aal, phishingResistant, authTime, isBound, address }: AssuranceToCheck,
  at: Date,
): Fragment {
  const refusal = sql`
    organization_refusal(${account}, ${organization}, ${isBound}::boolean, ${method}::text, ${provider}::text,
      (${aal})::text, ${phishingResistant}::boolean, ${authTime}::timestamptz, ${at}::timestamptz, ${at}::timestamptz,
      ${address}::text)`;
  return refusalByRules(sql, organization, refusal);
}

/** Condition: the organization admits a session with this assurance, possibly only for the enrolment of a factor. */
export function mayEnter(sql: Sql, subject: AccessSubject, assurance: SessionAssurance, at: Date): Fragment {
  return sql`coalesce(${accessRefusal(sql, subject, assurance, at)}, 'factor') = 'factor'`;
}

/** Condition: the organization admits a sign-in of the user by an own method, with two factors, from any address. */
export function admitsOwnMethod(sql: Sql, { account, organization }: AccessSubject, at: Date): Fragment {
  return sql`
    (organization_access(${account}, ${organization}, false, null, null, 'aal2', true, ${at}::timestamptz,
      ${at}::timestamptz, ${at}::timestamptz)).access_until > ${at}::timestamptz`;
}

/** Arguments of `organization_access` for the session `s`: the last refresh is the last activity. */
function sessionArguments(sql: Sql, at: Date, activeAt = sql`s.rotated_at`): Fragment {
  return sql`
    s.user_id, s.organization_id, s.organization_bound, s.auth_method, s.identity_provider, s.aal,
    s.phishing_resistant, s.auth_time, ${activeAt}, ${at}::timestamptz`;
}

/** Row source about the session `s`: how the organization of the session admits the session. */
export function sessionAccess(sql: Sql, at: Date): Fragment {
  return sql`organization_access(${sessionArguments(sql, at)})`;
}

/** Expression about the session `s`: as `accessRefusal`, for a request from an address. */
export function sessionRefusal(sql: Sql, at: Date, address: string | null): Fragment {
  const refusal = sql`organization_refusal(${sessionArguments(sql, at)}, ${address}::text)`;
  return refusalByRules(sql, sql`s.organization_id`, refusal);
}

/** Without a policy nothing is refused, and no function is called, as in `admitsByRules`. */
function refusalByRules(sql: Sql, organization: Fragment, refusal: Fragment): Fragment {
  return sql`case when ${hasNoRules(sql, organization)} then null else ${refusal} end`;
}

/**
 * Expression about the session `s` and the client `c`: the time until which an access token of this application may
 * live by the rules of the organization as they are: the end of the access, or the next time at which a rule has
 * another effect. Null: the organization refuses this application of the session. The address of the user is unknown to
 * requests of an application's server.
 */
export function applicationTokenEnd(sql: Sql, at: Date): Fragment {
  const organization = sql`s.organization_id`;
  // The time without activity concerns sessions alone: an application works without the user.
  const access = sql`organization_access(${sessionArguments(sql, at, sql`${at}::timestamptz`)})`;
  return sql`
    case when ${hasNoRules(sql, organization)} then 'infinity'::timestamptz
    when ${rulesAdmit(sql, { organization, client: sql`c.id`, access: sessionAccess(sql, at), at })}
    then ${accessEnd(sql, access)}
    end`;
}

/** Expression about the token family `f`: the end of access tokens, as `applicationTokenEnd`. */
export function familyTokenEnd(sql: Sql, at: Date): Fragment {
  return endByRules(sql, sql`f.organization_id`, familyAccess(sql, at));
}

/** Expression about the user `u` and the organization `o`: the end of access tokens by an assertion. */
export function assertionTokenEnd(sql: Sql, authTime: Date, at: Date): Fragment {
  return endByRules(sql, sql`o.id`, assertionAccess(sql, authTime, at));
}

/** Condition about the token family `f`: the rules of the organization admit the family and its application. */
export function admitsFamily(sql: Sql, at: Date): Fragment {
  const [organization, client] = [sql`f.organization_id`, sql`f.client_id`];
  return admitsByRules(sql, { organization, client, access: familyAccess(sql, at), at });
}

/**
 * Condition about the user `u`, the organization `o` and the client `c`: the organization admits the application by an
 * assertion of its identity provider. An assertion proves no second factor, neither at the identity provider nor of the
 * organization.
 */
export function admitsAssertion(sql: Sql, authTime: Date, at: Date): Fragment {
  const access = assertionAccess(sql, authTime, at);
  const admitted = admitsByRules(sql, { organization: sql`o.id`, client: sql`c.id`, access, at });
  return sql`
    ${admitted} and not exists (select 1 from sso_policies p where p.organization_id = o.id and p.require_own_factor)`;
}

/** Row source about the user `u` and the organization `o`. */
function assertionAccess(sql: Sql, authTime: Date, at: Date): Fragment {
  return sql`
    organization_access(u.id, o.id, true, 'sso', null, 'aal1', false, ${authTime}::timestamptz, ${at}::timestamptz,
      ${at}::timestamptz)`;
}

interface RuledAccess {
  readonly organization: Fragment;
  readonly client: Fragment;
  /** Row source of `organization_access`. */
  readonly access: Fragment;
  readonly at: Date;
}

/**
 * Without a policy nothing is refused, and no function is called: the functions took a quarter of the time of an
 * exchange of a code.
 */
function admitsByRules(sql: Sql, access: RuledAccess): Fragment {
  return sql`case when ${hasNoRules(sql, access.organization)} then true else ${rulesAdmit(sql, access)} end`;
}

function rulesAdmit(sql: Sql, { organization, client, access, at }: RuledAccess): Fragment {
  return sql`
    exists (
      select 1 from ${access} access where access.access_until > ${at} and not access.factor_missing
    ) and not organization_refuses_client(${organization}, ${client}, ${at})`;
}

/** Scalar subqueries: for `not exists`, PostgreSQL may read the whole table into a hash. */
function hasNoRules(sql: Sql, organization: Fragment): Fragment {
  return sql`
    (select 1 from organization_policies r where r.organization_id = ${organization}) is null
      and (select 1 from sso_policies r where r.organization_id = ${organization}) is null`;
}

/** Verifiers of signatures alone know the end of the access by the end of the token. */
function endByRules(sql: Sql, organization: Fragment, access: Fragment): Fragment {
  return sql`
    case when ${hasNoRules(sql, organization)} then 'infinity'::timestamptz
    else ${accessEnd(sql, access)}
    end`;
}

/** `access`: row source of `organization_access`. */
function accessEnd(sql: Sql, access: Fragment): Fragment {
  return sql`(select least(access.access_until, access.changes_at) from ${access} access)`;
}

/**
 * Row source about the token family `f`. A family of single sign-on belongs to the organization of the session. The
 * time without activity concerns sessions alone: an application works without the user.
 */
export function familyAccess(sql: Sql, at: Date): Fragment {
  return sql`
    organization_access(f.user_id, f.organization_id, f.auth_method = 'sso', f.auth_method, f.identity_provider, f.aal,
      f.phishing_resistant, f.auth_time, ${at}::timestamptz, ${at}::timestamptz)`;
}
