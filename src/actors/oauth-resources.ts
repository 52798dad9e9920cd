/**
 * Owns: the registered APIs in memory, so that the description of a scope and the validation of a resource indicator
 * need no query.
 * Updated by: writes of this replica (`changed`), writes of other replicas through a Redis stream, and a poll of
 * PostgreSQL, the source of truth, for changes lost by Redis.
 * Bound: `OAUTH_RESOURCES_REGISTERED_MAX` APIs of `OAUTH_RESOURCE_SCOPES_MAX` scopes; one load at a time.
 * A crash loses: no data; start() reads PostgreSQL again.
 */
import { listResources, OAUTH_RESOURCE_STREAM } from "../models/oauth-resource/oauth-resource.ts";
import { indexResources, type ResourceIndex } from "../models/oauth-resource/resource-index.ts";
import { type ReplicatedRowsDeps, type ReplicatedTable, replicateRows } from "../state/replicated-table.ts";

export interface OAuthResources extends ReplicatedTable {
  /** The index of the last load. */
  index(): ResourceIndex;
}

export function oauthResources(deps: ReplicatedRowsDeps): OAuthResources {
  const { held, ...table } = replicateRows(deps, {
    stream: OAUTH_RESOURCE_STREAM,
    operation: "oauth_resource.list",
    list: listResources,
    hold: indexResources,
    noun: "APIs",
  });
  return { ...table, index: held };
}
