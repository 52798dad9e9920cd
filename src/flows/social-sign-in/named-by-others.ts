/**
 * What a provider by configuration may not assert. A program or a platform admin names the provider, and so decides
 * what the provider asserts: no such assertion leads to a higher role (docs/contract.md, sections 5.6 and 35.5).
 */
import { refusal } from "../../base/problem.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { isProvider } from "../../models/provider-config/provider.ts";
import { initialOwnerAddress } from "../../models/user/email-address.ts";
import { hasProtectedUser } from "../../models/user/platform-role.ts";

export const PROTECTED = refusal(
  "conflict",
  "This account is not linked by its address. Sign in in another way, and link the provider in your account.",
);

/** Whether a provider by configuration asserts the address of `SERVICE_INITIAL_OWNER_EMAIL`. */
export function assertsReserved(deps: Pick<Deps, "config">, provider: string, email: string | undefined): boolean {
  return !isProvider(provider) && email !== undefined && initialOwnerAddress(deps.config) === email;
}

/** Whether a provider by configuration asserts the address of a user with a platform role. */
export async function assertsProtected(deps: StoreDeps, provider: string, userId: string): Promise<boolean> {
  if (isProvider(provider)) return false;
  return await deps.database.run("user.has_protected", (sql) => hasProtectedUser(sql, [userId]));
}
