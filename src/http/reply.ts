import type { Listing } from "../base/listing.ts";

/** What a route returns, before the wire: a JSON body, or text of a type of its own. */
export interface Reply<Status extends number = number, Body = unknown> {
  readonly status: Status;
  readonly body?: Body;
  /** Sent as it is, with the content type that `headers` names. */
  readonly text?: string;
  /** The same, of bytes. */
  readonly bytes?: Buffer;
  /** The same, as it comes. */
  readonly stream?: ReadableStream<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
  /** Values of Set-Cookie. */
  readonly cookies: readonly string[];
}

export interface ReplyParts {
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

/** A JSON answer. Not cached anywhere unless `headers` says so: most answers carry tokens or personal data. */
export function reply<const Status extends number, const Body>(
  status: Status,
  body: Body,
  parts: ReplyParts = {},
): Reply<Status, Body> {
  return { status, body, headers: parts.headers ?? {}, cookies: parts.cookies ?? [] };
}

/** What every list answers (decisions, section 1). */
export function listReply<Item, Body>(listing: Listing<Item>, body: (item: Item) => Body) {
  const { items, total, page, pageSize } = listing;
  return reply(200, { items: items.map(body), total, page, page_size: pageSize });
}

export function textReply<const Status extends number>(
  status: Status,
  contentType: string,
  text: string,
  parts: ReplyParts = {},
): Reply<Status, undefined> {
  return { status, text, headers: { ...parts.headers, "content-type": contentType }, cookies: parts.cookies ?? [] };
}

export function bytesReply<const Status extends number>(
  status: Status,
  contentType: string,
  bytes: Buffer,
  parts: ReplyParts = {},
): Reply<Status, undefined> {
  return { status, bytes, headers: { ...parts.headers, "content-type": contentType }, cookies: parts.cookies ?? [] };
}

export function streamReply<const Status extends number>(
  status: Status,
  contentType: string,
  stream: ReadableStream<Uint8Array>,
  parts: ReplyParts = {},
): Reply<Status, undefined> {
  return { status, stream, headers: { ...parts.headers, "content-type": contentType }, cookies: parts.cookies ?? [] };
}

/** 204, and 304: an answer without a body. */
export function emptyReply<const Status extends 204 | 304>(
  status: Status,
  parts: ReplyParts = {},
): Reply<Status, undefined> {
  return { status, headers: parts.headers ?? {}, cookies: parts.cookies ?? [] };
}

/** Sends a browser on. 303 makes it a GET (RFC 9110, section 15.4.4). */
export function redirectReply<const Status extends 302 | 303>(
  status: Status,
  location: string,
  cookies: readonly string[],
): Reply<Status, undefined> {
  return { status, headers: { location }, cookies };
}

export interface WireContext {
  readonly requestId: string;
  readonly cookiesSecure: boolean;
  /** Headers that a guard added: limits, cross-origin use, trace context. */
  readonly extra: Readonly<Record<string, string>>;
}

/** The Response of an answer, with the headers that every answer has (decisions, section 1). */
export function toResponse(answer: Reply, wire: WireContext): Response {
  const headers: Record<string, string> = {
    "x-request-id": wire.requestId,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    ...wire.extra,
    ...answer.headers,
  };
  if (wire.cookiesSecure) headers["strict-transport-security"] = "max-age=63072000; includeSubDomains";
  const content = contentOf(answer);
  if (content !== null && headers["content-type"] === undefined) headers["content-type"] = "application/json";
  const response = new Response(content, { status: answer.status, headers });
  for (const cookie of answer.cookies) response.headers.append("set-cookie", cookie);
  return response;
}

function contentOf(answer: Reply): string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null {
  if (answer.text !== undefined) return answer.text;
  if (answer.stream !== undefined) return answer.stream;
  if (answer.bytes !== undefined) return new Uint8Array(answer.bytes);
  return answer.body === undefined ? null : JSON.stringify(answer.body);
}
