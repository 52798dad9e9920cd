import { admissionControl } from "../../src/pool/admission-control.ts";
import type { Pool } from "../../src/pool/pool.ts";

const ADMITTED_MAX = 1_000;

/** A pool that runs the worker's function on this thread. Jobs and results are copied, as between threads. */
export function inPlacePool<Job, Answer>(work: (job: Job) => Answer | Promise<Answer>): Pool<Job, Answer> {
  const admissions = admissionControl(ADMITTED_MAX);
  return {
    run: async (job) => structuredClone(await work(structuredClone(job))),
    admit: (fairnessKey) => admissions.admit(fairnessKey),
    queued: 0,
    workers: 1,
    secondsToDrain: () => 1,
    close: async () => undefined,
  };
}
