/** The fields of every audit record in the list and in the export, and the bounds of the two endpoints. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { type Client, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { platformUser, steppedUpAdmin } from "../support/platform.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { enterEnterprise } from "../support/states.ts";

const NIL = "00000000-0000-0000-0000-000000000000";
let at: Deployment;
/** A platform admin whose organization may export. */
let admin: Client;
let sealing: Replica;
beforeAll(async () => {
  at = await deployment();
  const person = await platformUser(at, "admin");
  admin = person.client;
  await enterEnterprise(at.sql, person.organizationId);
  const key = randomBytes(32).toString("base64");
  sealing = await startReplica({ DATABASE_URL: at.databaseUrl, SERVICE_CONFIG_KEY: key });
});
afterAll(async () => {
  await at.sql`delete from provider_configs`;
  await sealing.stop();
});

const exported = async (query: string) => {
  const { text } = await admin.get(`/v1/admin/audit-export?${query}`);
  const lines = text.trimEnd().split("\n");
  return lines.slice(0, -1).map((line) => JSON.parse(line));
};
const listed = async (query: string) => (await admin.get(`/v1/audit-logs?${query}`)).body.items;

describe("an audit record", () => {
  test("of no tenant has the nil UUID, one without a resource the empty text, in list and export", async () => {
    const [event, actor] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
    await at.sql`
      insert into audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type,
                              resource_id, ip_address, user_agent, request_id, metadata, outcome)
      values (${event}, '2026-05-05T05:05:05.050Z', null, ${actor}, 'user', 'auth.login', 'user', null, null, null,
              null, '{}', 'failure')`;
    const record = { event_id: event, organization_id: NIL, resource_id: "", actor_id: actor };
    expect((await listed(`user_id=${actor}`))[0]).toMatchObject(record);
    const rows = await exported("from=2026-05-05T05:05:05Z&to=2026-05-05T05:05:06Z");
    expect(rows.find((row) => row.event_id === event)).toMatchObject(record);
  });

  test("of a sign-in with an unknown address, too; the actor stays null", async () => {
    const headers = { "x-request-id": Bun.randomUUIDv7() };
    const body = { email: `nobody-${Date.now()}@example.test`, password: "a password of nobody" };
    await admin.post("/v1/auth/login", body, { headers });
    const found = (await listed("action=auth.login")).find(
      (item: { request_id: string }) => item.request_id === headers["x-request-id"],
    );
    expect(found).toMatchObject({ organization_id: NIL, resource_id: "", actor_id: null, outcome: "failure" });
  });

  test("of a provider's write and test carries key_id: the key's, and null where none is left", async () => {
    const { client } = await steppedUpAdmin({ one: sealing, sql: at.sql });
    const put = (body: object) => client.put("/v1/admin/integrations/oauth_idp_e", { enabled: false, ...body });
    const last = async (action: string) => (await listed(`action=${action}&page_size=1`))[0].metadata;
    const keyId = (await put({ secret: "a long enough secret" })).body.key_id;
    expect(keyId).toBeString();
    expect(await last("provider.updated")).toEqual({ provider: "oauth_idp_e", key_id: keyId });
    await put({ clear_secret: true });
    expect(await last("provider.updated")).toEqual({ provider: "oauth_idp_e", key_id: null });
    await client.post("/v1/admin/integrations/oauth_idp_e/test");
    expect(await last("provider.tested")).toEqual({ provider: "oauth_idp_e", key_id: null });
  });
});

describe("a bound in time", () => {
  const statuses = async (query: string) => [
    (await admin.get(`/v1/audit-logs?${query}`)).status,
    (await admin.get(`/v1/admin/audit-export?to=2001-01-01T00:00:00Z&${query}`)).status,
  ];

  test.each([
    "0000-01-01T00:00:00Z",
    "0000-12-31T23:59:59.999999999Z",
    "0001-01-01T00:00:00%2B23:59",
    "9999-12-31T23:59:59Z",
    "9999-12-31T23:59:59.999-23:59",
    "1990-12-31T23:59:60Z",
    "1990-12-31T15:59:60-08:00",
    "2026-01-01t00:00:00z",
    "2026-01-01T00:00:00-00:00",
  ])("%s is RFC 3339: 200 as either, never 500", async (time) => {
    expect(await statuses(`from=${time}`)).toEqual([200, 200]);
    expect((await admin.get(`/v1/audit-logs?to=${time}`)).status).toBe(200);
    expect(
      (await admin.get(`/v1/admin/audit-export?from=2001-01-01T00:00:00Z&to=${time.replace("2026", "2000")}`)).status,
    ).toBe(200);
  });

  test.each([
    "2026-01-01T24:00:00Z",
    "2026-01-01T23:59:61Z",
    "2026-01-01T12:00:60Z",
    "2026-01-01T00:00:00%2B24:00",
    "2026-01-01T00:00:00%2B00:60",
    "2025-02-29T00:00:00Z",
    "10000-01-01T00:00:00Z",
    "-0001-01-01T00:00:00Z",
    "%2B010000-01-01T00:00:00Z",
    "infinity",
    "now",
    "٢٠٢٦-01-01T00:00:00Z",
  ])("%s is none: 400", async (time) => {
    expect(await statuses(`from=${time}`)).toEqual([400, 400]);
  });

  test("before all time keeps all as a lower bound and nothing as an upper one; the far end likewise", async () => {
    const { userId } = await registered(at.one.url);
    const count = async (query: string) => (await admin.get(`/v1/audit-logs?user_id=${userId}&${query}`)).body.total;
    expect(await count("from=0000-01-01T00:00:00Z")).toBe(1);
    expect(await count("to=0000-01-01T00:00:00Z")).toBe(0);
    expect(await count("to=9999-12-31T23:59:59-23:59")).toBe(1);
    expect(await count("from=9999-12-31T23:59:59-23:59")).toBe(0);
  });
});
