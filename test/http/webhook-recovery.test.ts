/** Catching up after an outage: events, recovery of a time range, resend of failed deliveries. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { platformUser, steppedUpPlatformUser } from "../support/platform.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";
import { memberWith } from "../support/team.ts";
import { until } from "../support/waiting.ts";
import { type Receiver, startReceiver } from "../support/webhook-receiver.ts";

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const DAY_MS = 24 * 3600 * 1000;
const LONG_AGO = new Date(Date.now() - DAY_MS).toISOString();
const hooksOf = (organizationId: string) => `/v1/orgs/${organizationId}/webhooks`;

let at: Deployment;
let receiver: Receiver;
const down = false;
let host: Awaited<ReturnType<typeof steppedUpOwner>>;
beforeAll(async () => {
  receiver = startReceiver(() => new Response(null, { status: down ? 500 : 204 }));
  at = await deployment();
  host = await steppedUpOwner(at);
});
afterAll(() => receiver.stop());

let paths = 0;
/** Creates a webhook with a separate path. */
async function hookOf(client: Client, base: string, eventTypes: readonly string[]) {
  paths += 1;
  const path = `/recovery-${paths}`;
  const made = await client.post(base, { url: `${receiver.url}${path}`, event_types: eventTypes });
  if (made.status !== 201) throw new Error(`the webhook returned ${made.status}: ${made.text}`);
  return { path, id: String(made.body.id), base: `${base}/${made.body.id}` };
}

/** Writes audit records of the host's organization; returns the names in order. */
async function accountsMade(count: number, { client, organizationId } = host): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `Account ${index}`);
  for (const name of names) await client.post(accountsOf(organizationId), { name });
  return names;
}

/** Marks deliveries failed, as after three days. */
async function fail(id: string, events: readonly string[]): Promise<void> {
  await at.sql`
    update webhook_deliveries set status = 'failed' where webhook_id = ${id} and event_id in ${at.sql([...events])}`;
}

type Listed = { event_id: string; event_type: string; payload: string };
const nameIn = ({ payload }: Listed): string => JSON.parse(payload).data.metadata.name;

/** Returns every event after a cursor, page by page. */
async function allEvents(client: Client, base: string, { after = "", limit = 2, options = {} } = {}) {
  const items: Listed[] = [];
  let cursor = after;
  for (let page = 0; page < 50; page += 1) {
    const query = `limit=${limit}${cursor ? `&after=${cursor}` : ""}`;
    const { status, body } = await client.get(`${base}/events?${query}`, options);
    expect(status).toBe(200);
    expect(body.items.length).toBeLessThanOrEqual(limit);
    items.push(...body.items);
    cursor = body.cursor;
    if (!body.has_more) return { items, cursor };
  }
  throw new Error("there is always another page");
}

describe("GET …/webhooks/:id/events", () => {
  test("200: the bodies as they are sent, page by page, also of a time when the webhook was off (G100)", async () => {
    const owner = await steppedUpOwner(at);
    const hook = await hookOf(owner.client, hooksOf(owner.organizationId), ["service_account.created"]);
    const sent = await accountsMade(3, owner);
    const received = await receiver.received(hook.path, 3);
    await owner.client.patch(hook.base, { enabled: false });
    const missed = await accountsMade(2, owner);
    const { items, cursor } = await allEvents(owner.client, hook.base);
    expect(items.map(nameIn)).toEqual([...sent, ...missed]);
    const bodies = new Map(received.map(({ id, text }) => [id, text]));
    for (const { event_id, payload } of items.slice(0, 3)) expect(payload).toBe(String(bodies.get(event_id)));
    expect(await allEvents(owner.client, hook.base, { after: cursor })).toEqual({ items: [], cursor });
    const [next] = await accountsMade(1, owner);
    expect((await allEvents(owner.client, hook.base, { after: cursor })).items.map(nameIn)).toEqual([String(next)]);
  });

  test("200: a record of a transaction that was open is not passed over", async () => {
    const hook = await hookOf(host.client, hooksOf(host.organizationId), ["service_account.created"]);
    const { cursor } = await allEvents(host.client, hook.base, { limit: 100 });
    const slow = await at.sql.reserve();
    await slow`begin`;
    const event = crypto.randomUUID();
    await slow`
      insert into audit_logs
        (event_id, timestamp, organization_id, actor_type, action, resource_type, metadata, outcome)
      values (${event}, now(), ${host.organizationId}, 'system', 'service_account.created', 'service_account',
              '{"name": "late"}', 'success')`;
    await accountsMade(1);
    const during = await allEvents(host.client, hook.base, { after: cursor });
    await slow`commit`;
    slow.release();
    const after = await allEvents(host.client, hook.base, { after: during.cursor });
    expect([...during.items, ...after.items].map(nameIn)).toEqual(["late", "Account 0"]);
  });

  test("200 for a key with `audit.read` of that organization, and for no other key (G100)", async () => {
    const hook = await hookOf(host.client, hooksOf(host.organizationId), ["service_account.created"]);
    await accountsMade(1);
    const reader = await keyOf(host.client, accountsOf(host.organizationId), ["audit.read"]);
    const other = await steppedUpOwner(at);
    const foreign = await keyOf(other.client, accountsOf(other.organizationId), ["audit.read"]);
    const narrow = await keyOf(host.client, accountsOf(host.organizationId), ["members.list", "ssf.manage"]);
    const client = new Client(at.one.url);
    const { items } = await allEvents(client, hook.base, { limit: 100, options: { bearer: reader.key } });
    expect(items.length).toBeGreaterThan(0);
    const status = async (key: string, path: string, method = "GET") =>
      (await client.request(method, path, { bearer: key, ...(method === "GET" ? {} : { body: { since: LONG_AGO } }) }))
        .status;
    expect(await status(foreign.key, `${hook.base}/events`)).toBe(404);
    expect(await status(foreign.key, `${hooksOf(other.organizationId)}/${hook.id}/events`)).toBe(404);
    expect(await status(reader.key, `/v1/admin/webhooks/${hook.id}/events`)).toBe(403);
    expect(await status(narrow.key, `${hook.base}/events`)).toBe(403);
    for (const path of ["recover", "deliveries/resend"]) {
      expect(await status(reader.key, `${hook.base}/${path}`, "POST")).toBe(403);
    }
  });

  test("400 for an invalid cursor or limit", async () => {
    const hook = await hookOf(host.client, hooksOf(host.organizationId), ["*"]);
    for (const query of ["after=x", "after=-1", "after=99999999999999999999", "limit=0", "limit=101", "after=%00"]) {
      expect((await host.client.get(`${hook.base}/events?${query}`)).status).toBe(400);
    }
  });
});

describe("POST …/webhooks/:id/recover", () => {
  test("202: every event of the range comes again: delivered, failed or never sent (G100)", async () => {
    const owner = await steppedUpOwner(at);
    const hook = await hookOf(owner.client, hooksOf(owner.organizationId), ["service_account.created"]);
    const early = await accountsMade(1, owner);
    const [first] = await receiver.received(hook.path, 1);
    const since = new Date().toISOString();
    await accountsMade(2, owner);
    const before = await receiver.received(hook.path, 3);
    await fail(hook.id, [String(before[1]?.id)]);
    await owner.client.patch(hook.base, { enabled: false });
    await accountsMade(1, owner);
    expect((await owner.client.post(`${hook.base}/recover`, { since })).status).toBe(409);
    await owner.client.patch(hook.base, { enabled: true });
    const response = await owner.client.post(`${hook.base}/recover`, { since });
    expect([response.status, response.body]).toEqual([202, { events: 3, continue_from: null }]);
    const again = (await receiver.received(hook.path, 6)).slice(3);
    const { items } = await allEvents(owner.client, hook.base, { limit: 100 });
    expect(new Set(again.map(({ id }) => id))).toEqual(new Set(items.slice(1).map(({ event_id }) => event_id)));
    for (const { id, text } of again) {
      expect([id === first?.id, text]).toEqual([false, String(items.find((each) => each.event_id === id)?.payload)]);
    }
    expect(early).toHaveLength(1);
    const [record] = await at.sql`
      select actor_id, metadata from audit_logs where resource_id = ${hook.id} and action = 'webhook.recovered'`;
    expect([record?.actor_id, record?.metadata.events, record?.metadata.since]).toEqual([owner.userId, 3, since]);
  });

  test("400 for an invalid, too early or reversed range; no event becomes due", async () => {
    const hook = await hookOf(host.client, hooksOf(host.organizationId), ["service_account.created"]);
    const early = new Date(Date.now() - 31 * DAY_MS).toISOString();
    const bodies = [
      {},
      { since: "yesterday" },
      { since: early },
      { since: LONG_AGO, until: early },
      { since: LONG_AGO, until: "x" },
      { since: "9999-12-31T00:00:00Z" },
    ];
    for (const body of bodies) expect((await host.client.post(`${hook.base}/recover`, body)).status).toBe(400);
    const [row] = await at.sql`select count(*)::int as count from webhook_deliveries where webhook_id = ${hook.id}`;
    expect(row?.count).toBe(0);
  });

  test("202: a long range ends after 5,000 events, and continues where it ended", async () => {
    const owner = await steppedUpOwner(at);
    const hook = await hookOf(owner.client, hooksOf(owner.organizationId), ["service_account.created"]);
    await owner.client.patch(hook.base, { enabled: false });
    await at.sql`
      insert into audit_logs
        (event_id, timestamp, organization_id, actor_type, action, resource_type, metadata, outcome)
      select gen_random_uuid(), now() - interval '1 hour' + n * interval '1 ms', ${owner.organizationId}, 'system',
             'service_account.created', 'service_account', '{}', 'success' from generate_series(1, 5600) n`;
    await owner.client.patch(hook.base, { enabled: true });
    await at.sql`update webhooks set paused_until = now() + interval '1 hour', failures = 1 where id = ${hook.id}`;
    const first = await owner.client.post(`${hook.base}/recover`, { since: LONG_AGO });
    expect([first.status, first.body.events]).toEqual([202, 5_000]);
    const next = await owner.client.post(`${hook.base}/recover`, { since: first.body.continue_from });
    expect(next.body.continue_from).toBeNull();
    const [row] = await at.sql`select count(*)::int as count from webhook_deliveries where webhook_id = ${hook.id}`;
    expect(row?.count).toBe(5_600);
    await at.sql`delete from webhooks where id = ${hook.id}`;
  });
});

describe("POST …/webhooks/:id/deliveries/resend", () => {
  test("202: the failed deliveries come again, and no delivered one (G100)", async () => {
    const owner = await steppedUpOwner(at);
    const hook = await hookOf(owner.client, hooksOf(owner.organizationId), ["service_account.created"]);
    await accountsMade(3, owner);
    const received = await receiver.received(hook.path, 3);
    const failed = received.slice(0, 2).map(({ id }) => id);
    await until("all are recorded", async () => {
      const rows =
        await at.sql`select 1 from webhook_deliveries where webhook_id = ${hook.id} and status = 'delivered'`;
      return rows.length === 3;
    });
    await fail(hook.id, failed);
    const response = await owner.client.post(`${hook.base}/deliveries/resend`, {});
    expect([response.status, response.body]).toEqual([202, { events: 2, continue_from: null }]);
    const again = (await receiver.received(hook.path, 5)).slice(3).map(({ id }) => id);
    expect(new Set(again)).toEqual(new Set(failed));
    const records = await at.sql`
      select metadata from audit_logs where resource_id = ${hook.id} and action = 'webhook.failed_resent'`;
    expect(records.map(({ metadata }) => metadata.events)).toEqual([2]);
  });
});

describe("permissions", () => {
  test("403 for a member, 404 for a stranger and for the id of another organization's webhook (G16)", async () => {
    const hook = await hookOf(host.client, hooksOf(host.organizationId), ["*"]);
    const member = await memberWith(at, host.organizationId, "member");
    const stranger = await steppedUpOwner(at);
    const viewer = await platformUser(at, "viewer");
    const ask = async (client: Client, base: string) => [
      (await client.get(`${base}/events`)).status,
      (await client.post(`${base}/recover`, { since: LONG_AGO })).status,
      (await client.post(`${base}/deliveries/resend`, {})).status,
    ];
    expect(await ask(member.client, hook.base)).toEqual([403, 403, 403]);
    expect(await ask(stranger.client, hook.base)).toEqual([404, 404, 404]);
    const { client, organizationId: org } = stranger;
    const below = [
      await client.get(`/v1/orgs/${org}/webhooks/${hook.id}/events`),
      await client.post(`/v1/orgs/${org}/webhooks/${hook.id}/recover`, { since: LONG_AGO }),
      await client.post(`/v1/orgs/${org}/webhooks/${hook.id}/deliveries/resend`, {}),
    ];
    expect(below.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await ask(host.client, `${hooksOf(host.organizationId)}/${UNKNOWN}`)).toEqual([404, 404, 404]);
    expect(await ask(host.client, `/v1/admin/webhooks/${hook.id}`)).toEqual([403, 403, 403]);
    expect(await ask(viewer.client, `/v1/admin/webhooks/${hook.id}`)).toEqual([404, 403, 403]);
  });

  test("platform webhooks have the same endpoints, under /v1/admin/webhooks", async () => {
    const admin = await steppedUpPlatformUser(at, "admin");
    const hook = await hookOf(admin.client, "/v1/admin/webhooks", ["service_account.created"]);
    await accountsMade(1);
    await receiver.received(hook.path, 1);
    const listed = await admin.client.get(`/v1/admin/webhooks/${hook.id}/events?limit=100`);
    expect(listed.status).toBe(200);
    const since = new Date(Date.now() - 1_000).toISOString();
    expect((await admin.client.post(`/v1/admin/webhooks/${hook.id}/recover`, { since })).status).toBe(202);
    expect((await admin.client.post(`/v1/admin/webhooks/${hook.id}/deliveries/resend`, {})).status).toBe(202);
    await admin.client.delete(`/v1/admin/webhooks/${hook.id}`);
  });
});
