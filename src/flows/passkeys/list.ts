import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { hasUsablePasskey, listPasskeys, type Passkey } from "../../models/passkey/passkey.ts";
import type { SessionView } from "../../models/session/session.ts";

/** GET /v1/users/me/passkeys (docs/contract.md, section 9.3). */
export async function listOwnPasskeys(
  deps: Pick<Deps, "reads">,
  { caller, page }: { readonly caller: SessionView; readonly page: Page },
): Promise<Listing<Passkey>> {
  const listed = await deps.reads.run("passkey.list", caller, (sql) =>
    listPasskeys(sql, caller.userId, pageBounds(page)),
  );
  return { ...page, ...listed };
}

/** Whether a passkey of the caller gives a step-up (docs/contract.md, section 12.16). */
export async function hasStepUpPasskey({ database }: Pick<Deps, "database">, caller: SessionView): Promise<boolean> {
  return await database.run("passkey.has_usable", (sql) => hasUsablePasskey(sql, caller.userId));
}
