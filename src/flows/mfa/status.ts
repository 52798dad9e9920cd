import type { Deps } from "../../deps.ts";
import { findMfaStatus, type MfaStatus } from "../../models/second-factor/second-factor.ts";

/** GET /v1/auth/mfa/status (docs/contract.md, section 8.2). */
export function readMfaStatus(deps: Pick<Deps, "database">, userId: string): Promise<MfaStatus> {
  return deps.database.run("mfa.find_status", (sql) => findMfaStatus(sql, userId));
}
