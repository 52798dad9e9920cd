/** Hook for Elysia 1. */
import { claimsOf, type HeaderVerifier, provenRequestOf, remember } from "./auth-of.ts";
import { refusedWith } from "./fetch-response.ts";
import type { Claims, Requirements } from "./verifier.ts";

interface Context {
  readonly request: Request;
}

/** `app.get("/orders", handler, { beforeHandle: requireAuth(verifier, { role: "admin" }) })` */
export function requireAuth<Required = Requirements>(verifier: HeaderVerifier<Required>, requirements?: Required) {
  return async ({ request }: Context): Promise<Response | undefined> => {
    const authorization = request.headers.get("authorization");
    const verification = await verifier.verifyHeader(authorization, requirements, provenRequestOf(request));
    if (!verification.ok) return refusedWith(verification.refusal);
    remember(request, verification.claims);
    return undefined;
  };
}

/** The claims in a handler behind `requireAuth`. */
export const authOf = <Found extends object = Claims>({ request }: Context): Found => claimsOf<Found>(request);
