/** Claims of requests that an adapter let pass, by the request object of the framework. */
import type { Claims, Refusal } from "./verifier.ts";

/** A verifier of sessions (`createVerifier`) or of tokens for an API (`createResourceVerifier`). */
export interface HeaderVerifier<Required> {
  verifyHeader(
    header: string | null | undefined,
    requirements?: Required,
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
