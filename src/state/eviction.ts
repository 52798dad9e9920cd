import { Cluster, type Redis } from "ioredis";
import { causeOfConnection } from "../base/connection-cause.ts";
import { STATE_CONNECTION_TIMEOUT_MS, STATE_PROBE_KEY, STATE_PROBE_LIFETIME_MS } from "../limits/state-limits.ts";
import { close, connect, connected } from "./redis-connection.ts";

/** The eviction policy of a Redis server or of the nodes of a cluster. */
export type EvictionReport =
  /** `evicting`: the distinct policies except `noeviction`. */
  | { readonly kind: "known"; readonly evicting: readonly string[] }
  /** The server does not permit CONFIG, which is common for hosted servers. */
  | { readonly kind: "hidden" }
  /** The server answers, and refuses a write of the service: a replica, a full server, or a user without the keys. */
  | { readonly kind: "unusable"; readonly detail: string }
  | { readonly kind: "login"; readonly detail: string }
  | { readonly kind: "away"; readonly detail: string; readonly remedy: string };

/** Replies to a missing or wrong login, and to a password without a user of older servers. */
const REFUSED_LOGIN = /^(?:NOAUTH|WRONGPASS|ERR (?:invalid password|AUTH|Client sent AUTH))/;

/**
 * Reads `maxmemory-policy` for the doctor, over a separate connection. An evicting Redis loses counters of failed
 * attempts when an attacker fills the memory with further keys.
 */
export async function reportEviction(url: string): Promise<EvictionReport> {
  let failure: Error | undefined;
  const onConnectionError = (error: Error) => {
    failure = error;
  };
  const connection = connect({ url, onConnectionError }, STATE_CONNECTION_TIMEOUT_MS);
  try {
    await (await connected(connection)).ping();
    await connection.set(STATE_PROBE_KEY, "1", "PX", STATE_PROBE_LIFETIME_MS);
    const nodes = connection instanceof Cluster ? connection.nodes("master") : [connection];
    return reportOf(await Promise.all(nodes.map(readPolicy)));
  } catch (error) {
    const replies = [failure, error].filter((each): each is Error => each instanceof Error);
    const login = replies.find(({ message }) => REFUSED_LOGIN.test(message));
    if (login) return { kind: "login", detail: login.message };
    if (error instanceof Error && error.name === "ReplyError") return { kind: "unusable", detail: error.message };
    const known = causeOfConnection(failure ?? error);
    if (known) return { kind: "away", detail: known.cause, remedy: known.remedy };
    const remedy = "check the address, and TLS: rediss:// for a port with TLS, redis:// for a port without";
    return { kind: "away", detail: failure ? `no response: ${failure.message}` : "no response", remedy };
  } finally {
    close(connection);
  }
}

function reportOf(policies: readonly (string | undefined)[]): EvictionReport {
  const evicting = policies.flatMap((policy) => (policy === undefined || policy === "noeviction" ? [] : [policy]));
  if (evicting.length === 0 && policies.includes(undefined)) return { kind: "hidden" };
  return { kind: "known", evicting: [...new Set(evicting)] };
}

/** `undefined` if the server refuses CONFIG or has no eviction setting. */
async function readPolicy(node: Redis): Promise<string | undefined> {
  try {
    const [, policy] = (await node.config("GET", "maxmemory-policy")) as readonly string[];
    return policy;
  } catch (error) {
    if (error instanceof Error && error.name === "ReplyError") return undefined;
    throw error;
  }
}
