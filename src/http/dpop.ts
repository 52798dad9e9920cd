/** The headers of proofs of possession (RFC 9449, sections 4.1 and 8). */
import type { RequestContext } from "../base/request-context.ts";
import type { Deps } from "../deps.ts";
import { nextNonce, type PresentedProof } from "../flows/oauth-provider/verify-proof.ts";

/** `path`: of the endpoint, as in the `htu` of a proof. */
export function readProofHeader(request: Request, path: string, requestContext: RequestContext): PresentedProof {
  return { proof: request.headers.get("dpop"), method: request.method, path, requestContext };
}

/** Every response to a proof has the nonce for the next proof, so that a client needs no refused request. */
export function nonceHeaders(
  deps: Pick<Deps, "clock" | "codeKey">,
  request: Request,
): Readonly<Record<string, string>> {
  return request.headers.has("dpop") ? { "dpop-nonce": nextNonce(deps) } : {};
}
