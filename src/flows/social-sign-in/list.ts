import type { Deps } from "../../deps.ts";
import { type LinkedIdentity, listIdentities } from "../../models/identity/identity.ts";
import type { SessionView } from "../../models/session/session.ts";

/** Lists the identity providers linked to the caller's account, oldest first, for the account page. */
export async function listOwnIdentities(
  deps: Pick<Deps, "database">,
  caller: SessionView,
): Promise<readonly LinkedIdentity[]> {
  return await deps.database.run("identity.list", (sql) => listIdentities(sql, caller.userId));
}
