/** Tokens that are bound to a key of this client (DPoP, RFC 9449): a stolen token is useless without the key. */
import { type DpopKeys, indexedDbKeys, memoryKeys } from "./dpop/keys.ts";
import { nonceOfRetry } from "./dpop/nonce-retry.ts";
import { thumbprintOf } from "./dpop/public-key.ts";
import { type ProvenCall, signProof } from "./dpop/sign-proof.ts";

export { type DpopKeys, indexedDbKeys, memoryKeys } from "./dpop/keys.ts";
export type { ProvenCall } from "./dpop/sign-proof.ts";

export interface DpopOptions {
  /** Default: IndexedDB in browsers, else a key in memory for the life of this object. */
  readonly keys?: DpopKeys;
  /** Replaces the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Proofs beside an access token have the digest of the body: for APIs that require `content_digest`. */
  readonly contentDigest?: boolean;
}

export interface DpopRequestInit extends RequestInit {
  /** A bound access token: the request has `Authorization: DPoP <token>`, and the proof has the hash of the token. */
  readonly accessToken?: string;
}

export interface Dpop {
  /**
   * `fetch` with a proof. A refusal for a missing nonce, or for the clock of this device, is repeated once with the
   * nonce of the server: a refused proof has had no effect. A stream as body is never repeated.
   */
  fetch(url: string, init?: DpopRequestInit): Promise<Response>;
  /** A proof for a request that another library sends. */
  proof(call: ProvenCall): Promise<string>;
  /** The thumbprint of the key, for `dpop_jkt` of an authorization request. */
  thumbprint(): Promise<string>;
  /** Deletes the key, at the end of a session: all tokens of the key become useless. */
  deleteKey(): Promise<void>;
}

/** A server needs a single nonce; a program talks to few servers. */
const NONCES_MAX = 100;

/** The bytes of a body, with the header `Content-Type` that `fetch` would set. */
async function encodedBody(body: BodyInit | null | undefined, headers: Headers): Promise<Uint8Array<ArrayBuffer>> {
  const encoded = new Response(body);
  const type = encoded.headers.get("content-type");
  if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
  return new Uint8Array(await encoded.arrayBuffer());
}

/** Creates the key at the first use. The private key is never extractable. */
export function createDpop(options: DpopOptions = {}): Dpop {
  const keys = options.keys ?? (globalThis.indexedDB === undefined ? memoryKeys() : indexedDbKeys());
  const send = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init));
  const nonces = new Map<string, string>();

  function rememberNonce(origin: string, nonce: string): void {
    nonces.delete(origin);
    nonces.set(origin, nonce);
    for (const oldest of nonces.keys()) if (nonces.size > NONCES_MAX) nonces.delete(oldest);
  }

  async function sendOnce(url: string, { accessToken, ...init }: DpopRequestInit, nonce: string | undefined) {
    const headers = new Headers(init.headers);
    const method = init.method?.toUpperCase() ?? "GET";
    const isCovered = options.contentDigest === true && accessToken !== undefined && init.body != null;
    const content = isCovered ? await encodedBody(init.body, headers) : undefined;
    const bound = {
      ...(accessToken === undefined ? {} : { accessToken }),
      ...(nonce === undefined ? {} : { nonce }),
      ...(content === undefined ? {} : { content }),
    };
    headers.set("dpop", await signProof(await keys.load(), { method, url, ...bound }));
    if (accessToken !== undefined) headers.set("authorization", `DPoP ${accessToken}`);
    return await send(url, { ...init, ...(content === undefined ? {} : { body: content }), method, headers });
  }

  return {
    async fetch(address, init = {}) {
      // A relative address belongs to the page.
      const url = new URL(address, globalThis.document?.baseURI).href;
      const { origin } = new URL(url);
      const sent = nonces.get(origin);
      const response = await sendOnce(url, init, sent);
      const retryNonce = await nonceOfRetry(response, sent);
      const nonce = response.headers.get("dpop-nonce");
      if (nonce !== null) rememberNonce(origin, nonce);
      if (retryNonce === undefined || init.body instanceof ReadableStream) return response;
      await response.body?.cancel();
      return await sendOnce(url, init, retryNonce);
    },
    proof: async (call) => await signProof(await keys.load(), call),
    thumbprint: async () => await thumbprintOf((await keys.load()).publicKey),
    async deleteKey() {
      await keys.delete();
    },
  };
}
