import { type Listing, type Page, pageBounds } from "../../base/listing.ts";
import type { Deps } from "../../deps.ts";
import { listPasskeys, type Passkey } from "../../models/passkey/passkey.ts";
import type { SessionView } from "../../models/session/session.ts";

/** GET /v1/users/me/passkeys: the caller's, newest first. */
export async function listOwnPasskeys(
  deps: Pick<Deps, "database">,
  { caller, page }: { readonly caller: SessionView; readonly page: Page },
): Promise<Listing<Passkey>> {
  const found = await deps.database.run("passkey.list", (sql) => listPasskeys(sql, caller.userId, pageBounds(page)));
  return { ...page, ...found };
}
