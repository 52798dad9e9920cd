/** The content of requests, for proofs that cover the content (`content_digest`). */
import { contentDigestOf } from "../content-digest.ts";

/** The limit of the transports of MCP's SDK. */
const CONTENT_MAX_BYTES = 4 * 1024 * 1024;

/** Whether a proof covers the content of the request. An empty content needs no claim. */
export async function coversContent(claim: unknown, content: string | Uint8Array | undefined): Promise<boolean> {
  if (content === undefined) return false;
  if (claim === undefined && content.length === 0) return true;
  return claim === (await contentDigestOf(content));
}

/** The bytes of a request, whose own body remains unread. Undefined: more than 4 MiB. */
export async function contentOf(request: Request): Promise<Uint8Array | undefined> {
  const reader = request.clone().body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    chunks.push(read.value);
    length += read.value.length;
    if (length > CONTENT_MAX_BYTES) {
      // Not awaited: a branch of a stream is cancelled after both branches are.
      reader?.cancel().catch(() => undefined);
      return undefined;
    }
  }
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}
