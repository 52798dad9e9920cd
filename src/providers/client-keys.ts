/**
 * Owns: the key sets of applications by address (`jwks_uri`), as last fetched. Updated by: requests. Bound:
 * `CLIENT_KEY_SETS_MAX`, least recently used first out. A crash loses: no data.
 */
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";
import { LRUCache } from "lru-cache";
import {
  CLIENT_DOCUMENT_KEYS_MAX,
  CLIENT_DOCUMENT_MAX_BYTES,
  CLIENT_KEY_SET_MAX_BYTES,
  CLIENT_KEY_SETS_MAX,
  CLIENT_KEYS_DEADLINE_MS,
  CLIENT_KEYS_MAX_AGE_MS,
  CLIENT_KEYS_REFRESH_MS,
} from "../limits/oauth-limits.ts";
import { type GuardedFetch, guardedFetch } from "./guarded-fetch.ts";
import { type GuardedPostOptions, guardedPost } from "./guarded-post.ts";

export interface ClientKeySets {
  /**
   * The keys at an address. An unknown key id causes a fetch, at most once in `CLIENT_KEYS_REFRESH_MS`. `ofDocument`:
   * a metadata document names the address, and no administrator has read the address.
   */
  find(uri: string, ofDocument: boolean): JWTVerifyGetKey;
}

export type ClientKeySetsOptions = Pick<GuardedPostOptions, "allows" | "loopback" | "resolve"> &
  /** Default: `CLIENT_KEYS_DEADLINE_MS`. */
  Partial<Pick<GuardedPostOptions, "deadlineMs">>;

/** Fetches public keys by checked connections: public addresses only, without redirects. */
export function clientKeySets(reach: ClientKeySetsOptions): ClientKeySets {
  const sets = new LRUCache<string, JWTVerifyGetKey>({ max: CLIENT_KEY_SETS_MAX });
  const fetchWithin = (maxBytes: number) =>
    guardedFetch(guardedPost({ deadlineMs: CLIENT_KEYS_DEADLINE_MS, ...reach, maxBytes }));
  const ofRegistered = fetchWithin(CLIENT_KEY_SET_MAX_BYTES);
  const ofDocuments = withFewKeys(fetchWithin(CLIENT_DOCUMENT_MAX_BYTES));
  return {
    find(uri, ofDocument) {
      const name = `${ofDocument} ${uri}`;
      const held = sets.get(name);
      if (held) return held;
      const fetch = ofDocument ? ofDocuments : ofRegistered;
      const keys = createRemoteJWKSet(new URL(uri), {
        [customFetch]: (url, { method, headers }) => fetch(url, { method, headers: Object.fromEntries(headers) }),
        cooldownDuration: CLIENT_KEYS_REFRESH_MS,
        cacheMaxAge: CLIENT_KEYS_MAX_AGE_MS,
      });
      sets.set(name, keys);
      return keys;
    },
  };
}

/** Every key without an id is tried for a signature: the number of keys bounds the work of an assertion. */
function withFewKeys(fetch: GuardedFetch): GuardedFetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const text = await response.text();
    const { keys } = JSON.parse(text) as { readonly keys?: unknown };
    if (!Array.isArray(keys) || keys.length > CLIENT_DOCUMENT_KEYS_MAX) throw new Error("too many keys, or no keys");
    return new Response(text, { status: response.status, headers: { "content-type": "application/json" } });
  };
}
