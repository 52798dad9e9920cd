/**
 * Owns: the key sets of applications by address (`jwks_uri`), as last fetched: those of registered applications, and
 * those of applications of unknown origin. Updated by: requests. Bound: `CLIENT_KEY_SETS_MAX` of each. A crash loses:
 * no data.
 */
import type { JSONWebKeySet, JWTVerifyGetKey } from "jose";
import type { Clock } from "../base/clock.ts";
import { err, ok } from "../base/result.ts";
import {
  CLIENT_KEY_SET_MAX_BYTES,
  CLIENT_KEY_SETS_MAX,
  CLIENT_KEYS_DEADLINE_MS,
  CLIENT_KEYS_MAX_AGE_MS,
  CLIENT_KEYS_REFRESH_MS,
  CLIENT_KEYS_RETRY_MS,
} from "../limits/oauth-limits.ts";
import { type ClientDocuments, type ClientDocumentsOptions, clientDocuments } from "./client-documents.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { type GuardedPostOptions, guardedPost } from "./guarded-post.ts";
import { issuerKeySets } from "./issuer-keys.ts";
import { type FetchedKeys, type KeySetsOptions, keySets } from "./key-sets.ts";

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

const BOUNDS: Omit<KeySetsOptions, "clock"> = {
  setsMax: CLIENT_KEY_SETS_MAX,
  ageMs: CLIENT_KEYS_MAX_AGE_MS,
  refreshMs: CLIENT_KEYS_REFRESH_MS,
  pauseMs: () => CLIENT_KEYS_RETRY_MS,
  errorOf: (failure) =>
    failure.kind === "busy" ? new KeysBusyError("too many key sets are fetched") : new Error(failure.cause),
};

/** Fetches public keys by checked connections: public addresses only, without redirects. */
export function clientKeySets({ clock, documents, ...reach }: ClientKeySetsOptions): ClientKeySets {
  const send = guardedPost({ deadlineMs: CLIENT_KEYS_DEADLINE_MS, ...reach, maxBytes: CLIENT_KEY_SET_MAX_BYTES });
  const fetchRegistered = registeredKeys(guardedFetch(send));
  const registered = keySets({ ...BOUNDS, clock });
  const unregistered = keySets({ ...BOUNDS, clock });
  return {
    find: (uri) => registered(uri, () => fetchRegistered(uri)),
    findUnregistered: ({ uri, network, admit }) =>
      unregistered(uri, (isHeld) => documents.fetchKeys({ url: uri, network, admit: () => admit(isHeld) })),
  };
}

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
