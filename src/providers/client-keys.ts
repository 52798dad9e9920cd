/**
 * Owns: the key sets of applications by address (`jwks_uri`), as last fetched: those of registered applications, and
 * those of applications of unknown origin. Updated by: requests. Bound: `CLIENT_KEY_SETS_MAX` of each, least recently
 * used first out. A crash loses: no data.
 */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { LRUCache } from "lru-cache";
import type { Clock } from "../base/clock.ts";
import { err, ok, type Result } from "../base/result.ts";
import {
  CLIENT_KEY_SET_MAX_BYTES,
  CLIENT_KEY_SETS_MAX,
  CLIENT_KEYS_DEADLINE_MS,
  CLIENT_KEYS_MAX_AGE_MS,
  CLIENT_KEYS_REFRESH_MS,
  CLIENT_KEYS_RETRY_MS,
} from "../limits/oauth-limits.ts";
import {
  type ClientDocuments,
  type ClientDocumentsOptions,
  clientDocuments,
  type DocumentFailure,
} from "./client-documents.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { type GuardedPostOptions, guardedPost } from "./guarded-post.ts";
import { issuerKeySets } from "./issuer-keys.ts";

/** The keys at an address that no administrator has read. */
export interface UnregisteredKeys {
  readonly uri: string;
  /** The network of the caller, as for documents. */
  readonly network: string;
  /** Decides about a fetch that begins. `isHeld`: the address has served keys before. */
  readonly admit: (isHeld: boolean) => Promise<boolean>;
}

/** Thrown in place of a key: the fetch is beyond the bounds, so the signature is neither valid nor invalid. */
export class KeysBusyError extends Error {}

/**
 * The keys at an address. An unknown key id causes a fetch, at most once in `CLIENT_KEYS_REFRESH_MS`, and after a
 * failure each use, at most once in `CLIENT_KEYS_RETRY_MS`.
 */
export interface ClientKeySets {
  /** The keys of an application that an administrator registered. */
  find(uri: string): JWTVerifyGetKey;
  /** The keys of another application, fetched by the rules and bounds of documents. Throws `KeysBusyError`. */
  findUnregistered(request: UnregisteredKeys): JWTVerifyGetKey;
}

export type ClientKeySetsOptions = Pick<GuardedPostOptions, "allows" | "loopback" | "resolve" | "proxy"> & {
  readonly clock: Pick<Clock, "monotonic">;
  /** The fetches of unregistered applications, whose bounds are shared by documents, logos and keys. */
  readonly documents: Pick<ClientDocuments, "fetchKeys">;
};

/** What fetches documents, logos and keys that applications name, with bounds in common, and keys of issuers. */
export function clientFetches(clock: Clock, reach: ClientDocumentsOptions) {
  const documents = clientDocuments(clock, reach);
  const clientKeys = clientKeySets({ ...reach, clock, documents });
  return { clientDocuments: documents, clientKeySets: clientKeys, issuerKeySets: issuerKeySets({ clock }, reach) };
}

/** Fetches public keys by checked connections: public addresses only, without redirects. */
export function clientKeySets({ clock, documents, ...reach }: ClientKeySetsOptions): ClientKeySets {
  const send = guardedPost({ deadlineMs: CLIENT_KEYS_DEADLINE_MS, ...reach, maxBytes: CLIENT_KEY_SET_MAX_BYTES });
  const fetchRegistered = registeredKeys(guardedFetch(send));
  const registered = keySetsBy(clock);
  const unregistered = keySetsBy(clock);
  return {
    find: (uri) => registered(uri, () => fetchRegistered(uri)),
    findUnregistered: ({ uri, network, admit }) =>
      unregistered(uri, (isHeld) => documents.fetchKeys({ url: uri, network, admit: () => admit(isHeld) })),
  };
}

type FetchedKeys = Result<JSONWebKeySet, DocumentFailure>;

function registeredKeys(fetch: ReturnType<typeof guardedFetch>): (uri: string) => Promise<FetchedKeys> {
  return async (uri) => {
    try {
      const response = await fetch(uri, { headers: { accept: "application/json" } });
      if (!response.ok) return err({ kind: "unavailable", cause: `the response has the status ${response.status}` });
      return ok((await response.json()) as JSONWebKeySet);
    } catch (error) {
      return err({ kind: "unavailable", cause: String(error) });
    }
  };
}

interface HeldSet {
  keys?: JWTVerifyGetKey;
  fetchedAt: number;
  /** No fetch begins before: the last fetch failed. */
  pausedUntil: number;
  fetching?: Promise<JWTVerifyGetKey>;
}

type FetchKeys = (isHeld: boolean) => Promise<FetchedKeys>;

function keySetsBy(clock: Pick<Clock, "monotonic">): (uri: string, fetch: FetchKeys) => JWTVerifyGetKey {
  const sets = new LRUCache<string, HeldSet>({ max: CLIENT_KEY_SETS_MAX });

  async function refresh(set: HeldSet, fetch: FetchKeys): Promise<JWTVerifyGetKey> {
    if (clock.monotonic() < set.pausedUntil) throw new Error("the keys could not be fetched a moment ago");
    const fetched = await fetch(set.keys !== undefined);
    if (!fetched.ok) {
      if (fetched.error.kind === "busy") throw new KeysBusyError("too many key sets are fetched");
      set.pausedUntil = clock.monotonic() + CLIENT_KEYS_RETRY_MS;
      throw new Error(fetched.error.cause);
    }
    set.keys = createLocalJWKSet(fetched.value);
    set.fetchedAt = clock.monotonic();
    return set.keys;
  }

  /** Parallel calls share a fetch. */
  function refreshOnce(set: HeldSet, fetch: FetchKeys): Promise<JWTVerifyGetKey> {
    set.fetching ??= refresh(set, fetch).finally(() => {
      delete set.fetching;
    });
    return set.fetching;
  }

  return (uri, fetch) => async (header, token) => {
    const set = sets.get(uri) ?? { fetchedAt: Number.NEGATIVE_INFINITY, pausedUntil: Number.NEGATIVE_INFINITY };
    sets.set(uri, set);
    const ageMs = () => clock.monotonic() - set.fetchedAt;
    const keys = set.keys && ageMs() < CLIENT_KEYS_MAX_AGE_MS ? set.keys : await refreshOnce(set, fetch);
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || ageMs() < CLIENT_KEYS_REFRESH_MS) throw error;
      return await (await refreshOnce(set, fetch))(header, token);
    }
  };
}
