import { admissionControl } from "../../src/pool/admission-control.ts";
import type { LayeredPool } from "../../src/pool/pool.ts";

const ADMITTED_MAX = 1_000;

/** A pool that runs the worker's function on this thread. Jobs and results are copied, as between threads. */
export function inPlacePool<Job, Answer>(work: (job: Job) => Answer | Promise<Answer>): LayeredPool<Job, Answer> {
  const admissions = admissionControl(ADMITTED_MAX);
  const run = async (job: Job) => structuredClone(await work(structuredClone(job)));
  return {
    run,
    runBehind: run,
    admit: (fairnessKey) => admissions.admit(fairnessKey),
    queued: 0,
    workers: 1,
    secondsToDrain: () => 1,
    close: async () => undefined,
  };
}
