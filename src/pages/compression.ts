/** Compression of pages in transit. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { acceptsGzip } from "../http/accept.ts";
import type { Reply } from "../http/reply.ts";

const compress = promisify(gzip);

/** Below this length the header of the format takes more than compression saves. */
const COMPRESSED_MIN_CHARACTERS = 1024;
/** Fast: a higher level takes twice the time for 3 % of the length. */
const LEVEL = 4;

/**
 * Compresses a page. A page that a foreign site opened is not compressed: the site could otherwise choose a part of the
 * text, such as a search term, and derive secrets of the page from its length (BREACH).
 */
export async function compressed(reply: Reply, request: Request): Promise<Reply> {
  const { text } = reply;
  if (text === undefined || text.length < COMPRESSED_MIN_CHARACTERS) return reply;
  const headers = { ...reply.headers, vary: [reply.headers.vary, "accept-encoding"].filter(Boolean).join(", ") };
  if (!acceptsGzip(request) || isFromForeignSite(request)) return { ...reply, headers };
  const { text: _, ...rest } = reply;
  const bytes = await compress(text, { level: LEVEL });
  return { ...rest, bytes, headers: { ...headers, "content-encoding": "gzip" } };
}

function isFromForeignSite({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}
