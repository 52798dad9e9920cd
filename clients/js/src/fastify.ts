/** Hook for Fastify 4 and 5. */
import { claimsOf, type HeaderVerifier, type NodeRequest, provenNodeRequestOf, remember } from "./auth-of.ts";
import { type Claims, type Requirements, refusalResponse } from "./verifier.ts";

interface Reply {
  code(status: number): { headers(headers: Record<string, string>): { send(body: unknown): unknown } };
}

/** `app.get("/orders", { preHandler: requireAuth(verifier, { role: "admin" }) }, handler)` */
export function requireAuth<Required = Requirements>(verifier: HeaderVerifier<Required>, requirements?: Required) {
  return async (request: NodeRequest, reply: Reply): Promise<unknown> => {
    const [{ authorization }, proven] = [request.headers, provenNodeRequestOf(request)];
    const verification = await verifier.verifyHeader(authorization, requirements, proven);
    if (verification.ok) return remember(request, verification.claims);
    const { status, headers, body } = refusalResponse(verification.refusal);
    return reply
      .code(status)
      .headers({ ...headers })
      .send(body);
  };
}

/** The claims in a handler behind `requireAuth`. */
export const authOf = <Found extends object = Claims>(request: NodeRequest): Found => claimsOf<Found>(request);
