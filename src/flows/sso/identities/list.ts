import { ok, type Result } from "../../../base/result.ts";
import { type Listing, type Page, pageBounds } from "../../../database/listing.ts";
import type { Deps } from "../../../deps.ts";
import { type IdentityListItem, listIdentities } from "../../../models/sso-identity/identity-list.ts";
import type { IdentityCaller } from "./authorize-identities.ts";

/** GET /v1/orgs/:org_id/sso/identities (docs/contract.md, section 29.14). A member lists own identities. */
export async function listOrganizationIdentities(
  deps: Pick<Deps, "reads">,
  { caller: { caller, scope }, page }: { readonly caller: IdentityCaller; readonly page: Page },
): Promise<Result<Listing<IdentityListItem>, never>> {
  const found = await deps.reads.run("sso_identity.list", caller.reader, (sql) =>
    listIdentities(sql, scope, pageBounds(page)),
  );
  return ok({ ...page, ...found });
}
