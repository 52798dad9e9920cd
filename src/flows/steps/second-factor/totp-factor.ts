import { unixSeconds } from "../../../base/clock.ts";
import type { Deps } from "../../../deps.ts";
import { consumeOrganizationStep } from "../../../models/organization-factor/organization-factor.ts";
import { consumeTotpStep, matchingStep, openSecret } from "../../../models/totp/totp.ts";
import { type FactorOwner, isMemberFactor } from "../../../vocabulary/factor-owner.ts";
import { defineFactor } from "./factor.ts";

/** A code of the authenticator app. The proof is the time step of the code (RFC 6238). */
export const totpFactor = defineFactor({
  kind: "totp",
  field: "code",
  compare(deps, { sealedSecret, lastStep }, { owner, code, at }) {
    const secret = sealedSecret && openTotpSecret(deps, owner, sealedSecret);
    return secret ? matchingStep(secret, code, unixSeconds(at.getTime()), lastStep) : undefined;
  },
  consume: (sql, { owner }, step: number, from) =>
    isMemberFactor(owner)
      ? consumeOrganizationStep(sql, owner, step, from)
      : consumeTotpStep(sql, owner.userId, step, from),
});

/**
 * Opens a sealed TOTP secret; undefined after a failure. A failure is logged, because no code matches then and the user
 * cannot sign in until the factor is reset.
 */
export function openTotpSecret(
  { sealing, log }: Pick<Deps, "sealing" | "log">,
  owner: FactorOwner,
  sealed: Buffer,
): string | undefined {
  const secret = openSecret(sealing, owner, sealed);
  if (secret === undefined)
    log.error({ user_id: owner.userId }, "a sealed TOTP secret cannot be opened for its user; no code matches");
  return secret;
}
