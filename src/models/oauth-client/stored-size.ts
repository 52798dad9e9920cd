import type { NewClient } from "./oauth-client.ts";

/** The size of the texts of a client, which third parties choose for clients of unknown origin. */
export function storedBytes(client: NewClient): number {
  const { name, logoUrl, policyUri, tosUri, clientUri, jwksUri, backchannelLogoutUri } = client;
  const { keys, redirectUris, postLogoutRedirectUris, scopes, resources } = client;
  const texts = [name, logoUrl, policyUri, tosUri, clientUri, jwksUri, backchannelLogoutUri];
  const lists = [keys, redirectUris, postLogoutRedirectUris, scopes, resources];
  return Buffer.byteLength(JSON.stringify([texts, lists]));
}
