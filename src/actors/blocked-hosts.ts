/**
 * Owns: the hosts whose metadata documents identify no client, in memory.
 * Updated by: writes of this replica (`changed`), writes of other replicas through a Redis stream, and a poll of
 * PostgreSQL, the source of truth, for changes lost by Redis.
 * Bound: `BLOCKED_HOSTS_MAX` hosts; one load at a time.
 * A crash loses: no data; start() reads PostgreSQL again.
 */
import { BLOCKED_HOST_STREAM, isHostOf, listBlockedHosts } from "../models/oauth-client/blocked-host.ts";
import { type ReplicatedRowsDeps, type ReplicatedTable, replicateRows } from "../state/replicated-table.ts";

export interface BlockedHosts extends ReplicatedTable {
  isBlocked(host: string): boolean;
}

export function blockedHosts(deps: ReplicatedRowsDeps): BlockedHosts {
  const { held, ...table } = replicateRows(deps, {
    stream: BLOCKED_HOST_STREAM,
    operation: "oauth_blocked_host.list",
    list: listBlockedHosts,
    hold: (hosts) => hosts.map(({ host }) => host),
    noun: "blocked hosts",
  });
  return { ...table, isBlocked: (host) => held().some((pattern) => isHostOf(pattern, host)) };
}
