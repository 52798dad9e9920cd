import type { Sql } from "../../base/database.ts";
import { REFRESH_GRACE_MS } from "../../base/limits.ts";
import { type Session, sessionColumns, toSession, type WithDates } from "./session.ts";

export interface Rotation {
  readonly sessionId: string;
  /** `jti` of the refresh token that was presented. */
  readonly presentedJti: string;
  readonly nextRefreshJti: string;
  readonly nextAccessJti: string;
  readonly at: number;
  readonly refreshMaxAgeMs: number;
}

/** The family as it stands after the statement, and what hinders it. */
export interface RotationRow {
  readonly session: Session;
  readonly rotated: boolean;
  readonly previousRefreshJti: string | null;
  /** Revoked, or its user disabled, its organization suspended, its membership gone. */
  readonly dead: boolean;
}

type Row = WithDates<Session> & Pick<RotationRow, "rotated" | "previousRefreshJti" | "dead">;

/**
 * Compares the presented `jti` with the current one and replaces it, in one statement (decisions, section 3). The row lock makes
 * parallel refreshes line up, and each sees what the one before it wrote: one wins, the others find the token before theirs.
 */
export async function rotateSession(sql: Sql, rotation: Rotation): Promise<RotationRow | undefined> {
  const at = new Date(rotation.at);
  const [row] = await sql<Row[]>`
    with family as (
      select s.*, s.revoked_at is not null or u.disabled_at is not null or o.suspended_at is not null or m.user_id is null as dead
      from sessions s
      join users u on u.id = s.user_id
      join organizations o on o.id = s.organization_id
      left join members m on m.user_id = s.user_id and m.organization_id = s.organization_id
      where s.id = ${rotation.sessionId}
      for update of s
    ), rotated as (
      update sessions s
      set previous_refresh_jti = s.refresh_jti, refresh_jti = ${rotation.nextRefreshJti}, access_jti = ${rotation.nextAccessJti},
          rotated_at = ${at}, expires_at = least(${new Date(rotation.at + rotation.refreshMaxAgeMs)}::timestamptz, s.ends_at)
      from family f
      where s.id = f.id and not f.dead and f.refresh_jti = ${rotation.presentedJti} and f.expires_at > ${at}
      returning s.*
    )
    select ${sessionColumns(sql)}, s.previous_refresh_jti as "previousRefreshJti", true as rotated, false as dead
    from rotated s
    union all
    select ${sessionColumns(sql)}, s.previous_refresh_jti, false, s.dead
    from family s where not exists (select from rotated)`;
  if (!row) return undefined;
  const { rotated, previousRefreshJti, dead, ...session } = row;
  return { session: toSession(session), rotated, previousRefreshJti, dead };
}

export type RefreshVerdict = "rotated" | "repeated" | "ended" | "reused";

/**
 * What a presented refresh token was. `repeated`: the one before the current, so short ago that it is a second tab and not a
 * thief; it gets the current pair again. `reused`: any older one, which only a copy can be (RFC 9700, section 4.14.2).
 */
export function judgeRefresh(row: RotationRow | undefined, presentedJti: string, at: number): RefreshVerdict {
  if (!row || row.dead) return "ended";
  if (row.rotated) return "rotated";
  if (row.session.refreshJti === presentedJti || row.session.expiresAt <= at) return "ended";
  const young = at - row.session.rotatedAt <= REFRESH_GRACE_MS;
  return young && row.previousRefreshJti === presentedJti ? "repeated" : "reused";
}
