import type { ClientFacts } from "../base/client-facts.ts";
import { USER_AGENT_MAX_CHARACTERS } from "../base/limits.ts";
import { type LimitState, type Refusal, refusal } from "../base/problem.ts";
import { isUuid } from "../base/random.ts";
import { err, ok, type Result } from "../base/result.ts";
import { inInputSpan } from "../base/spans.ts";
import { errorType } from "../base/tracing.ts";
import type { Deps } from "../deps.ts";
import { admit } from "../flows/steps/admission.ts";
import { isBodyLeft } from "./body.ts";
import { clientAddress, isTrustedProxy, limitedNetwork } from "./client-address.ts";
import { clientLocale } from "./client-locale.ts";
import { readCookies } from "./cookies.ts";
import { crossOriginHeaders, preflightReply } from "./cors.ts";
import { type Progress, recordOutcome, recordUnmatched } from "./decision.ts";
import { type AnyCall, countsAgainstCaller, type Endpoint, type ShowRefusal } from "./endpoint.ts";
import { findAnyCaller } from "./guards/any-caller.ts";
import { checkKeyUse } from "./guards/api-key.ts";
import { checkCsrf, checkEmailVerified } from "./guards/caller.ts";
import { admissionOf, admitRequest, limitHeaders, limitsOfRefusal, refuseExhausted } from "./guards/limit.ts";
import { isHostValid } from "./host.ts";
import { asOAuthRefusal, oauthRefusalReply } from "./oauth-reply.ts";
import { refusalReply } from "./problem-status.ts";
import { NO_INPUT } from "./read-input.ts";
import { type Reply, toResponse } from "./reply.ts";

export type RespondDeps = Pick<
  Deps,
  | "apiKeyIds"
  | "clock"
  | "config"
  | "csrfKey"
  | "decisions"
  | "database"
  | "exhaustedLimits"
  | "health"
  | "keyRing"
  | "keyUsage"
  | "log"
  | "random"
  | "reads"
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
interface Outcome {
  readonly answer: Reply;
  readonly limits: readonly LimitState[];
  readonly refused: Refusal | undefined;
}

const BAD_HOST = refusal("invalid_input", "The Host header is malformed, or there are several.");
const INTERNAL_ERROR = refusal("internal_error", "Something went wrong. Try again later.");
export const NOTHING_HERE = refusal("not_found", "There is nothing here.");

/** The way of a request through one endpoint: identifier, span, guards, handler, headers, metric, log line. */
export function respondWith(deps: RespondDeps, endpoint: Endpoint, route: string): Respond {
  const active = deps.telemetry.metrics.activeRequests(endpoint.method);
  const run = async (arrival: Arrival, requestId: string): Promise<Response> => {
    const startedAt = deps.clock.monotonic();
    active.count += 1;
    const progress: Progress = { counted: [] };
    // Returns for whatever the endpoint throws.
    const { answer, limits, refused } = await attempt(deps, endpoint, arrival, requestId, progress);
    active.count -= 1;
    const response = send(deps, arrival.request, requestId, answer, limits);
    const durationMs = deps.clock.monotonic() - startedAt;
    observe(deps, endpoint.method, route, answer.status, durationMs, requestId);
    const network = () => limitedNetwork(addressOf(deps, arrival));
    const { status } = answer;
    const at = deps.clock.now();
    recordOutcome(deps, { endpoint, route, requestId, at, durationMs, status, refused, progress, network });
    return response;
  };
  return (arrival) => {
    const requestId = requestIdOf(deps, arrival.request);
    if (!deps.telemetry.tracing) return run(arrival, requestId);
    const { method, headers } = arrival.request;
    const trusted = () => isTrustedProxy(arrival.peer(), deps.config.proxies);
    return deps.telemetry.inRequestSpan(
      { method, route, headers, requestId, trusted },
      () => run(arrival, requestId),
      (response) => response.status,
    );
  };
}

/** The answer to what no endpoint is for, or to what failed before one was reached. */
export function respondUnmatched(
  deps: RespondDeps,
  request: Request,
  error: unknown,
  showRefusal?: ShowRefusal,
): Response {
  const requestId = requestIdOf(deps, request);
  if (error !== undefined) deps.log.error({ err: error, request_id: requestId }, "request failed before its route");
  const refusal = error === undefined ? NOTHING_HERE : INTERNAL_ERROR;
  const page = showRefusal && wantsHtml(request) ? showRefusal(refusal, request, requestId) : undefined;
  const answer = page ?? refusalReply(refusal);
  deps.telemetry.metrics.httpRequest(request.method, "_unmatched", answer.status, 0);
  const failure = error === undefined ? undefined : errorType(error);
  recordUnmatched(deps, request, { requestId, at: deps.clock.now(), status: answer.status, failure });
  return send(deps, request, requestId, answer, []);
}

/** Whether a browser asks for a page: only then does Accept name HTML. */
function wantsHtml(request: Request): boolean {
  return request.headers.get("accept")?.includes("text/html") ?? false;
}

/** The answer to a cross-origin preflight from an origin that the operator named; `undefined` for any other request. */
export function respondPreflight(deps: RespondDeps, request: Request): Response | undefined {
  const answer = preflightReply(deps.config, request);
  return answer && send(deps, request, requestIdOf(deps, request), answer, []);
}

async function attempt(
  deps: RespondDeps,
  endpoint: Endpoint,
  arrival: Arrival,
  requestId: string,
  progress: Progress,
): Promise<Outcome> {
  const { counted } = progress;
  try {
    const result = await guarded(deps, endpoint, arrival, requestId, progress);
    if (result.ok) return { answer: result.value, limits: counted, refused: result.value.refused };
    logCause(deps, result.error, requestId);
    const answer = show(endpoint, arrival.request, result.error, requestId);
    return { answer, limits: limitsOfRefusal(result.error, counted), refused: result.error };
  } catch (error) {
    deps.log.error({ err: error, request_id: requestId, operation: endpoint.operationId }, "request failed");
    const answer = show(endpoint, arrival.request, INTERNAL_ERROR, requestId);
    return { answer, limits: counted, refused: { ...INTERNAL_ERROR, cause: `exception ${errorType(error)}` } };
  }
}

function addressOf({ config }: Pick<Deps, "config">, { request, peer }: Arrival): string | null {
  return clientAddress(peer(), request.headers.get("x-forwarded-for"), config.proxies);
}

async function guarded(
  deps: RespondDeps,
  endpoint: Endpoint,
  arrival: Arrival,
  requestId: string,
  progress: Progress,
): Promise<Result<Reply, Refusal>> {
  const { request, params, setIdleTimeout } = arrival;
  const { counted } = progress;
  if (!isHostValid(request.headers.get("host"))) return err(BAD_HOST);
  const address = lazily(() => addressOf(deps, arrival));
  const network = lazily(() => limitedNetwork(address()));
  const admission = endpoint.limit && admissionOf(deps, endpoint.limit, network(), counted);
  if (admission) {
    const open = endpoint.countsItself ? refuseExhausted(deps, admission) : await admitRequest(deps, admission);
    if (!open.ok) return open;
  }
  const cookies = readCookies(request);
  const found = await findAnyCaller(deps, endpoint, request, cookies, () =>
    admissionOf(deps, "sign_in", network(), counted),
  );
  if (!found.ok) return found;
  let known = found.value;
  progress.caller = known;
  const fits = known?.via === "key" ? checkKeyUse(deps, known, request, address, endpoint.scope) : ok(undefined);
  if (!fits.ok) return fits;
  let writer: string | undefined;
  const callerAdmission = (userId: string) => {
    writer = userId;
    return admissionOf(deps, "caller", userId, counted);
  };
  if (known) {
    const subject = known.via === "key" ? known.key.id : known.session.userId;
    const counts = countsAgainstCaller(endpoint) ? callerAdmission(subject) : undefined;
    const admitted = counts ? await admitRequest(deps, counts) : ok(undefined);
    if (!admitted.ok) return admitted;
    // A page reads the value from its form, once that has been read (http/page.ts).
    const meant =
      endpoint.showRefusal || known.via === "key" ? ok(undefined) : checkCsrf(deps, request, cookies, known);
    if (!meant.ok && !endpoint.csrfOptional) return meant;
    if (!meant.ok) known = undefined;
  }
  const served = endpoint.servesUnverified || known?.via === "key" ? ok(undefined) : checkEmailVerified(deps, known);
  if (!served.ok) return served;
  const path = endpoint.validateParams(params);
  if (!path.ok) return path;
  const authorized = await endpoint.authorize(known, path.value);
  if (!authorized.ok) return authorized;
  const { readInput } = endpoint;
  const input = readInput ? await inInputSpan(deps.telemetry, () => readInput(request)) : ok(NO_INPUT);
  if (!input.ok) {
    const admitted = endpoint.countsItself ? await admit(deps, admission) : ok(undefined);
    return admitted.ok ? input : admitted;
  }
  const call: AnyCall = {
    request,
    cookies,
    params: path.value,
    caller: known,
    authorized: authorized.value,
    ...input.value,
    waitAtMost: setIdleTimeout,
    get client() {
      return { ...clientFacts(request, address(), network(), requestId), ...causeOf(deps.telemetry) };
    },
    admission,
    callerAdmission,
  };
  try {
    return await endpoint.handle(call);
  } finally {
    // Also after a refusal, which may have recorded an audit event.
    if (writer !== undefined) await deps.reads.recordWrite(writer);
  }
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function clientFacts(request: Request, ipAddress: string | null, network: string, requestId: string): ClientFacts {
  const userAgent = request.headers.get("user-agent")?.slice(0, USER_AGENT_MAX_CHARACTERS) ?? null;
  return { ipAddress, network, userAgent, requestId, locale: clientLocale(request) };
}

/** For what the request causes later. Without tracing nothing is stored. */
function causeOf(telemetry: Deps["telemetry"]): Pick<ClientFacts, "traceparent"> {
  return telemetry.tracing ? { traceparent: telemetry.activeTraceparent() } : {};
}

/** The caller's X-Request-Id when it is a UUID, else a new one (docs/contract.md, section 2.2). */
function requestIdOf({ random }: Pick<Deps, "random">, request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && isUuid(given) ? given.toLowerCase() : random.uuid();
}

function logCause(deps: Pick<Deps, "log">, refusal: Refusal, requestId: string): void {
  if (refusal.cause)
    deps.log.info({ request_id: requestId, code: refusal.code, cause: refusal.cause }, "request refused");
}

/** The error envelope, or the page that an endpoint shows to people instead. */
function show(endpoint: Endpoint, request: Request, refusal: Refusal, requestId: string): Reply {
  if (endpoint.refusals === "oauth") return oauthRefusalReply(asOAuthRefusal(refusal));
  return endpoint.showRefusal?.(refusal, request, requestId) ?? refusalReply(refusal);
}

function send(
  deps: RespondDeps,
  request: Request,
  requestId: string,
  answer: Reply,
  limits: readonly LimitState[],
): Response {
  const headers: Record<string, string> = { ...limitHeaders(limits), ...crossOriginHeaders(deps.config, request) };
  if (deps.health.draining() || isBodyLeft(request)) headers.connection = "close";
  if (deps.telemetry.tracing) deps.telemetry.injectContext(headers);
  return toResponse(answer, { requestId, cookiesSecure: deps.config.cookies.secure, extra: headers });
}

/** Routes that machines ask again and again; their log lines would be most of the log. */
const QUIET_ROUTES = /^\/(healthz|readyz|metrics|\.well-known\/)|\/auth\/session$/;

function observe(
  deps: Pick<Deps, "log" | "telemetry">,
  method: string,
  route: string,
  status: number,
  durationMs: number,
  requestId: string,
): void {
  deps.telemetry.metrics.httpRequest(method, route, status, durationMs / 1000);
  const level = status < 500 && QUIET_ROUTES.test(route) ? "debug" : "info";
  if (!deps.log.isLevelEnabled(level)) return;
  deps.log[level](
    { request_id: requestId, method, route, status, duration_ms: Math.round(durationMs * 10) / 10 },
    "request",
  );
}
