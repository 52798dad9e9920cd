import Piscina from "piscina";
import type { Clock } from "../base/clock.ts";
import { WORKER_RETRIES } from "../base/limits.ts";
import { inJobSpan, type Telemetry } from "../base/telemetry.ts";
import type { HashJob, HashResult, PoolRefusal, SignJob, SignResult } from "./protocol.ts";

/** Hands jobs to worker threads: bounded queue, deadline, dead workers replaced and their jobs tried again. */
export interface Pool<Job, Answer> {
  run(job: Job): Promise<PoolAnswer<Answer>>;
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

export interface PoolOptions {
  readonly name: string;
  /** The module whose default export does a job. */
  readonly workerFile: URL;
  readonly workers: number;
  readonly queueMax: number;
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

export function openPool<Job, Answer>(options: PoolOptions): Pool<Job, Answer> {
  const piscina = new Piscina<Job, Answer>({
    filename: options.workerFile.href,
    minThreads: options.workers,
    maxThreads: options.workers,
    niceIncrement: options.niceIncrement,
    stricterFIFO: true,
    recordTiming: false,
  });
  // Piscina reports a worker that fell while idle here; the pool has replaced it by then.
  piscina.on("error", () => undefined);
  let meanJobMs = 1;
  // Counted here: piscina 5.3 does not hold its maxQueue for jobs that can be aborted, which all of ours can.
  let underway = 0;
  const queued = () => Math.max(0, underway - options.workers);

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

  async function run(job: Job): Promise<PoolAnswer<Answer>> {
    if (queued() >= options.queueMax) return { ok: false, code: "queue_full" };
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), options.deadlineMs);
    const startedAt = options.clock.monotonic();
    const ahead = queued();
    underway += 1;
    try {
      return await attempt(job, deadline.signal);
    } finally {
      clearTimeout(timer);
      underway -= 1;
      const jobsDone = 1 + ahead / options.workers;
      meanJobMs = 0.9 * meanJobMs + 0.1 * ((options.clock.monotonic() - startedAt) / jobsDone);
    }
  }

  return {
    run: (job) => inJobSpan(options.telemetry, options.name, () => run(job)),
    get queued() {
      return queued();
    },
    workers: options.workers,
    secondsToDrain: () => Math.max(1, Math.ceil((queued() * meanJobMs) / options.workers / 1000)),
    close: () => piscina.close(),
  };
}
