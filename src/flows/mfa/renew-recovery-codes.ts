import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import {
  deleteRecoveryCodes,
  hashRecoveryCode,
  insertRecoveryCodes,
  makeRecoveryCodes,
} from "../../models/recovery-code/recovery-code.ts";
import type { ActingSession } from "../../models/session/acting-session.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { confirmPassword, type PasswordConfirmation } from "../steps/authorization/confirm-password.ts";
import {
  asActingSession,
  authorizeCredentialChange,
  changeCredentials,
} from "../steps/credentials/change-credentials.ts";
import { composeEmailTo, noticeDetails } from "../steps/email/compose-email.ts";

export type RenewCodesInput = PasswordConfirmation & {
  /** The result of `authorizeCredentialChange`. */
  readonly authorized: ActingSession;
};

/**
 * POST /v1/auth/mfa/recovery-codes (docs/contract.md, section 8.6): replaces the recovery codes by ten new codes and
 * notifies the user. `mfa_required` means a session without a verified second factor, `conflict` a user without an
 * enabled factor or without a password.
 */
export async function renewRecoveryCodes(
  deps: SignInDeps,
  input: RenewCodesInput,
): Promise<
  Result<readonly string[], Refusal<"authentication_required" | "conflict" | "mfa_required" | "rate_limited">>
> {
  const { caller, authorized } = input;
  const change = async (acting: ActingSession) => {
    const confirmed = await confirmPassword(deps, input);
    if (!confirmed.ok) return confirmed;
    if (!acting.mfaEnabled) return err(refusal("conflict", "Multi-factor authentication is not enabled."));
    return await replace(deps, input, acting);
  };
  return await changeCredentials(deps, caller, authorizeCredentialChange, change, authorized);
}

/** Runs in a transaction that sees, and replaces, the codes of a concurrent renewal that committed first. */
async function replace(
  deps: SignInDeps,
  { caller, client }: RenewCodesInput,
  acting: ActingSession,
): Promise<Result<readonly string[], never> | undefined> {
  const { userId } = caller;
  const codes = makeRecoveryCodes(deps.random);
  const hashes = codes.map((code) => hashRecoveryCode(deps.codeKey, { userId, organizationId: null }, code));
  const at = new Date(deps.clock.now());
  const notice = { kind: "recovery_codes_renewed" as const, values: noticeDetails(client, at) };
  const mail = await composeEmailTo(deps, caller, { mail: notice, client, at });
  const entry = userAuditEvent(deps, caller, client, { action: "mfa.recovery_codes.regenerated", at });
  const replaced = await asActingSession(deps, "mfa.renew_recovery_codes", acting, async (sql) => {
    await sql`
      with old_codes as (${deleteRecoveryCodes(sql, userId)}),
      codes as (${insertRecoveryCodes(sql, userId, hashes)}),
      email as (${insertEmail(sql, mail)})
      ${insertAudit(sql, entry, sql``)}`;
    return ok(codes);
  });
  if (replaced) deps.outbox.wake();
  return replaced;
}
