import type { ClientFacts } from "../base/client-facts.ts";
import { USER_AGENT_MAX_CHARACTERS } from "../base/limits.ts";
import { NOT_SIGNED_IN, type Problem, problem } from "../base/problem.ts";
import { isUuid } from "../base/random.ts";
import { type Result, refuse } from "../base/result.ts";
import type { Deps } from "../deps.ts";
import { clientAddress, limitedNetwork } from "./client-address.ts";
import { clientLocale } from "./client-locale.ts";
import { readCookies } from "./cookies.ts";
import { crossOriginHeaders } from "./cors.ts";
import type { Call, Endpoint } from "./endpoint.ts";
import { type Caller, checkCsrf, findCaller } from "./guards/caller.ts";
import { admissionOf, countRequest } from "./guards/limit.ts";
import { problemReply } from "./problem-status.ts";
import { type Reply, toResponse } from "./reply.ts";

export type RespondNeeds = Pick<
  Deps,
  | "clock"
  | "config"
  | "csrfKey"
  | "health"
  | "keyRing"
  | "log"
  | "random"
  | "revocations"
  | "state"
  | "telemetry"
  | "verifiedTokens"
>;

/** What the server knows of a request beside the request itself. */
export interface Arrival {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  /** The socket's peer. */
  readonly peer: () => string | undefined;
  /** Sets how long the connection may be silent. */
  readonly setIdleTimeout: (seconds: number) => void;
}

type Respond = (arrival: Arrival) => Promise<Response>;
type Outcome = { readonly answer: Reply; readonly extra: Readonly<Record<string, string>> };

const INTERNAL_ERROR: Problem = problem("internal_error", "Something went wrong. Try again later.");
export const NOTHING_HERE: Problem = problem("not_found", "There is nothing here.");

/** The way of a request through one endpoint: identifier, span, guards, handler, headers, metric, log line. */
export function respondWith(needs: RespondNeeds, endpoint: Endpoint, route: string): Respond {
  const run = async (arrival: Arrival, requestId: string): Promise<Response> => {
    const startedAt = needs.clock.monotonic();
    const { answer, extra } = await attempt(needs, endpoint, arrival, requestId);
    const response = send(needs, arrival.request, requestId, answer, extra);
    observe(needs, endpoint.method, route, answer.status, needs.clock.monotonic() - startedAt, requestId);
    return response;
  };
  return (arrival) => {
    const requestId = requestIdOf(needs, arrival.request);
    if (!needs.telemetry.tracing) return run(arrival, requestId);
    const { method, headers } = arrival.request;
    return needs.telemetry.inRequestSpan(
      { method, route, headers, requestId },
      () => run(arrival, requestId),
      (response) => response.status,
    );
  };
}

/** The answer to what no endpoint is for, or to what failed before one was reached. */
export function respondUnmatched(needs: RespondNeeds, request: Request, error: unknown): Response {
  const requestId = requestIdOf(needs, request);
  if (error !== undefined) needs.log.error({ err: error, request_id: requestId }, "request failed before its route");
  const answer = problemReply(error === undefined ? NOTHING_HERE : INTERNAL_ERROR);
  needs.telemetry.metrics.httpRequest(request.method, "_unmatched", answer.status, 0);
  return send(needs, request, requestId, answer, {});
}

async function attempt(needs: RespondNeeds, endpoint: Endpoint, arrival: Arrival, requestId: string): Promise<Outcome> {
  const extra: Record<string, string> = {};
  try {
    const result = await guarded(needs, endpoint, arrival, requestId, extra);
    return { answer: result.ok ? result.value : refused(needs, result.error, requestId), extra };
  } catch (error) {
    needs.log.error({ err: error, request_id: requestId, operation: endpoint.operationId }, "request failed");
    return { answer: problemReply(INTERNAL_ERROR), extra };
  }
}

async function guarded(
  needs: RespondNeeds,
  endpoint: Endpoint,
  { request, params, peer, setIdleTimeout }: Arrival,
  requestId: string,
  extra: Record<string, string>,
): Promise<Result<Reply>> {
  const address = lazily(() => clientAddress(peer(), request.headers.get("x-forwarded-for"), needs.config.proxies));
  const network = lazily(() => limitedNetwork(address()));
  if (endpoint.limit && !endpoint.countsItself) {
    const admitted = await countRequest(needs, endpoint.limit, network(), extra);
    if (!admitted.ok) return admitted;
  }
  const cookies = readCookies(request);
  const caller = endpoint.auth === "none" ? undefined : await findCaller(needs, request, cookies);
  if (endpoint.auth === "caller" && !caller?.ok) return caller ?? refuse(NOT_SIGNED_IN);
  const known: Caller | undefined = caller?.ok ? caller.value : undefined;
  if (known) {
    const meant = checkCsrf(needs, request, cookies, known);
    if (!meant.ok) return meant;
  }
  const path = endpoint.validateParams(params);
  if (!path.ok) return path;
  const authorized = await endpoint.authorize(known, params);
  if (!authorized.ok) return authorized;
  const input = await endpoint.readInput(request, searchOf(request.url));
  if (!input.ok) return input;
  const call: Call<"optional", unknown, unknown, unknown> = {
    request,
    cookies,
    params,
    caller: known,
    authorized: authorized.value,
    ...input.value,
    waitAtMost: setIdleTimeout,
    get client() {
      return clientFacts(request, address(), network(), requestId);
    },
    get admission() {
      return endpoint.limit && admissionOf(needs, endpoint.limit, network(), extra);
    },
  };
  return await endpoint.handle(call);
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const NO_SEARCH = new URLSearchParams();

function searchOf(url: string): URLSearchParams {
  const start = url.indexOf("?");
  return start === -1 ? NO_SEARCH : new URLSearchParams(url.slice(start + 1));
}

function clientFacts(request: Request, ipAddress: string | null, network: string, requestId: string): ClientFacts {
  const userAgent = request.headers.get("user-agent")?.slice(0, USER_AGENT_MAX_CHARACTERS) ?? null;
  return { ipAddress, network, userAgent, requestId, locale: clientLocale(request) };
}

/** The caller's X-Request-Id when it is a UUID, else a new one (decisions, section 1). */
function requestIdOf({ random }: Pick<Deps, "random">, request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && isUuid(given) ? given.toLowerCase() : random.uuid();
}

function refused(needs: Pick<Deps, "log">, refusal: Problem, requestId: string): Reply {
  if (refusal.cause)
    needs.log.info({ request_id: requestId, code: refusal.code, cause: refusal.cause }, "request refused");
  return problemReply(refusal);
}

function send(
  needs: RespondNeeds,
  request: Request,
  requestId: string,
  answer: Reply,
  extra: Readonly<Record<string, string>>,
): Response {
  const headers: Record<string, string> = { ...extra, ...crossOriginHeaders(needs.config, request) };
  if (needs.health.draining()) headers.connection = "close";
  if (needs.telemetry.tracing) needs.telemetry.injectContext(headers);
  return toResponse(answer, { requestId, cookiesSecure: needs.config.cookies.secure, extra: headers });
}

/** Routes that machines ask again and again; their lines would drown the rest. */
const QUIET_ROUTES = /^\/(healthz|readyz|metrics|\.well-known\/)|\/auth\/session$/;

function observe(
  needs: Pick<Deps, "log" | "telemetry">,
  method: string,
  route: string,
  status: number,
  durationMs: number,
  requestId: string,
): void {
  needs.telemetry.metrics.httpRequest(method, route, status, durationMs / 1000);
  const level = status < 500 && QUIET_ROUTES.test(route) ? "debug" : "info";
  if (!needs.log.isLevelEnabled(level)) return;
  needs.log[level](
    { request_id: requestId, method, route, status, duration_ms: Math.round(durationMs * 10) / 10 },
    "request",
  );
}
