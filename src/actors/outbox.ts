/**
 * Owns: the delivery of emails by this replica.
 * Woken by: flows after writing an email (`wake`), and a poll, which finds emails of other replicas and due retries.
 * The outbox also releases notices held beyond their limit without a later notice to merge with.
 * Bound: `OUTBOX_BATCH` emails at once, each leased for longer than the maximum duration of a delivery. A stop waits
 * for these emails only.
 * A crash loses: nothing. Any replica sends a leased email after the end of the lease, under the same idempotency key,
 * so the provider delivers the email once (G29).
 */
import { backoffMs } from "../base/backoff.ts";
import type { BrandTenants } from "../base/brand-values.ts";
import type { Clock } from "../base/clock.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import type { SealingKey } from "../base/seal.ts";
import type { Database } from "../database/database.ts";
import {
  OUTBOX_BATCH,
  OUTBOX_LEASE_MS,
  OUTBOX_POLL_MS,
  OUTBOX_RETRY_MAX_MS,
  OUTBOX_RETRY_MIN_MS,
} from "../limits/email-limits.ts";
import {
  type AddressedEmail,
  type DueEmail,
  deleteEmail,
  findOldestEmail,
  leaseDueEmails,
  openEmail,
  postponeEmail,
} from "../models/email/email.ts";
import { type EmailLimitSettings, releaseHeldEmails } from "../models/email/email-allowance.ts";
import type { MailProvider } from "../providers/mail/mail.ts";
import type { EmailBrand, Templates } from "../providers/mail/templates.ts";
import type { Logger } from "../telemetry/log.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { type WatchedAge, watchedAge } from "../telemetry/watched-age.ts";

export interface Outbox {
  start(): void;
  stop(): Promise<void>;
  /** Called after an email was written: sends the email now instead of at the next poll. */
  wake(): void;
  /** The templates and brands of the emails, for previews. */
  readonly templates: Templates;
  readonly brandOf: OutboxDeps["brandOf"];
  /** Age in seconds of the oldest waiting email, 0 for an empty outbox; undefined before the first reading. */
  oldestAge(): number | undefined;
}

export interface OutboxDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  readonly sealing: SealingKey;
  readonly templates: Templates;
  /**
   * The brand of the tenants; the brand of the deployment for tenants that are unknown, deleted or without a brand.
   * `toStranger`: the proven parts of the brand of an organization only.
   */
  readonly brandOf: (tenants: BrandTenants | undefined, toStranger?: boolean) => Promise<EmailBrand>;
  /** `undefined` while no provider is configured: emails wait. */
  readonly provider: () => MailProvider | undefined;
  readonly limits: EmailLimitSettings;
}

export function outbox(deps: OutboxDeps): Outbox {
  let sending: Loop | undefined;
  let watching: Loop | undefined;
  const oldest = oldestEmail(deps);
  return {
    start() {
      sending = startLoop({
        pauseMs: OUTBOX_POLL_MS,
        round: (isStopped) => sendDueEmails(deps, isStopped),
        onFailure: (error) => deps.log.warn({ err: error }, "outbox: a round failed; the next one continues"),
      });
      watching = startLoop({
        pauseMs: OUTBOX_POLL_MS,
        round: oldest.read,
        onFailure: (error) => deps.log.debug({ err: error }, "outbox: its age cannot be read"),
      });
    },
    async stop() {
      await Promise.all([sending?.stop(), watching?.stop()]);
    },
    wake: () => sending?.wake(),
    templates: deps.templates,
    brandOf: deps.brandOf,
    oldestAge: oldest.age,
  };
}

/** Read whether or not there is a provider. */
function oldestEmail({ database, clock }: Pick<OutboxDeps, "database" | "clock">): WatchedAge {
  return watchedAge(clock, () => database.run("email.find_oldest", findOldestEmail));
}

/** One round: sends all due emails, batch by batch, until it `isStopped`. Exported for the tests. */
export async function sendDueEmails(deps: OutboxDeps, isStopped = () => false): Promise<void> {
  const provider = deps.provider();
  await releaseHeld(deps);
  while (provider && !isStopped()) {
    const now = deps.clock.now();
    const leaseEnds = new Date(now + OUTBOX_LEASE_MS);
    const due = await deps.database.run("email.lease_due", (sql) =>
      leaseDueEmails(sql, new Date(now), leaseEnds, OUTBOX_BATCH),
    );
    await Promise.all(due.map((mail) => deliver(deps, provider, mail)));
    if (due.length < OUTBOX_BATCH) return;
  }
}

/** One batch for each round is enough: an address has at most one held notice of each kind. */
async function releaseHeld({ database, clock, limits }: OutboxDeps): Promise<void> {
  await database.run("email.release_held", (sql) =>
    releaseHeldEmails(sql, limits, new Date(clock.now()), OUTBOX_BATCH),
  );
}

async function deliver(deps: OutboxDeps, provider: MailProvider, due: DueEmail): Promise<void> {
  const { metrics } = deps.telemetry;
  const addressed = openEmail(deps.sealing, due.id, due.sealed);
  if (!addressed) {
    metrics.mail("unreadable");
    deps.log.error({ mail: due.id }, "outbox: an email cannot be unsealed under this root secret and is dropped");
    return await remove(deps, due);
  }
  const { kind } = addressed.mail;
  const attributes = { "service.mail.kind": kind, "service.mail.attempt": due.attempts };
  await deps.telemetry.inLinkedSpan({ name: `mail ${kind}`, attributes, cause: addressed.cause }, () =>
    send(deps, provider, due, addressed),
  );
}

async function send(deps: OutboxDeps, provider: MailProvider, due: DueEmail, addressed: AddressedEmail): Promise<void> {
  const { subject, text, html } = await compose(deps, addressed, due.merged);
  const delivery = await provider.send({ id: due.id, to: addressed.to, subject, text, html });
  deps.telemetry.metrics.mail(delivery.outcome);
  if (delivery.outcome === "sent") return await remove(deps, due);
  deps.telemetry.annotate({ "error.type": delivery.outcome });
  const details = { mail: due.id, kind: addressed.mail.kind, attempt: due.attempts, cause: delivery.cause };
  if (delivery.outcome === "refused") {
    deps.log.error(details, "outbox: the email provider refuses an email permanently; it is dropped");
    return await remove(deps, due);
  }
  deps.log.warn(details, "outbox: an email could not be sent; it is retried later");
  const until = new Date(deps.clock.now() + retryPauseMs(due.attempts));
  await deps.database.run("email.postpone", (sql) => postponeEmail(sql, due.id, until));
}

async function compose({ templates, brandOf }: OutboxDeps, addressed: AddressedEmail, merged: number) {
  const { to, mail, locale, timeZone, name, tenants, toStranger } = addressed;
  const values = { ...mail.values, ...mergedValues(merged), name, account: to, time_zone: timeZone ?? null };
  return templates.render({ kind: mail.kind, locale, values, brand: await brandOf(tenants, toStranger) });
}

/** The values of held notices. The flag and the second number are for templates that spell out a singular. */
function mergedValues(merged: number) {
  return { merged, one_more_change: merged === 1, more_changes: merged > 1 ? merged : null };
}

/** Exponential back-off, from `OUTBOX_RETRY_MIN_MS` to `OUTBOX_RETRY_MAX_MS`. */
export function retryPauseMs(attempts: number): number {
  return backoffMs(attempts, { minMs: OUTBOX_RETRY_MIN_MS, maxMs: OUTBOX_RETRY_MAX_MS });
}

async function remove({ database }: OutboxDeps, { id }: DueEmail): Promise<void> {
  await database.run("email.delete", (sql) => deleteEmail(sql, id));
}
