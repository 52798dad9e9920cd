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
  type AddressedLetter,
  type DueLetter,
  deleteLetter,
  leaseDueLetters,
  openLetter,
  postponeLetter,
} from "../models/letter/letter.ts";
import type { MailProvider } from "../providers/mail/mail.ts";
import type { Templates } from "../providers/mail/templates.ts";

export interface Outbox {
  start(): void;
  stop(): Promise<void>;
  /** A letter was written: send it now instead of at the next poll. */
  wake(): void;
}

export interface OutboxNeeds {
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

export function outbox(needs: OutboxNeeds): Outbox {
  let loop: Loop | undefined;
  return {
    start() {
      loop = startLoop({
        pauseMs: OUTBOX_POLL_MS,
        round: () => sendDueLetters(needs),
        onFailure: (error) => needs.log.warn({ err: error }, "outbox: a round failed, the next one goes on"),
      });
    },
    async stop() {
      await loop?.stop();
    },
    wake: () => loop?.wake(),
  };
}

/** One round: everything that is due, batch by batch. Exported for the tests. */
export async function sendDueLetters(needs: OutboxNeeds): Promise<void> {
  const provider = needs.provider();
  if (!provider) return;
  for (;;) {
    const now = needs.clock.now();
    const leaseEnds = new Date(now + OUTBOX_LEASE_MS);
    const due = await needs.database.run("letter.lease_due", (sql) =>
      leaseDueLetters(sql, new Date(now), leaseEnds, OUTBOX_BATCH),
    );
    await Promise.all(due.map((letter) => deliver(needs, provider, letter)));
    if (due.length < OUTBOX_BATCH) return;
  }
}

async function deliver(needs: OutboxNeeds, provider: MailProvider, due: DueLetter): Promise<void> {
  const { metrics } = needs.telemetry;
  const addressed = openLetter(needs.sealing, due.id, due.sealed);
  if (!addressed) {
    metrics.mail("unreadable");
    needs.log.error({ letter: due.id }, "outbox: a letter does not open under this root secret and is dropped");
    return await remove(needs, due);
  }
  const delivery = await provider.send({ id: due.id, to: addressed.to, ...compose(needs, addressed) });
  metrics.mail(delivery.outcome);
  if (delivery.outcome === "sent") return await remove(needs, due);
  const facts = { letter: due.id, kind: addressed.letter.kind, attempt: due.attempts, cause: delivery.cause };
  if (delivery.outcome === "refused") {
    needs.log.error(facts, "outbox: the e-mail provider refuses a letter for good, it is dropped");
    return await remove(needs, due);
  }
  needs.log.warn(facts, "outbox: a letter could not be sent, it is tried again later");
  const until = new Date(needs.clock.now() + retryPauseMs(due.attempts));
  await needs.database.run("letter.postpone", (sql) => postponeLetter(sql, due.id, until));
}

function compose({ templates, host }: OutboxNeeds, { letter, locale, name }: AddressedLetter) {
  return templates.render(letter.kind, locale, { ...letter.values, name, host });
}

/** Growing pauses (decisions, section 6): from seconds to a quarter of an hour. */
export function retryPauseMs(attempts: number): number {
  return Math.min(OUTBOX_RETRY_MIN_MS * 2 ** (attempts - 1), OUTBOX_RETRY_MAX_MS);
}

async function remove({ database }: OutboxNeeds, { id }: DueLetter): Promise<void> {
  await database.run("letter.delete", (sql) => deleteLetter(sql, id));
}
