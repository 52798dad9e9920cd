/**
 * Records of requests for `explain`: every refusal, requests with a failed or cut claim within a bound, and a sample of
 * the remaining requests (docs/decisions/0019).
 */

import type { LimitState, Refusal } from "../base/problem.ts";
import type { Deps } from "../deps.ts";
import { DECISION_RULE_MAX_CHARACTERS } from "../limits/decision-limits.ts";
import { methodLabel } from "../telemetry/metrics.ts";
import { type ClaimRecord, isNoteworthy } from "../vocabulary/claim-mapping.ts";
import type { Endpoint } from "./endpoint.ts";
import type { KeyCaller } from "./guards/api-key.ts";
import type { Caller } from "./guards/caller.ts";

/** The state of a request in the pipeline, as far as the guards ran. */
export interface RequestTrace {
  /** The limits that counted the request, with the new state. */
  readonly counted: LimitState[];
  caller?: Caller | KeyCaller | undefined;
}

export interface CompletedRequest {
  readonly endpoint: Endpoint;
  readonly route: string;
  readonly requestId: string;
  /** Wall-clock milliseconds at the end of the request. */
  readonly at: number;
  readonly durationMs: number;
  readonly status: number;
  readonly refused: Refusal | undefined;
  readonly progress: RequestTrace;
  /** The network that limits count; computed only for recorded requests. */
  readonly network: () => string;
  /** The outcomes of claim mappings. */
  readonly claims: readonly ClaimRecord[];
}

type DecisionDeps = Pick<Deps, "decisions" | "telemetry">;

/** Counts the bound that refused, and records the request if the request was refused or sampled. */
export function recordOutcome({ decisions, telemetry }: DecisionDeps, completed: CompletedRequest): void {
  const { endpoint, refused, status } = completed;
  if (refused?.bound) telemetry.metrics.boundRefused(refused.bound);
  countProgram(telemetry, completed);
  // Some pages display a refusal as part of the page, without `refused`. The response of a replica that is not ready is
  // no refusal.
  const isRefusal = refused ? !refused.isRoutine : status >= 400 && endpoint.showRefusal !== undefined;
  if (!isRefusal && !admitsClaims(decisions, completed) && (endpoint.unsampled || !decisions.samples())) return;
  const { counted, caller } = completed.progress;
  const limits = refused?.limit && !counted.includes(refused.limit) ? [...counted, refused.limit] : counted;
  decisions.record({
    requestId: completed.requestId,
    at: new Date(completed.at),
    method: endpoint.method,
    route: completed.route,
    operation: endpoint.operationId,
    status,
    code: refused?.code ?? null,
    rule: refused ? ruleOf(refused) : null,
    bound: refused?.bound ?? null,
    limits,
    counters: refused?.counters ?? {},
    retryAfterSeconds: refused?.retryAfterSeconds ?? null,
    ...callerIds(caller),
    network: completed.network(),
    durationMs: completed.durationMs,
    traceId: telemetry.activeIds()?.trace_id ?? null,
    claims: completed.claims,
  });
}

function countProgram(telemetry: DecisionDeps["telemetry"], { progress, status }: CompletedRequest): void {
  const { caller } = progress;
  if (caller?.via !== "key") return;
  telemetry.metrics.programRequest(caller.key.isToken ? "token" : "key", `${Math.floor(status / 100)}xx`);
}

/** A claim that failed or was cut is explained without a sample, within a bound for the same claims. */
function admitsClaims(decisions: Deps["decisions"], { endpoint, at, claims }: CompletedRequest): boolean {
  const noteworthy = claims.filter(isNoteworthy);
  if (noteworthy.length === 0) return false;
  const names = noteworthy.map(({ claim, outcome }) => `${claim} ${outcome}`);
  return decisions.admitsClaims([endpoint.operationId, ...names].join("\n"), at);
}

/** The ids of the caller. The id of an API key is recorded as the user, as in the audit trail. */
function callerIds(caller: RequestTrace["caller"]): { userId: string | null; organizationId: string | null } {
  if (!caller) return { userId: null, organizationId: null };
  if (caller.via === "key") return { userId: caller.key.id, organizationId: caller.key.organizationId };
  return { userId: caller.session.userId, organizationId: caller.session.organizationId };
}

/** The rule as text that PostgreSQL always accepts. */
function ruleOf({ cause, message }: Refusal): string {
  const text = (cause ?? message).slice(0, DECISION_RULE_MAX_CHARACTERS).toWellFormed();
  return text.replace(/\p{Cc}/gu, " ");
}

/** Records a request without an endpoint, or a request that failed before the endpoint. */
export function recordUnmatched(
  { decisions }: DecisionDeps,
  request: Pick<Request, "method">,
  unmatched: Pick<CompletedRequest, "requestId" | "at" | "status"> & { failure: string | undefined; network: string },
): void {
  const { requestId, at, status, failure, network } = unmatched;
  decisions.record({
    requestId,
    at: new Date(at),
    method: methodLabel(request.method),
    route: "_unmatched",
    operation: null,
    status,
    code: failure === undefined ? "not_found" : "internal_error",
    rule: failure ?? "no endpoint has this method and path",
    bound: null,
    limits: [],
    counters: {},
    retryAfterSeconds: null,
    userId: null,
    organizationId: null,
    network,
    durationMs: 0,
    traceId: null,
    claims: [],
  });
}
