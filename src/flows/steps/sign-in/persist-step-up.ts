import { err, ok, type Result } from "../../../base/result.ts";
import type { Fragment, Sql } from "../../../database/database.ts";
import { type Cte, cte, withParts } from "../../../database/statement.ts";
import type { SignInDeps } from "../../../deps.ts";
import { STEP_UP_WINDOW_MS } from "../../../limits/factor-limits.ts";
import { type AuditEntry, insertAudit } from "../../../models/audit/audit.ts";
import { changeEvent, logChange } from "../../../models/session/revocation.ts";
import {
  lockLiveSession,
  type Session,
  type SessionView,
  sessionColumns,
  stepUpSession,
  toSession,
  type WithDates,
} from "../../../models/session/session.ts";
import { tokensDeadAt } from "../sessions/end-sessions.ts";
import { STEPPED_UP } from "../sessions/step-up.ts";
import { type AccessToken, issueAccessToken } from "../tokens/issue-session-tokens.ts";

export interface StepUpResult {
  /** Milliseconds. */
  readonly mfaVerifiedAt: number;
  readonly stepUpExpiresAt: number;
  readonly token: AccessToken;
}

/** A verified factor of the caller, not consumed yet. */
export interface VerifiedFactor {
  readonly caller: SessionView;
  readonly at: Date;
  /** The time of the authentication, if the factor was verified elsewhere. Default: `at`. */
  readonly verifiedAt?: Date;
  /** Whether the factor is the factor that the organization of a bound session requires. Default: false. */
  readonly isOwnFactor?: boolean;
  /** Whether the factor is a passkey. */
  readonly byPasskey?: boolean;
  /** CTE fragment: locks the user; one row if the user may present the factor. */
  readonly allow: (sql: Sql) => Fragment;
  /** CTE fragment: one row for the first request that consumes the factor. `live`: the CTE of the locked session. */
  readonly consume: (sql: Sql, live: Cte) => Fragment;
  readonly entry: AuditEntry;
}

/**
 * Steps the caller's session up: one statement consumes the factor if the session is live, updates the session and logs
 * the change. Requires a signing slot.
 */
export async function persistStepUp(
  deps: SignInDeps,
  { caller, at, verifiedAt = at, isOwnFactor = false, byPasskey = false, allow, consume, entry }: VerifiedFactor,
): Promise<Result<StepUpResult, "session_ended" | "used_meanwhile">> {
  const expiresAt = tokensDeadAt(deps, at);
  const [row] = await deps.database.run("mfa.step_up", (sql) => {
    const [allowed, live, changed, events] = [
      cte(sql, "allowed"),
      cte(sql, "live"),
      cte(sql, "changed"),
      cte(sql, "events"),
    ];
    const statement = withParts(sql, {
      allowed: allow(sql),
      live: lockLiveSession(sql, caller.id, at, sql`from ${allowed}`),
      consumed: consume(sql, live),
      changed: stepUpSession(
        sql,
        { sessionId: caller.id, at: verifiedAt, isOwnFactor, byPasskey },
        sql`from ${cte(sql, "consumed")}`,
      ),
      events: logChange(sql, changed, STEPPED_UP, at, expiresAt),
      audit: insertAudit(sql, entry, sql`from ${changed}`),
    });
    return sql<(WithDates<Session> & { xid: string | null; ended: boolean })[]>`
      ${statement}
      select ${sessionColumns(sql)}, ${events}.xid::text as xid,
             exists (select 1 from ${allowed}) and not exists (select 1 from ${live}) as ended
      from (select 1) one left join ${changed} s on true left join ${events} on true`;
  });
  if (!row?.xid) return err(row?.ended ? "session_ended" : "used_meanwhile");
  const { xid, ended: _, ...columns } = row;
  await deps.revocations.announce([changeEvent(caller.id, STEPPED_UP, at, expiresAt, xid)]);
  const issued = { jti: deps.random.uuid(), issuedAt: at.getTime() };
  const token = await issueAccessToken(deps, toSession(columns), issued);
  const mfaVerifiedAt = verifiedAt.getTime();
  return ok({ mfaVerifiedAt, stepUpExpiresAt: mfaVerifiedAt + STEP_UP_WINDOW_MS, token });
}
