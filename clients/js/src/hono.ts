/** Middleware for Hono 4. */
import { claimsOf, remember } from "./auth-of.ts";
import { refusedWith } from "./fetch-response.ts";
import type { Claims, Requirements, Verifier } from "./verifier.ts";

interface Context {
  readonly req: { readonly raw: Request };
}

/** `app.get("/orders", requireAuth(verifier, { role: "admin" }), handler)` */
export function requireAuth(verifier: Verifier, requirements?: Requirements) {
  return async ({ req }: Context, next: () => Promise<void>): Promise<Response | undefined> => {
    const verification = await verifier.verifyHeader(req.raw.headers.get("authorization"), requirements);
    if (!verification.ok) return refusedWith(verification.refusal);
    remember(req.raw, verification.claims);
    await next();
    return undefined;
  };
}

/** The claims in a handler behind `requireAuth`. */
export const authOf = ({ req }: Context): Claims => claimsOf(req.raw);
