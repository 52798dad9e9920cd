import Piscina from "piscina";
import type { Clock } from "../base/clock.ts";
import { WORKER_RETRIES } from "../base/limits.ts";
import { inJobSpan, type Telemetry } from "../base/telemetry.ts";
import { admissionControl } from "./admission-control.ts";
import { fairQueue } from "./fair-queue.ts";
import type { ExportJob, ExportResult, HashJob, HashResult, PoolRefusal, SignJob, SignResult } from "./protocol.ts";

/** Hands jobs to worker threads: bounded queue, deadline, dead workers replaced and their jobs tried again. */
export interface Pool<Job, Answer> {
  /** `fairnessKey`: who waits in whose turn; a full queue turns away the one that has most waiting. Default: all are one. */
  run(job: Job, fairnessKey?: string): Promise<PoolAnswer<Answer>>;
  /**
   * Lets somebody in who will ask for a job soon, and who says when that is over; `undefined`: the queue is full of such people, go
   * away before you cost more.
   */
  admit(fairnessKey: string): (() => void) | undefined;
  /** Jobs that wait for a worker now. */
  readonly queued: number;
  readonly workers: number;
  /** Seconds until the queue of this moment has been worked off, for Retry-After. At least 1. */
  secondsToDrain(): number;
  close(): Promise<void>;
}

export type PoolAnswer<Answer> = Answer | { readonly ok: false; readonly code: PoolRefusal };
export type HashPool = Pool<HashJob, HashResult>;
export type SignPool = Pool<SignJob, SignResult>;
export type ExportPool = Pool<ExportJob, ExportResult>;

export interface PoolOptions {
  readonly name: string;
  /** The module whose default export does a job. */
  readonly workerFile: URL;
  readonly workers: number;
  /** Threads that are kept while there is nothing to do; default: all. */
  readonly idleWorkers?: number;
  readonly queueMax: number;
  /** Beyond it only those enter of whom little is inside, up to twice as many (see `admissionControl`). Default: queue and workers. */
  readonly entrantsMax?: number;
  /** From asking to answering. A job that still waits is taken back, one that runs loses its worker. */
  readonly deadlineMs: number;
  /** How much the workers give way to the thread that answers requests (nice(2)); hashing would starve it otherwise. */
  readonly niceIncrement: number;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

type KnownPoolOptions = Omit<PoolOptions, "name" | "workerFile">;

export function openHashPool(options: KnownPoolOptions): HashPool {
  const workerFile = new URL("../../workers/hash.ts", import.meta.url);
  return openPool<HashJob, HashResult>({ ...options, name: "hash", workerFile });
}

export function openSignPool(options: KnownPoolOptions): SignPool {
  const workerFile = new URL("../../workers/sign.ts", import.meta.url);
  return openPool<SignJob, SignResult>({ ...options, name: "sign", workerFile });
}

/** Threads of exports are made when one is asked for: most replicas never make any. */
export function openExportPool(options: KnownPoolOptions): ExportPool {
  const workerFile = new URL("../../workers/export.ts", import.meta.url);
  return openPool<ExportJob, ExportResult>({ ...options, name: "export", workerFile, idleWorkers: 0 });
}

/** A job that was asked for. */
interface Asked<Job, Answer> {
  readonly job: Job;
  readonly answer: (answer: PoolAnswer<Answer>) => void;
  /** Monotonic milliseconds. */
  readonly deadlineAt: number;
}

/** One that waits for a worker, and gives up by itself. */
interface Waiting<Job, Answer> extends Asked<Job, Answer> {
  readonly timer: ReturnType<typeof setTimeout>;
}

export function openPool<Job, Answer>(options: PoolOptions): Pool<Job, Answer> {
  const { clock, workers } = options;
  const piscina = new Piscina<Job, Answer>({
    filename: options.workerFile.href,
    minThreads: options.idleWorkers ?? workers,
    maxThreads: workers,
    niceIncrement: options.niceIncrement,
    recordTiming: false,
  });
  // Piscina reports a worker that fell while idle here; the pool has replaced it by then.
  piscina.on("error", () => undefined);
  const admissions = admissionControl(options.entrantsMax ?? options.queueMax + workers);
  // The queue is ours: piscina 5.3 keeps jobs that can be aborted last in, first out, and outside its bound, so that some starve.
  const queue = fairQueue<Waiting<Job, Answer>>(options.queueMax);
  let running = 0;
  let meanJobMs = 1;

  async function attempt(job: Job, signal: AbortSignal): Promise<PoolAnswer<Answer>> {
    for (let attempts = 0; ; attempts += 1) {
      try {
        return await piscina.run(job, { signal });
      } catch {
        if (signal.aborted) return { ok: false, code: "deadline" };
        if (attempts >= WORKER_RETRIES) return { ok: false, code: "worker_died" };
      }
    }
  }

  async function start({ job, answer, deadlineAt }: Asked<Job, Answer>): Promise<void> {
    const startedAt = clock.monotonic();
    const overrun = new AbortController();
    const timer = setTimeout(() => overrun.abort(), deadlineAt - startedAt);
    running += 1;
    answer(await attempt(job, overrun.signal));
    clearTimeout(timer);
    running -= 1;
    meanJobMs = 0.9 * meanJobMs + 0.1 * (clock.monotonic() - startedAt);
    startNext();
  }

  function startNext(): void {
    while (running < workers) {
      const waiting = queue.next();
      if (!waiting) return;
      clearTimeout(waiting.timer);
      void start(waiting);
    }
  }

  function run(job: Job, fairnessKey: string): Promise<PoolAnswer<Answer>> {
    return new Promise((answer) => {
      const asked = { job, answer, deadlineAt: clock.monotonic() + options.deadlineMs };
      if (running < workers) return void start(asked);
      const giveUp = () => {
        queue.remove(fairnessKey, waiting);
        answer({ ok: false, code: "deadline" });
      };
      const waiting = { ...asked, timer: setTimeout(giveUp, options.deadlineMs) };
      turnAway(queue.offer(fairnessKey, waiting));
    });
  }

  function turnAway(evicted: Waiting<Job, Answer> | undefined): void {
    if (!evicted) return;
    clearTimeout(evicted.timer);
    evicted.answer({ ok: false, code: "queue_full" });
  }

  return {
    run: (job, fairnessKey = "") => inJobSpan(options.telemetry, options.name, () => run(job, fairnessKey)),
    admit: (fairnessKey) => admissions.admit(fairnessKey),
    get queued() {
      return queue.size;
    },
    workers,
    secondsToDrain: () => Math.max(1, Math.ceil((queue.size * meanJobMs) / workers / 1000)),
    close: () => piscina.close(),
  };
}
