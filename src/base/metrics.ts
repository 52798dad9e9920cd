import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Meter, ObservableResult } from "@opentelemetry/api";
import type { FirstFactor } from "./assurance.ts";

/** Bucket bounds in seconds: a sign-in takes tens of milliseconds by design, everything else a few. */
const DURATION_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** OpenTelemetry semantic conventions for HTTP: any other method is `_OTHER`, so that clients cannot add series. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE", "QUERY"]);

const EVENT_LOOP_RESOLUTION_MS = 20;
const NANOSECONDS_PER_SECOND = 1e9;

/** All instruments. Labels are route templates and closed sets, never client input (G18b). */
export interface Metrics {
  httpRequest(method: string, route: string, status: number, seconds: number): void;
  databaseOperation(system: "postgresql" | "redis", operation: string, seconds: number): void;
  workerJob(pool: string, seconds: number): void;
  signInAttempt(method: FirstFactor, outcome: "success" | "failure"): void;
  secondFactor(factor: "totp" | "recovery_code", outcome: "success" | "failure"): void;
  /** The outcome of one attempt to send an e-mail. */
  mail(outcome: "sent" | "failed" | "refused" | "unreadable"): void;
  /** Registers the sources of gauges, which are read at each collection. */
  observe(sources: GaugeSources): void;
}

export interface GaugeSources {
  readonly hashQueue: () => number;
  readonly hashQueueMax: number;
  readonly signQueue: () => number;
  readonly revocationEntries: () => number;
  readonly revocationsCurrent: () => boolean;
  readonly stateShared: () => boolean;
}

export function createMetrics(meter: Meter): Metrics {
  const histogram = (name: string, description: string) =>
    meter.createHistogram(name, { description, unit: "s", advice: { explicitBucketBoundaries: DURATION_BOUNDS } });
  const http = histogram("http.server.request.duration", "Duration of HTTP requests");
  const database = histogram("db.client.operation.duration", "Duration of statements and Redis commands");
  const jobs = histogram("service.worker.job.duration", "Duration of worker jobs, waiting included");
  const signIns = meter.createCounter("service.sign_in.attempts", { description: "Sign-ins by method and outcome" });
  const factors = meter.createCounter("service.second_factor.attempts", {
    description: "Second factors verified at challenge and step-up, by kind and outcome",
  });
  const mails = meter.createCounter("service.mail.attempts", { description: "Attempts to send an e-mail, by outcome" });
  return {
    httpRequest(method, route, status, seconds) {
      http.record(seconds, {
        "http.request.method": METHODS.has(method) ? method : "_OTHER",
        "http.route": route,
        "http.response.status_code": status,
      });
    },
    databaseOperation(system, operation, seconds) {
      database.record(seconds, { "db.system.name": system, "db.operation.name": operation });
    },
    workerJob(pool, seconds) {
      jobs.record(seconds, { "service.worker.pool": pool });
    },
    signInAttempt(method, outcome) {
      signIns.add(1, { "service.sign_in.method": method, "service.sign_in.outcome": outcome });
    },
    secondFactor(factor, outcome) {
      factors.add(1, { "service.second_factor.kind": factor, "service.second_factor.outcome": outcome });
    },
    mail: (outcome) => mails.add(1, { "service.mail.outcome": outcome }),
    observe: (sources) => observeGauges(meter, sources),
  };
}

function observeGauges(meter: Meter, sources: GaugeSources): void {
  const gauge = (name: string, description: string, read: (result: ObservableResult) => void, unit = "1") =>
    meter.createObservableGauge(name, { description, unit }).addCallback(read);
  gauge(
    "service.worker.queue.limit",
    "Maximum number of jobs waiting for a worker; further jobs are refused",
    (result) => {
      result.observe(sources.hashQueueMax, { "service.worker.pool": "hash" });
    },
  );
  gauge("service.worker.queue.size", "Jobs waiting for a worker", (result) => {
    result.observe(sources.hashQueue(), { "service.worker.pool": "hash" });
    result.observe(sources.signQueue(), { "service.worker.pool": "sign" });
  });
  gauge("service.revocations.entries", "Revoked sessions whose access tokens may not have expired", (result) =>
    result.observe(sources.revocationEntries()),
  );
  gauge("service.revocations.current", "1 while session checks are served from memory", (result) =>
    result.observe(sources.revocationsCurrent() ? 1 : 0),
  );
  gauge("service.state.shared", "1 while limits are counted over all replicas", (result) =>
    result.observe(sources.stateShared() ? 1 : 0),
  );
  gauge("process.memory.usage", "Resident memory", (result) => result.observe(process.memoryUsage.rss()), "By");
  observeEventLoop(meter);
}

/**
 * Delay of timers, which is what a request waits while other code computes. Reset at each collection, by any reader.
 */
function observeEventLoop(meter: Meter): void {
  const delay = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS });
  delay.enable();
  const p99 = meter.createObservableGauge("nodejs.eventloop.delay.p99", { description: "Event loop delay", unit: "s" });
  const max = meter.createObservableGauge("nodejs.eventloop.delay.max", { description: "Event loop delay", unit: "s" });
  meter.addBatchObservableCallback(
    (result) => {
      result.observe(p99, delay.percentile(99) / NANOSECONDS_PER_SECOND);
      result.observe(max, delay.max / NANOSECONDS_PER_SECOND);
      delay.reset();
    },
    [p99, max],
  );
}
