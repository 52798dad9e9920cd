import { streamReply } from "../reply.ts";

export const NDJSON = "application/x-ndjson";

/** The export of an organization as a file (docs/contract.md, section 30.6). */
export function organizationExportReply(stream: ReadableStream<Uint8Array>) {
  const headers = { "content-disposition": 'attachment; filename="organization.ndjson"' };
  return streamReply(200, NDJSON, stream, { headers });
}
