/** Wrapper for route handlers of Next.js 14 and later (`app/…/route.ts`), and for any `(request) => Response`. */
import { claimsOf, type HeaderVerifier, provenRequestOf, remember } from "./auth-of.ts";
import { refusedWith } from "./fetch-response.ts";
import type { Claims, Requirements } from "./verifier.ts";

/** `export const GET = requireAuth(verifier, { role: "admin" })(async (request) => …)` */
export function requireAuth<Required = Requirements>(verifier: HeaderVerifier<Required>, requirements?: Required) {
  return <Incoming extends Request, Rest extends readonly unknown[]>(
    handler: (request: Incoming, ...rest: Rest) => Response | Promise<Response>,
  ) => {
    return async (request: Incoming, ...rest: Rest): Promise<Response> => {
      const authorization = request.headers.get("authorization");
      const verification = await verifier.verifyHeader(authorization, requirements, provenRequestOf(request));
      if (!verification.ok) return refusedWith(verification.refusal);
      remember(request, verification.claims);
      return await handler(request, ...rest);
    };
  };
}

/** The claims in a handler behind `requireAuth`. */
export const authOf = <Found extends object = Claims>(request: Request): Found => claimsOf<Found>(request);
