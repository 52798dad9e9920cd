import { consumeRecoveryCode, hashRecoveryCode } from "../../../models/recovery-code/recovery-code.ts";
import { defineFactor } from "./factor.ts";

/** A recovery code. The proof is the hash of the code, which the state read by hash has found unused. */
export const recoveryCodeFactor = defineFactor({
  kind: "recovery_code",
  field: "recovery_code",
  lookupHash: ({ codeKey }, { userId, code }) => hashRecoveryCode(codeKey, userId, code),
  compare: (_deps, { recoveryCodeLive }, _attempt, hash) => (recoveryCodeLive ? hash : undefined),
  consume: (sql, { userId, at }, hash: Buffer, from) => consumeRecoveryCode(sql, userId, hash, at, from),
});
