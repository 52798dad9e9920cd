import { type Listing, type Page, pageBounds } from "../../../database/listing.ts";
import type { Deps } from "../../../deps.ts";
import { OAUTH_CLIENTS_EXPORTED_MAX } from "../../../limits/oauth-limits.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { type ClientSearch, findClients } from "../../../models/oauth-client/search-clients.ts";
import type { ClientReader } from "../../steps/authorization/authorize-client-administration.ts";

export interface SearchClients {
  readonly caller: ClientReader;
  readonly search?: ClientSearch;
}

/** GET /v1/admin/oauth-clients (docs/contract.md, section 23.3): newest first. */
export async function listAllClients(
  { database }: Pick<Deps, "database">,
  { page, search = {} }: SearchClients & { readonly page: Page },
): Promise<Listing<OAuthClient>> {
  const found = await database.run("oauth_client.search", (sql) => findClients(sql, search, pageBounds(page)));
  return { ...page, ...found };
}

/** The first `OAUTH_CLIENTS_EXPORTED_MAX` matching clients. */
export async function searchClients(
  { database }: Pick<Deps, "database">,
  { search = {} }: SearchClients,
): Promise<readonly OAuthClient[]> {
  const bounds = { limit: OAUTH_CLIENTS_EXPORTED_MAX, offset: 0 };
  return (await database.run("oauth_client.search", (sql) => findClients(sql, search, bounds))).items;
}
