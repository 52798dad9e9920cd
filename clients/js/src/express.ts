/** Middleware for Express 4 and 5, and for all servers with `(request, response, next)`. */
import { claimsOf, type HeaderVerifier, type NodeRequest, provenNodeRequestOf, remember } from "./auth-of.ts";
import { type Claims, type Requirements, refusalResponse } from "./verifier.ts";

interface Response {
  status(status: number): { set(headers: Record<string, string>): { json(body: unknown): unknown } };
}

/** `app.get("/orders", requireAuth(verifier, { role: "admin" }), handler)` */
export function requireAuth<Required = Requirements>(verifier: HeaderVerifier<Required>, requirements?: Required) {
  return async (request: NodeRequest, response: Response, next: (error?: unknown) => void): Promise<void> => {
    const [{ authorization }, proven] = [request.headers, provenNodeRequestOf(request)];
    let verification: Awaited<ReturnType<typeof verifier.verifyHeader>>;
    try {
      verification = await verifier.verifyHeader(authorization, requirements, proven);
    } catch (error) {
      // Express 4 ignores the promise of a middleware; a rejection would end the process.
      return next(error);
    }
    if (verification.ok) {
      remember(request, verification.claims);
      return next();
    }
    const { status, headers, body } = refusalResponse(verification.refusal);
    response
      .status(status)
      .set({ ...headers })
      .json(body);
  };
}

/** The claims in a handler behind `requireAuth`. */
export const authOf = <Found extends object = Claims>(request: NodeRequest): Found => claimsOf<Found>(request);
