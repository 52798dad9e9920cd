/** The spans of input, and the spans and durations of statements, Redis commands and worker jobs. */
import { SpanKind } from "@opentelemetry/api";
import type { Result } from "../base/result.ts";
import type { Telemetry } from "./telemetry.ts";

/**
 * Runs a statement in the span `postgresql <name>`. Names are constants such as `session.rotate`: no SQL, no values.
 */
export function inQuerySpan<T>(telemetry: Telemetry, statement: string, work: () => Promise<T>): Promise<T> {
  const attributes = { "db.system.name": "postgresql", "db.operation.name": statement, "db.query.summary": statement };
  return timed(
    telemetry,
    () => telemetry.inSpan(`postgresql ${statement}`, SpanKind.CLIENT, attributes, work),
    (seconds) => telemetry.metrics.databaseOperation("postgresql", statement, seconds),
  );
}

/** Runs a Redis command, or a script by name, in a span. Keys are left out: keys can identify an account. */
export function inRedisSpan<T>(telemetry: Telemetry, command: string, work: () => Promise<T>): Promise<T> {
  const attributes = { "db.system.name": "redis", "db.operation.name": command };
  return timed(
    telemetry,
    () => telemetry.inSpan(`redis ${command}`, SpanKind.CLIENT, attributes, work),
    (seconds) => telemetry.metrics.databaseOperation("redis", command, seconds),
  );
}

/**
 * Calls an identity provider in a span: one or several calls over the network. `provider`: the key, such as
 * `oauth_idp_a`. A failure is marked by kind, never by the text of the provider.
 */
export function inProviderSpan<T extends Result<unknown, { readonly kind: string } | { readonly reason: string }>>(
  telemetry: Telemetry,
  provider: string,
  work: () => Promise<T>,
): Promise<T> {
  const attributes = { "service.identity_provider": provider };
  return telemetry.inSpan(`identity provider ${provider}`, SpanKind.CLIENT, attributes, async () => {
    const result = await work();
    if (!result.ok) {
      const { error } = result;
      telemetry.annotate({ "error.type": "kind" in error ? error.kind : error.reason });
    }
    return result;
  });
}

/** Verifies a response of the identity provider of an organization: calls, or a worker with its queue. */
export function timeVerification<T>(
  telemetry: Telemetry,
  protocol: "oidc" | "saml",
  work: () => Promise<T>,
): Promise<T> {
  return timed(telemetry, work, (seconds) => telemetry.metrics.ssoVerification(protocol, seconds));
}

/** Reads and validates the input of a request in a span: reading a body can take long. */
export function inInputSpan<T>(telemetry: Telemetry, work: () => Promise<T>): Promise<T> {
  return telemetry.tracing ? telemetry.inSpan("read input", SpanKind.INTERNAL, {}, work) : work();
}

/** The report of the pool about a job. */
export interface JobReport {
  /** Monotonic milliseconds at which a worker began; undefined if no worker began. */
  startedAt?: number;
}

/** Runs a job of a worker pool in a span, including the wait in the queue. `work` fills in the report. */
export function inJobSpan<T>(telemetry: Telemetry, pool: string, work: (report: JobReport) => Promise<T>): Promise<T> {
  const report: JobReport = {};
  const run = async (): Promise<T> => {
    const submittedAt = telemetry.clock.monotonic();
    const result = await work(report);
    if (telemetry.tracing) describeJob(telemetry, report, submittedAt, result);
    return result;
  };
  return timed(
    telemetry,
    () => telemetry.inSpan(`worker ${pool}`, SpanKind.INTERNAL, { "service.worker.pool": pool }, run),
    (seconds) => telemetry.metrics.workerJob(pool, seconds),
  );
}

/** How long the job waited and ran, in seconds, and the code of a failure. */
function describeJob(telemetry: Telemetry, { startedAt }: JobReport, submittedAt: number, result: unknown): void {
  const endedAt = telemetry.clock.monotonic();
  const beganAt = startedAt ?? endedAt;
  const code = failureOf(result);
  telemetry.annotate({
    "service.worker.wait.duration": (beganAt - submittedAt) / 1000,
    "service.worker.run.duration": (endedAt - beganAt) / 1000,
    ...(code === undefined ? {} : { "error.type": code }),
  });
}

/** Jobs return failures as values (docs/architecture.md, rule 7). */
function failureOf(result: unknown): string | undefined {
  if (typeof result !== "object" || result === null) return undefined;
  const { ok, code } = result as { readonly ok?: boolean; readonly code?: string };
  return ok === false ? code : undefined;
}

async function timed<T>(telemetry: Telemetry, work: () => Promise<T>, record: (seconds: number) => void): Promise<T> {
  const startedAt = telemetry.clock.monotonic();
  try {
    return await work();
  } finally {
    record((telemetry.clock.monotonic() - startedAt) / 1000);
  }
}
