import type { ClientFacts } from "../../base/client-facts.ts";
import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  deleteRecoveryCodes,
  hashRecoveryCode,
  insertRecoveryCodes,
  makeRecoveryCodes,
} from "../../models/recovery-code/recovery-code.ts";
import { lockTotpFactor } from "../../models/totp/totp.ts";
import { userAuditEvent } from "../steps/audit-event.ts";
import { type ConfirmDeps, confirmPassword, type PasswordConfirmation } from "../steps/confirm-password.ts";

export type RenewCodesDeps = ConfirmDeps & Pick<Deps, "random" | "codeKey">;
export type RenewCodesInput = PasswordConfirmation & { readonly client: ClientFacts };

/**
 * POST /v1/auth/mfa/recovery-codes (decisions, section 5): ten new codes, the old ones die. Refuses with
 * `authentication_required` for a wrong password, `conflict` when multi-factor authentication is not enabled, `rate_limited`.
 */
export async function renewRecoveryCodes(
  deps: RenewCodesDeps,
  input: RenewCodesInput,
): Promise<Result<readonly string[]>> {
  const confirmed = await confirmPassword(deps, input);
  if (!confirmed.ok) return confirmed;
  const codes = makeRecoveryCodes(deps.random);
  const replaced = await replace(deps, input, codes);
  return replaced ? ok(codes) : err(refusal("conflict", "Multi-factor authentication is not enabled."));
}

/** Locks the factor before it looks at the codes: of two renewals at once, the codes of the later one stay. */
async function replace(
  deps: RenewCodesDeps,
  { caller, client }: RenewCodesInput,
  codes: readonly string[],
): Promise<boolean> {
  const { userId } = caller;
  const hashes = codes.map((code) => hashRecoveryCode(deps.codeKey, userId, code));
  return await deps.database.transaction("mfa.renew_recovery_codes", async (sql) => {
    const [factor] = await lockTotpFactor(sql, userId);
    if (!factor) return false;
    const audit = insertAudit(
      sql,
      userAuditEvent(deps, caller, client, {
        action: "mfa.recovery_codes.regenerated",
        at: new Date(deps.clock.now()),
      }),
      sql``,
    );
    await sql`
      with old_codes as (${deleteRecoveryCodes(sql, userId)}),
      codes as (${insertRecoveryCodes(sql, userId, hashes)})
      ${audit}`;
    return true;
  });
}
