/**
 * Owns: the key sets of applications by address (`jwks_uri`), as last fetched: those of registered applications, and
 * those of applications of unknown origin. Updated by: requests. Bound: `CLIENT_KEY_SETS_MAX` of each, least recently
 * used first out. A crash loses: no data.
 */
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";
import { LRUCache } from "lru-cache";
import { type Clock, systemClock } from "../base/clock.ts";
import { isSignatureKey, withKnownMembers } from "../base/public-jwk.ts";
import {
  CLIENT_DOCUMENT_KEYS_MAX,
  CLIENT_DOCUMENT_MAX_BYTES,
  CLIENT_KEY_SET_MAX_BYTES,
  CLIENT_KEY_SETS_MAX,
  CLIENT_KEYS_DEADLINE_MS,
  CLIENT_KEYS_MAX_AGE_MS,
  CLIENT_KEYS_REFRESH_MS,
  CLIENT_KEYS_RETRY_MS,
} from "../limits/oauth-limits.ts";
import { type GuardedFetch, guardedFetch } from "./guarded-fetch.ts";
import { type GuardedPostOptions, guardedPost } from "./guarded-post.ts";

export interface ClientKeySets {
  /**
   * The keys at an address. An unknown key id causes a fetch, at most once in `CLIENT_KEYS_REFRESH_MS`, and after a
   * failure each use, at most once in `CLIENT_KEYS_RETRY_MS`: an anonymous caller names the host of a document, and
   * lets the service call no host without bound. `hasFewKeys`: at most `CLIENT_DOCUMENT_KEYS_MAX` keys, for an
   * address that no administrator has read.
   */
  find(uri: string, hasFewKeys: boolean): JWTVerifyGetKey;
}

export type ClientKeySetsOptions = Pick<GuardedPostOptions, "allows" | "loopback" | "resolve"> &
  /** Default: `CLIENT_KEYS_DEADLINE_MS`. */
  Partial<Pick<GuardedPostOptions, "deadlineMs">> & { readonly clock?: Pick<Clock, "monotonic"> };

/** Fetches public keys by checked connections: public addresses only, without redirects. */
export function clientKeySets({ clock = systemClock, ...reach }: ClientKeySetsOptions): ClientKeySets {
  const fetchWithin = (maxBytes: number) =>
    guardedFetch(guardedPost({ deadlineMs: CLIENT_KEYS_DEADLINE_MS, ...reach, maxBytes }));
  const ofRegistered = keySetsBy(clock, fetchWithin(CLIENT_KEY_SET_MAX_BYTES));
  const ofUnregistered = keySetsBy(clock, withFewKeys(fetchWithin(CLIENT_DOCUMENT_MAX_BYTES)));
  return { find: (uri, hasFewKeys) => (hasFewKeys ? ofUnregistered : ofRegistered)(uri) };
}

function keySetsBy(clock: Pick<Clock, "monotonic">, send: GuardedFetch): (uri: string) => JWTVerifyGetKey {
  const sets = new LRUCache<string, JWTVerifyGetKey>({ max: CLIENT_KEY_SETS_MAX });
  return (uri) => {
    const held = sets.get(uri);
    if (held) return held;
    const fetch = withPause(clock, send);
    const keys = createRemoteJWKSet(new URL(uri), {
      [customFetch]: (url, { method, headers }) => fetch(url, { method, headers: Object.fromEntries(headers) }),
      cooldownDuration: CLIENT_KEYS_REFRESH_MS,
      cacheMaxAge: CLIENT_KEYS_MAX_AGE_MS,
    });
    sets.set(uri, keys);
    return keys;
  };
}

/** Refuses a fetch for a time after a failure. */
function withPause(clock: Pick<Clock, "monotonic">, fetch: GuardedFetch): GuardedFetch {
  let pausedUntil = Number.NEGATIVE_INFINITY;
  return async (url, init) => {
    if (clock.monotonic() < pausedUntil) throw new Error("the keys could not be fetched a moment ago");
    pausedUntil = clock.monotonic() + CLIENT_KEYS_RETRY_MS;
    const response = await fetch(url, init);
    if (response.ok) pausedUntil = Number.NEGATIVE_INFINITY;
    return response;
  };
}

/**
 * Every key without an id is tried for a signature: the number of keys bounds the work of an assertion. Only keys for
 * signatures count, with their known members.
 */
function withFewKeys(fetch: GuardedFetch): GuardedFetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const text = await response.text();
    const { keys } = JSON.parse(text) as { readonly keys?: unknown };
    const usable = (Array.isArray(keys) ? keys : []).filter(isSignatureKey).map(withKnownMembers);
    if (usable.length === 0 || usable.length > CLIENT_DOCUMENT_KEYS_MAX) throw new Error("too many keys, or no keys");
    return new Response(JSON.stringify({ keys: usable }), {
      status: response.status,
      headers: { "content-type": "application/json" },
    });
  };
}
