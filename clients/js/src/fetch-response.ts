/** The response to a refused request, for frameworks with the `Response` of the Fetch standard. */
import { type Refusal, refusalResponse } from "./verifier.ts";

export function refusedWith(refusal: Refusal): Response {
  const { status, headers, body } = refusalResponse(refusal);
  return Response.json(body, { status, headers: { ...headers } });
}
