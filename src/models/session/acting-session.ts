import type { sessions } from "../../../db/schema/sessions.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";

type SessionRow = RowOf<typeof sessions>;

/** A live session that is about to change credentials, and the state at the authorization of the change. */
export interface ActingSession extends Pick<SessionRow, "userId" | "aal" | "controlProven"> {
  readonly sessionId: string;
  /** Milliseconds. */
  readonly authTime: number;
  readonly mfaVerifiedAt: number | null;
  /** Increased by every change of the user's credentials, enabling and disabling the second factor included. */
  readonly credentialsEpoch: number;
  readonly mfaEnabled: boolean;
  readonly hasPasskey: boolean;
  readonly hasPassword: boolean;
}

interface ActingTimes {
  readonly authTime: Date;
  readonly mfaVerifiedAt: Date | null;
}

/** The session as the row states now, not as a cached view does; `undefined` for a session that is not live. */
export async function findActingSession(
  sql: Sql,
  session: { readonly id: string; readonly userId: string },
  at: Date,
): Promise<ActingSession | undefined> {
  const [row] = await sql<(Omit<ActingSession, "authTime" | "mfaVerifiedAt"> & ActingTimes)[]>`
    select s.id as "sessionId", s.user_id as "userId", s.aal, s.auth_time as "authTime",
           s.mfa_verified_at as "mfaVerifiedAt", s.control_proven as "controlProven",
           u.credentials_epoch as "credentialsEpoch", t.user_id is not null as "mfaEnabled",
           exists (select 1 from passkeys where user_id = u.id and deleted_at is null) as "hasPasskey",
           u.password_hash is not null as "hasPassword"
    from sessions s
    join users u on u.id = s.user_id
    left join totp_factors t on t.user_id = u.id and t.confirmed_at is not null
    where s.id = ${session.id} and s.user_id = ${session.userId} and s.revoked_at is null and s.expires_at > ${at}
      and u.disabled_at is null`;
  return row && { ...row, authTime: row.authTime.getTime(), mfaVerifiedAt: row.mfaVerifiedAt?.getTime() ?? null };
}

/**
 * Inside a transaction: whether the session is live and the user enabled. Session and user are locked: a controlling
 * proof, a revocation and a change of credentials wait for the end of the transaction.
 */
export async function lockLiveSession(
  sql: Sql,
  session: { readonly id: string; readonly userId: string },
  at: Date,
): Promise<boolean> {
  const rows = await sql`
    select 1 from users u join sessions s on s.user_id = u.id
    where u.id = ${session.userId} and u.disabled_at is null and s.id = ${session.id} and s.revoked_at is null
      and s.expires_at > ${at}
    for share of u, s`;
  return rows.length > 0;
}

/**
 * CTE fragment, or the first statement of a transaction: one row if the session is still live, at the epoch and
 * assurance level of the authorization. Locks the user, so that changes of credentials run in sequence, and the
 * session, so that a revocation waits. In a single statement, rows that were committed during the wait for the lock
 * stay invisible to further parts of the statement (PostgreSQL manual, 13.2.1); a change that must see these rows needs
 * the transaction.
 */
export function lockActingSession(sql: Sql, acting: ActingSession, at: Date): Fragment {
  return sql`
    select u.id as user_id
    from users u join sessions s on s.user_id = u.id
    where u.id = ${acting.userId} and u.disabled_at is null and u.credentials_epoch = ${acting.credentialsEpoch}
      and s.id = ${acting.sessionId} and s.revoked_at is null and s.expires_at > ${at}
      and (s.aal = 'aal2' or not ${acting.mfaEnabled}::boolean)
    for no key update of u for share of s`;
}
