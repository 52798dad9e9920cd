/**
 * Requests to addresses named by customers, which must not reach internal addresses of this machine's network (SSRF).
 * For each new connection the host is resolved once, every address is checked, and the connection goes to a checked
 * address: a later change of the DNS record has no effect. Redirects are not followed. Time and bytes are bounded.
 */

import { Resolver } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import ipaddr from "ipaddr.js";
import type { InputFlaw } from "../base/invalid-input.ts";
import type { ProxySetting } from "../base/proxy-setting.ts";
import { err, ok, type Result } from "../base/result.ts";
import { readStoredUrl, type StoredUrl, type UrlProblem } from "../base/stored-url.ts";
import { WEBHOOK_URL_MAX_CHARACTERS } from "../limits/machine-limits.ts";
import { type GuardedConnections, guardedConnections } from "./guarded-connections.ts";
import { isPublicAddress } from "./public-address.ts";

export interface GuardedPostOptions {
  /** Permitted addresses in addition to public addresses. */
  readonly allows: (address: string) => boolean;
  /** True: loopback may be called, also without TLS. For the embedded mode, where the receiver is being developed. */
  readonly loopback: boolean;
  /** Covers resolution, connection, request and answer. */
  readonly deadlineMs: number;
  /** Bytes of a response beyond this bound are not read. */
  readonly maxBytes: number;
  /** The addresses of a name. Default: the addresses in DNS, without the file of hosts and without search domains. */
  readonly resolve?: Resolve;
  /** Default: connections go to the addresses themselves. */
  readonly proxy?: ProxySetting | undefined;
}

export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface GuardedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Requests of one scope share connections; without a scope, each request has a connection of its own. */
  readonly connectionScope?: string;
}

export interface GuardedResponse {
  readonly status: number;
  /** At most `maxBytes`. */
  readonly body: Buffer;
  /** The header `Retry-After`. */
  readonly retryAfter?: string | undefined;
}

/** `cause` names only addresses written by the customer. */
export type GuardedPost = (request: GuardedRequest) => Promise<Result<GuardedResponse, { readonly cause: string }>>;

/** A request that may be a `GET`, whose body is not sent. */
export interface GuardedCall extends GuardedRequest {
  readonly method?: "GET" | "POST";
}

export interface ReceivedResponse extends GuardedResponse {
  /** Whether the response ended within `maxBytes`. */
  readonly complete: boolean;
  readonly headers: http.IncomingHttpHeaders;
}

export type GuardedSend = (request: GuardedCall) => Promise<Result<ReceivedResponse, { readonly cause: string }>>;

/** Sends requests, a `POST` by default. Never rejects. */
export function guardedPost(options: GuardedPostOptions): GuardedSend {
  const connections = guardedConnections({
    ...options,
    findAddresses: (url, signal) => findAddresses(options, url, signal),
  });
  return async (request) => {
    const target = readTargetUrl(options, request.url);
    if (!target.ok) return err({ cause: `the address is ${target.error.text}` });
    const ended = new AbortController();
    const timer = setTimeout(() => ended.abort(), options.deadlineMs);
    const late = new Promise<never>((_, reject) => {
      ended.signal.addEventListener("abort", () => reject(new Error(`no answer within ${options.deadlineMs} ms`)));
    });
    try {
      const checked = { ...request, url: target.value };
      return ok(await Promise.race([postOnConnection(connections, checked, options.maxBytes, ended.signal), late]));
    } catch (error) {
      return err({ cause: causeOf(error) });
    } finally {
      clearTimeout(timer);
      ended.abort();
      late.catch(() => undefined);
    }
  };
}

const NOT_HTTPS: InputFlaw = { rule: "format", text: "not an https URL" };
const URL_FLAWS: Readonly<Record<UrlProblem, InputFlaw>> = {
  too_long: { rule: "too_long", text: "too long" },
  not_absolute: { rule: "format", text: "not a URL without user name and fragment" },
  user_information: { rule: "format", text: "not a URL without user name and fragment" },
  host: { rule: "format", text: "not a URL whose host is a DNS name or an IP address" },
  not_http: NOT_HTTPS,
};

/** The stored form of a usable URL, as far as visible in the text. Each call resolves and checks the name anew. */
export function readTargetUrl(
  options: Pick<GuardedPostOptions, "allows" | "loopback">,
  text: string,
): Result<StoredUrl, InputFlaw> {
  const read = readStoredUrl(text, WEBHOOK_URL_MAX_CHARACTERS);
  if (!read.ok) return err(URL_FLAWS[read.error]);
  const url = new URL(read.value);
  if (read.value.includes("#")) return err(URL_FLAWS.not_absolute);
  const host = bareHost(url);
  const literal = ipaddr.isValid(host);
  if (literal && !mayCall(options, host)) return err({ rule: "not_allowed", text: "not a public address" });
  if (url.protocol === "https:") return read;
  const local = literal ? isLoopback(host) : host === "localhost";
  return options.loopback && local ? read : err(NOT_HTTPS);
}

/** The flaw of an unusable URL. */
export function targetUrlFlaw(
  options: Pick<GuardedPostOptions, "allows" | "loopback">,
  text: string,
): InputFlaw | undefined {
  const read = readTargetUrl(options, text);
  return read.ok ? undefined : read.error;
}

/** The checked addresses of the host; throws when the policy forbids one of the addresses. */
async function findAddresses(options: GuardedPostOptions, url: URL, signal: AbortSignal): Promise<readonly string[]> {
  const host = bareHost(url);
  const addresses = ipaddr.isValid(host) ? [host] : await (options.resolve ?? resolveByDns())(host, signal);
  if (addresses.length === 0) throw new Error("the host has no address");
  // All addresses must pass: the owner of a name must not choose the called address at each call.
  if (!addresses.every((each) => mayCall(options, each))) throw new Error("the host has an address that is not public");
  if (url.protocol === "http:" && !addresses.every(isLoopback)) throw new Error("the address is not an https URL");
  return addresses;
}

/** Decimal, octal and hexadecimal forms of IPv4 are dotted by then (WHATWG URL, section 3.5). */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

function mayCall({ allows, loopback }: Pick<GuardedPostOptions, "allows" | "loopback">, address: string): boolean {
  return isPublicAddress(address) || allows(address) || (loopback && isLoopback(address));
}

function isLoopback(address: string): boolean {
  return ipaddr.process(address).range() === "loopback";
}

/** RFC 6761, section 6.3: asks no name server. */
const LOCALHOST = ["127.0.0.1", "::1"];
const DNS_TRIES = { timeout: 1_500, tries: 2 };

/**
 * Asks the name servers by sockets. The system's resolver (`lookup`) would occupy a thread of the runtime's pool for as
 * long as a name server is silent, regardless of the deadline: a few names with silent servers would delay all files,
 * keys and look-ups. `servers`: replace the servers of the system.
 */
export function resolveByDns(servers?: readonly string[]): Resolve {
  return async (name, signal) => {
    if (name === "localhost") return LOCALHOST;
    const resolver = new Resolver(DNS_TRIES);
    if (servers) resolver.setServers(servers);
    signal.addEventListener("abort", () => resolver.cancel());
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    if (four.status === "rejected" && six.status === "rejected") throw four.reason;
    return [four, six].flatMap((response) => (response.status === "fulfilled" ? response.value : []));
  };
}

/** A receiver may close an idle connection at the moment of a request: the request is repeated once. */
async function postOnConnection(
  connections: GuardedConnections,
  request: GuardedCall,
  maxBytes: number,
  signal: AbortSignal,
): Promise<ReceivedResponse> {
  const url = new URL(request.url);
  const { connectionScope: scope } = request;
  if (scope === undefined) return await post(connections.single(url), request, maxBytes, signal);
  const { agent, isReused } = connections.shared(scope, url);
  try {
    return await post(agent, request, maxBytes, signal);
  } catch (error) {
    if (!isReused || !CLOSED_BY_PEER.has(errorCode(error) ?? "") || signal.aborted) throw error;
    return await post(connections.single(url), request, maxBytes, signal);
  }
}

const CLOSED_BY_PEER = new Set(["ECONNRESET", "EPIPE"]);

function post(
  agent: http.Agent,
  { url: text, method = "POST", headers, body }: GuardedCall,
  maxBytes: number,
  signal: AbortSignal,
): Promise<ReceivedResponse> {
  const url = new URL(text);
  const bytes = method === "GET" ? undefined : Buffer.from(body);
  const options: https.RequestOptions = {
    host: bareHost(url),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    method,
    headers: { ...headers, host: url.host, ...(bytes && { "content-length": bytes.length }) },
    agent,
  };
  return new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? https.request(options) : http.request(options);
    signal.addEventListener("abort", () => request.destroy());
    request.on("error", reject);
    request.on("response", (response) => readResponse(response, maxBytes).then(resolve, reject));
    request.end(bytes);
  });
}

function readResponse(response: http.IncomingMessage, maxBytes: number): Promise<ReceivedResponse> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const { statusCode = 0, headers } = response;
    const done = () =>
      resolve({
        status: statusCode,
        body: Buffer.concat(chunks).subarray(0, maxBytes),
        complete: length <= maxBytes,
        headers,
        retryAfter: headers["retry-after"],
      });
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= maxBytes) return;
      done();
      response.destroy();
    });
    response.on("end", done);
    response.on("error", reject);
  });
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return "the request failed";
  const code = errorCode(error);
  return code === undefined ? error.message : `the connection failed (${code})`;
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}
