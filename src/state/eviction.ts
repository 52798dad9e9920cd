import { Cluster, type Redis } from "ioredis";
import { STATE_CONNECTION_TIMEOUT_MS } from "../base/limits.ts";
import { connect, connected } from "./redis.ts";

/** What a Redis, or the nodes of a cluster, do when their memory is full. */
export type EvictionReport =
  /** `evicting`: the policies other than `noeviction`, each once. */
  | { readonly kind: "known"; readonly evicting: readonly string[] }
  /** The server does not let this client read its configuration, as many hosted ones do not. */
  | { readonly kind: "hidden" }
  | { readonly kind: "away"; readonly detail: string };

/**
 * Asks for `maxmemory-policy`. A Redis that evicts forgets counters of guesses when strangers fill it with keys of
 * their own. For the doctor: it connects and leaves.
 */
export async function reportEviction(url: string): Promise<EvictionReport> {
  let failure: Error | undefined;
  const onConnectionError = (error: Error) => {
    failure = error;
  };
  const connection = connect({ url, onConnectionError }, STATE_CONNECTION_TIMEOUT_MS);
  try {
    await (await connected(connection)).ping();
    const nodes = connection instanceof Cluster ? connection.nodes("master") : [connection];
    return reportOf(await Promise.all(nodes.map(readPolicy)));
  } catch (error) {
    return { kind: "away", detail: failure?.message || String(error) };
  } finally {
    connection.disconnect();
  }
}

function reportOf(policies: readonly (string | undefined)[]): EvictionReport {
  const evicting = policies.flatMap((policy) => (policy === undefined || policy === "noeviction" ? [] : [policy]));
  if (evicting.length === 0 && policies.includes(undefined)) return { kind: "hidden" };
  return { kind: "known", evicting: [...new Set(evicting)] };
}

/** Undefined where the server refuses CONFIG, or has no such setting. */
async function readPolicy(node: Redis): Promise<string | undefined> {
  try {
    const [, policy] = (await node.config("GET", "maxmemory-policy")) as readonly string[];
    return policy;
  } catch (error) {
    if (error instanceof Error && error.name === "ReplyError") return undefined;
    throw error;
  }
}
