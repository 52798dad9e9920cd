/** Claims of requests that an adapter let pass, by the request object of the framework. */
import type { Claims } from "./verifier.ts";

const claimsByRequest = new WeakMap<object, Claims>();

export function remember(request: object, claims: Claims): void {
  claimsByRequest.set(request, claims);
}

/** The claims of a request behind `requireAuth`. Throws where the request has no claims: the route is not protected. */
export function claimsOf(request: object): Claims {
  const claims = claimsByRequest.get(request);
  if (!claims) throw new Error("authOf: this route is not behind requireAuth");
  return claims;
}
