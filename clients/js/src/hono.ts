/** Middleware for Hono 4. */
import { claimsOf, type HeaderVerifier, provenRequestOf, remember } from "./auth-of.ts";
import { refusedWith } from "./fetch-response.ts";
import type { Claims, Requirements } from "./verifier.ts";

interface Context {
  readonly req: { readonly raw: Request };
}

/** `app.get("/orders", requireAuth(verifier, { role: "admin" }), handler)` */
export function requireAuth<Required = Requirements>(verifier: HeaderVerifier<Required>, requirements?: Required) {
  return async (context: Context, next: () => Promise<void>): Promise<Response | undefined> => {
    const { raw } = context.req;
    const proven = provenRequestOf(raw);
    const verification = await verifier.verifyHeader(raw.headers.get("authorization"), requirements, proven);
    if (!verification.ok) return refusedWith(verification.refusal);
    // The key is the context: other middleware may replace the request.
    remember(context, verification.claims);
    await next();
    return undefined;
  };
}

/** The claims in a handler behind `requireAuth`. */
export const authOf = <Found extends object = Claims>(context: Context): Found => claimsOf<Found>(context);
