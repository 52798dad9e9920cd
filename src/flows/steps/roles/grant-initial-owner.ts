import type { Sql } from "../../../database/database.ts";
import type { StoreDeps } from "../../../deps.ts";
import { initialOwnerAddress } from "../../../models/user/email-address.ts";
import { setRoleIn } from "./set-role-in.ts";

/**
 * Makes the user of `SERVICE_INITIAL_OWNER_EMAIL` platform owner after a proof of control of the mailbox: with the
 * proof itself, of the address `proven`, or at start. A verified address alone grants no role (docs/contract.md,
 * section 5.6). Returns whether the role was granted.
 */
export async function grantInitialOwner(deps: StoreDeps, sql: Sql, proven?: string): Promise<boolean> {
  const email = initialOwnerAddress(deps.config);
  if (email === undefined || (proven !== undefined && proven !== email)) return false;
  return await setRoleIn(deps, sql, { email, role: "owner", controlledOnly: true, source: "initial_owner" });
}
