import type { Sql } from "../../database/database.ts";
import type { AccessRule } from "../../vocabulary/policy-settings.ts";
import { sessionRefusal } from "../conditions/organization-access.ts";
import { type Session, sessionColumns, toSession, type WithDates } from "./session.ts";

export interface Rotation {
  readonly sessionId: string;
  /** `jti` of the presented refresh token. */
  readonly presentedJti: string;
  readonly nextRefreshJti: string;
  readonly nextAccessJti: string;
  readonly at: number;
  readonly ipAddress: string | null;
  readonly refreshMaxAgeMs: number;
}

/** The present state of a session family. */
export interface Family {
  readonly session: Session;
  readonly previousRefreshJti: string | null;
  /** Revoked, or the user disabled, the organization suspended, or no membership. */
  readonly ended: boolean;
  /** The rule by which the organization refuses the session at the address of the request. */
  readonly refusal: AccessRule | null;
}

/**
 * Compares the presented `jti` with the current `jti` and replaces the row's value, in one statement (docs/contract.md,
 * section 3.6). Returns the session as of now, or undefined unless the token was the current token of a live family. Of
 * parallel refreshes one succeeds: the rest wait for the row lock, then find a newer `jti` (G4).
 */
export async function rotateSession(sql: Sql, rotation: Rotation): Promise<Session | undefined> {
  const at = new Date(rotation.at);
  const refreshEnds = new Date(rotation.at + rotation.refreshMaxAgeMs);
  const [row] = await sql<WithDates<Session>[]>`
    update sessions s
    set previous_refresh_jti = s.refresh_jti, refresh_jti = ${rotation.nextRefreshJti},
        access_jti = ${rotation.nextAccessJti}, rotated_at = ${at}, last_ip_address = ${rotation.ipAddress},
        expires_at = least(${refreshEnds}::timestamptz, s.ends_at)
    from users u, organizations o, members m
    where s.id = ${rotation.sessionId} and s.refresh_jti = ${rotation.presentedJti} and s.revoked_at is null
      and s.expires_at > ${at} and u.id = s.user_id and u.disabled_at is null
      and o.id = s.organization_id and o.suspended_at is null
      and m.user_id = s.user_id and m.organization_id = s.organization_id
      and coalesce(${sessionRefusal(sql, at, rotation.ipAddress)}, 'factor') = 'factor'
    returning ${sessionColumns(sql)}`;
  return row && toSession(row);
}

/**
 * The family of a token that was not rotated. Read after the rotation attempt, so the state includes the write of a
 * concurrent refresh.
 */
export async function findFamily(
  sql: Sql,
  { sessionId, ipAddress }: Pick<Rotation, "sessionId" | "ipAddress">,
  at: Date,
): Promise<Family | undefined> {
  const [row] = await sql<(WithDates<Session> & Omit<Family, "session">)[]>`
    select ${sessionColumns(sql)}, s.previous_refresh_jti as "previousRefreshJti",
           s.revoked_at is not null or u.disabled_at is not null or o.suspended_at is not null
             or m.user_id is null as ended,
           ${sessionRefusal(sql, at, ipAddress)} as refusal
    from sessions s
    join users u on u.id = s.user_id
    join organizations o on o.id = s.organization_id
    left join members m on m.user_id = s.user_id and m.organization_id = s.organization_id
    where s.id = ${sessionId}`;
  if (!row) return undefined;
  const { previousRefreshJti, ended, refusal, ...session } = row;
  return { session: toSession(session), previousRefreshJti, ended, refusal };
}

export type RefreshOutcome = "repeated" | "ended" | "reused" | "wrong_address";

/**
 * Classifies a refresh token that could not be rotated. `repeated`: the token before the current token, within the
 * grace period of two tabs; the response repeats the current pair. `reused`: any older token, which must be a copy (RFC
 * 9700, section 4.14.2). `wrong_address`: the organization admits no request from the address; the session continues
 * elsewhere.
 */
export function classifyRefresh(
  family: Family | undefined,
  presentedJti: string,
  at: number,
  repeatSeconds: number,
): RefreshOutcome {
  if (!family || family.ended || hasEndedByRule(family)) return "ended";
  const { session, previousRefreshJti, refusal } = family;
  const isElsewhere = refusal === "address" && session.expiresAt > at;
  if (session.refreshJti === presentedJti || session.expiresAt <= at) return isElsewhere ? "wrong_address" : "ended";
  const recent = at - session.rotatedAt <= repeatSeconds * 1000;
  if (!recent || previousRefreshJti !== presentedJti) return "reused";
  return isElsewhere ? "wrong_address" : "repeated";
}

/** A missing factor and a foreign address leave the session live. */
function hasEndedByRule({ refusal }: Family): boolean {
  return refusal === "sso_required" || refusal === "method" || refusal === "session";
}
