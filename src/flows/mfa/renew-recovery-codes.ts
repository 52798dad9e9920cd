import type { ClientFacts } from "../../base/client-facts.ts";
import { problem } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import {
  deleteRecoveryCodes,
  hashRecoveryCode,
  insertRecoveryCodes,
  makeRecoveryCodes,
} from "../../models/recovery-code/recovery-code.ts";
import { lockTotpFactor } from "../../models/totp/totp.ts";
import { entryBy } from "../steps/audit-entry.ts";
import { type ConfirmNeeds, confirmPassword, type PasswordConfirmation } from "../steps/confirm-password.ts";

export type RenewCodesNeeds = ConfirmNeeds & Pick<Deps, "random" | "codeKey">;
export type RenewCodesInput = PasswordConfirmation & { readonly client: ClientFacts };

/**
 * POST /v1/auth/mfa/recovery-codes (decisions, section 5): ten new codes, the old ones die. Refuses with
 * `authentication_required` for a wrong password, `conflict` when multi-factor authentication is not enabled, `rate_limited`.
 */
export async function renewRecoveryCodes(
  needs: RenewCodesNeeds,
  input: RenewCodesInput,
): Promise<Result<readonly string[]>> {
  const confirmed = await confirmPassword(needs, input);
  if (!confirmed.ok) return confirmed;
  const codes = makeRecoveryCodes(needs.random);
  const replaced = await replace(needs, input, codes);
  return replaced ? ok(codes) : refuse(problem("conflict", "Multi-factor authentication is not enabled."));
}

/** Locks the factor before it looks at the codes: of two renewals at once, the codes of the later one stay. */
async function replace(
  needs: RenewCodesNeeds,
  { caller, client }: RenewCodesInput,
  codes: readonly string[],
): Promise<boolean> {
  const { userId } = caller;
  const hashes = codes.map((code) => hashRecoveryCode(needs.codeKey, userId, code));
  return await needs.database.transaction("mfa.renew_recovery_codes", async (sql) => {
    const [factor] = await lockTotpFactor(sql, userId);
    if (!factor) return false;
    const audit = insertAudit(
      sql,
      entryBy(needs, caller, client, { action: "mfa.recovery_codes.regenerated", at: new Date(needs.clock.now()) }),
      sql``,
    );
    await sql`
      with old_codes as (${deleteRecoveryCodes(sql, userId)}),
      codes as (${insertRecoveryCodes(sql, userId, hashes)})
      ${audit}`;
    return true;
  });
}
