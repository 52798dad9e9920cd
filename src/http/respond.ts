import { type LimitState, type Refusal, refusal } from "../base/problem.ts";
import { isUuid } from "../base/random.ts";
import { isUnavailable } from "../base/unavailable.ts";
import type { Deps } from "../deps.ts";
import { continuePath } from "../flows/sso/discovery/continue-path.ts";
import { UNAVAILABLE_RETRY_SECONDS } from "../limits/database-limits.ts";
import { errorType } from "../telemetry/tracing.ts";
import { wantsHtml, wantsJson } from "./accept.ts";
import { CHALLENGE_HEADER, challengeOf } from "./challenge.ts";
import { isTrustedProxy, limitedNetwork } from "./client-address.ts";
import { crossOriginHeaders, preflightReply } from "./cors.ts";
import { type RequestTrace, recordOutcome, recordUnmatched } from "./decision.ts";
import type { Endpoint, ShowMissing, ShowRefusal } from "./endpoint.ts";
import { type GuardDeps, runGuarded } from "./guarded.ts";
import { describedLimits, limitHeaders } from "./guards/limit.ts";
import { addressOf, type IncomingRequest } from "./incoming-request.ts";
import { isBodyLeft } from "./input/body.ts";
import { lingerFor } from "./lingering.ts";
import { nonceHeaders } from "./oauth/dpop.ts";
import { asOAuthRefusal, oauthRefusalReply } from "./oauth-reply.ts";
import { refusalReply } from "./problem-status.ts";
import { repliesUnavailable } from "./reference-endpoints.ts";
import { type Reply, toResponse } from "./reply.ts";
import { scimRefusalReply } from "./scim/scim-reply.ts";
import { otherMethodReply, type ServedPath } from "./served-paths.ts";

export type RespondDeps = GuardDeps & Pick<Deps, "decisions" | "health" | "log" | "random">;

type Respond = (incomingRequest: IncomingRequest) => Promise<Response>;
interface Outcome {
  readonly reply: Reply;
  readonly limits: readonly LimitState[];
  readonly refused: Refusal | undefined;
}

const INTERNAL_ERROR = refusal("internal_error", "Something went wrong. Try again later.");
/** A failure of a dependency, at endpoints beyond the reference. */
const UNAVAILABLE = { ...INTERNAL_ERROR, retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS };
const NOTHING_HERE = refusal("not_found", "There is nothing here.");

/** The path of a request through one endpoint: identifier, span, guards, handler, headers, metric, log line. */
export function respondWith(deps: RespondDeps, endpoint: Endpoint, route: string): Respond {
  const active = deps.telemetry.metrics.activeRequests(endpoint.method);
  const observe = observerOf(deps, endpoint.method, route);
  const run = async (incomingRequest: IncomingRequest, requestId: string): Promise<Response> => {
    const startedAt = deps.clock.monotonic();
    active.count += 1;
    const progress: RequestTrace = { counted: [] };
    // `attempt` never throws: an exception of the endpoint becomes `internal_error`.
    const { reply, limits, refused } = await attempt(deps, endpoint, incomingRequest, requestId, progress);
    active.count -= 1;
    const response = sendFor(
      deps,
      endpoint,
      incomingRequest,
      send(deps, incomingRequest.request, requestId, reply, { limits, crossOrigin: endpoint.crossOrigin }),
    );
    const durationMs = deps.clock.monotonic() - startedAt;
    observe(reply.status, durationMs, requestId);
    const network = () => limitedNetwork(addressOf(deps, incomingRequest));
    const { status, claims = [] } = reply;
    const at = deps.clock.now();
    recordOutcome(deps, { endpoint, route, requestId, at, durationMs, status, refused, progress, network, claims });
    return response;
  };
  return (incomingRequest) => {
    const requestId = requestIdOf(deps, incomingRequest.request);
    if (!deps.telemetry.tracing) return run(incomingRequest, requestId);
    const { method, headers } = incomingRequest.request;
    const trusted = () => isTrustedProxy(incomingRequest.peer(), deps.config.proxies);
    return deps.telemetry.inRequestSpan(
      { method, route, headers, requestId, trusted },
      () => run(incomingRequest, requestId),
      (response) => response.status,
    );
  };
}

/** Browsers send whole forms before reading a response; programs need no wait. */
function sendFor(
  deps: RespondDeps,
  endpoint: Endpoint,
  incomingRequest: IncomingRequest,
  response: Response,
): Response {
  const { request } = incomingRequest;
  if (!endpoint.page || request.method !== "POST" || !isBodyLeft(request)) return response;
  return lingerFor(deps, request, limitedNetwork(addressOf(deps, incomingRequest)), response);
}

/** `path`: the rules of the path for methods without an endpoint. */
interface Unmatched {
  readonly site: { readonly showRefusal: ShowRefusal; readonly showMissing: ShowMissing } | undefined;
  readonly path: ServedPath | undefined;
}

/** The response to a request without an endpoint, or to a request that failed before the endpoint. */
export async function respondUnmatched(
  deps: RespondDeps,
  incomingRequest: Pick<IncomingRequest, "request" | "peer">,
  error: unknown,
  { site, path }: Unmatched,
): Promise<Response> {
  const { request } = incomingRequest;
  const requestId = requestIdOf(deps, request);
  if (error !== undefined) deps.log.error({ err: error, request_id: requestId }, "request failed before its route");
  const refusal = error === undefined ? NOTHING_HERE : INTERNAL_ERROR;
  const otherMethod = error === undefined ? otherMethodReply(path, request.method) : undefined;
  const show = error === undefined ? site?.showMissing : site?.showRefusal;
  const page = !otherMethod && wantsHtml(request) ? await show?.(refusal, request, requestId) : undefined;
  const response = otherMethod ?? page ?? refusalReply(refusal);
  deps.telemetry.metrics.httpRequests(request.method, "_unmatched")(response.status, 0);
  const failure = error === undefined ? undefined : errorType(error);
  const network = limitedNetwork(addressOf(deps, incomingRequest));
  const { status } = response;
  if (status >= 400) recordUnmatched(deps, request, { requestId, at: deps.clock.now(), status, failure, network });
  return send(deps, request, requestId, response, { limits: [], crossOrigin: path?.crossOrigin });
}

/**
 * The response to a cross-origin preflight from a configured origin; `undefined` for every further request. A path for
 * every origin has one preflight response for all origins.
 */
export function respondPreflight(
  deps: RespondDeps,
  request: Request,
  path: ServedPath | undefined,
): Response | undefined {
  const response = path?.crossOrigin === "any" ? undefined : preflightReply(deps.config, request);
  return response && send(deps, request, requestIdOf(deps, request), response, { limits: [], crossOrigin: undefined });
}

async function attempt(
  deps: RespondDeps,
  endpoint: Endpoint,
  incomingRequest: IncomingRequest,
  requestId: string,
  progress: RequestTrace,
): Promise<Outcome> {
  const { counted } = progress;
  try {
    const result = await runGuarded(deps, endpoint, incomingRequest, requestId, progress);
    if (!result.ok) logCause(deps, result.error, requestId);
    const reply = result.ok
      ? result.value
      : refusedReply(deps, endpoint, incomingRequest, withContinuation(deps, result.error), requestId, progress);
    const refused = result.ok ? result.value.refused : result.error;
    return { reply, limits: describedLimits(refused, counted), refused };
  } catch (error) {
    deps.log.error({ err: error, request_id: requestId, operation: endpoint.operationId }, "request failed");
    const failure = isUnavailable(error) && repliesUnavailable(endpoint) ? UNAVAILABLE : INTERNAL_ERROR;
    const reply = show(endpoint, incomingRequest.request, failure, requestId);
    return { reply, limits: counted, refused: { ...failure, cause: `exception ${errorType(error)}` } };
  }
}

/** The caller's X-Request-Id if the value is a UUID, else a new UUID (docs/contract.md, section 2.2). */
function requestIdOf({ random }: Pick<Deps, "random">, request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && isUuid(given) ? given.toLowerCase() : random.uuid();
}

function logCause(deps: Pick<Deps, "log">, refusal: Refusal, requestId: string): void {
  if (refusal.cause)
    deps.log.info({ request_id: requestId, code: refusal.code, cause: refusal.cause }, "request refused");
}

/** A refusal by the requirement of single sign-on, with the path that starts single sign-on. */
function withContinuation(deps: RespondDeps, refusal: Refusal): Refusal {
  const { ssoOrganizationId } = refusal;
  const continueAt = ssoOrganizationId === undefined ? undefined : continuePath(deps, ssoOrganizationId);
  return continueAt === undefined ? refusal : { ...refusal, continueAt };
}

/** The response to a refused request, with its challenge. */
function refusedReply(
  deps: RespondDeps,
  endpoint: Endpoint,
  { request }: IncomingRequest,
  refusal: Refusal,
  requestId: string,
  { caller }: RequestTrace,
): Reply {
  const reply = show(endpoint, request, refusal, requestId);
  const challenge = challengeOf(deps, endpoint, request, refusal, caller !== undefined);
  if (challenge === undefined) return reply;
  const nonce = refusal.proofError === undefined ? {} : nonceHeaders(deps, request);
  return { ...reply, headers: { ...reply.headers, ...nonce, [CHALLENGE_HEADER]: challenge } };
}

/** The error envelope, or the page that an endpoint displays to people instead. */
function show(endpoint: Endpoint, request: Request, refusal: Refusal, requestId: string): Reply {
  if (endpoint.refusals === "oauth") {
    const refused = oauthRefusalReply(asOAuthRefusal(refusal));
    // RFC 9126, section 2.3, has a separate status for a body that is too large; RFC 6749 has none.
    return refusal.bound === "body_size" && 413 in endpoint.responses ? { ...refused, status: 413 } : refused;
  }
  if (endpoint.refusals === "scim") return scimRefusalReply(refusal);
  const { showRefusal, showToBrowser } = endpoint;
  const display =
    showRefusal ?? (showToBrowser && wantsHtml(request) && !wantsJson(request) ? showToBrowser : undefined);
  return display?.(refusal, request, requestId) ?? refusalReply(refusal);
}

function send(
  deps: RespondDeps,
  request: Request,
  requestId: string,
  reply: Reply,
  { limits, crossOrigin }: { readonly limits: readonly LimitState[]; readonly crossOrigin: Endpoint["crossOrigin"] },
): Response {
  const extra = [limitHeaders(limits), crossOriginHeaders(deps.config, request, crossOrigin)];
  if (deps.health.draining() || isBodyLeft(request)) extra.push({ connection: "close" });
  const traceparent = deps.telemetry.tracing ? deps.telemetry.activeTraceparent() : undefined;
  if (traceparent) extra.push({ traceparent });
  return toResponse(reply, { requestId, cookiesSecure: deps.config.cookies.secure, extra });
}

/** Routes that programs poll; the log lines of these routes would be most of the log. */
const QUIET_ROUTES = /^\/(healthz|readyz|metrics|\.well-known\/|oauth2\/introspect$)|\/auth\/session$/;

/** The metric and the line of the log of the requests of one route. */
function observerOf({ log, telemetry }: Pick<Deps, "log" | "telemetry">, method: string, route: string) {
  const count = telemetry.metrics.httpRequests(method, route);
  const isQuiet = QUIET_ROUTES.test(route);
  return (status: number, durationMs: number, requestId: string): void => {
    count(status, durationMs / 1000);
    const level = status < 500 && isQuiet ? "debug" : "info";
    if (!log.isLevelEnabled(level)) return;
    log[level](
      { request_id: requestId, method, route, status, duration_ms: Math.round(durationMs * 10) / 10 },
      "request",
    );
  };
}
