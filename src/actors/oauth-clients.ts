/**
 * Owns: the clients of the OpenID provider in memory, so the authentication of a client needs no query.
 * Updated by: writes of this replica (`changed`), writes of other replicas through a Redis stream, and a poll of
 * PostgreSQL, the source of truth, for changes lost by Redis. The statement of each token issue checks again in
 * PostgreSQL whether the client is enabled.
 * Bound: `OAUTH_CLIENTS_MAX` clients; one load at a time.
 * A crash loses: no data; start() reads PostgreSQL again.
 */
import type { Database } from "../database/database.ts";
import { listClients, OAUTH_CLIENT_STREAM, type OAuthClient } from "../models/oauth-client/oauth-client.ts";
import { type ReplicatedTable, replicateTable } from "../state/replicated-table.ts";
import type { State } from "../state/state.ts";
import type { Logger } from "../telemetry/log.ts";

export interface OAuthClients extends ReplicatedTable {
  /** An enabled client. */
  find(id: string): OAuthClient | undefined;
}

export interface OAuthClientsDeps {
  readonly database: Database;
  readonly state: State;
  readonly log: Logger;
}

export function oauthClients({ database, state, log }: OAuthClientsDeps): OAuthClients {
  let clients: ReadonlyMap<string, OAuthClient> = new Map();
  const table = replicateTable({
    state,
    stream: OAUTH_CLIENT_STREAM,
    async load() {
      const all = await database.run("oauth_client.list", listClients);
      clients = new Map(all.map((client) => [client.id, client]));
    },
    onFailure: (error) => log.debug({ err: error }, "OAuth clients could not be read; the last known ones stay in use"),
  });
  return {
    ...table,
    find(id) {
      const client = clients.get(id);
      return client && !client.disabled ? client : undefined;
    },
  };
}
