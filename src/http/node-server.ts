/**
 * Serves with Node's HTTP server, for runtimes without an Elysia server (docs/decisions/0014-two-runtimes.md). The
 * time-outs equal the time-outs of Bun's server; Deno's own server has no time-outs.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { HTTP_REQUEST_DEADLINE_SECONDS } from "../limits/limits.ts";

/** The part of Bun's server that this project uses. */
export interface HttpServer {
  readonly url: URL;
  /** The socket's peer. */
  requestIP(request: Request): { readonly address: string } | null;
  /** Sets how long the connection of a request may be silent. */
  timeout(request: Request, seconds: number): void;
  /** Accepts no new connections and resolves after the responses to pending requests. */
  stop(): Promise<void>;
}

export interface ListenOptions {
  readonly hostname: string;
  readonly port: number;
  /** Several processes on one port (SO_REUSEPORT). */
  readonly reusePort: boolean;
  /** How long a connection without a request stays open. */
  readonly idleSeconds: number;
}

type Respond = (request: Request) => Response | Promise<Response>;

const REQUEST_DEADLINE_MS = HTTP_REQUEST_DEADLINE_SECONDS * 1000;

/** Rejects when the address cannot be listened on. */
export async function serveWithNode(options: ListenOptions, respond: Respond): Promise<HttpServer> {
  const { hostname: host, port, reusePort, idleSeconds } = options;
  const idleMs = idleSeconds * 1000;
  const incomingOf = new WeakMap<Request, IncomingMessage>();
  // Whole requests are bounded too: no body may take as long.
  const timeouts = {
    headersTimeout: REQUEST_DEADLINE_MS,
    requestTimeout: REQUEST_DEADLINE_MS,
    keepAliveTimeout: idleMs,
  };
  // HTTP/1.0 has no Host header; respond.ts refuses a malformed header.
  const server = createServer({ ...timeouts, requireHostHeader: false });
  server.setTimeout(idleMs);
  server.on("request", async (incoming, outgoing) => {
    // A write after the client has gone; `close` follows.
    outgoing.on("error", () => undefined);
    try {
      const request = requestOf(incoming);
      incomingOf.set(request, incoming);
      await send(await respond(request), outgoing);
    } catch {
      // The client has disconnected, or the method is impossible for a Request (CONNECT, TRACE).
      if (!outgoing.headersSent) outgoing.writeHead(400, { connection: "close" }).end();
      else outgoing.destroy();
    }
  });
  server.listen({ host, port, reusePort });
  await once(server, "listening");
  return {
    url: originOf(server),
    requestIP(request) {
      const address = incomingOf.get(request)?.socket.remoteAddress;
      return address === undefined ? null : { address };
    },
    timeout(request, seconds) {
      // The time-out lasts until the end of the response; the server then restores the default.
      incomingOf.get(request)?.socket.setTimeout(seconds * 1000);
    },
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}

function originOf(server: Server): URL {
  const { address, family, port } = server.address() as AddressInfo;
  return new URL(`http://${family === "IPv6" ? `[${address}]` : address}:${port}`);
}

function requestOf(incoming: IncomingMessage): Request {
  const { method = "", rawHeaders } = incoming;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  const hasBody = method !== "GET" && method !== "HEAD" && hasContent(incoming);
  const body = hasBody ? bodyOf(incoming) : null;
  return new Request(urlOf(incoming.url ?? ""), { method, headers, body, duplex: "half" } as RequestInit);
}

/** RFC 9112, section 6.3. */
function hasContent({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Reads chunks on demand. `Readable.toWeb` is not used: in Deno 2.9 a chunk that arrives after a cancelled reader is an
 * uncaught exception and ends the process.
 */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let open = true;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const end = (ended: () => void) => {
        if (open) ended();
        open = false;
      };
      incoming.on("data", (chunk: Buffer) => {
        if (!open) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.once("end", () => end(() => controller.close()));
      incoming.once("error", (error) => end(() => controller.error(error)));
      incoming.once("close", () => end(() => controller.error(new Error("the connection was closed"))));
      incoming.pause();
    },
    pull: () => void incoming.resume(),
    cancel() {
      open = false;
      incoming.pause();
    },
  });
}

const ORIGIN = "http://localhost";

/** The URL does not contain the Host header: the service reads only the path and the query of the URL. */
function urlOf(target: string): string {
  // The absolute form of a target (RFC 9112, section 3.2.2) names the authority once more.
  const path = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1] ?? target;
  const [sent = ""] = path.split(/[?#]/, 1);
  const { pathname, href } = new URL(`${ORIGIN}${path.startsWith("/") ? "" : "/"}${path}`);
  // The parser removes dot segments and replaces backslashes. A rewritten path matches no route, so that no rule of a
  // proxy is circumvented.
  const isSame = !sent.includes("\\") && pathname.split("/").length === sent.split("/").length;
  return isSame ? href : `${ORIGIN}/${encodeURIComponent(sent)}`;
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  const cookies = response.headers.getSetCookie();
  response.headers.forEach((value, name) => {
    if (name !== "set-cookie") outgoing.setHeader(name, value);
  });
  if (cookies.length > 0) outgoing.setHeader("set-cookie", cookies);
  outgoing.statusCode = response.status;
  if (response.body) await sendBody(response.body, outgoing);
  else outgoing.end();
}

/**
 * A body of one chunk is sent with a Content-Length, unless the connection closes: lingering.ts ends the body later.
 */
async function sendBody(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  const closed = new Promise<void>((resolve) => outgoing.once("close", resolve));
  closed.then(() => reader.cancel()).catch(() => undefined);
  const first = await reader.read();
  const isSentAtOnce = outgoing.getHeader("connection") === "close";
  if (first.value && isSentAtOnce) outgoing.write(first.value);
  let next = first.done ? first : await reader.read();
  if (next.done) {
    outgoing.end(isSentAtOnce ? undefined : first.value);
    return;
  }
  if (first.value && !isSentAtOnce) outgoing.write(first.value);
  while (!next.done && !outgoing.destroyed) {
    if (!outgoing.write(next.value)) await Promise.race([drained(outgoing), closed]);
    next = await reader.read();
  }
  outgoing.end();
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => outgoing.once("drain", resolve));
}
