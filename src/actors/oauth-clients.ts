/**
 * Owns: the clients of the OpenID provider in memory, so the authentication of a client needs no query.
 * Updated by: writes of this replica (`changed`), writes of other replicas through a Redis stream, and a poll of
 * PostgreSQL, the source of truth, for changes lost by Redis. The statement of each token issue checks again in
 * PostgreSQL whether the client is enabled.
 * Bound: `OAUTH_CLIENTS_MAX`, `OAUTH_DYNAMIC_CLIENTS_MAX` and `OAUTH_DOCUMENT_CLIENTS_MAX` clients; one load at a
 * time.
 * A crash loses: no data; start() reads PostgreSQL again.
 */
import { listClients, OAUTH_CLIENT_STREAM, type OAuthClient } from "../models/oauth-client/oauth-client.ts";
import type { ResourceIndex } from "../models/oauth-resource/resource-index.ts";
import { type ReplicatedRowsDeps, type ReplicatedTable, replicateRows } from "../state/replicated-table.ts";

export interface OAuthClients extends ReplicatedTable {
  /** An enabled client, by its `client_id` or by the id of the row. */
  find(id: string): OAuthClient | undefined;
  /** Whether an administrator has disabled the client. */
  isDisabled(id: string): boolean;
}

/** `open`: the access of clients that a metadata document identifies, beside scopes of users. */
export function oauthClients(deps: ReplicatedRowsDeps, open: () => ResourceIndex["open"]): OAuthClients {
  const { held, ...table } = replicateRows(deps, {
    stream: OAUTH_CLIENT_STREAM,
    operation: "oauth_client.list",
    list: listClients,
    hold: (clients) => new Map(clients.flatMap((client) => idsOf(client).map((id) => [id, client]))),
    noun: "OAuth clients",
  });
  return {
    ...table,
    find(id) {
      const client = held().get(id);
      if (!client || client.disabled) return undefined;
      return client.document === null ? client : withOpenAccess(client, open());
    },
    isDisabled: (id) => held().get(id)?.disabled === true,
  };
}

function idsOf({ id, document }: OAuthClient): readonly string[] {
  return document === null ? [id] : [id, document.url];
}

/** The APIs decide at every request: an API that is no longer open gives no further access. */
function withOpenAccess(client: OAuthClient, { resources, scopes }: ResourceIndex["open"]): OAuthClient {
  return { ...client, resources, scopes: [...client.scopes, ...scopes] };
}
