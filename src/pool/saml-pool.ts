import { SAML_DEADLINE_MS, SAML_QUEUE_MAX, SAML_WORKER_IDLE_MS, SAML_WORKERS } from "../limits/saml-limits.ts";
import { openPool, type Pool, type PoolOptions } from "./pool.ts";
import type { SamlJob, SamlResult } from "./saml-protocol.ts";

export type SamlPool = Pool<SamlJob, SamlResult>;

/**
 * Opens the pool of the workers that parse XML of identity providers. The fairness key of a job is the organization, so
 * a flood of one organization delays a job of another organization by one job. Threads start on demand.
 */
export function openSamlPool(
  common: Pick<PoolOptions, "clock" | "telemetry" | "niceIncrement">,
  deadlineMs = SAML_DEADLINE_MS,
): SamlPool {
  return openPool<SamlJob, SamlResult>({
    ...common,
    name: "saml",
    workerFile: new URL("../../workers/saml.ts", import.meta.url),
    workers: SAML_WORKERS,
    idleWorkers: 0,
    idleMs: SAML_WORKER_IDLE_MS,
    queueMax: SAML_QUEUE_MAX,
    deadlineMs,
  });
}
