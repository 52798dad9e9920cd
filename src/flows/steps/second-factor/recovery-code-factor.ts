import { consumeOrganizationCode } from "../../../models/organization-factor/organization-factor.ts";
import { consumeRecoveryCode, hashRecoveryCode } from "../../../models/recovery-code/recovery-code.ts";
import { isMemberFactor } from "../../../vocabulary/factor-owner.ts";
import { defineFactor } from "./factor.ts";

/** A recovery code. The proof is the hash of the code, which the state read by hash has found unused. */
export const recoveryCodeFactor = defineFactor({
  kind: "recovery_code",
  field: "recovery_code",
  lookupHash: ({ codeKey }, { owner, code }) => hashRecoveryCode(codeKey, owner, code),
  compare: (_deps, { recoveryCodeLive }, _attempt, hash) => (recoveryCodeLive ? hash : undefined),
  consume: (sql, { owner, at }, hash: Buffer, from) =>
    isMemberFactor(owner)
      ? consumeOrganizationCode(sql, owner, hash, from)
      : consumeRecoveryCode(sql, owner.userId, hash, at, from),
});
