import Piscina from "piscina";
import type { Clock } from "../base/clock.ts";
import { deadlineWatch } from "../base/deadline-watch.ts";
import { keyedTurns } from "../base/keyed-turns.ts";
import { TURNS_BEHIND_MAX, WORKER_RETRIES } from "../limits/process-limits.ts";
import { inJobSpan, type JobReport } from "../telemetry/spans.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { admissionControl } from "./admission-control.ts";
import { type FairQueue, layeredQueue } from "./fair-queue.ts";
import type {
  ExportJob,
  ExportResult,
  HashJob,
  HashResult,
  PoolRefusal,
  SignJob,
  SignResult,
  SignWorkerData,
} from "./protocol.ts";

/** Runs jobs on worker threads: bounded fair queue, deadline; dead workers are replaced and their jobs retried. */
export interface Pool<Job, Output> {
  /** Jobs of different fairness keys take turns; a full queue evicts from the key with the most waiting jobs. */
  run(job: Job, fairnessKey?: string): Promise<PoolResult<Output>>;
  /**
   * Admits a request that will run a job later and returns its release; `undefined` at the bound, so the request is
   * refused before the first statement (docs/decisions/0009).
   */
  admit(fairnessKey: string): (() => void) | undefined;
  /** Jobs waiting for a worker. */
  readonly queued: number;
  readonly workers: number;
  /** Estimated seconds until the current queue is empty, for Retry-After. At least 1. */
  secondsToDrain(): number;
  /** Ends the workers: no request waits any more for a running job. */
  close(): Promise<void>;
}

/** A pool with jobs that wait for all jobs of `run`. */
export interface LayeredPool<Job, Output> extends Pool<Job, Output> {
  /** Jobs of a fairness key run one at a time. */
  runBehind(job: Job, fairnessKey: string): Promise<PoolResult<Output>>;
}

export type PoolResult<Output> = Output | PoolFailure;
export interface PoolFailure {
  readonly ok: false;
  readonly code: PoolRefusal;
  /** With `deadline`: milliseconds during which a worker had the job. */
  readonly runMs?: number;
}
const FULL: PoolFailure = { ok: false, code: "queue_full" };
export type HashPool = LayeredPool<HashJob, HashResult>;
export type SignPool = Pool<SignJob, SignResult>;
export type SignPoolOptions = KnownPoolOptions &
  SignWorkerData & { readonly onSigned?: (signature: Extract<SignResult, { ok: true }>) => void };
export type ExportPool = Pool<ExportJob, ExportResult>;

export interface PoolOptions {
  readonly name: string;
  /** The module with the job as default export. */
  readonly workerFile: URL;
  readonly workers: number;
  /** The number of idle threads to keep. Default: all. */
  readonly idleWorkers?: number;
  /** Time after which an idle thread above `idleWorkers` ends. Default: at once. */
  readonly idleMs?: number;
  readonly queueMax: number;
  /** Bound of `admit` (see `admissionControl`). Default: `queueMax` plus `workers`. */
  readonly admissionsMax?: number;
  /** From `run` to the result. A waiting job is removed from the queue; the worker of a running job is terminated. */
  readonly deadlineMs: number;
  /** True: fairness keys have equal shares of the workers' time, in place of equal numbers of jobs. */
  readonly sharesTime?: boolean;
  /** nice(2) increment of the workers, so hashing does not starve the thread of the requests. */
  readonly niceIncrement: number;
  /** Plain data for each worker at its start. */
  readonly workerData?: object;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

export type KnownPoolOptions = Omit<PoolOptions, "name" | "workerFile" | "workerData">;

export function openHashPool(options: KnownPoolOptions): HashPool {
  const workerFile = new URL("../../workers/hash.ts", import.meta.url);
  return openPool<HashJob, HashResult>({ ...options, name: "hash", workerFile });
}

/** `onSigned`: called with each signature, with the implementation that made the signature. */
export function openSignPool({ libcrypto, onSigned, ...options }: SignPoolOptions): SignPool {
  const workerFile = new URL("../../workers/sign.ts", import.meta.url);
  const workerData: SignWorkerData = { libcrypto };
  return openPool<SignJob, SignResult>({ ...options, name: "sign", workerFile, workerData }, (result) => {
    if (result.ok) onSigned?.(result);
  });
}

/** Threads of exports start on demand: most replicas never run an export. */
export function openExportPool(options: KnownPoolOptions): ExportPool {
  const workerFile = new URL("../../workers/export.ts", import.meta.url);
  return openPool<ExportJob, ExportResult>({ ...options, name: "export", workerFile, idleWorkers: 0 });
}

/** A job between `run` and its result. */
interface SubmittedJob<Job, Output> {
  readonly job: Job;
  readonly fairnessKey: string;
  readonly resolve: (result: PoolResult<Output>) => void;
  readonly queue: FairQueue<SubmittedJob<Job, Output>>;
  readonly report: JobReport;
  /** Monotonic milliseconds. */
  readonly deadlineAt: number;
  /** Set while a worker has the job. */
  overrun?: Overrun;
}

type Lane<Job, Output> = Pick<SubmittedJob<Job, Output>, "fairnessKey" | "queue">;

/** `onOutput`: called with the output of each job that a worker completed. */
export function openPool<Job, Output>(
  options: PoolOptions,
  onOutput: (output: Output) => void = () => undefined,
): LayeredPool<Job, Output> {
  const { clock, workers } = options;
  const piscina = startWorkers<Job, Output>(options);
  const admissions = admissionControl(options.admissionsMax ?? options.queueMax + workers);
  // Does not use piscina's queue: version 5.3 runs abortable jobs last in, first out, without a bound
  // (docs/decisions/0003).
  const queue = layeredQueue<SubmittedJob<Job, Output>>(options.queueMax);
  const turns = keyedTurns(TURNS_BEHIND_MAX);
  const deadlines = deadlineWatch<SubmittedJob<Job, Output>>(clock, expire);
  let [running, meanJobMs, closed] = [0, 1, false];

  function expire(submitted: SubmittedJob<Job, Output>): void {
    if (submitted.overrun) submitted.overrun.abort();
    else {
      submitted.queue.remove(submitted.fairnessKey, submitted);
      finish(submitted, { ok: false, code: "deadline", runMs: 0 });
    }
  }

  function finish(submitted: SubmittedJob<Job, Output>, result: PoolResult<Output>): void {
    deadlines.delete(submitted);
    submitted.resolve(result);
  }

  function start(submitted: SubmittedJob<Job, Output>): void {
    const startedAt = clock.monotonic();
    const overrun = beginJob(submitted, startedAt);
    running += 1;
    const ended = (result: PoolResult<Output>) => {
      running -= 1;
      const runMs = clock.monotonic() - startedAt;
      meanJobMs = 0.9 * meanJobMs + 0.1 * runMs;
      if (options.sharesTime) submitted.queue.charge(submitted.fairnessKey, runMs);
      finish(submitted, result);
      startNext();
    };
    const completed = (output: Output) => {
      onOutput(output);
      ended(output);
    };
    runOnWorker(piscina, submitted.job, overrun, () => closed).then(completed, () => {
      const code = overrun.aborted ? "deadline" : "worker_died";
      ended({ ok: false, code, ...(overrun.aborted ? { runMs: clock.monotonic() - startedAt } : {}) });
    });
  }

  function startNext(): void {
    while (running < workers && !closed) {
      const waiting = queue.next();
      if (!waiting) return;
      // A thread runs its timers late after a long task. A job that starts too late would cost its worker.
      if (waiting.deadlineAt <= clock.monotonic()) finish(waiting, { ok: false, code: "deadline", runMs: 0 });
      else start(waiting);
    }
  }

  function run(job: Job, lane: Lane<Job, Output>, report: JobReport): Promise<PoolResult<Output>> {
    return new Promise((resolve) => {
      const submitted = { job, ...lane, resolve, report, deadlineAt: clock.monotonic() + options.deadlineMs };
      deadlines.add(submitted);
      if (running < workers) return start(submitted);
      const evicted = lane.queue.offer(lane.fairnessKey, submitted);
      if (evicted) finish(evicted, { ok: false, code: "queue_full" });
    });
  }

  const inSpan = (job: Job, lane: Lane<Job, Output>) =>
    inJobSpan(options.telemetry, options.name, (report) => run(job, lane, report));

  return {
    run: (job, fairnessKey = "") => inSpan(job, { fairnessKey, queue: queue.front }),
    runBehind: async (job, fairnessKey) =>
      (await turns.run(fairnessKey, () => inSpan(job, { fairnessKey, queue: queue.behind }))) ?? FULL,
    admit: (fairnessKey) => admissions.admit(fairnessKey),
    get queued() {
      return queue.size;
    },
    workers,
    secondsToDrain: () => Math.max(1, Math.ceil((queue.size * meanJobMs) / workers / 1000)),
    async close() {
      closed = true;
      await piscina.destroy();
      deadlines.close();
    },
  };
}

/** Runs a job on a worker, and repeats the job of a worker that died. */
async function runOnWorker<Job, Output>(
  piscina: Piscina<Job, Output>,
  job: Job,
  overrun: Overrun,
  isClosed: () => boolean,
  retries = WORKER_RETRIES,
): Promise<Output> {
  try {
    return await piscina.run(job, { signal: overrun });
  } catch (error) {
    if (overrun.aborted || retries === 0 || isClosed()) throw error;
    return await runOnWorker(piscina, job, overrun, isClosed, retries - 1);
  }
}

function startWorkers<Job, Output>({ workerFile, workerData, ...options }: PoolOptions): Piscina<Job, Output> {
  const piscina = new Piscina<Job, Output>({
    filename: workerFile.href,
    ...(workerData ? { workerData } : {}),
    minThreads: options.idleWorkers ?? options.workers,
    maxThreads: options.workers,
    ...(options.idleMs === undefined ? {} : { idleTimeout: options.idleMs }),
    niceIncrement: options.niceIncrement,
    recordTiming: false,
  });
  // Piscina emits the death of an idle worker here, after the replacement.
  piscina.on("error", () => undefined);
  return piscina;
}

/** Marks a job as given to a worker; returns the handle for its termination. */
function beginJob(submitted: Pick<SubmittedJob<never, never>, "overrun" | "report">, startedAt: number): Overrun {
  submitted.report.startedAt = startedAt;
  submitted.overrun = new Overrun();
  return submitted.overrun;
}

/** The part of AbortSignal used by piscina, for one job. An AbortController costs as much as the rest of a job. */
class Overrun {
  aborted = false;
  #listener: (() => void) | undefined;

  addEventListener(_: "abort", listener: () => void): void {
    this.#listener = listener;
  }

  removeEventListener(): void {
    this.#listener = undefined;
  }

  /** Makes piscina terminate the worker of the job. */
  abort(): void {
    this.aborted = true;
    this.#listener?.();
  }
}
