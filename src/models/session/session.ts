import type { sessions } from "../../../db/schema/sessions.ts";
import type { RequestContext } from "../../base/request-context.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import type { RowOf } from "../../database/row.ts";
import type { Cte } from "../../database/statement.ts";
import type { PolicyInForce } from "../../vocabulary/policy-settings.ts";
import { grantColumns, type MemberGrants } from "../conditions/member-grants.ts";
import { sessionAccess } from "../conditions/organization-access.ts";
import { ownFactorState } from "./own-factor.ts";

type SessionRow = RowOf<typeof sessions>;

/** A session family as inserted or last rotated: the claims of the tokens. Times are milliseconds. */
export interface Session
  extends Pick<
    SessionRow,
    | "id"
    | "userId"
    | "organizationId"
    | "authMethod"
    | "identityProvider"
    | "aal"
    | "phishingResistant"
    | "refreshJti"
    | "accessJti"
  > {
  /** The claim `email` of the access tokens; only after a social sign-in. */
  readonly emailClaim: SessionRow["emailClaim"];
  readonly authTime: number;
  readonly mfaVerifiedAt: number | null;
  readonly rotatedAt: number;
  /** End of the current refresh token. */
  readonly expiresAt: number;
  /** End of the family. */
  readonly endsAt: number;
}

/** The times as Postgres returns them. */
export type WithDates<T> = {
  [Key in keyof T]: T[Key] extends number ? Date : T[Key] extends number | null ? Date | null : T[Key];
};

/** Columns of `Session`, of the table alias `s`. */
export function sessionColumns(sql: Sql): Fragment {
  return sql`
    s.id, s.user_id as "userId", s.organization_id as "organizationId", s.auth_method as "authMethod",
    s.identity_provider as "identityProvider", s.phishing_resistant as "phishingResistant",
    s.email_claim as "emailClaim", s.aal, s.auth_time as "authTime", s.mfa_verified_at as "mfaVerifiedAt",
    s.refresh_jti as "refreshJti", s.access_jti as "accessJti", s.rotated_at as "rotatedAt",
    s.expires_at as "expiresAt", s.ends_at as "endsAt"`;
}

export function toSession(row: WithDates<Session>): Session {
  return {
    ...row,
    authTime: row.authTime.getTime(),
    mfaVerifiedAt: row.mfaVerifiedAt?.getTime() ?? null,
    rotatedAt: row.rotatedAt.getTime(),
    expiresAt: row.expiresAt.getTime(),
    endsAt: row.endsAt.getTime(),
  };
}

/** The origin of a session, beyond the claims of the tokens. */
export interface SessionOrigin {
  readonly client: RequestContext;
  /** `jti` of the mfa_token: a second session of one mfa_token violates `sessions_mfa_token_jti_key`. */
  readonly mfaTokenJti: string | null;
  /** Whether the sign-in was a controlling proof (docs/contract.md, section 5.2). */
  readonly controlProven: boolean;
  /** Set for a sign-in by the identity provider of the organization: the session reaches this organization only. */
  readonly binding?: SessionBinding | undefined;
}

/** The subject at the identity provider of an organization, by which a logout finds the session. */
export interface SessionBinding {
  readonly connectionId: string;
  readonly subjectHash: Buffer;
  /** `sid` of the ID token or `SessionIndex` of the assertion; null: not asserted. */
  readonly sessionIndex: string | null;
  /** The hash of the NameID where the subject is an attribute; null: the NameID is the subject. */
  readonly nameHash: Buffer | null;
  /** The NameID of SAML 2.0, sealed; null: no NameID. */
  readonly sealedName: Buffer | null;
}

/** CTE fragment: inserts the session if `from` has a row. */
export function insertSession(sql: Sql, session: Session, origin: SessionOrigin, from: Fragment): Fragment {
  const { client, mfaTokenJti, controlProven, binding } = origin;
  const date = (time: number) => new Date(time);
  return sql`
    insert into sessions (id, user_id, organization_id, auth_method, email_claim, aal, auth_time, mfa_verified_at,
                          refresh_jti, access_jti, rotated_at, expires_at, ends_at, ip_address, user_agent, created_at,
                          mfa_token_jti, control_proven, organization_bound, sso_connection_id, sso_subject_hash,
                          sso_session_index, sso_name_id_hash, sealed_sso_name_id, identity_provider,
                          phishing_resistant)
    select ${session.id}::uuid, ${session.userId}::uuid, ${session.organizationId}::uuid, ${session.authMethod},
           ${session.emailClaim}::text, ${session.aal}, ${date(session.authTime)}::timestamptz,
           ${session.mfaVerifiedAt === null ? null : date(session.mfaVerifiedAt)}::timestamptz,
           ${session.refreshJti}::uuid, ${session.accessJti}::uuid, ${date(session.rotatedAt)}::timestamptz,
           ${date(session.expiresAt)}::timestamptz, ${date(session.endsAt)}::timestamptz, ${client.ipAddress}::text,
           ${client.userAgent}::text, ${date(session.rotatedAt)}::timestamptz, ${mfaTokenJti}::uuid,
           ${controlProven}::boolean, ${binding !== undefined}::boolean, ${binding?.connectionId ?? null}::uuid,
           ${binding?.subjectHash ?? null}::bytea, ${binding?.sessionIndex ?? null}::text,
           ${binding?.nameHash ?? null}::bytea, ${binding?.sealedName ?? null}::bytea,
           ${session.identityProvider}::text, ${session.phishingResistant}::boolean
    ${from}
    returning id`;
}

export interface Move extends Pick<SessionRow, "refreshJti" | "accessJti"> {
  readonly sessionId: string;
  readonly at: Date;
  readonly refreshMaxAgeMs: number;
}

/** CTE fragment: moves a live session to the organization of `membership`, with new tokens. Returns the row. */
export function moveSession(sql: Sql, move: Move, membership: Cte, holder: Cte): Fragment {
  return sql`
    update sessions s
    set organization_id = ${membership}.organization_id, previous_refresh_jti = s.refresh_jti,
        refresh_jti = ${move.refreshJti}, access_jti = ${move.accessJti}, rotated_at = ${move.at},
        expires_at = least(${new Date(move.at.getTime() + move.refreshMaxAgeMs)}::timestamptz, s.ends_at)
    from ${membership}, ${holder}
    where s.id = ${move.sessionId} and s.revoked_at is null and s.expires_at > ${move.at}
      and (not s.organization_bound or s.organization_id = ${membership}.organization_id)
    returning s.*`;
}

/** CTE fragment: the session, locked, if live and if `from` has a row. */
export function lockLiveSession(sql: Sql, sessionId: string, at: Date, from: Fragment): Fragment {
  return sql`
    select s.id ${from}, sessions s
    where s.id = ${sessionId} and s.revoked_at is null and s.expires_at > ${at}
    for no key update of s`;
}

/** A step-up by a factor. */
export interface SteppedUp {
  readonly sessionId: string;
  readonly at: Date;
  /** Whether the factor is the factor that the organization of a bound session requires. */
  readonly isOwnFactor: boolean;
  readonly byPasskey?: boolean;
}

/** CTE fragment: steps a live session up, for a row of `from`. Returns the row. */
export function stepUpSession(
  sql: Sql,
  { sessionId, at, isOwnFactor, byPasskey = false }: SteppedUp,
  from: Fragment,
): Fragment {
  return sql`
    update sessions s
    set aal = 'aal2', mfa_verified_at = ${at}, phishing_resistant = s.phishing_resistant or ${byPasskey},
        own_factor_at = case when ${isOwnFactor}::boolean then ${at}::timestamptz else s.own_factor_at end ${from}
    where s.id = ${sessionId} and s.revoked_at is null and s.expires_at > ${at}
    returning s.*`;
}

/** A live session as requests need it: user, organization, role and assurance. Cached by the revocations actor. */
export interface SessionView
  extends Pick<
      SessionRow,
      | "id"
      | "userId"
      | "organizationId"
      | "organizationBound"
      | "authMethod"
      | "identityProvider"
      | "aal"
      | "phishingResistant"
    >,
    MemberGrants {
  readonly email: string;
  readonly emailVerified: boolean;
  readonly role: "owner" | "admin" | "member";
  readonly authTime: number;
  readonly mfaVerifiedAt: number | null;
  readonly expiresAt: number;
  /** Attributes of the membership, from the identity provider of the organization. */
  readonly attributes: Readonly<Record<string, string>> | null;
  /** Whether the organization of a bound session requires a factor of its own, and the session has verified it. */
  readonly ownFactor: "off" | "required" | "verified";
  /** Whether the session lacks the factor that the organization requires (docs/contract.md, section 33.4). */
  readonly enrolmentOnly: boolean;
  /** The policy of the organization in force; null: no policy. */
  readonly policy: PolicyInForce | null;
  /** The next time at which the policy has another effect: a cached view ends. Milliseconds; null: no such time. */
  readonly staleAt: number | null;
  /** The client address of the request; absent in the cached view, and then in no range of a policy. */
  readonly address?: () => string | null;
}

/**
 * The session if requests may use the session: not revoked, not expired, of an enabled user who is still a member of an
 * organization that is not suspended (G8) and admits the session. `expiresAt` is never after the end of the access by
 * the rules of the organization: a cached view ends at that time on every replica.
 */
export async function findLiveSession(sql: Sql, sessionId: string, at: Date): Promise<SessionView | undefined> {
  const [row] = await sql<WithDates<Omit<SessionView, "address">>[]>`
    select s.id, s.user_id as "userId", s.organization_id as "organizationId",
           s.organization_bound as "organizationBound", u.email,
           u.email_verified_at is not null as "emailVerified", m.role, ${grantColumns(sql)},
           s.auth_method as "authMethod", s.aal, s.auth_time as "authTime", s.mfa_verified_at as "mfaVerifiedAt",
           s.identity_provider as "identityProvider", s.phishing_resistant as "phishingResistant",
           least(s.expires_at, access.access_until) as "expiresAt", m.attributes, ${ownFactorState(sql)} as "ownFactor",
           access.factor_missing as "enrolmentOnly", access.policy,
           nullif(access.changes_at, 'infinity') as "staleAt"
    from sessions s
    join users u on u.id = s.user_id
    join members m on m.user_id = s.user_id and m.organization_id = s.organization_id
    join organizations o on o.id = s.organization_id
    cross join lateral ${sessionAccess(sql, at)} access
    where s.id = ${sessionId} and s.revoked_at is null and s.expires_at > ${at}
      and u.disabled_at is null and o.suspended_at is null and access.access_until > ${at}`;
  if (!row) return undefined;
  return {
    ...row,
    authTime: row.authTime.getTime(),
    mfaVerifiedAt: row.mfaVerifiedAt?.getTime() ?? null,
    expiresAt: row.expiresAt.getTime(),
    staleAt: row.staleAt?.getTime() ?? null,
  };
}

/** An item of GET /v1/auth/sessions without `current` (docs/contract.md, section 4.3). */
export interface SessionListItem
  extends Pick<
    SessionRow,
    "id" | "name" | "createdAt" | "expiresAt" | "ipAddress" | "userAgent" | "authMethod" | "aal"
  > {
  readonly lastUsedAt: Date;
  /** Address of the last refresh, or of the sign-in. */
  readonly lastIpAddress: string | null;
}

/** Columns of `SessionListItem`, of the alias `l`. */
export function listColumns(sql: Sql): Fragment {
  return sql`
    l.id, l.name, l.created_at as "createdAt", l.rotated_at as "lastUsedAt", l.expires_at as "expiresAt",
    l.ip_address as "ipAddress", coalesce(l.last_ip_address, l.ip_address) as "lastIpAddress",
    l.user_agent as "userAgent", l.auth_method as "authMethod", l.aal`;
}

/** The sessions of a user; with `boundTo`, only the sessions that are bound to this organization. */
export interface SessionReach {
  readonly userId: string;
  readonly boundTo?: string;
}

/** The sessions that a session may list and end (docs/contract.md, section 3.13). */
export function reachOf({ userId, organizationId, organizationBound }: SessionView): SessionReach {
  return organizationBound ? { userId, boundTo: organizationId } : { userId };
}

/** A condition on `sessions`. */
export function withinReach(sql: Sql, { userId, boundTo }: SessionReach): Fragment {
  if (boundTo === undefined) return sql`user_id = ${userId}`;
  return sql`user_id = ${userId} and organization_bound and organization_id = ${boundTo}`;
}

/** A page of the live sessions within reach, newest first, and their total. */
export async function listLiveSessions(
  sql: Sql,
  reach: SessionReach,
  at: Date,
  page: PageBounds,
): Promise<{ items: SessionListItem[]; total: number }> {
  const rows = await sql<(SessionListItem & { total: number })[]>`
    with live as (
      select * from sessions where ${withinReach(sql, reach)} and revoked_at is null and expires_at > ${at}
    )
    select counted.total, ${listColumns(sql)}
    from (select count(*)::int as total from live) counted
    left join lateral (
      select * from live order by created_at desc, id desc limit ${page.limit} offset ${page.offset}
    ) l on true`;
  return { items: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}

/** Names a live session within reach; undefined for any other session. */
export async function renameSession(
  sql: Sql,
  session: { readonly id: string; readonly reach: SessionReach; readonly name: string | null },
  at: Date,
): Promise<SessionListItem | undefined> {
  const [row] = await sql<SessionListItem[]>`
    update sessions l set name = ${session.name}
    where l.id = ${session.id} and ${withinReach(sql, session.reach)} and l.revoked_at is null and l.expires_at > ${at}
    returning ${listColumns(sql)}`;
  return row;
}

/** Deletes at most `batch` families that ended before `before`; returns how many. */
export const deleteEndedSessions = deleteRowsBefore("sessions", "ends_at");
