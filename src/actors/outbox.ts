/**
 * Owns: the sending of this replica's share of the outbox.
 * Told by: whoever has just written a letter (`wake`), and its own poll, which finds the letters of other replicas and those whose
 * time has come again.
 * Bound: `OUTBOX_BATCH` letters at once, each leased for longer than its sending may take.
 * A crash loses: nothing. What was leased is sent by any replica once the lease has ended, under the same idempotency key, so
 * that a mail that had gone out already does not go out again (promise 29).
 */
import type { Clock } from "../base/clock.ts";
import type { Database } from "../base/database.ts";
import {
  OUTBOX_BATCH,
  OUTBOX_LEASE_MS,
  OUTBOX_POLL_MS,
  OUTBOX_RETRY_MAX_MS,
  OUTBOX_RETRY_MIN_MS,
} from "../base/limits.ts";
import type { Logger } from "../base/log.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import type { SealingKey } from "../base/seal.ts";
import type { Telemetry } from "../base/telemetry.ts";
import {
  type AddressedEmail,
  type DueEmail,
  deleteEmail,
  leaseDueEmails,
  openEmail,
  postponeEmail,
} from "../models/email/email.ts";
import type { MailProvider } from "../providers/mail/mail.ts";
import type { Templates } from "../providers/mail/templates.ts";

export interface Outbox {
  start(): void;
  stop(): Promise<void>;
  /** A letter was written: send it now instead of at the next poll. */
  wake(): void;
}

export interface OutboxDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  readonly sealing: SealingKey;
  readonly templates: Templates;
  /** Undefined while none is set: letters wait for one. */
  readonly provider: () => MailProvider | undefined;
  /** Host of the public base URL, as the letters name the service. */
  readonly host: string;
}

export function outbox(deps: OutboxDeps): Outbox {
  let loop: Loop | undefined;
  return {
    start() {
      loop = startLoop({
        pauseMs: OUTBOX_POLL_MS,
        round: () => sendDueEmails(deps),
        onFailure: (error) => deps.log.warn({ err: error }, "outbox: a round failed, the next one goes on"),
      });
    },
    async stop() {
      await loop?.stop();
    },
    wake: () => loop?.wake(),
  };
}

/** One round: everything that is due, batch by batch. Exported for the tests. */
export async function sendDueEmails(deps: OutboxDeps): Promise<void> {
  const provider = deps.provider();
  if (!provider) return;
  for (;;) {
    const now = deps.clock.now();
    const leaseEnds = new Date(now + OUTBOX_LEASE_MS);
    const due = await deps.database.run("letter.lease_due", (sql) =>
      leaseDueEmails(sql, new Date(now), leaseEnds, OUTBOX_BATCH),
    );
    await Promise.all(due.map((mail) => deliver(deps, provider, mail)));
    if (due.length < OUTBOX_BATCH) return;
  }
}

async function deliver(deps: OutboxDeps, provider: MailProvider, due: DueEmail): Promise<void> {
  const { metrics } = deps.telemetry;
  const addressed = openEmail(deps.sealing, due.id, due.sealed);
  if (!addressed) {
    metrics.mail("unreadable");
    deps.log.error({ mail: due.id }, "outbox: a letter does not open under this root secret and is dropped");
    return await remove(deps, due);
  }
  const delivery = await provider.send({ id: due.id, to: addressed.to, ...compose(deps, addressed) });
  metrics.mail(delivery.outcome);
  if (delivery.outcome === "sent") return await remove(deps, due);
  const facts = { mail: due.id, kind: addressed.mail.kind, attempt: due.attempts, cause: delivery.cause };
  if (delivery.outcome === "refused") {
    deps.log.error(facts, "outbox: the e-mail provider refuses a letter for good, it is dropped");
    return await remove(deps, due);
  }
  deps.log.warn(facts, "outbox: a letter could not be sent, it is tried again later");
  const until = new Date(deps.clock.now() + retryPauseMs(due.attempts));
  await deps.database.run("letter.postpone", (sql) => postponeEmail(sql, due.id, until));
}

function compose({ templates, host }: OutboxDeps, { mail, locale, name }: AddressedEmail) {
  return templates.render(mail.kind, locale, { ...mail.values, name, host });
}

/** Growing pauses (decisions, section 6): from seconds to a quarter of an hour. */
export function retryPauseMs(attempts: number): number {
  return Math.min(OUTBOX_RETRY_MIN_MS * 2 ** (attempts - 1), OUTBOX_RETRY_MAX_MS);
}

async function remove({ database }: OutboxDeps, { id }: DueEmail): Promise<void> {
  await database.run("letter.delete", (sql) => deleteEmail(sql, id));
}
