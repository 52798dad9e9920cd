import { discardWithin } from "../base/read-within.ts";
import type { Deps } from "../deps.ts";
import { LINGERING_BODY_MAX_BYTES, LINGERING_DEADLINE_MS } from "../limits/body-limits.ts";
import { declaredLength } from "./input/body.ts";

const BOUNDS = { maxBytes: LINGERING_BODY_MAX_BYTES, deadlineMs: LINGERING_DEADLINE_MS };
/** Headers without content are sent only with the first byte of a stream. */
const NO_CONTENT = Buffer.from("\n");

/**
 * Sends a response at once and ends the response after the rest of the request body has arrived. A server that closes
 * the connection earlier resets the connection, and browsers then display an error in place of the response (RFC 9112,
 * section 9.6). Beyond the bounds the response is sent without waiting.
 */
export function lingerFor(
  { bodySlots }: Pick<Deps, "bodySlots">,
  request: Request,
  network: string,
  response: Response,
): Response {
  const { body } = request;
  if (!body || body.locked || declaredLength(request) > LINGERING_BODY_MAX_BYTES) return response;
  const release = bodySlots.acquireLingering(network);
  if (!release) return response;
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      try {
        const content = new Uint8Array(await response.arrayBuffer());
        controller.enqueue(content.length > 0 ? content : NO_CONTENT);
        await discardWithin(body, BOUNDS);
        controller.close();
      } catch {
        // The client has gone.
      } finally {
        release();
      }
    },
  });
  return new Response(stream, { status: response.status, headers: response.headers });
}
