/** Claims of requests that an adapter let pass, by the request object of the framework. */
import { contentOf } from "./verifier/proven-content.ts";
import type { Claims, ProvenRequest, Refusal } from "./verifier.ts";

/** A verifier of sessions (`createVerifier`) or of tokens for an API (`createResourceVerifier`). */
export interface HeaderVerifier<Required> {
  verifyHeader(
    header: string | null | undefined,
    requirements?: Required,
    /** Needed for tokens that are bound to a key. */
    request?: ProvenRequest,
  ): Promise<{ readonly ok: true; readonly claims: object } | { readonly ok: false; readonly refusal: Refusal }>;
}

const claimsByRequest = new WeakMap<object, object>();

export function remember(request: object, claims: object): void {
  claimsByRequest.set(request, claims);
}

/** The claims of a request behind `requireAuth`. Throws where the request has no claims: the route is not protected. */
export function claimsOf<Found extends object = Claims>(request: object): Found {
  const claims = claimsByRequest.get(request);
  if (!claims) throw new Error("authOf: this route is not behind requireAuth");
  return claims as Found;
}

/** The request of the Fetch standard, for the proof of possession. */
export function provenRequestOf(request: Request): ProvenRequest {
  const { method, url, headers } = request;
  return { method, url, proof: headers.get("dpop"), content: async () => await contentOf(request) };
}

/** Content has no meaning in these methods (RFC 9110, section 9.3). */
const METHODS_WITHOUT_CONTENT = ["GET", "HEAD", "DELETE"];

/** A request of Node.js. Repeated headers are joined by a comma, and no proof has a comma. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** The address before a router removed the prefix of the router. */
  readonly originalUrl?: string | undefined;
  /** The content as received, kept by the parser of the framework; needed for `contentDigest` only. */
  readonly rawBody?: string | Uint8Array | undefined;
  readonly headers: { readonly authorization?: string | undefined; readonly dpop?: string | string[] | undefined };
}

export function provenNodeRequestOf(request: NodeRequest): ProvenRequest {
  const { method = "", url = "", originalUrl = url, headers, rawBody } = request;
  const content = rawBody ?? (METHODS_WITHOUT_CONTENT.includes(method) ? "" : undefined);
  return { method, url: originalUrl, proof: headers.dpop?.toString(), content: async () => content };
}
