/** The webhook of the fault suite: events of acknowledged requests must arrive, in order per user (G57). */

import type postgres from "postgres";
import { registered } from "../support/client.ts";
import { verifySessionsOf } from "../support/platform.ts";
import { assignPlatformRole } from "../support/states.ts";
import { stepUpSessions } from "../support/team.ts";
import { eventually } from "../support/waiting.ts";
import { type Receiver, startReceiver } from "../support/webhook-receiver.ts";

/** The deadline is longer than the lease of a killed replica plus a pause. */
const ARRIVAL_DEADLINE_MS = 60_000;
const PATH = "/ledger";

/** An audit action and its resource. */
export type AcknowledgedEvent = `${string}:${string}`;

export interface WebhookFindings {
  readonly acknowledged: number;
  readonly received: number;
  readonly lost: readonly string[];
  /** Events in wrong order, or an id with two contents. */
  readonly violations: readonly string[];
}

export class FaultWebhook {
  readonly #receiver: Receiver = startReceiver();
  /**
   * The events of each user in the order of acknowledgement; each request followed the acknowledgement of the previous
   * request.
   */
  readonly #histories: (readonly AcknowledgedEvent[])[] = [];

  /** Creates a platform webhook for sign-ins and revocations through the API. */
  async create(url: string, sql: postgres.Sql): Promise<void> {
    const admin = await registered(url);
    await assignPlatformRole(sql, admin.userId, "admin");
    await verifySessionsOf({ sql }, admin.userId);
    await stepUpSessions(sql, admin.userId);
    const body = { url: this.#receiver.url + PATH, event_types: ["auth.*"] };
    const response = await admin.client.post("/v1/admin/webhooks", body);
    if (response.status !== 201) throw new Error(`the webhook returned ${response.status}: ${response.text}`);
  }

  expect(histories: Iterable<readonly AcknowledgedEvent[]>): void {
    this.#histories.push(...histories);
  }

  /** Waits for pending deliveries, then compares. */
  async findings(): Promise<WebhookFindings> {
    const acknowledged = this.#histories.flat();
    const missing = () => {
      const arrived = this.#arrivals();
      return acknowledged.filter((event) => !arrived.has(event));
    };
    await eventually("all deliveries arrive", ARRIVAL_DEADLINE_MS, async () => {
      await Bun.sleep(50);
      return missing().length === 0;
    }).catch(() => undefined);
    const violations = [...this.#misordered(), ...this.#altered()];
    const { length: received } = this.#receiver.at(PATH);
    return { acknowledged: acknowledged.length, received, lost: missing(), violations };
  }

  async stop(): Promise<void> {
    await this.#receiver.stop();
  }

  /** Returns the position of the first arrival of each event. */
  #arrivals(): Map<string, number> {
    const arrivals = new Map<string, number>();
    for (const [place, { body }] of this.#receiver.at(PATH).entries()) {
      const event = `${body.type}:${body.data.resource_id}`;
      if (!arrivals.has(event)) arrivals.set(event, place);
    }
    return arrivals;
  }

  #misordered(): string[] {
    const arrivals = this.#arrivals();
    return this.#histories.flatMap((history) =>
      history.flatMap((event, index) => {
        const [before, place] = [arrivals.get(history[index - 1] ?? "") ?? -1, arrivals.get(event)];
        return place !== undefined && place < before ? [`delivery of ${event} came before ${history[index - 1]}`] : [];
      }),
    );
  }

  #altered(): string[] {
    const texts = new Map<string, string>();
    return this.#receiver.at(PATH).flatMap(({ id, text }) => {
      const before = texts.get(id);
      texts.set(id, text);
      return before !== undefined && before !== text ? [`delivery ${id} came with another content`] : [];
    });
  }
}
