import { ok } from "../../base/result.ts";
import type { StoreDeps } from "../../deps.ts";
import { explainRequest } from "../../flows/operations/explain.ts";
import { authorizePlatform } from "../../flows/steps/authorization/authorize-platform-role.ts";
import type { RecordedDecision } from "../../models/decision/decision.ts";
import { auditRecordBody } from "../audit-record.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { reply } from "../reply.ts";
import { ExplanationBody } from "../schemas/requests.ts";

/** docs/contract.md, section 14.11. */
export function requestRoutes(deps: StoreDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/admin/requests/:request_id",
      operationId: "explainRequest",
      docs: { clientMethod: "admin.requests.explain", section: "14.11" },
      tag: "Platform administration",
      summary: "Explain how a request was decided",
      description:
        "From the record of decisions (every problem, and a sample of further requests of the last days) and the " +
        "audit trail.",
      auth: "administrative",
      permission: "requests.read",
      responses: {
        200: { description: "The request, the deciding rule and the counters", schema: ExplanationBody },
      },
      problems: ["forbidden", "not_found", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params }) {
        const explained = await explainRequest(deps, { caller, requestId: params.request_id });
        if (!explained.ok) return explained;
        const { requestId, requests, events, sentences } = explained.value;
        return ok(
          reply(200, {
            request_id: requestId,
            requests: requests.map(decisionBody),
            events: events.map(auditRecordBody),
            sentences,
          }),
        );
      },
    }),
  ];
}

function decisionBody(decision: RecordedDecision) {
  return {
    at: decision.at.toISOString(),
    method: decision.method,
    route: decision.route,
    operation: decision.operation,
    status: decision.status,
    code: decision.code,
    rule: decision.rule,
    bound: decision.bound,
    limits: decision.limits.map(({ name, limit, windowSeconds, remaining, resetSeconds }) => ({
      name,
      limit,
      window_seconds: windowSeconds,
      remaining,
      reset_seconds: resetSeconds,
    })),
    counters: decision.counters,
    retry_after_seconds: decision.retryAfterSeconds,
    user_id: decision.userId,
    organization_id: decision.organizationId,
    network: decision.network,
    duration_ms: decision.durationMs,
    trace_id: decision.traceId,
    claims: decision.claims,
  };
}
