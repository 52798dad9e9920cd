import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { deleteRecoveryCodes } from "../../models/recovery-code/recovery-code.ts";
import type { ActingSession } from "../../models/session/acting-session.ts";
import { deleteTotpFactor } from "../../models/totp/totp.ts";
import { endTrustedBrowsers } from "../../models/trusted-browser/trusted-browser.ts";
import { renewCredentialsEpoch } from "../../models/user/user.ts";
import { keepBreakGlass } from "../steps/accounts/keep-break-glass.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { confirmPassword, type PasswordConfirmation } from "../steps/authorization/confirm-password.ts";
import {
  asActingSession,
  authorizeCredentialChange,
  changeCredentials,
} from "../steps/credentials/change-credentials.ts";
import { composeEmailTo, noticeDetails } from "../steps/email/compose-email.ts";

export type DisableInput = PasswordConfirmation & {
  /** The result of `authorizeCredentialChange`. */
  readonly authorized: ActingSession;
};

/**
 * POST /v1/auth/mfa/disable (docs/contract.md, section 8.5): removes the authenticator app and the recovery codes, and
 * ends trusted browsers and mfa_tokens. Succeeds also without an enabled factor. `mfa_required` means a session without
 * a verified second factor, `conflict` a user without a password, or the last user with emergency access.
 */
export async function disableMfa(
  deps: SignInDeps,
  input: DisableInput,
): Promise<Result<void, Refusal<"authentication_required" | "conflict" | "mfa_required" | "rate_limited">>> {
  const { caller, authorized } = input;
  const change = async (acting: ActingSession) => {
    const confirmed = await confirmPassword(deps, input);
    if (!confirmed.ok) return confirmed;
    if (!acting.mfaEnabled) return ok(undefined);
    return await disable(deps, input, acting);
  };
  return await changeCredentials(deps, caller, authorizeCredentialChange, change, authorized);
}

/** Undefined after a concurrent change of the credentials or the session. */
async function disable(
  deps: SignInDeps,
  { caller, client }: DisableInput,
  acting: ActingSession,
): Promise<Result<void, Refusal<"conflict">> | undefined> {
  const { userId } = caller;
  const at = new Date(deps.clock.now());
  const notice = { kind: "mfa_disabled" as const, values: noticeDetails(client, at) };
  const mail = await composeEmailTo(deps, caller, { mail: notice, client, at });
  const done = await asActingSession(deps, "mfa.disable", acting, async (sql) => {
    const kept = await keepBreakGlass(sql, userId, "totp");
    if (!kept.ok) return kept;
    const from = sql`from deleted`;
    const audit = insertAudit(sql, userAuditEvent(deps, caller, client, { action: "mfa.disabled", at }), from);
    await sql`
      with deleted as (${deleteTotpFactor(sql, userId)}),
      account as (${renewCredentialsEpoch(sql, userId, at, from)}),
      codes as (${deleteRecoveryCodes(sql, userId, from)}),
      browsers as (${endTrustedBrowsers(sql, userId, at, from)}),
      email as (${insertEmail(sql, mail, from)})
      ${audit}`;
    return ok(undefined);
  });
  if (done?.ok) deps.outbox.wake();
  return done;
}
