import { NOT_SIGNED_IN, type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { EmailDeps, StoreDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { deleteAccessLinks } from "../../models/mailed-token/mailed-token.ts";
import { listRecoverablePasskeys } from "../../models/passkey/passkey.ts";
import { findActingSession } from "../../models/session/acting-session.ts";
import type { SessionView } from "../../models/session/session.ts";
import { isControlled, removePassword } from "../../models/user/control.ts";
import { lockUser, renewCredentialsEpoch } from "../../models/user/user.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import { authorizeCredentialChange } from "../steps/credentials/change-credentials.ts";
import { composeEmailTo, noticeDetails } from "../steps/email/compose-email.ts";
import { requireStepUp } from "../steps/sessions/step-up.ts";

const NO_OTHER_WAY = refusal("conflict", "Add a passkey that is synchronised, or a second passkey, first.");
const NOT_CONTROLLED = refusal("conflict", "Verify your email address first.");

/** Authorizes the removal of the password: a step-up within five minutes, by the row of the session. */
export async function authorizePasswordRemoval(
  deps: StoreDeps,
  caller: SessionView,
): Promise<Result<void, Refusal<"authentication_required" | "mfa_required">>> {
  const acting = await authorizeCredentialChange(deps, caller);
  return acting.ok ? requireStepUp(deps, acting.value) : acting;
}

/**
 * DELETE /v1/users/me/password (docs/contract.md, section 12.13): removes the password and ends reset links. Succeeds
 * also without a password. The passkeys are read under the lock of the user, so that a passkey and the password are not
 * removed at once. `conflict` means an account that would be lost with one device, or an address without a proof.
 */
export async function removeOwnPassword(
  deps: EmailDeps,
  { caller, client }: { readonly caller: SessionView; readonly client: RequestContext },
): Promise<Result<void, Refusal<"authentication_required" | "conflict">>> {
  const { userId } = caller;
  const at = new Date(deps.clock.now());
  const notice = { kind: "password_removed" as const, values: noticeDetails(client, at) };
  const mail = await composeEmailTo(deps, caller, { mail: notice, client, at });
  const entry = userAuditEvent(deps, caller, client, { action: "auth.password.removed", at });
  const outcome = await deps.database.transaction("password.remove", async (sql) => {
    // A separate statement: the snapshot of the next statement includes everything committed before the lock.
    await lockUser(sql, userId);
    const acting = await findActingSession(sql, caller, at);
    if (!acting || (acting.mfaEnabled && acting.aal !== "aal2")) return err(NOT_SIGNED_IN);
    if (!acting.hasPassword) return ok(undefined);
    const passkeys = await listRecoverablePasskeys(sql, userId);
    if (passkeys.length < 2 && !passkeys.some(({ backedUp }) => backedUp)) return err(NO_OTHER_WAY);
    if (!(await isControlled(sql, userId))) return err(NOT_CONTROLLED);
    const from = sql`from removed`;
    await sql`
      with removed as (${removePassword(sql, userId, at)}),
      links as (${deleteAccessLinks(sql, userId)}),
      email as (${insertEmail(sql, mail, from)})
      ${insertAudit(sql, entry, from)}`;
    await renewCredentialsEpoch(sql, userId, at);
    return ok(undefined);
  });
  if (outcome.ok) deps.outbox.wake();
  return outcome;
}
