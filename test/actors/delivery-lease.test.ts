/**
 * The cost of a lease, and the guarantee that the oldest pending delivery of each subject is always ready
 * (docs/decisions/0023).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type postgres from "postgres";
import type { FreeSlots } from "../../src/base/fair-slots.ts";
import { NIL_UUID } from "../../src/base/random.ts";
import { WEBHOOK_BATCH, WEBHOOK_LEASE_MS } from "../../src/limits/machine-limits.ts";
import { type DueDelivery, leaseDueDeliveries } from "../../src/models/webhook/webhook-lease.ts";
import { type AttemptOutcome, recordAttempt } from "../../src/models/webhook/webhook-queue.ts";
import { DAY_MS, registerAccount } from "../support/accounts.ts";
import { type Flows, openFlows } from "../support/flows.ts";

let flows: Flows;
let webhookId: string;

beforeAll(async () => {
  flows = await openFlows();
  // The snapshot of an automatic analysis keeps dead index entries, which every round would read again.
  await flows.sql`alter table webhook_deliveries set (autovacuum_enabled = false)`;
});
afterAll(() => flows.close());
beforeEach(async () => {
  await flows.sql`truncate webhooks, webhook_deliveries`;
  await flows.sql`analyze webhook_deliveries`;
  webhookId = await insertReceiver();
});

async function insertReceiver(organizationId: string | null = null): Promise<string> {
  const [id, at] = [flows.random.uuid(), new Date(flows.clock.now())];
  await flows.sql`
    insert into webhooks (id, organization_id, url, event_types, enabled, sealed_secret, created_at, updated_at)
    values (${id}, ${organizationId}, 'https://receiver.test/', '{none}', true, '', ${at}, ${at})`;
  return id;
}

/** Inserts pending deliveries of `subjects` subjects in turn. */
async function insertPending(count: number, subjects: number, of = webhookId): Promise<void> {
  const at = new Date(flows.clock.now());
  await flows.sql`
    insert into webhook_deliveries
      (webhook_id, event_id, subject, event_type, payload, status, next_attempt_at, expires_at, created_at)
    select ${of}, gen_random_uuid(), 'user ' || (n % ${subjects}::int), 'user.updated', n::text, 'pending', ${at},
           ${new Date(at.getTime() + DAY_MS)}, ${at}
    from generate_series(1, ${count}::int) n`;
}

const ALL_FREE: FreeSlots = {
  freeSlots: 64,
  limit: 128,
  slowLimit: 64,
  ownerLimit: 128,
  receiverLimit: WEBHOOK_BATCH,
  owners: [],
  receivers: [],
};

function leaseOnce(sql: postgres.ISql, free: Partial<FreeSlots> = {}) {
  const now = flows.clock.now();
  const lease = { ...ALL_FREE, ...free, at: new Date(now), leaseEnds: new Date(now + WEBHOOK_LEASE_MS) };
  return leaseDueDeliveries(sql, { lane: "event", ofStreams: false }, lease);
}

function outcome(status: AttemptOutcome["status"]): AttemptOutcome {
  const at = new Date(flows.clock.now());
  return { status, nextAttemptAt: at, answerStatus: 204, answerMs: 1, answer: "", at };
}

/** Runs a round in a single transaction: leases deliveries, and records each lease as delivered. */
async function deliverRound(sql: postgres.ISql): Promise<readonly DueDelivery[]> {
  const { leased } = await leaseOnce(sql);
  for (const each of leased) await recordAttempt(sql, each, outcome("delivered"));
  return leased;
}

/** Returns the number of blocks of the table and the indexes that this transaction has read. */
async function blocksRead(sql: postgres.ISql): Promise<number> {
  const [row] = await sql`
    select sum(pg_stat_get_xact_blocks_fetched(relation))::int as blocks from (
      select 'webhook_deliveries'::regclass::oid as relation
      union all select indexrelid from pg_index where indrelid = 'webhook_deliveries'::regclass
    ) relations`;
  return row?.blocks ?? 0;
}

/** Returns the blocks read per delivery, in rounds that deliver at least `deliveries`. */
async function costPerDelivery(deliveries: number): Promise<number> {
  let [blocks, delivered] = [0, 0];
  for (let round = 0; delivered < deliveries && round < 10 * deliveries; round += 1) {
    await flows.sql.begin(async (sql) => {
      // The unflushed counters may include counters of earlier transactions of the connection.
      const before = await blocksRead(sql);
      delivered += (await deliverRound(sql)).length;
      blocks += (await blocksRead(sql)) - before;
    });
  }
  expect(delivered).toBeGreaterThanOrEqual(deliveries);
  return blocks / delivered;
}

describe("the cost of a delivery", () => {
  test.each([
    ["of as many users", 100_000],
    ["of a hundred users", 100],
    ["of one user", 1],
  ])("is the same with 1,000 and with 100,000 pending deliveries %s", async (_, subjects) => {
    await insertPending(1_000, subjects);
    const few = await costPerDelivery(64);
    await insertPending(100_000, subjects);
    const many = await costPerDelivery(64);
    expect(many).toBeLessThan(1.5 * few);
  });
});

/** Delivers until no delivery is ready; returns the payloads in the order of sending. */
async function deliverAll(): Promise<string[]> {
  const payloads: string[] = [];
  for (let idle = 0; idle < 2; ) {
    const leased = await flows.sql.begin(deliverRound);
    payloads.push(...leased.map(({ payload }) => payload));
    idle = leased.length === 0 ? idle + 1 : 0;
  }
  return payloads;
}

describe("a delivery behind an older delivery of the user", () => {
  /** Leases the first of three deliveries of a user, so that two deliveries are blocked. */
  async function blockTwo(): Promise<DueDelivery> {
    await insertPending(3, 1);
    const [first] = (await flows.sql.begin((sql) => leaseOnce(sql))).leased;
    if (!first) throw new Error("nothing was leased");
    const rows = await flows.sql`select blocked from webhook_deliveries order by sequence`;
    expect(rows.map(({ blocked }) => blocked)).toEqual([false, true, true]);
    return first;
  }

  test("is ready after the end of the older one, in the order of the events", async () => {
    const first = await blockTwo();
    await recordAttempt(flows.sql, first, outcome("delivered"));
    expect(await deliverAll()).toEqual(["2", "3"]);
  });

  test.each([
    ["a replica of the release before records the outcome", "update webhook_deliveries set status = 'delivered'"],
    ["the older one is given up", "update webhook_deliveries set status = 'failed', answer = 'given up'"],
    ["the older one is deleted", "delete from webhook_deliveries"],
  ])("is ready after %s", async (_, end) => {
    const { eventId } = await blockTwo();
    await flows.sql.unsafe(`${end} where event_id = $1`, [eventId]);
    expect(await deliverAll()).toEqual(["2", "3"]);
  });

  test("is ready after a resend, in every earlier state", async () => {
    await blockTwo();
    await flows.sql`update webhook_deliveries set status = 'failed'`;
    await flows.sql`update webhook_deliveries set status = 'pending' where payload = '3'`;
    expect(await deliverAll()).toEqual(["3"]);
  });

  test("stays in order under concurrent replicas and inserts, and none is left behind (G94)", async () => {
    const numbers = Array.from({ length: 30 }, (_, number) => number);
    const users = ["a", "b", "c", "d"];
    const sent: string[] = [];
    const replica = async () => {
      for (let idle = 0; idle < 20; ) {
        const { leased, blocked } = await flows.sql.begin((sql) => leaseOnce(sql));
        for (const each of leased) {
          sent.push(each.payload);
          await recordAttempt(flows.sql, each, outcome("delivered"));
        }
        idle = leased.length + blocked === 0 ? idle + 1 : 0;
      }
    };
    const at = new Date(flows.clock.now());
    const write = async (user: string) => {
      for (const number of numbers)
        await flows.sql`
          insert into webhook_deliveries
            (webhook_id, event_id, subject, event_type, payload, status, next_attempt_at, expires_at, created_at)
          values (${webhookId}, gen_random_uuid(), ${user}, 'user.updated', ${`${user}${number}`}, 'pending', ${at},
                  ${new Date(at.getTime() + DAY_MS)}, ${at})`;
    };
    await Promise.all([...users.map(write), replica(), replica(), replica()]);
    await replica();
    expect(await flows.sql`select 1 from webhook_deliveries where status = 'pending'`).toHaveLength(0);
    for (const user of users)
      expect(sent.filter((payload) => payload.startsWith(user))).toEqual(numbers.map((number) => `${user}${number}`));
  });
});

describe("a lease", () => {
  /** Returns the number of leased deliveries by receiver. */
  async function leasedOf(free: Partial<FreeSlots>): Promise<Map<string, number>> {
    const { leased } = await flows.sql.begin((sql) => leaseOnce(sql, free));
    return new Map([...Map.groupBy(leased, (each) => each.webhookId)].map(([id, { length }]) => [id, length]));
  }

  test("gives each owner and slow receiver a share, the owner with the fewest requests first (G95)", async () => {
    const { organizationId } = await registerAccount(flows);
    const [first, second] = [webhookId, await insertReceiver()];
    const tenant = await insertReceiver(organizationId);
    for (const receiver of [first, second, tenant]) await insertPending(30, 30, receiver);
    await flows.sql`update webhook_deliveries set next_attempt_at = next_attempt_at - interval '1 h'
                    where webhook_id <> ${tenant}`;
    const owners = [{ id: NIL_UUID, inProgress: 3 }];
    expect(await leasedOf({ limit: 2, owners })).toEqual(new Map([[tenant, 2]]));
    expect(await leasedOf({ ownerLimit: 5, owners })).toEqual(
      new Map([
        [first, 1],
        [second, 1],
        [tenant, 5],
      ]),
    );
    const receivers = [first, second].map((id) => ({ id, free: 4, isSlow: true }));
    expect(await leasedOf({ slowLimit: 6, receivers })).toEqual(
      new Map([
        [first, 3],
        [second, 3],
        [tenant, 16],
      ]),
    );
    expect(await leasedOf({ ownerLimit: 3, owners })).toEqual(new Map([[tenant, 3]]));
  });
});
