/** The headers of proofs of possession (RFC 9449, sections 4.1 and 8). */
import type { Deps } from "../../deps.ts";
import { nextNonce, type PresentedProof } from "../../flows/oauth/request/verify-proof.ts";
import type { CallBase } from "../endpoint-spec.ts";

/**
 * `path`: of the endpoint, as in the `htu` of a proof. The context is read only beside a proof: the address of the
 * socket is a call of the system.
 */
export function readProofHeader(call: Pick<CallBase, "client" | "request">, path: string): PresentedProof {
  const { request } = call;
  const proof = request.headers.get("dpop");
  return proof === null ? { proof } : { proof, method: request.method, path, requestContext: call.client };
}

/**
 * Every response to a proof has the nonce for the next proof, so that a client needs no refused request. Called after
 * the proof has been verified, which reveals an unavailable Redis.
 */
export function nonceHeaders(
  deps: Pick<Deps, "clock" | "codeKey" | "state">,
  request: Request,
): Readonly<Record<string, string>> {
  return request.headers.has("dpop") ? { "dpop-nonce": nextNonce(deps) } : {};
}
