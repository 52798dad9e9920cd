import type { FieldFlaw } from "../../../base/invalid-input.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import type { Deps, SessionDeps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { insertEmail, type SealedEmail } from "../../../models/email/email.ts";
import { deleteEmailCode } from "../../../models/email-code/email-code.ts";
import { clearFailedAttempts } from "../../../models/failed-attempt/failed-attempt.ts";
import { deleteAccessLinks } from "../../../models/mailed-token/mailed-token.ts";
import {
  findPasswordRules,
  type PasswordOwner,
  type PasswordRules,
} from "../../../models/organization-policy/organization-policy.ts";
import { normalizePassword, passwordFlaw } from "../../../models/password/password.ts";
import { lockLiveSessions, type SessionEvent } from "../../../models/session/revocation.ts";
import { endTrustedBrowsers } from "../../../models/trusted-browser/trusted-browser.ts";
import { changePassword, lockUser } from "../../../models/user/user.ts";
import { type Actor, userAuditEvent } from "../audit/audit-event.ts";
import { endSessionsIn, tokensLiveSince } from "../sessions/end-sessions.ts";

/**
 * Validates a new password and returns the normalized form that is hashed, or the flaw: too short, too long or common
 * (docs/contract.md, section 2.4). `field`: the name of the member in the body. `owner`: the user, or the organizations
 * that a new user joins, whose policies count (section 33.3).
 */
export async function validateNewPassword(
  deps: Pick<Deps, "clock" | "database" | "passwordCheck">,
  field: string,
  text: string,
  owner?: PasswordOwner,
): Promise<Result<string, FieldFlaw>> {
  const password = normalizePassword(text);
  const rules = owner && passwordFlaw(password) === undefined ? await rulesOf(deps, owner) : NO_PASSWORD_RULES;
  const flaw = passwordFlaw(password, rules.minLength ?? undefined);
  if (flaw) return err({ field, ...flaw });
  if (await deps.passwordCheck.isCommon(password, rules.check)) {
    return err({ field, rule: "common_password", text: "this password is on a list of common passwords" });
  }
  return ok(password);
}

const NO_PASSWORD_RULES: PasswordRules = { minLength: null, check: false };

async function rulesOf(
  { clock, database }: Pick<Deps, "clock" | "database">,
  owner: PasswordOwner,
): Promise<PasswordRules> {
  const at = new Date(clock.now());
  return await database.run("organization_policy.find_password_rules", (sql) => findPasswordRules(sql, owner, at));
}

export interface PasswordChange {
  readonly actor: Actor;
  readonly passwordHash: string;
  /** The hash that the current password was compared with; null: there was no password; undefined at a reset. */
  readonly from?: string | null;
  /** The session that does not end, if any. */
  readonly keepSession?: string;
  readonly action: "auth.password.changed" | "auth.password_reset.consumed";
  readonly reason: "password_changed" | "password_reset";
  /** Whether the user had no password before. */
  readonly first?: boolean;
  readonly client: RequestContext;
  readonly mail: SealedEmail;
  readonly at: Date;
}

/**
 * Runs inside a transaction: stores the new hash, clears the guesses of the password, and of emailed codes after a
 * reset, which proved the mailbox, and ends sessions, trusted browsers, mfa_tokens, email codes and
 * reset links (docs/contract.md, sections 12.4 and 12.5). Returns the events to announce after the commit; undefined
 * after a concurrent change of the password.
 */
export async function replacePasswordIn(
  deps: SessionDeps,
  sql: Sql,
  change: PasswordChange,
): Promise<readonly SessionEvent[] | undefined> {
  const { actor, action, at, client } = change;
  const { userId } = actor;
  const from = sql`from changed`;
  const never = sql`from (select 1 where false) never`;
  const metadata = change.first ? { first_password: true } : {};
  // A separate statement: the snapshot of the next statement then includes everything committed before the lock.
  await lockUser(sql, userId);
  const rows = await sql`
    with changed as (${changePassword(sql, userId, change.passwordHash, change.from, at)}),
    browsers as (${endTrustedBrowsers(sql, userId, at, from)}),
    codes as (${deleteEmailCode(sql, userId)}),
    links as (${deleteAccessLinks(sql, userId)}),
    misses as (${clearFailedAttempts(sql, userId, "email_code", change.from === undefined ? from : never)}),
    email as (${insertEmail(sql, change.mail, from)}),
    audit as (${insertAudit(sql, userAuditEvent(deps, actor, client, { action, at, metadata }), from)})
    select 1 from changed`;
  if (rows.length === 0) return undefined;
  const sessionIds = await lockLiveSessions(sql, { userId }, change.keepSession, tokensLiveSince(deps));
  return await endSessionsIn(deps, sql, sessionIds, {
    userId,
    reason: change.reason,
    auditAction: "auth.session.revoked",
    client,
  });
}
