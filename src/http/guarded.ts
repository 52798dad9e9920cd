/** The guards of a request, in the order of docs/contract.md, section 2.8, and the handler behind them. */

import type { ClientFacts } from "../base/client-facts.ts";
import { invalidRequest } from "../base/invalid-input.ts";
import { lazily } from "../base/lazily.ts";
import { USER_AGENT_MAX_CHARACTERS } from "../base/limits.ts";
import type { LimitState, Refusal } from "../base/problem.ts";
import { err, ok, type Result } from "../base/result.ts";
import { inInputSpan } from "../base/spans.ts";
import type { Deps } from "../deps.ts";
import { type Admission, admit } from "../flows/steps/admission.ts";
import { type Arrival, addressOf } from "./arrival.ts";
import { limitedNetwork } from "./client-address.ts";
import { clientLocale } from "./client-locale.ts";
import { type Cookies, readCookies } from "./cookies.ts";
import type { Progress } from "./decision.ts";
import { type AnyCall, countsAgainstCaller, type Endpoint } from "./endpoint.ts";
import { findAnyCaller } from "./guards/any-caller.ts";
import { checkKeyUse, type KeyCaller } from "./guards/api-key.ts";
import { type Caller, checkCsrf, checkEmailVerified } from "./guards/caller.ts";
import { type AddressLimit, admissionOf, admitRequest, refuseExhausted } from "./guards/limit.ts";
import { isHostValid } from "./host.ts";
import { NO_INPUT } from "./read-input.ts";
import type { Reply } from "./reply.ts";

export type GuardDeps = Pick<
  Deps,
  | "apiKeyIds"
  | "clock"
  | "config"
  | "csrfKey"
  | "database"
  | "exhaustedLimits"
  | "keyRing"
  | "keyUsage"
  | "reads"
  | "revocations"
  | "state"
  | "telemetry"
  | "verifiedTokens"
>;

/** What the guards of one request share. */
interface Visit {
  readonly request: Request;
  readonly cookies: Cookies;
  readonly address: () => string | null;
  /** The network that limits count. */
  readonly network: () => string;
  /** A limit of the client address. Undefined while limits are off. */
  readonly admissionBy: (limit: AddressLimit) => Admission | undefined;
  /** The limit of a user or an API key, by its id. */
  readonly admissionOfCaller: (id: string) => Admission | undefined;
  /** Whose write this may be: reads of theirs must then show it. */
  readonly writer: () => string | undefined;
}

const BAD_HOST = invalidRequest("host", "malformed", "The Host header is malformed, or there are several.");

/** Runs the handler of an endpoint, or returns the refusal of the first guard that refuses. */
export async function runGuarded(
  deps: GuardDeps,
  endpoint: Endpoint,
  arrival: Arrival,
  requestId: string,
  progress: Progress,
): Promise<Result<Reply, Refusal>> {
  const { request, params, setIdleTimeout } = arrival;
  if (!isHostValid(request.headers.get("host"))) return err(BAD_HOST);
  const visit = visitOf(deps, arrival, progress.counted);
  const admission = endpoint.limit && visit.admissionBy(endpoint.limit);
  if (admission) {
    const open = endpoint.countsItself ? refuseExhausted(deps, admission) : await admitRequest(deps, admission);
    if (!open.ok) return open;
  }
  const caller = await identify(deps, endpoint, visit, progress);
  if (!caller.ok) return caller;
  const path = endpoint.validateParams(params);
  if (!path.ok) return path;
  const authorized = await endpoint.authorize(caller.value, path.value);
  if (!authorized.ok) return authorized;
  const { readInput } = endpoint;
  const input = readInput ? await inInputSpan(deps.telemetry, () => readInput(request)) : ok(NO_INPUT);
  if (!input.ok) {
    // An endpoint that counts its requests itself is not reached by this one, which counts too.
    const counted = endpoint.countsItself ? await admit(deps, admission) : ok(undefined);
    return counted.ok ? input : counted;
  }
  const call: AnyCall = {
    request,
    cookies: visit.cookies,
    params: path.value,
    caller: caller.value,
    authorized: authorized.value,
    ...input.value,
    waitAtMost: setIdleTimeout,
    get client() {
      return clientFacts(deps, visit, requestId);
    },
    admission,
    callerAdmission: visit.admissionOfCaller,
    admitBy: (limit) => admitRequest(deps, visit.admissionBy(limit)),
  };
  try {
    return await endpoint.handle(call);
  } finally {
    const writer = visit.writer();
    // Also after a refusal, which may have recorded an audit event.
    if (writer !== undefined) await deps.reads.recordWrite(writer);
  }
}

function visitOf(deps: GuardDeps, arrival: Arrival, counted: LimitState[]): Visit {
  const address = lazily(() => addressOf(deps, arrival));
  const network = lazily(() => limitedNetwork(address()));
  let writer: string | undefined;
  return {
    request: arrival.request,
    cookies: readCookies(arrival.request),
    address,
    network,
    admissionBy: (limit) => admissionOf(deps, limit, network(), counted),
    admissionOfCaller(id) {
      writer = id;
      return admissionOf(deps, "caller", id, counted);
    },
    writer: () => writer,
  };
}

/** Who calls, if anyone, and in a way that the endpoint allows. */
async function identify(
  deps: GuardDeps,
  endpoint: Endpoint,
  visit: Visit,
  progress: Progress,
): Promise<Result<Caller | KeyCaller | undefined, Refusal>> {
  const { request, cookies } = visit;
  const found = await findAnyCaller(deps, endpoint, request, cookies, () => visit.admissionBy("sign_in"));
  if (!found.ok || found.value === undefined) return found;
  const caller = found.value;
  progress.caller = caller;
  const fits = caller.via === "key" ? checkKeyUse(deps, caller, request, visit.address, endpoint.scope) : ok(undefined);
  if (!fits.ok) return fits;
  if (countsAgainstCaller(endpoint)) {
    const id = caller.via === "key" ? caller.key.id : caller.session.userId;
    const admitted = await admitRequest(deps, visit.admissionOfCaller(id));
    if (!admitted.ok) return admitted;
  }
  return caller.via === "key" ? found : checkPerson(deps, endpoint, visit, caller);
}

/** That a person meant the request, and has verified their address where the operator asks for it. */
function checkPerson(
  deps: GuardDeps,
  endpoint: Endpoint,
  { request, cookies }: Visit,
  caller: Caller,
): Result<Caller | undefined, Refusal> {
  // A page reads the value from its form, once that has been read (http/page.ts).
  const meant = endpoint.showRefusal ? ok(undefined) : checkCsrf(deps, request, cookies, caller);
  if (!meant.ok) return endpoint.csrfOptional ? ok(undefined) : meant;
  const served = endpoint.servesUnverified ? ok(undefined) : checkEmailVerified(deps, caller);
  return served.ok ? ok(caller) : served;
}

function clientFacts({ telemetry }: GuardDeps, { request, address, network }: Visit, requestId: string): ClientFacts {
  const userAgent = request.headers.get("user-agent")?.slice(0, USER_AGENT_MAX_CHARACTERS) ?? null;
  const facts = { ipAddress: address(), network: network(), userAgent, requestId, locale: clientLocale(request) };
  // For what the request causes later. Without tracing nothing is stored.
  return telemetry.tracing ? { ...facts, traceparent: telemetry.activeTraceparent() } : facts;
}
