import type { Refusal } from "../base/problem.ts";
import type { Listing } from "../database/listing.ts";
import type { ClaimRecord } from "../vocabulary/claim-mapping.ts";

/** The result of a handler. At most one of `body`, `text`, `bytes` and `stream` is set. */
export interface Reply<Status extends number = number, Body = unknown> {
  readonly status: Status;
  /** Sent as JSON. */
  readonly body?: Body;
  /** `text`, `bytes` and `stream` are sent unchanged, with the content type in `headers`. */
  readonly text?: string;
  readonly bytes?: Buffer;
  readonly stream?: ReadableStream<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
  /** Values of Set-Cookie. */
  readonly cookies: readonly string[];
  /** The refusal behind a page or a redirect, counted like a refusal in the error envelope. */
  readonly refused?: Refusal | undefined;
  /** The outcomes of claim mappings, for the record of decisions. */
  readonly claims?: readonly ClaimRecord[] | undefined;
  /** The page of a form is displayed once: the page goes on to an application by itself (pages/kept-pages.ts). */
  readonly once?: boolean;
}

export interface ReplyParts {
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly refused?: Refusal | undefined;
  readonly claims?: readonly ClaimRecord[] | undefined;
}

/** `Cache-Control` is `no-store` unless `headers` sets it: most responses carry tokens or personal data. */
export function reply<const Status extends number, const Body>(
  status: Status,
  body: Body,
  parts: ReplyParts = {},
): Reply<Status, Body> {
  const { headers = {}, cookies = [], refused, claims } = parts;
  return { status, body, headers, cookies, refused, claims };
}

const SERIALISED = new WeakMap<object, string>();

/** A body that many requests receive, built and serialised once for each `key`, which must not change. */
export function sharedBody<Key extends object, Body extends object>(make: (key: Key) => Body): (key: Key) => Body {
  const bodies = new WeakMap<Key, Body>();
  return (key) => {
    const known = bodies.get(key);
    if (known) return known;
    const body = make(key);
    bodies.set(key, body);
    SERIALISED.set(body, JSON.stringify(body));
    return body;
  };
}

/** The body with a further member, `list`, whose text comes from `sharedBody`. */
export function bodyWithShared<Body extends object, const Name extends string, List extends object>(
  body: Body,
  name: Name,
  list: List,
): Body & { readonly [Key in Name]: List } {
  const complete = { ...body, [name]: list } as Body & { readonly [Key in Name]: List };
  SERIALISED.set(complete, `${JSON.stringify(body).slice(0, -1)},"${name}":${SERIALISED.get(list)}}`);
  return complete;
}

/** docs/contract.md, section 2.5. */
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
  const headers = { ...parts.headers, "content-type": contentType };
  return { status, text, headers, cookies: parts.cookies ?? [], refused: parts.refused };
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

export function emptyReply<const Status extends 204 | 304>(
  status: Status,
  parts: ReplyParts = {},
): Reply<Status, undefined> {
  return { status, headers: parts.headers ?? {}, cookies: parts.cookies ?? [] };
}

/** After 303 the browser uses GET (RFC 9110, section 15.4.4). */
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
  /** Headers of limits, CORS, connection and trace context. */
  readonly extra: readonly Readonly<Record<string, string>>[];
}

const COMMON_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
} as const;
const JSON_TYPE = { "content-type": "application/json" } as const;
const HTTPS_ONLY = { "strict-transport-security": "max-age=63072000; includeSubDomains" } as const;

/** Built once: the runtime copies `Headers` in a fifth of the time of reading an object. */
const HEADERS_OVER_HTTP = headersFor({});
const HEADERS_OVER_HTTPS = headersFor(HTTPS_ONLY);

function headersFor(scheme: Readonly<Record<string, string>>) {
  return {
    withContent: new Headers({ ...COMMON_HEADERS, ...scheme, ...JSON_TYPE }),
    empty: new Headers({ ...COMMON_HEADERS, ...scheme }),
  };
}

/** Adds the headers that every response has (docs/contract.md, section 2.3). */
export function toResponse(reply: Reply, wire: WireContext): Response {
  const content = contentOf(reply);
  const common = wire.cookiesSecure ? HEADERS_OVER_HTTPS : HEADERS_OVER_HTTP;
  const headers = content === null ? common.empty : common.withContent;
  const response = new Response(content, { status: reply.status, headers });
  response.headers.set("x-request-id", wire.requestId);
  for (const values of wire.extra) setHeaders(response.headers, values);
  setHeaders(response.headers, reply.headers);
  for (const cookie of reply.cookies) response.headers.append("set-cookie", cookie);
  return response;
}

/** `vary` accumulates: CORS and the response name separate dependencies. */
function setHeaders(headers: Headers, values: Readonly<Record<string, string>>): void {
  for (const name in values) {
    if (name === "vary") headers.append(name, values[name] ?? "");
    else headers.set(name, values[name] ?? "");
  }
}

function contentOf(reply: Reply): string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null {
  if (reply.text !== undefined) return reply.text;
  if (reply.stream !== undefined) return reply.stream;
  if (reply.bytes !== undefined) return new Uint8Array(reply.bytes);
  if (reply.body === undefined) return null;
  return SERIALISED.get(reply.body as object) ?? JSON.stringify(reply.body);
}
