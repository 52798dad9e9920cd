import { type BoundedSearch, type ListedItem, pageOf, searchBounded } from "../../database/bounded-list.ts";
import type { Listing, Page } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { listClients, type OAuthClient } from "../../models/oauth-client/oauth-client.ts";
import type { ClientReader } from "../steps/authorization/authorize-client-administration.ts";

/** GET /v1/admin/oauth-clients (docs/contract.md, section 23.3): newest first. */
export async function listAllClients(
  deps: Pick<Deps, "database">,
  { page, ...input }: SearchClients & { readonly page: Page },
): Promise<Listing<OAuthClient>> {
  return pageOf(await searchClients(deps, input), page);
}

export interface SearchClients {
  readonly caller: ClientReader;
  readonly search?: BoundedSearch & { readonly type?: OAuthClient["applicationType"] | undefined };
}

/** The matching clients, of at most `OAUTH_CLIENTS_MAX`. A search finds parts of the name and of the `client_id`. */
export async function searchClients(
  deps: Pick<Deps, "database">,
  { search = {} }: SearchClients,
): Promise<readonly OAuthClient[]> {
  const all = await deps.database.run("oauth_client.list", listClients);
  const ofType = all.filter(({ applicationType }) => search.type === undefined || applicationType === search.type);
  return searchBounded(ofType, listedClient, search);
}

function listedClient({ id, name, disabled, createdAt }: OAuthClient): ListedItem {
  return { name, text: id, isOn: !disabled, at: createdAt };
}
