/** Bounds of the fetches that anonymous callers cause: metadata documents, logos and key sets of applications. */
import type { Deps } from "../../../deps.ts";
import {
  CLIENT_DOCUMENT_WINDOW_MS,
  CLIENT_DOCUMENTS_PER_HOST_AND_NETWORK_MAX,
  CLIENT_DOCUMENTS_PER_HOST_MAX,
  CLIENT_DOCUMENTS_PER_NETWORK_MAX,
  CLIENT_KEYS_PER_HOST_AND_NETWORK_MAX,
  CLIENT_KEYS_PER_HOST_MAX,
} from "../../../limits/oauth-limits.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";

/** A bound of fetches in `CLIENT_DOCUMENT_WINDOW_MS`. */
type FetchBound = readonly [key: string, max: number];

/** A network uses a part of the fetches of a host, so that no caller locks the host for others. */
export function boundsOfUnknown({ host }: URL, network: string): readonly FetchBound[] {
  return [
    [`network:${network}`, CLIENT_DOCUMENTS_PER_NETWORK_MAX],
    [`host-network:${host}:${network}`, CLIENT_DOCUMENTS_PER_HOST_AND_NETWORK_MAX],
    [`host:${host}`, CLIENT_DOCUMENTS_PER_HOST_MAX],
  ];
}

/** Requests for unknown documents of the host do not delay a document in use. */
export function boundsOfKnown({ id }: OAuthClient, network: string): readonly FetchBound[] {
  return [
    [`network:${network}`, CLIENT_DOCUMENTS_PER_NETWORK_MAX],
    [`document:${id}`, CLIENT_DOCUMENTS_PER_HOST_MAX],
  ];
}

/**
 * A key set that was fetched before. The host has a bound too: a third party names any number of addresses of a host,
 * and each address that serves keys would otherwise have fetches of its own.
 */
export function boundsOfHeldKeys({ host }: URL, network: string): readonly FetchBound[] {
  return [
    [`network:${network}`, CLIENT_DOCUMENTS_PER_NETWORK_MAX],
    [`keys-host-network:${host}:${network}`, CLIENT_KEYS_PER_HOST_AND_NETWORK_MAX],
    [`keys-host:${host}`, CLIENT_KEYS_PER_HOST_MAX],
  ];
}

/**
 * Counted before the fetch: a caller cannot let the service call a host without bound. A refused fetch does not count
 * against the further bounds.
 */
export async function admitFetch({ state }: Pick<Deps, "state">, bounds: readonly FetchBound[]): Promise<boolean> {
  for (const [key, max] of bounds) {
    const { count } = await state.count(`service:client-documents:${key}`, CLIENT_DOCUMENT_WINDOW_MS);
    if (count > max) return false;
  }
  return true;
}
