import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Meter, ObservableResult } from "@opentelemetry/api";

const EVENT_LOOP_RESOLUTION_MS = 20;
const NANOSECONDS_PER_SECOND = 1e9;
const MICROSECONDS_PER_SECOND = 1e6;

export interface GaugeSources {
  readonly hashQueue: () => number;
  readonly hashQueueMax: number;
  readonly signQueue: () => number;
  /** The implementation of the latest RS256 signature; undefined before the first. */
  readonly signer: () => string | undefined;
  readonly revocationEntries: () => number;
  readonly revocationsCurrent: () => boolean;
  readonly stateShared: () => boolean;
  /** Seconds since the oldest email of the outbox was written; undefined before the first reading. */
  readonly oldestMailAge: () => number | undefined;
  /** Seconds since the oldest record without a checkpoint was written; undefined before the first reading. */
  readonly auditLogLag: () => number | undefined;
  readonly auditLogCosignatureWait: () => number | undefined;
  readonly auditLogBlockers: () => readonly { readonly kind: string; readonly seconds: number }[];
  /** Values by state; empty before the first reading. Ages are in seconds. */
  readonly webhooks: () => readonly WebhookGauge[];
  /** Empty before the first reading. */
  readonly domains: () => readonly DomainGauge[];
  /** Seconds until the next certificate of an identity provider ends; undefined before the first reading. */
  readonly certificateExpiry: () => number | undefined;
  /** Empty before the first reading. */
  readonly directories: () => readonly DirectoryGauge[];
}

export interface DirectoryGauge {
  readonly state: string;
  readonly directories: number;
}

export interface DomainGauge {
  readonly status: string;
  readonly domains: number;
}

export interface WebhookGauge {
  readonly state: string;
  readonly webhooks: number;
  /** Organizations with at least one webhook in this state; the platform counts as an organization. */
  readonly owners: number;
  readonly waiting: number;
  /** In seconds, 0 if no delivery waits. */
  readonly oldestAge: number;
  /** Seconds for which a delivery could have been sent and was not; only healthy webhooks. */
  readonly overdue: number;
}

type ObserveGauge = (
  name: string,
  description: string,
  read: (result: ObservableResult) => void,
  unit?: string,
) => void;

/** Sources that are read at every collection and cost nothing in between. */
export function observeGauges(meter: Meter, sources: GaugeSources): void {
  const gauge: ObserveGauge = (name, description, read, unit = "") =>
    meter.createObservableGauge(name, { description, unit }).addCallback(read);
  gauge(
    "service.worker.queue.limit",
    "Maximum number of jobs waiting for a worker; further jobs are refused",
    (result) => {
      result.observe(sources.hashQueueMax, { "service.worker.pool": "hash" });
    },
    "{job}",
  );
  gauge(
    "service.worker.queue.size",
    "Jobs waiting for a worker",
    (result) => {
      result.observe(sources.hashQueue(), { "service.worker.pool": "hash" });
      result.observe(sources.signQueue(), { "service.worker.pool": "sign" });
    },
    "{job}",
  );
  gauge("service.signer", "1 for the implementation of the latest RS256 signature", (result) => {
    const implementation = sources.signer();
    if (implementation !== undefined) result.observe(1, { implementation });
  });
  gauge(
    "service.revocations.entries",
    "Revoked sessions whose access tokens may not have expired",
    (result) => result.observe(sources.revocationEntries()),
    "{entry}",
  );
  gauge("service.revocations.current", "1 while session checks are served from memory", (result) =>
    result.observe(sources.revocationsCurrent() ? 1 : 0),
  );
  gauge("service.state.shared", "1 while limits are counted over all replicas", (result) =>
    result.observe(sources.stateShared() ? 1 : 0),
  );
  gauge(
    "service.mail.oldest.age",
    "Age of the oldest email in the outbox, 0 if there is none",
    (result) => {
      const age = sources.oldestMailAge();
      if (age !== undefined) result.observe(age);
    },
    "s",
  );
  observeAuditLog(meter, sources);
  observeWebhooks(meter, sources.webhooks);
  observeOrganizations(gauge, sources);
  observeProcess(meter);
  observeEventLoop(meter);
}

function observeOrganizations(gauge: ObserveGauge, sources: GaugeSources): void {
  gauge(
    "service.sso.domains",
    "Domains of organizations, by status",
    (result) => {
      for (const { status, domains } of sources.domains())
        result.observe(domains, { "service.sso.domain.status": status });
    },
    "{domain}",
  );
  gauge(
    "service.sso.certificate.expiry",
    "Time until the next certificate or client secret of a connection of an organization ends",
    (result) => {
      const seconds = sources.certificateExpiry();
      if (seconds !== undefined) result.observe(seconds);
    },
    "s",
  );
  gauge(
    "service.directories",
    "Directories of organizations (SCIM), by state",
    (result) => {
      for (const { state, directories } of sources.directories())
        result.observe(directories, { "service.directory.state": state });
    },
    "{directory}",
  );
}

function observeAuditLog(meter: Meter, sources: GaugeSources): void {
  const seconds = (name: string, description: string, read: () => number | undefined) =>
    meter.createObservableGauge(name, { description, unit: "s" }).addCallback((result) => {
      const value = read();
      if (value !== undefined) result.observe(value);
    });
  seconds(
    "service.audit_log.lag",
    "Age of the oldest audit record that no checkpoint of the transparency log covers, 0 if there is none",
    sources.auditLogLag,
  );
  seconds(
    "service.audit_log.cosignature.wait",
    "For how long leaves of the transparency log have waited for enough cosignatures, 0 if none wait",
    sources.auditLogCosignatureWait,
  );
  meter
    .createObservableGauge("service.audit_log.blocked.time", {
      description: "For how long an open transaction has held back the transparency log, by where it is open",
      unit: "s",
    })
    .addCallback((result) => {
      for (const { kind, seconds } of sources.auditLogBlockers())
        result.observe(seconds, { "service.audit_log.blocker": kind });
    });
}

function observeWebhooks(meter: Meter, read: GaugeSources["webhooks"]): void {
  const gauge = (name: string, unit: string, description: string, numberOf: (queue: WebhookGauge) => number) =>
    meter.createObservableGauge(`service.webhook.${name}`, { description, unit }).addCallback((result) => {
      for (const queue of read()) result.observe(numberOf(queue), { "service.webhook.state": queue.state });
    });
  gauge("endpoints", "{webhook}", "Webhooks that are on, by whether they fail, or were switched off", (queue) => {
    return queue.webhooks;
  });
  gauge("owners", "{organization}", "Organizations with a webhook in this state", ({ owners }) => owners);
  gauge("queue.size", "{delivery}", "Deliveries that wait to be sent", ({ waiting }) => waiting);
  gauge("oldest.age", "s", "Age of the oldest event that waits to be delivered", ({ oldestAge }) => oldestAge);
  gauge("overdue.age", "s", "How long a delivery of a healthy webhook has been due", ({ overdue }) => overdue);
}

/** Semantic conventions for processes. */
function observeProcess(meter: Meter): void {
  meter
    .createObservableUpDownCounter("process.memory.usage", { description: "Resident memory", unit: "By" })
    .addCallback((result) => result.observe(process.memoryUsage.rss()));
  meter
    .createObservableCounter("process.cpu.time", { description: "CPU time of all threads, by mode", unit: "s" })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage();
      result.observe(user / MICROSECONDS_PER_SECOND, { "cpu.mode": "user" });
      result.observe(system / MICROSECONDS_PER_SECOND, { "cpu.mode": "system" });
    });
}

/** Delay of timers: how long a request waits while other code computes. Reset at every collection, by any reader. */
function observeEventLoop(meter: Meter): void {
  const delay = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS });
  delay.enable();
  const gauge = (statistic: string) =>
    meter.createObservableGauge(`nodejs.eventloop.delay.${statistic}`, { description: "Event loop delay", unit: "s" });
  const [p50, p90, p99, max] = [gauge("p50"), gauge("p90"), gauge("p99"), gauge("max")];
  meter.addBatchObservableCallback(
    (result) => {
      result.observe(p50, delay.percentile(50) / NANOSECONDS_PER_SECOND);
      result.observe(p90, delay.percentile(90) / NANOSECONDS_PER_SECOND);
      result.observe(p99, delay.percentile(99) / NANOSECONDS_PER_SECOND);
      result.observe(max, delay.max / NANOSECONDS_PER_SECOND);
      delay.reset();
    },
    [p50, p90, p99, max],
  );
}
