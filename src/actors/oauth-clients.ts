/**
 * Owns: the clients of the OpenID provider in memory, so the authentication of a client needs no query.
 * Updated by: writes of this replica (`changed`), writes of other replicas through a Redis stream, and a poll of
 * PostgreSQL, the source of truth, for changes lost by Redis. The statement of each token issue checks again in
 * PostgreSQL whether the client is enabled.
 * Bound: `OAUTH_CLIENTS_MAX` clients; one load at a time.
 * A crash loses: no data; start() reads PostgreSQL again.
 */
import { listClients, OAUTH_CLIENT_STREAM, type OAuthClient } from "../models/oauth-client/oauth-client.ts";
import { type ReplicatedRowsDeps, type ReplicatedTable, replicateRows } from "../state/replicated-table.ts";

export interface OAuthClients extends ReplicatedTable {
  /** An enabled client. */
  find(id: string): OAuthClient | undefined;
}

export function oauthClients(deps: ReplicatedRowsDeps): OAuthClients {
  const { held, ...table } = replicateRows(deps, {
    stream: OAUTH_CLIENT_STREAM,
    operation: "oauth_client.list",
    list: listClients,
    hold: (clients) => new Map(clients.map((client) => [client.id, client])),
    noun: "OAuth clients",
  });
  return {
    ...table,
    find(id) {
      const client = held().get(id);
      return client && !client.disabled ? client : undefined;
    },
  };
}
