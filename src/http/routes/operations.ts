import { refusal } from "../../base/problem.ts";
import { ok } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { type Check, checkReadiness, type ReadinessDeps } from "../../flows/operations/check-readiness.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { envelope } from "../problem-status.ts";
import { reply, textReply } from "../reply.ts";
import { Liveness, NotReady, Readiness } from "../schemas/discovery.ts";

const tag = "Operations";
const METRICS_EXAMPLE = 'http_server_request_duration_seconds_count{http_route="/healthz"} 1';
const NOT_READY = refusal("internal_error", "Not ready.");
/** Prometheus text exposition, version 0.0.4. */
const PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

/** docs/contract.md, sections 19.1 to 19.3. */
export function operationsRoutes(deps: ReadinessDeps & Pick<Deps, "collectMetrics">): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/healthz",
      prefixed: false,
      unsampled: true,
      probe: true,
      operationId: "getLiveness",
      docs: { clientMethod: "operations.liveness", section: "19.1" },
      tag,
      summary: "Liveness of the process",
      auth: "none",
      responses: { 200: { description: "Alive", schema: Liveness } },
      problems: [],
      handle: () => ok(reply(200, { status: "ok" })),
    }),
    endpoint({
      method: "GET",
      path: "/readyz",
      prefixed: false,
      unsampled: true,
      probe: true,
      operationId: "getReadiness",
      docs: { clientMethod: "operations.readiness", section: "19.2" },
      tag,
      summary: "Readiness of the replica for traffic",
      auth: "none",
      responses: {
        200: { description: "Ready; `degraded` without Redis", schema: Readiness },
        503: { description: "No database, migrations missing, or draining", schema: NotReady },
      },
      problems: [],
      async handle() {
        const readiness = await checkReadiness(deps);
        const { database, migrations, redis, degradedProviders } = readiness;
        const body = {
          status: readiness.status,
          checks: { database: checkBody(database), migrations: checkBody(migrations), redis: checkBody(redis) },
          provider_config: { degraded: degradedProviders.length > 0, providers: degradedProviders },
        };
        return ok(readiness.ready ? reply(200, body) : reply(503, { ...envelope(NOT_READY), ...body }));
      },
    }),
    endpoint({
      method: "GET",
      path: "/metrics",
      prefixed: false,
      unsampled: true,
      operationId: "getMetrics",
      docs: { clientMethod: "operations.metrics", section: "19.3" },
      tag,
      summary: "Metrics",
      auth: "none",
      responses: {
        200: { description: "Prometheus text exposition", contentType: "text/plain", example: METRICS_EXAMPLE },
      },
      problems: [],
      handle: async () => ok(textReply(200, PROMETHEUS_TEXT, await deps.collectMetrics())),
    }),
  ];
}

function checkBody(check: Check) {
  return { status: check.status, latency_ms: check.latencyMs };
}
