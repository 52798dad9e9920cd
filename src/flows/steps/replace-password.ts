import type { ClientFacts } from "../../base/client-facts.ts";
import type { Sql } from "../../base/database.ts";
import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail, type SealedEmail } from "../../models/email/email.ts";
import { deleteEmailCode } from "../../models/email-code/email-code.ts";
import { deleteMailedTokens } from "../../models/mailed-token/mailed-token.ts";
import { normalizePassword, passwordFlaw } from "../../models/password/password.ts";
import { lockLiveSessions, type SessionEvent } from "../../models/session/revocation.ts";
import { endTrustedBrowsers } from "../../models/trusted-browser/trusted-browser.ts";
import { changePassword, lockUser } from "../../models/user/user.ts";
import { type Actor, userAuditEvent } from "./audit-event.ts";
import { type EndDeps, endSessionsIn } from "./end-sessions.ts";

/**
 * The form in which a new password is hashed. Refuses with `invalid_input` for one that is too short, too long or known to everybody
 * (contract, section 5, point 10; decisions, section 4). `field`: how the client calls it.
 */
export async function validateNewPassword(
  deps: Pick<Deps, "passwordCheck">,
  field: string,
  text: string,
): Promise<Result<string>> {
  const password = normalizePassword(text);
  const weakness = passwordFlaw(password);
  if (weakness) return err(refusal("invalid_input", `${field}: ${weakness}`));
  if (await deps.passwordCheck.isCommon(password)) {
    return err(refusal("invalid_input", `${field}: this password is on lists that everybody guesses from`));
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
  readonly mail: SealedEmail;
  readonly at: Date;
}

/**
 * Inside a transaction: the new hash, and the end of whatever the old password had opened: sessions, trusted browsers, mfa_tokens,
 * codes and links under way (decisions, section 5 and 6). Returns the events to announce once the transaction has committed;
 * `undefined` when the password was changed meanwhile.
 */
export async function replacePasswordIn(
  deps: EndDeps,
  sql: Sql,
  change: PasswordChange,
): Promise<readonly SessionEvent[] | undefined> {
  const { actor, action, at, client } = change;
  const { userId } = actor;
  const from = sql`from changed`;
  // The next statement sees, and ends, whatever others committed for this user before the lock.
  await lockUser(sql, userId);
  const rows = await sql`
    with changed as (${changePassword(sql, userId, change.passwordHash, change.from, at)}),
    browsers as (${endTrustedBrowsers(sql, userId, at, from)}),
    codes as (${deleteEmailCode(sql, userId)}),
    links as (${deleteMailedTokens(sql, userId, "password_reset")}),
    letter as (${insertEmail(sql, change.mail, from)}),
    audit as (${insertAudit(sql, userAuditEvent(deps, actor, client, { action, at }), from)})
    select 1 from changed`;
  if (rows.length === 0) return undefined;
  const sessionIds = await lockLiveSessions(sql, userId, change.keepSession);
  return await endSessionsIn(deps, sql, sessionIds, {
    userId,
    reason: change.reason,
    auditAction: "auth.session.revoked",
    client,
  });
}
