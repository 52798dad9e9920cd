import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { type FactorLoss, lockSoleBreakGlass } from "../../../models/sso-policy/enforcement.ts";

const LAST_BREAK_GLASS: Refusal<"conflict"> = {
  ...refusal("conflict", "The rules of an organization rely on this user for emergency access."),
  reason: "break_glass",
};

/**
 * Refuses a change that would take the last user with emergency access from an organization that requires single
 * sign-on (docs/contract.md, section 29.48). Inside the transaction of the change, before the first write.
 */
export async function keepBreakGlass(
  sql: Sql,
  userId: string,
  loss: FactorLoss | { readonly organizationId: string } | "account",
): Promise<Result<void, Refusal<"conflict">>> {
  const organizations = await lockSoleBreakGlass(sql, userId, loss);
  return organizations.length === 0 ? ok(undefined) : err(LAST_BREAK_GLASS);
}
