/**
 * Owns: the key sets of applications by address (`jwks_uri`), as last fetched. Updated by: requests. Bound:
 * `CLIENT_KEY_SETS_MAX`, least recently used first out. A crash loses: no data.
 */
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";
import { LRUCache } from "lru-cache";
import {
  CLIENT_KEY_SET_MAX_BYTES,
  CLIENT_KEY_SETS_MAX,
  CLIENT_KEYS_DEADLINE_MS,
  CLIENT_KEYS_MAX_AGE_MS,
  CLIENT_KEYS_REFRESH_MS,
} from "../limits/oauth-limits.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { type GuardedPostOptions, guardedPost } from "./guarded-post.ts";

export interface ClientKeySets {
  /** The keys at an address. An unknown key id causes a fetch, at most once in `CLIENT_KEYS_REFRESH_MS`. */
  find(uri: string): JWTVerifyGetKey;
}

/** Fetches public keys by checked connections: public addresses only, without redirects. */
export function clientKeySets(reach: Pick<GuardedPostOptions, "allows" | "loopback">): ClientKeySets {
  const sets = new LRUCache<string, JWTVerifyGetKey>({ max: CLIENT_KEY_SETS_MAX });
  const bounds = { deadlineMs: CLIENT_KEYS_DEADLINE_MS, maxBytes: CLIENT_KEY_SET_MAX_BYTES };
  const fetch = guardedFetch(guardedPost({ ...reach, ...bounds }));
  return {
    find(uri) {
      const held = sets.get(uri);
      if (held) return held;
      const keys = createRemoteJWKSet(new URL(uri), {
        [customFetch]: (url, { method, headers }) => fetch(url, { method, headers: Object.fromEntries(headers) }),
        cooldownDuration: CLIENT_KEYS_REFRESH_MS,
        cacheMaxAge: CLIENT_KEYS_MAX_AGE_MS,
      });
      sets.set(uri, keys);
      return keys;
    },
  };
}
