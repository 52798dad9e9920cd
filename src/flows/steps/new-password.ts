import type { ClientFacts } from "../../base/client-facts.ts";
import type { Sql } from "../../base/database.ts";
import { problem } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { deleteEmailCode } from "../../models/email-code/email-code.ts";
import { insertLetter, type SealedLetter } from "../../models/letter/letter.ts";
import { deleteMailedTokens } from "../../models/mailed-token/mailed-token.ts";
import { judgeNewPassword, normalizePassword } from "../../models/password/password.ts";
import { lockLiveSessions, type SessionEvent } from "../../models/session/revocation.ts";
import { endTrustedBrowsers } from "../../models/trusted-browser/trusted-browser.ts";
import { changePassword } from "../../models/user/user.ts";
import { type Actor, entryBy } from "./audit-entry.ts";
import { type EndNeeds, endSessionsIn } from "./end-sessions.ts";

/**
 * The form in which a new password is hashed. Refuses with `invalid_input` for one that is too short, too long or known to everybody
 * (contract, section 5, point 10; decisions, section 4). `field`: how the client calls it.
 */
export async function admitNewPassword(
  needs: Pick<Deps, "passwordCheck">,
  field: string,
  text: string,
): Promise<Result<string>> {
  const password = normalizePassword(text);
  const weakness = judgeNewPassword(password);
  if (weakness) return refuse(problem("invalid_input", `${field}: ${weakness}`));
  if (await needs.passwordCheck.isCommon(password)) {
    return refuse(problem("invalid_input", `${field}: this password is on lists that everybody guesses from`));
  }
  return ok(password);
}

export interface PasswordChange {
  readonly actor: Actor;
  readonly passwordHash: string;
  /** The hash that the current password was compared with; absent at a reset. */
  readonly from?: string;
  /** The session that goes on, if one does. */
  readonly keepSession?: string;
  readonly action: "auth.password.changed" | "auth.password_reset.consumed";
  readonly reason: "password_changed" | "password_reset";
  readonly client: ClientFacts;
  readonly letter: SealedLetter;
  readonly at: Date;
}

/**
 * Inside a transaction: the new hash, and the end of whatever the old password had opened: sessions, trusted browsers, mfa_tokens,
 * codes and links under way (decisions, sections 5 and 6). Answers the events to announce once the transaction has committed;
 * `undefined` when the password was changed meanwhile.
 */
export async function replacePasswordIn(
  needs: EndNeeds,
  sql: Sql,
  change: PasswordChange,
): Promise<readonly SessionEvent[] | undefined> {
  const { actor, action, at, client } = change;
  const { userId } = actor;
  const from = sql`from changed`;
  const rows = await sql`
    with changed as (${changePassword(sql, userId, change.passwordHash, change.from, at)}),
    browsers as (${endTrustedBrowsers(sql, userId, at, from)}),
    codes as (${deleteEmailCode(sql, userId)}),
    links as (${deleteMailedTokens(sql, userId, "password_reset")}),
    letter as (${insertLetter(sql, change.letter, from)}),
    audit as (${insertAudit(sql, entryBy(needs, actor, client, { action, at }), from)})
    select 1 from changed`;
  if (rows.length === 0) return undefined;
  const sessionIds = await lockLiveSessions(sql, userId, change.keepSession);
  return await endSessionsIn(needs, sql, sessionIds, {
    userId,
    reason: change.reason,
    auditAction: "auth.session.revoked",
    client,
  });
}
