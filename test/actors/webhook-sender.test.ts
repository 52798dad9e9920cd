/**
 * The time and order of deliveries, and the effect of a failing receiver on other webhooks, with a clock that the test
 * moves.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { sweep } from "../../src/actors/sweeper.ts";
import { disableBacklogged, sendDueDeliveries, type WebhookSenderDeps } from "../../src/actors/webhook-sender.ts";
import { webhookQueues } from "../../src/actors/webhook-watch.ts";
import { retrySchedule } from "../../src/base/delivery-retries.ts";
import { err, ok } from "../../src/base/result.ts";
import {
  authorizeServiceAccountAdmin,
  type ServiceAccountAdmin,
} from "../../src/flows/steps/authorization/authorize-service-accounts.ts";
import { signEvent } from "../../src/flows/steps/tokens/sign-event-token.ts";
import { resendDelivery, testWebhook } from "../../src/flows/webhooks/deliveries.ts";
import { changeWebhook, createWebhook, giveUpBacklog } from "../../src/flows/webhooks/manage.ts";
import { notifyWebhookOwners } from "../../src/flows/webhooks/notify-owners.ts";
import { WEBHOOK_BACKLOG_KEPT } from "../../src/limits/machine-limits.ts";
import type { GuardedRequest } from "../../src/providers/guarded-post.ts";
import {
  type Account,
  callerOf,
  clientAt,
  DAY_MS,
  HOUR_MS,
  registerAccount,
  SECOND_MS,
  unwrap,
} from "../support/accounts.ts";
import { type Flows, openFlows } from "../support/flows.ts";
import { assignPlatformRole } from "../support/states.ts";
import { until } from "../support/waiting.ts";

let flows: Flows;
let account: Account;
let owner: ServiceAccountAdmin;
/** The status of the response by host; undefined: no connection. */
let responses: Map<string, number | undefined>;
let sent: { host: string; id: string; name: string }[];

beforeAll(async () => {
  flows = await openFlows();
  account = await registerAccount(flows);
  const session = await callerOf(flows, account.signedIn);
  const scope = { organizationId: account.organizationId, permission: "webhooks.manage" } as const;
  owner = unwrap(await authorizeServiceAccountAdmin(flows.deps, { session }, scope));
});
afterAll(() => flows.close());
beforeEach(async () => {
  await flows.sql`delete from webhooks`;
  await flows.sql`delete from webhook_deliveries`;
  [responses, sent] = [new Map(), []];
});

function sender(): WebhookSenderDeps {
  const post = async ({ url, headers, body }: GuardedRequest) => {
    const { host } = new URL(url);
    sent.push({ host, id: headers["webhook-id"] ?? "", name: JSON.parse(body).data.metadata.name });
    const status = responses.has(host) ? responses.get(host) : 204;
    return status === undefined ? err({ cause: "no connection" }) : ok({ status, body: Buffer.from("said") });
  };
  return { ...flows.deps, signer: flows.deps.webhookSigner, signEvent: (each) => signEvent(flows.deps, each), post };
}

async function hook(host: string, eventTypes: readonly string[] = ["user.updated"]): Promise<string> {
  const input = { caller: owner, url: `https://${host}/`, eventTypes, enabled: true, client: clientAt() };
  return unwrap(await createWebhook(flows.deps, input)).webhook.id;
}

const asOwner = (webhookId: string) => ({ caller: owner, webhookId, client: clientAt() });

/** Inserts `count` records of as many users in a single statement. */
async function events(count: number): Promise<void> {
  await flows.sql`
    insert into audit_logs (event_id, timestamp, organization_id, actor_type, action, resource_type, resource_id,
                            metadata, outcome)
    select gen_random_uuid(), ${new Date(flows.clock.now())}, ${account.organizationId}, 'system', 'user.updated',
           'user', 'user ' || n, '{"name":"one of many"}', 'success' from generate_series(1, ${count}::int) n`;
}

/** Inserts an audit record of a user; the name identifies the record. */
async function event(subject: string, name: string): Promise<void> {
  await flows.sql`
    insert into audit_logs (event_id, timestamp, organization_id, actor_type, action, resource_type, resource_id,
                            metadata, outcome)
    values (${flows.random.uuid()}, ${new Date(flows.clock.now())}, ${account.organizationId}, 'system', 'user.updated',
            'user', ${subject}, ${flows.sql.json({ name })}, 'success')`;
}

/**
 * A sender whose first request waits until the test releases the request; the response then has the status `status`.
 */
function heldSender(status: number) {
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const usual = sender();
  let requests = 0;
  const post: WebhookSenderDeps["post"] = async (request) => {
    requests += 1;
    if (requests > 1) return await usual.post(request);
    asked.resolve();
    await released.promise;
    return ok({ status, body: Buffer.alloc(0) });
  };
  const ended = sendDueDeliveries({ ...usual, post });
  return {
    asked: asked.promise,
    release: async () => {
      released.resolve();
      await ended;
    },
  };
}

const namesAt = (host: string) => sent.filter((each) => each.host === host).map(({ name }) => name);
const round = () => sendDueDeliveries(sender());

describe("a delivery that fails", () => {
  test("is tried again after 5, 10, 20 s up to an hour, under one id, and given up after 3 days", async () => {
    await hook("dead.test");
    responses.set("dead.test", 503);
    await event("a", "one");
    const began = flows.clock.now();
    const attempts: number[] = [];
    while (flows.clock.now() - began < 3 * DAY_MS + 3_600_000) {
      const before = sent.length;
      await round();
      if (sent.length > before) attempts.push(flows.clock.now());
      const [next] = await flows.sql`select next_attempt_at as at from webhook_deliveries where status = 'pending'`;
      flows.clock.advance(next ? Math.max(1, next.at.getTime() - flows.clock.now()) : 3_600_000);
    }
    const pauses = attempts.slice(1).map((time, index) => Math.round((time - (attempts[index] ?? 0)) / SECOND_MS));
    expect(pauses.slice(0, 11)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600]);
    expect(Math.max(...pauses)).toBe(3600);
    expect((attempts.at(-1) ?? 0) - began).toBeLessThan(3 * DAY_MS);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    const [row] = await flows.sql`select status, answer_status, answer from webhook_deliveries`;
    expect(row).toEqual({ status: "failed", answer_status: 503, answer: "said" });
  });

  test("delays the next event of the same user, so the order stays", async () => {
    await hook("order.test");
    responses.set("order.test", undefined);
    await event("a", "one");
    await event("a", "two");
    await round();
    expect(namesAt("order.test")).toEqual(["one"]);
    responses.delete("order.test");
    flows.clock.advance(5 * SECOND_MS);
    await round();
    expect(namesAt("order.test")).toEqual(["one", "one", "two"]);
  });

  test("delays neither further webhooks nor, for long, events of further users", async () => {
    await hook("dead.test");
    await hook("well.test");
    responses.set("dead.test", undefined);
    for (let index = 0; index < 40; index += 1) await event(`user ${index}`, `event ${index}`);
    await round();
    expect(namesAt("well.test")).toHaveLength(40);
    // A batch of 16 detects the failure; afterwards a single delivery at a time probes the receiver.
    expect(namesAt("dead.test")).toHaveLength(16);
    flows.clock.advance(5 * SECOND_MS);
    await round();
    expect(namesAt("dead.test")).toHaveLength(17);
    responses.delete("dead.test");
    flows.clock.advance(60 * SECOND_MS);
    await round();
    expect(new Set(namesAt("dead.test")).size).toBe(40);
  });

  test("after a refusal of one event delays further events by a pause at most", async () => {
    await hook("picky.test");
    await event("poison", "poison");
    const picky = sender();
    const post: WebhookSenderDeps["post"] = (request) =>
      request.body.includes("poison")
        ? Promise.resolve(ok({ status: 500, body: Buffer.alloc(0) }))
        : picky.post(request);
    await sendDueDeliveries({ ...picky, post });
    for (let index = 0; index < 20; index += 1) await event(`user ${index}`, `event ${index}`);
    flows.clock.advance(5 * SECOND_MS);
    await sendDueDeliveries({ ...picky, post });
    expect(new Set(namesAt("picky.test")).size).toBe(20);
  });
});

describe("an attempt beyond the end of the lease", () => {
  test("changes no delivery of a second replica (G57)", async () => {
    await hook("slow.test");
    await event("a", "one");
    const slow = heldSender(503);
    await slow.asked;
    flows.clock.advance(11 * SECOND_MS);
    await round();
    await slow.release();
    expect(namesAt("slow.test")).toEqual(["one"]);
    const [row] = await flows.sql`select status, answer_status from webhook_deliveries`;
    expect(row).toEqual({ status: "delivered", answer_status: 204 });
  });

  test("undoes no resend", async () => {
    const webhookId = await hook("resent.test");
    await event("a", "one");
    const slow = heldSender(410);
    await slow.asked;
    const [delivery] = await flows.sql`select event_id as id from webhook_deliveries`;
    await changeWebhook(flows.deps, { ...asOwner(webhookId), change: { url: "https://other.test/" } }).then(unwrap);
    await resendDelivery(flows.deps, { ...asOwner(webhookId), eventId: delivery?.id }).then(unwrap);
    await slow.release();
    expect(namesAt("other.test")).toEqual(["one"]);
    const [row] = await flows.sql`select status, attempts, answer_status from webhook_deliveries`;
    expect(row).toEqual({ status: "delivered", attempts: 1, answer_status: 204 });
  });

  test.each([503, 410])(
    "to a replaced address pauses no webhook, disables no webhook, and loses no event: %d (G57)",
    async (status) => {
      const webhookId = await hook("old.test");
      await event("a", "one");
      const slow = heldSender(status);
      await slow.asked;
      await changeWebhook(flows.deps, { ...asOwner(webhookId), change: { url: "https://new.test/" } }).then(unwrap);
      await slow.release();
      const [row] = await flows.sql`select enabled, failures, paused_until from webhooks`;
      expect(row).toEqual({ enabled: true, failures: 0, paused_until: null });
      await round();
      expect(namesAt("new.test")).toEqual(["one"]);
      const [delivery] = await flows.sql`select status, attempts, answer_status from webhook_deliveries`;
      expect(delivery).toEqual({ status: "delivered", attempts: 2, answer_status: 204 });
    },
  );
});

describe("a pause", () => {
  test("is counted once, and ends with one request, however many replicas there are", async () => {
    await hook("dead.test");
    responses.set("dead.test", 503);
    await events(60);
    const rounds = () => Promise.all([round(), round(), round()]);
    await rounds();
    const pauses: number[] = [];
    for (let failures = 1; failures <= 3; failures += 1) {
      const [row] = await flows.sql`select failures, paused_until as until from webhooks`;
      expect(row?.failures).toBe(failures);
      pauses.push(row?.until.getTime() - flows.clock.now());
      flows.clock.advance(pauses.at(-1) ?? 0);
      const before = sent.length;
      await rounds();
      expect(sent.length - before).toBe(1);
    }
    expect(pauses).toEqual([5 * SECOND_MS, 10 * SECOND_MS, 20 * SECOND_MS]);
  });

  test.each([
    ["a test", ["test", "three"]],
    ["a resend", ["one", "two", "three"]],
  ])("ends by %s, whose event waits for no earlier retry", async (kind, expected) => {
    const webhookId = await hook("mended.test");
    responses.set("mended.test", 503);
    await event(account.userId, "one");
    await event(account.userId, "two");
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await round();
      flows.clock.advance(attempt === 11 ? SECOND_MS : HOUR_MS);
    }
    responses.delete("mended.test");
    await round();
    expect(sent).toHaveLength(12);
    const [last] = await flows.sql`select event_id as id from webhook_deliveries order by sequence desc limit 1`;
    const asked = asOwner(webhookId);
    if (kind === "a test") await testWebhook(flows.deps, asked).then(unwrap);
    else await resendDelivery(flows.deps, { ...asked, eventId: last?.id }).then(unwrap);
    await event("another user", "three");
    await round();
    // The test event is the record of the test, which has no name.
    const names = namesAt("mended.test").slice(12);
    expect(names.map((name) => name ?? "test").sort()).toEqual([...expected].sort());
  });
});

describe("the pause that a receiver asks for by Retry-After", () => {
  async function pausesAfter(status: number, retryAfter: string): Promise<{ delivery: number; webhook: number }> {
    await hook("busy.test");
    await event("a", "one");
    const post = async () => ok({ status, body: Buffer.alloc(0), retryAfter });
    await sendDueDeliveries({ ...sender(), post });
    const [row] = await flows.sql`
      select d.next_attempt_at as delivery, w.paused_until as webhook
      from webhook_deliveries d join webhooks w on w.id = d.webhook_id`;
    const now = flows.clock.now();
    return { delivery: row?.delivery.getTime() - now, webhook: row?.webhook.getTime() - now };
  }

  test.each([
    ["seconds of a 429", 429, () => "120", 120 * SECOND_MS],
    ["seconds of a 503", 503, () => "120", 120 * SECOND_MS],
    ["a date", 503, () => new Date(flows.clock.now() + 90 * SECOND_MS).toUTCString(), 90 * SECOND_MS],
    ["less than the schedule", 429, () => "1", 5 * SECOND_MS],
    ["more than an hour", 429, () => "999999999", HOUR_MS],
    ["a date in the past", 429, () => "Sun, 06 Nov 1994 08:49:37 GMT", 5 * SECOND_MS],
    ["no number and no date", 429, () => "soon", 5 * SECOND_MS],
    ["another status", 500, () => "120", 5 * SECOND_MS],
  ])("is honoured for the delivery and the webhook, within bounds: %s (G96)", async (_, status, value, expected) => {
    const { delivery, webhook } = await pausesAfter(status, value());
    // A Retry-After date has no milliseconds.
    expect(Math.abs(delivery - expected)).toBeLessThan(SECOND_MS);
    expect(Math.abs(webhook - expected)).toBeLessThan(SECOND_MS);
  });

  test("is in the module of the schedule, with intervals of 5 s to an hour for three days", () => {
    const pauses = retrySchedule();
    expect(pauses.slice(0, 3)).toEqual([5 * SECOND_MS, 10 * SECOND_MS, 20 * SECOND_MS]);
    expect(pauses.at(-1)).toBe(HOUR_MS);
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThanOrEqual(3 * DAY_MS);
  });
});

describe("a test event", () => {
  test("is sent at once, beside a failing delivery in progress and a backlog (G96)", async () => {
    const webhookId = await hook("full.test");
    await events(500);
    responses.set("full.test", 503);
    await round();
    // The delivery in progress probes the receiver; the webhook is paused during the probe.
    flows.clock.advance(5 * SECOND_MS);
    const probe = heldSender(503);
    await probe.asked;
    responses.delete("full.test");
    const before = sent.length;
    await testWebhook(flows.deps, asOwner(webhookId)).then(unwrap);
    await flows.sql`update webhooks set paused_until = ${new Date(flows.clock.now() + HOUR_MS)}`;
    await round();
    // The sender of the probe may have leased the event, and sends the event beside this round.
    await until("the test event", async () => sent.length > before);
    expect(sent.slice(before).map(({ name }) => String(name))[0]).toBe("undefined");
    await probe.release();
  });

  test("of a webhook with the matching event types is sent once", async () => {
    const webhookId = await hook("all.test", ["*"]);
    await testWebhook(flows.deps, asOwner(webhookId)).then(unwrap);
    await round();
    expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length);
    const rows = await flows.sql`select lane from webhook_deliveries where event_type = 'webhook.tested'`;
    expect([...rows]).toEqual([{ lane: "test" }]);
  });
});

describe("a webhook whose deletion fails", () => {
  test("gets the events of the meantime; the sweeper deletes the remaining rows (G57)", async () => {
    const id = await hook("kept.test");
    const abandoned = flows.sql.begin(async (sql) => {
      await sql`delete from webhooks where id = ${id}`;
      await event("a", "meanwhile");
      throw new Error("rolled back");
    });
    await expect(abandoned).rejects.toThrow("rolled back");
    await round();
    expect(namesAt("kept.test")).toEqual(["meanwhile"]);
    await hook("other.test");
    await event("a", "both");
    await flows.sql`delete from webhooks where id = ${id}`;
    await sweep({ ...flows.deps, auditRetentionMs: undefined, decisionRetentionMs: DAY_MS });
    const left = await flows.sql`select webhook_id = ${id} as deleted from webhook_deliveries`;
    expect(left.map(({ deleted }) => deleted)).toEqual([false]);
  });
});

describe("a backlog", () => {
  const waiting = async (webhookId: string, count: number) => {
    const at = new Date(flows.clock.now());
    await flows.sql`
      insert into webhook_deliveries
        (webhook_id, event_id, subject, event_type, payload, status, next_attempt_at, expires_at, created_at)
      select ${webhookId}, gen_random_uuid(), n::text, 'user.updated', '{}', 'pending', ${at},
             ${new Date(at.getTime() + DAY_MS)}, ${at} from generate_series(1, ${count}::int) n`;
  };
  const dropped = async () => {
    const rows = await flows.sql`select subject from webhook_deliveries where status = 'failed' order by sequence`;
    return rows.map(({ subject }) => subject);
  };

  test("beyond what is kept is given up when the webhook is switched on, the oldest first", async () => {
    const webhookId = await hook("behind.test");
    await waiting(webhookId, WEBHOOK_BACKLOG_KEPT + 3);
    await disableBacklogged(sender(), WEBHOOK_BACKLOG_KEPT);
    await changeWebhook(flows.deps, { ...asOwner(webhookId), change: { enabled: true } }).then(unwrap);
    await disableBacklogged(sender(), WEBHOOK_BACKLOG_KEPT);
    expect((await flows.sql`select enabled from webhooks`)[0]?.enabled).toBe(true);
    expect(await dropped()).toEqual(["1", "2", "3"]);
  });

  test.each([
    [3, [3, 3, 1]],
    [7, [7, 0]],
    [20, [7]],
  ])("is abandoned at most %d by one statement, and only of a disabled webhook", async (batch, expected) => {
    const webhookId = await hook("behind.test");
    await waiting(webhookId, 12);
    const counts: number[] = [];
    const database = {
      ...flows.deps.database,
      run: (async (name, work) => {
        const count = await flows.deps.database.run(name, work);
        counts.push(Number(count));
        return count;
      }) as WebhookSenderDeps["database"]["run"],
    };
    await giveUpBacklog({ database }, webhookId, { keep: 5, batch });
    expect(counts.splice(0)).toEqual([0]);
    await disableBacklogged(sender(), 5);
    await giveUpBacklog({ database }, webhookId, { keep: 5, batch });
    expect(counts).toEqual(expected);
    expect(await dropped()).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  });
});

describe("an organization that is suspended", () => {
  const suspend = async (suspended: boolean) => {
    const at = suspended ? new Date(flows.clock.now()) : null;
    await flows.sql`update organizations set suspended_at = ${at} where id = ${account.organizationId}`;
  };

  test("gets no event until the restoration, and then the events of less than 3 days (G67)", async () => {
    await hook("tenant.test");
    await event("a", "before");
    await suspend(true);
    await event("a", "one");
    await round();
    flows.clock.advance(DAY_MS);
    await event("a", "two");
    await event("b", "other");
    await round();
    expect(namesAt("tenant.test")).toEqual([]);
    flows.clock.advance(2 * DAY_MS + SECOND_MS);
    await suspend(false);
    await round();
    // The deliveries of the first day have expired.
    expect(namesAt("tenant.test").filter((name) => name !== "other")).toEqual(["two"]);
    expect(namesAt("tenant.test")).toContain("other");
  });

  test("resumes in order (G67)", async () => {
    await hook("resumed.test");
    await suspend(true);
    for (const name of ["one", "two", "three"]) await event("a", name);
    await round();
    await suspend(false);
    await round();
    expect(namesAt("resumed.test")).toEqual(["one", "two", "three"]);
  });
});

describe("the numbers for the metrics", () => {
  const numbers = async () => {
    const queues = webhookQueues(flows.deps);
    expect(queues.gauges()).toEqual([]);
    await queues.read();
    return Object.fromEntries(queues.gauges().map(({ state, ...numbers }) => [state, numbers]));
  };

  test("tell the waiting events, the waiting time, and failing or disabled webhooks", async () => {
    const none = { webhooks: 0, owners: 0, waiting: 0, oldestAge: 0, overdue: 0 };
    expect(await numbers()).toEqual({ healthy: none, failing: none, switched_off: none });
    await Promise.all([hook("well.test"), hook("dead.test"), hook("gone.test")]);
    responses.set("dead.test", 503).set("gone.test", 410);
    await event("a", "one");
    await round();
    flows.clock.advance(100 * SECOND_MS);
    await event("a", "two");
    // The trigger uses PostgreSQL's clock if that clock is behind the test clock.
    await flows.sql`update webhook_deliveries set next_attempt_at = created_at where attempts = 0`;
    flows.clock.advance(20 * SECOND_MS);
    expect(await numbers()).toEqual({
      healthy: { webhooks: 1, owners: 1, waiting: 1, oldestAge: 20, overdue: 20 },
      failing: { webhooks: 1, owners: 1, waiting: 2, oldestAge: 120, overdue: 0 },
      switched_off: { ...none, webhooks: 1, owners: 1 },
    });
  });

  test("count no event as overdue behind the retry of a predecessor", async () => {
    await hook("picky.test");
    responses.set("picky.test", 503);
    await event("a", "one");
    await round();
    // An event of a second user ends the pause.
    responses.set("picky.test", 204);
    await event("b", "other");
    await flows.sql`update webhook_deliveries set next_attempt_at = ${new Date(flows.clock.now() + DAY_MS)}
                    where attempts > 0`;
    flows.clock.advance(10 * SECOND_MS);
    await round();
    await event("a", "two");
    flows.clock.advance(1_000 * SECOND_MS);
    expect((await numbers()).healthy).toEqual({ webhooks: 1, owners: 1, waiting: 2, oldestAge: 1_010, overdue: 0 });
  });

  test("count each attempt by the result", async () => {
    const counted: string[] = [];
    const webhook = (outcome: string) => void counted.push(outcome);
    const { telemetry } = flows.deps;
    const counting = { ...telemetry, metrics: { ...telemetry.metrics, webhook } };
    await Promise.all([hook("well.test"), hook("dead.test"), hook("gone.test")]);
    responses.set("dead.test", undefined).set("gone.test", 410);
    await event("a", "one");
    await sendDueDeliveries({ ...sender(), telemetry: counting });
    expect(counted.sort()).toEqual(["delivered", "failed", "given_up"]);
  });
});

describe("a crash", () => {
  test("between sending and recording repeats the event under its id after the end of the lease (G57)", async () => {
    await hook("crash.test");
    await event("a", "one");
    const deps = sender();
    const crashing = {
      ...deps.database,
      run: ((statement: string, work: never) =>
        statement === "webhook_delivery.record"
          ? Promise.reject(new Error("crash"))
          : deps.database.run(statement, work)) as typeof deps.database.run,
    };
    await sendDueDeliveries({ ...deps, database: crashing });
    await round();
    expect(namesAt("crash.test")).toEqual(["one"]);
    flows.clock.advance(31 * SECOND_MS);
    await round();
    await round();
    expect(namesAt("crash.test")).toEqual(["one", "one"]);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  });

  test("two replicas at once send each delivery once", async () => {
    await hook("twice.test");
    for (let index = 0; index < 60; index += 1) await event(`user ${index % 7}`, `event ${index}`);
    await Promise.all([round(), round(), round()]);
    await round();
    expect(namesAt("twice.test")).toHaveLength(60);
    for (let user = 0; user < 7; user += 1) {
      const numbers = namesAt("twice.test")
        .map((name) => Number(name.slice(6)))
        .filter((number) => number % 7 === user);
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
  });
});

describe("the sweeper", () => {
  test("ends deliveries of a webhook that is off after 3 days, and deletes ended ones a week later", async () => {
    const id = await hook("off.test");
    await event("a", "one");
    await flows.sql`update webhooks set enabled = false where id = ${id}`;
    const sweeping = { ...flows.deps, auditRetentionMs: undefined, decisionRetentionMs: DAY_MS };
    const givenUp: number[] = [];
    flows.clock.advance(3 * DAY_MS + SECOND_MS);
    await sweep(sweeping, (count) => givenUp.push(count));
    const rows = await flows.sql`select status, answer from webhook_deliveries`;
    expect([...rows]).toEqual([{ status: "failed", answer: "not delivered within three days" }]);
    expect(givenUp).toEqual([1]);
    flows.clock.advance(7 * DAY_MS);
    await sweep(sweeping);
    expect(await flows.sql`select 1 from webhook_deliveries`).toHaveLength(0);
  });
});

describe("webhooks one after another", () => {
  test("slow receivers with much to get take the turn of no other webhook", async () => {
    for (let index = 0; index < 9; index += 1) await hook(`slow${index}.test`);
    for (let index = 0; index < 64; index += 1) await event(`user ${index}`, `event ${index}`);
    await hook("late.test", ["user.updated", "user.disabled"]);
    await event("somebody", "late");
    await round();
    const place = sent.findIndex(({ host }) => host === "late.test");
    // A replica sends 128 deliveries concurrently, 16 per webhook: eight of the ten webhooks have a turn before.
    expect(place).toBeLessThan(2 * 128);
    expect(sent).toHaveLength(9 * 65 + 1);
  });

  test("a backlog delays no further webhook, also with statistics without backlog", async () => {
    await hook("dead.test");
    for (let index = 0; index < 5; index += 1) await events(2_000);
    await flows.sql`update webhook_deliveries set status = 'delivered'`;
    await flows.sql`vacuum analyze webhook_deliveries`;
    await events(2_500);
    await hook("well.test");
    await event("somebody", "late");
    responses.set("dead.test", undefined);
    await round();
    expect(namesAt("well.test")).toEqual(["late"]);
  });

  test("events without a user wait for no event of equal kind", async () => {
    await hook("nobody.test");
    responses.set("nobody.test", undefined);
    for (let index = 0; index < 40; index += 1) await event("", `event ${index}`);
    await round();
    expect(namesAt("nobody.test")).toHaveLength(16);
  });
});

describe("the owners of a webhook are told by mail", () => {
  const noticesTo = async (email: string) =>
    (await flows.emailsTo(email)).flatMap(({ mail }) => (mail.kind.startsWith("webhook_") ? [mail] : []));
  /** Lets a webhook fail for a time, with a round every ten minutes. */
  async function failFor(ms: number, host: string): Promise<void> {
    for (let elapsed = 0; elapsed < ms; elapsed += 10 * 60 * SECOND_MS) {
      flows.clock.advance(10 * 60 * SECOND_MS);
      await event(`user of ${host} ${elapsed}`, "a record");
      await sendDueDeliveries(sender());
      await notifyWebhookOwners(flows.deps);
    }
  }
  beforeEach(async () => {
    await flows.sql`delete from outbox`;
  });

  test("once when it has failed for an hour, not before, not per retry, and again after a success (G100)", async () => {
    const id = await hook("down.example");
    responses.set("down.example", 500);
    await failFor(50 * 60 * SECOND_MS, "down.example");
    expect(await noticesTo(account.email)).toEqual([]);
    await failFor(50 * 60 * SECOND_MS, "down.example");
    expect(await noticesTo(account.email)).toMatchObject([
      { kind: "webhook_failing", values: { webhook_host: "down.example", is_gone: false } },
    ]);
    responses.set("down.example", 204);
    await failFor(HOUR_MS, "down.example");
    responses.set("down.example", 500);
    await failFor(50 * 60 * SECOND_MS, "down.example");
    expect(await noticesTo(account.email)).toHaveLength(1);
    await failFor(90 * 60 * SECOND_MS, "down.example");
    expect(await noticesTo(account.email)).toHaveLength(2);
    await flows.sql`delete from webhooks where id = ${id}`;
  });

  test("once when it is switched off, by one of several replicas, and nobody else is told (G100)", async () => {
    const other = await registerAccount(flows);
    const id = await hook("gone.example");
    responses.set("gone.example", 410);
    await event("somebody", "the last one");
    await sendDueDeliveries(sender());
    await Promise.all([1, 2, 3].map(() => notifyWebhookOwners(flows.deps)));
    const switchedOff = { kind: "webhook_disabled", values: { webhook_host: "gone.example", is_gone: true } };
    expect(await noticesTo(account.email)).toMatchObject([switchedOff]);
    expect(await noticesTo(other.email)).toEqual([]);
    unwrap(await changeWebhook(flows.deps, { ...asOwner(id), change: { enabled: true } }));
    expect(await notifyWebhookOwners(flows.deps)).toBe(0);
    await event("somebody else", "after it was on");
    await sendDueDeliveries(sender());
    await notifyWebhookOwners(flows.deps);
    expect(await noticesTo(account.email)).toHaveLength(2);
    unwrap(await changeWebhook(flows.deps, { ...asOwner(id), change: { enabled: false } }));
    expect(await notifyWebhookOwners(flows.deps)).toBe(0);
  });

  test("of the platform: its administrators", async () => {
    const admin = await registerAccount(flows);
    await assignPlatformRole(flows.sql, admin.userId, "admin");
    const id = await hook("platform.example");
    await flows.sql`
      update webhooks set organization_id = null, enabled = false, disabled_reason = 'backlog' where id = ${id}`;
    await notifyWebhookOwners(flows.deps);
    expect(await noticesTo(admin.email)).toMatchObject([{ kind: "webhook_disabled", values: { is_backlog: true } }]);
    expect(await noticesTo(account.email)).toEqual([]);
  });
});
