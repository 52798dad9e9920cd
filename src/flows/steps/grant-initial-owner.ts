import type { Deps } from "../../deps.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { setRole } from "../platform/set-role.ts";

/** `SERVICE_INITIAL_OWNER_EMAIL` becomes platform owner once its address is proven, by whatever link (decisions, section 2). */
export async function grantInitialOwner(
  deps: Pick<Deps, "config" | "clock" | "random" | "database">,
  email: string,
): Promise<void> {
  const { initialOwnerEmail } = deps.config;
  if (initialOwnerEmail === undefined || normalizeEmail(initialOwnerEmail) !== email) return;
  await setRole(deps, { email, role: "owner", verifiedOnly: true, source: "initial_owner" });
}
