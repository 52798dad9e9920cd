import type { ClientFacts } from "../../base/client-facts.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { insertEmail } from "../../models/email/email.ts";
import { deleteRecoveryCodes } from "../../models/recovery-code/recovery-code.ts";
import { deleteTotpFactor } from "../../models/totp/totp.ts";
import { endTrustedBrowsers } from "../../models/trusted-browser/trusted-browser.ts";
import { renewCredentialsEpoch } from "../../models/user/user.ts";
import { userAuditEvent } from "../steps/audit-event.ts";
import { composeEmailTo, requestContext } from "../steps/compose-email.ts";
import { type ConfirmDeps, confirmPassword, type PasswordConfirmation } from "../steps/confirm-password.ts";

export type DisableDeps = ConfirmDeps & Pick<Deps, "random" | "sealing" | "outbox">;
export type DisableInput = PasswordConfirmation & { readonly client: ClientFacts };

/**
 * POST /v1/auth/mfa/disable (decisions, section 5): authenticator app, recovery codes, trusted browsers and live mfa_tokens go.
 * Done also when nothing was enabled. Refuses with `authentication_required` for a wrong password, `rate_limited`.
 */
export async function disableMfa(deps: DisableDeps, input: DisableInput): Promise<Result<void>> {
  const confirmed = await confirmPassword(deps, input);
  if (!confirmed.ok) return confirmed;
  const { caller, client } = input;
  const { userId } = caller;
  const at = new Date(deps.clock.now());
  const notice = { kind: "mfa_disabled" as const, values: requestContext(client, at) };
  const mail = await composeEmailTo(deps, userId, client, notice, at);
  await deps.database.run("mfa.disable", (sql) => {
    const from = sql`from gone`;
    const audit = insertAudit(sql, userAuditEvent(deps, caller, client, { action: "mfa.disabled", at }), from);
    return sql`
      with gone as (${deleteTotpFactor(sql, userId)}),
      person as (${renewCredentialsEpoch(sql, userId, at, from)}),
      codes as (${deleteRecoveryCodes(sql, userId, from)}),
      browsers as (${endTrustedBrowsers(sql, userId, at, from)}),
      letter as (${insertEmail(sql, mail, from)})
      ${audit}`;
  });
  deps.outbox.wake();
  return ok(undefined);
}
