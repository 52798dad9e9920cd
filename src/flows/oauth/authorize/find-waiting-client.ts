import { hashOpaqueToken } from "../../../base/opaque-token.ts";
import type { Deps } from "../../../deps.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { findClientOfRequest, findClientOfStoredRequest } from "../../../models/oauth-request/oauth-request.ts";

export type WaitingClientDeps = Pick<Deps, "clock" | "database" | "oauthClients">;

/**
 * The client of a waiting request, for the pages between the request and the response. The handle suffices, because the
 * name and the logo of a client are public; only the browser of the request continues the request.
 */
export async function findWaitingClient(deps: WaitingClientDeps, handle: string): Promise<OAuthClient | undefined> {
  const handleHash = hashOpaqueToken(handle);
  if (!handleHash) return undefined;
  const at = new Date(deps.clock.now());
  const clientId = await deps.database.run("oauth_request.find_client", (sql) =>
    findClientOfRequest(sql, handleHash, at),
  );
  return clientId === undefined ? undefined : await deps.oauthClients.load(clientId);
}

/**
 * The registered client of a stored request, expired or not, for the way back to the application after a refusal of the
 * request.
 */
export async function findStoredClient(deps: WaitingClientDeps, handle: string): Promise<OAuthClient | undefined> {
  const handleHash = hashOpaqueToken(handle);
  if (!handleHash) return undefined;
  const clientId = await deps.database.run("oauth_request.find_stored_client", (sql) =>
    findClientOfStoredRequest(sql, handleHash),
  );
  const client = clientId === undefined ? undefined : await deps.oauthClients.load(clientId);
  return client?.kind === "registered" ? client : undefined;
}
