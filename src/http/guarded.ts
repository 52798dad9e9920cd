/** The guards of a request, in the order of docs/contract.md, section 2.8, followed by the handler. */

import { invalidRequest } from "../base/invalid-input.ts";
import type { Refusal } from "../base/problem.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Deps, SessionDeps } from "../deps.ts";
import { admitSession } from "../flows/steps/sessions/organization-rules.ts";
import { type Admission, admit } from "../flows/steps/sign-in/admission.ts";
import { inInputSpan } from "../telemetry/spans.ts";
import type { RequestTrace } from "./decision.ts";
import { type AnyCall, countsAgainstCaller, type Endpoint } from "./endpoint.ts";
import { type GuardContext, guardContext, requestContextOf } from "./guard-context.ts";
import { type AnyCallerDeps, findAnyCaller } from "./guards/any-caller.ts";
import { checkKeyUse, type KeyCaller } from "./guards/api-key.ts";
import { assignBodySlot, type BodySlot, NO_BODY_SLOT, needsBodySlot } from "./guards/body-slot.ts";
import { checkBoundSession } from "./guards/bound-session.ts";
import { type Caller, checkCsrf, checkEmailVerified } from "./guards/caller.ts";
import { admissionOf, admitRequest, refuseExhausted } from "./guards/limit.ts";
import { admitBatch, admitProgram, inWriteTurn } from "./guards/program.ts";
import { checkStepUp } from "./guards/step-up.ts";
import { refuseUnversioned, withVersion } from "./guards/version.ts";
import { isHostValid } from "./host.ts";
import type { IncomingRequest } from "./incoming-request.ts";
import { NO_INPUT } from "./input/read-input.ts";
import type { Reply } from "./reply.ts";

export type GuardDeps = SessionDeps &
  AnyCallerDeps &
  Pick<Deps, "bodySlots" | "keyUsage" | "programWrites" | "reads" | "telemetry">;

const BAD_HOST = invalidRequest("host", "malformed", "The Host header is malformed, or there are several.");

/** Runs the handler of an endpoint, or returns the refusal of the first guard that refuses. */
export function runGuarded(
  deps: GuardDeps,
  endpoint: Endpoint,
  incomingRequest: IncomingRequest,
  requestId: string,
  progress: RequestTrace,
): Promise<Result<Reply, Refusal>> | Result<Reply, Refusal> {
  const { request } = incomingRequest;
  if (!isHostValid(request.headers.get("host"))) return err(BAD_HOST);
  const origin = endpoint.page?.checkOrigin(request) ?? ok(undefined);
  if (!origin.ok) return origin;
  const context = guardContext(deps, incomingRequest, requestId, progress);
  return needsBodySlot(endpoint, request)
    ? runWithBodySlot(deps, endpoint, context)
    : runChecked(deps, endpoint, context);
}

async function runWithBodySlot(
  deps: GuardDeps,
  endpoint: Endpoint,
  context: GuardContext,
): Promise<Result<Reply, Refusal>> {
  const slot = deps.bodySlots.acquire(context.network());
  if (!slot) return NO_BODY_SLOT;
  try {
    return await runChecked(deps, endpoint, context, slot);
  } finally {
    slot.release();
  }
}

async function runChecked(
  deps: GuardDeps,
  endpoint: Endpoint,
  context: GuardContext,
  slot?: BodySlot,
): Promise<Result<Reply, Refusal>> {
  const { request, requestId } = context;
  const admission = endpoint.limit && context.admissionBy(endpoint.limit);
  const checked = await checkCaller(deps, endpoint, context, admission, slot);
  if (!checked.ok) return checked;
  const { caller: identified, early } = checked.value;
  if (early) return ok(early);
  const path = endpoint.validateParams(context.params);
  if (!path.ok) return path;
  const reached = checkBoundSession(endpoint, identified, path.value);
  if (!reached.ok) return reached;
  const caller = reached.value;
  const served = caller && "session" in caller ? admitSession(caller.session, endpoint.servesSession) : ok(undefined);
  if (!served.ok) return served;
  const authorized = await endpoint.authorize(caller, path.value);
  if (!authorized.ok) return authorized;
  const { readInput, stepUpFor } = endpoint;
  const steppedUp = stepUpFor ? ok(undefined) : checkStepUp(deps, endpoint, caller);
  if (!steppedUp.ok) return steppedUp;
  const input = readInput ? await inInputSpan(deps.telemetry, () => readInput(request, caller)) : ok(NO_INPUT);
  if (!input.ok) {
    // The handler would have counted this request but never runs; count the request here.
    const counted = endpoint.countsItself ? await admit(deps, admission) : ok(undefined);
    return counted.ok ? input : counted;
  }
  const powerful = stepUpFor?.(input.value.body) ? checkStepUp(deps, endpoint, caller) : steppedUp;
  if (!powerful.ok) return powerful;
  const call: AnyCall = {
    request,
    cookies: context.cookies,
    params: path.value,
    caller,
    authorized: authorized.value,
    ...input.value,
    waitAtMost: context.setIdleTimeout,
    get client() {
      return requestContextOf(deps, context, requestId);
    },
    admission,
    callerAdmission: context.admissionOfCaller,
    admitBy: (limit) => admitRequest(deps, context.admissionBy(limit)),
    admitDirectory: (organizationId) =>
      admitRequest(
        deps,
        admissionOf(deps, "scim", () => organizationId, context.progress.counted),
      ),
    admitBatch: (requests) => admitBatch(deps, caller, requests, context.progress.counted),
  };
  const unconditional = refuseUnversioned(endpoint, request);
  if (!unconditional.ok) return unconditional;
  try {
    const handle = () => inWriteTurn(deps, endpoint, caller, () => endpoint.handle(call));
    return await (endpoint.version ? withVersion(endpoint, request, path.value, handle) : handle());
  } finally {
    const writer = context.writer();
    // Recorded after a refusal too: a refusal may have written an audit event.
    if (writer !== undefined) await deps.reads.recordWrite(writer);
  }
}

interface CheckedCaller {
  readonly caller?: Caller | KeyCaller | undefined;
  /** The response of a page that needs neither limits nor a body. */
  readonly early?: Reply | undefined;
}

/** Limits and caller, in the order of docs/contract.md, section 2.8: of a form of a page, the caller comes first. */
async function checkCaller(
  deps: GuardDeps,
  endpoint: Endpoint,
  context: GuardContext,
  admission: Admission | undefined,
  slot: BodySlot | undefined,
): Promise<Result<CheckedCaller, Refusal>> {
  const { page, method } = endpoint;
  const callerFirst = page !== undefined && method === "POST";
  const before = callerFirst || !admission ? ok(undefined) : await admitAddress(deps, endpoint, admission);
  if (!before.ok) return before;
  const found = endpoint.auth === "none" ? ok(undefined) : await identify(deps, endpoint, context);
  if (!found.ok) return found;
  const early = page?.replyEarly(context.request, signedInUser(found.value));
  if (early) return ok({ early });
  const callerId = found.value && callerIdOf(found.value);
  if (slot && !(await assignBodySlot(slot, endpoint, context.request, callerId))) return NO_BODY_SLOT;
  const after = callerFirst && admission ? await admitAddress(deps, endpoint, admission) : before;
  if (!after.ok) return after;
  if (!found.value) return ok({});
  const caller = await admitCaller(deps, endpoint, context, found.value);
  return caller.ok ? ok({ caller: caller.value }) : caller;
}

/**
 * Counts the request against the limit of the address. For an endpoint with `countsItself`, only an exhausted limit
 * refuses.
 */
async function admitAddress(
  deps: GuardDeps,
  endpoint: Endpoint,
  admission: Admission,
): Promise<Result<void, Refusal<"rate_limited">>> {
  return endpoint.countsItself ? refuseExhausted(deps, admission) : await admitRequest(deps, admission);
}

/** The caller, if the request presents a credential. The use of a key is checked. */
async function identify(
  deps: GuardDeps,
  endpoint: Endpoint,
  context: GuardContext,
): Promise<Result<Caller | KeyCaller | undefined, Refusal>> {
  const { request, cookies } = context;
  const readContext = () => requestContextOf(deps, context, context.requestId);
  const limit = () => context.admissionBy("sign_in");
  const found = await findAnyCaller(deps, endpoint, request, cookies, limit, readContext);
  if (!found.ok || found.value === undefined) return found;
  const caller = withAddress(found.value, context.address);
  context.progress.caller = caller;
  if (caller.via !== "key") return ok(caller);
  const admitted = await admitProgram(deps, endpoint, caller, context.progress.counted);
  if (!admitted.ok) return admitted;
  const fits = checkKeyUse(deps, caller, request, context.address, endpoint);
  return fits.ok ? ok(caller) : fits;
}

/** The rules of organizations compare the address of the request, also of an organization that the path names. */
function withAddress(caller: Caller | KeyCaller, address: () => string | null): Caller | KeyCaller {
  return caller.via === "key" ? caller : { ...caller, session: { ...caller.session, address } };
}

function callerIdOf(caller: Caller | KeyCaller): string {
  return caller.via === "key" ? caller.key.id : caller.session.userId;
}

/** Pages are for people: the holder of a key is anonymous. */
function signedInUser(caller: Caller | KeyCaller | undefined): Caller | undefined {
  return caller?.via === "key" ? undefined : caller;
}

/** Counts the request against the limit of the user, and checks that the endpoint allows the caller. */
async function admitCaller(
  deps: GuardDeps,
  endpoint: Endpoint,
  context: GuardContext,
  caller: Caller | KeyCaller,
): Promise<Result<Caller | KeyCaller | undefined, Refusal>> {
  if (caller.via === "key") {
    if (countsAgainstCaller(endpoint)) context.recordWriter(caller.key.id);
    return ok(caller);
  }
  if (countsAgainstCaller(endpoint)) {
    const admitted = await admitRequest(deps, context.admissionOfCaller(caller.session.userId));
    if (!admitted.ok) return admitted;
  }
  return checkSignedInUser(deps, endpoint, context, caller);
}

/** Checks the CSRF header, and the verified address if the operator requires a verified address. */
function checkSignedInUser(
  deps: GuardDeps,
  endpoint: Endpoint,
  { request, cookies }: GuardContext,
  caller: Caller,
): Result<Caller | undefined, Refusal> {
  // A page reads the CSRF value from the form after the body is read (pages/page.ts).
  const meant = endpoint.showRefusal ? ok(undefined) : checkCsrf(deps, request, cookies, caller);
  if (!meant.ok) return endpoint.csrfOptional ? ok(undefined) : meant;
  const served = endpoint.servesUnverified ? ok(undefined) : checkEmailVerified(deps, caller);
  return served.ok ? ok(caller) : served;
}
