/** The values of a request that its guards share. */

import { lazily } from "../base/lazily.ts";
import type { RequestContext } from "../base/request-context.ts";
import type { Deps } from "../deps.ts";
import type { Admission } from "../flows/steps/sign-in/admission.ts";
import { USER_AGENT_MAX_CHARACTERS } from "../limits/limits.ts";
import { limitedNetwork } from "./client-address.ts";
import { clientLocale } from "./client-locale.ts";
import { type Cookies, readCookies } from "./cookies.ts";
import type { RequestTrace } from "./decision.ts";
import { type AddressLimit, admissionOf } from "./guards/limit.ts";
import { addressOf, type IncomingRequest } from "./incoming-request.ts";

type ContextDeps = Pick<Deps, "clock" | "config" | "exhaustedLimits">;

/** Values that the guards of a request share. */
export interface GuardContext {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly progress: RequestTrace;
  readonly cookies: Cookies;
  readonly address: () => string | null;
  /** The network that limits count. */
  readonly network: () => string;
  readonly setIdleTimeout: (seconds: number) => void;
  /** A limit of the client address. Undefined while limits are off. */
  readonly admissionBy: (limit: AddressLimit) => Admission | undefined;
  /** The limit of a user, by id. */
  readonly admissionOfCaller: (id: string) => Admission | undefined;
  /** Marks the request as a write for a caller. */
  readonly recordWriter: (id: string) => void;
  /** The id of the caller that this request may write for: later reads of the caller must include the write. */
  readonly writer: () => string | undefined;
}

export function guardContext(
  deps: ContextDeps,
  incomingRequest: IncomingRequest,
  requestId: string,
  progress: RequestTrace,
): GuardContext {
  const address = lazily(() => addressOf(deps, incomingRequest));
  const network = lazily(() => limitedNetwork(address()));
  let writer: string | undefined;
  return {
    request: incomingRequest.request,
    params: incomingRequest.params,
    requestId,
    progress,
    cookies: readCookies(incomingRequest.request),
    address,
    network,
    setIdleTimeout: incomingRequest.setIdleTimeout,
    admissionBy: (limit) => admissionOf(deps, limit, network, progress.counted),
    recordWriter(id) {
      writer = id;
    },
    admissionOfCaller(id) {
      writer = id;
      return admissionOf(deps, "caller", () => id, progress.counted);
    },
    writer: () => writer,
  };
}

export function requestContextOf(
  { telemetry }: Pick<Deps, "telemetry">,
  { request, address, network, progress }: GuardContext,
  requestId: string,
): RequestContext {
  const userAgent = request.headers.get("user-agent")?.slice(0, USER_AGENT_MAX_CHARACTERS) ?? null;
  const requestContext = {
    ipAddress: address(),
    network: network(),
    userAgent,
    requestId,
    programId: progress.caller?.via === "key" ? progress.caller.key.serviceAccountId : undefined,
    // The costliest member, which few requests need.
    get locale() {
      return clientLocale(request);
    },
  };
  // The trace context for later work that the request causes. Without tracing nothing is stored.
  return telemetry.tracing ? { ...requestContext, traceparent: telemetry.activeTraceparent() } : requestContext;
}
