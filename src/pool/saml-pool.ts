import {
  SAML_DEADLINE_MS,
  SAML_QUEUE_MAX,
  SAML_WORKER_IDLE_MS,
  SAML_WORKER_TIME_MS,
  SAML_WORKERS,
} from "../limits/saml-limits.ts";
import { openPool, type Pool, type PoolFailure, type PoolOptions } from "./pool.ts";
import type { SamlJob, SamlResult } from "./saml-protocol.ts";

export type SamlPool = Pool<SamlJob, SamlResult>;

/**
 * Opens the pool of the workers that parse XML of identity providers. The fairness key of a job is the organization:
 * organizations have equal shares of the time of the workers, so a flood of expensive documents of one organization
 * delays a job of another organization by the running job. Threads start on demand.
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
    sharesTime: true,
    deadlineMs,
  });
}

/** Whether the document itself is too expensive. A job may also spend its time in the queue, behind other documents. */
export function exceedsWorkerTime({ code, runMs = 0 }: PoolFailure): boolean {
  return code === "deadline" && runMs >= SAML_WORKER_TIME_MS;
}
