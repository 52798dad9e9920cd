import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { hasProtectedUser } from "../../../models/user/platform-role.ts";
import { type CallerCredential, isProgramCredential } from "../credentials/lock-credential.ts";

const PROTECTED = refusal("forbidden", "This user has a platform role: no program changes the user.");

/**
 * A program changes no user with a platform role, in any organization and whatever its scopes (docs/contract.md,
 * section 35.5). A disabled user keeps the protection.
 */
export async function refuseProtected(
  sql: Sql,
  { credential }: { readonly credential: CallerCredential },
  userIds: readonly string[],
): Promise<Result<void, Refusal<"forbidden">>> {
  if (!isProgramCredential(credential) || userIds.length === 0) return ok(undefined);
  return (await hasProtectedUser(sql, userIds)) ? err(PROTECTED) : ok(undefined);
}
