/** Metadata of members and organizations, and further organizations of a user (docs/contract.md, chapter 34). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { memberHolding, memberInSession } from "../support/roles.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";
import { founded } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const ofMember = (organizationId: string, userId: string) => `/v1/orgs/${organizationId}/members/${userId}/metadata`;
const ofOrganization = (organizationId: string) => `/v1/orgs/${organizationId}/metadata`;
const UNKNOWN = "019a0000-0000-7000-8000-000000000000";

describe("metadata of a member (G221)", () => {
  test("Changes merge, null deletes, and the member reads public metadata only.", async () => {
    const host = await founded(at);
    const member = await memberInSession(at, host);
    const path = ofMember(host.organizationId, member.userId);
    expect((await host.client.get(path)).body).toEqual({ public_metadata: {}, private_metadata: {} });
    const first = { public_metadata: { plan: "gold", limits: { seats: 3, hosts: 1 } }, private_metadata: { crm: 7 } };
    expect((await host.client.patch(path, first)).status).toBe(200);
    const changed = await host.client.patch(path, {
      public_metadata: { plan: null, limits: { seats: 4 }, tags: ["a"], $ref: "x" },
      private_metadata: null,
    });
    const expected = { limits: { seats: 4, hosts: 1 }, tags: ["a"], $ref: "x" };
    expect([changed.status, changed.body]).toEqual([200, { public_metadata: expected, private_metadata: { crm: 7 } }]);
    expect((await member.client.get(path)).body).toEqual({ public_metadata: expected });
    expect((await member.client.patch(path, { public_metadata: { plan: "gold" } })).status).toBe(403);
    expect((await member.client.get(ofMember(host.organizationId, host.userId))).status).toBe(403);
    const records = await at.sql`
      select metadata from audit_logs where action = 'member.metadata_updated' and resource_id = ${member.userId}
      order by timestamp`;
    expect(records.map(({ metadata }) => metadata.fields)).toEqual([
      "public_metadata private_metadata",
      "public_metadata",
    ]);
  });

  test("400 beyond 4 KiB after the merge, and for NUL, forbidden keys and values that are no object.", async () => {
    const host = await founded(at);
    const path = ofMember(host.organizationId, host.userId);
    const half = { text: "x".repeat(2_500) };
    expect((await host.client.patch(path, { public_metadata: half })).status).toBe(200);
    const refused = [
      { public_metadata: { more: half } },
      { private_metadata: { text: "a\u0000b" } },
      { private_metadata: { "a\u0000b": 1 } },
      { private_metadata: ["a"] },
      { private_metadata: "a" },
    ];
    for (const body of refused) expect((await host.client.patch(path, body)).status).toBe(400);
    const text = '{"private_metadata":{"__proto__":{"a":1}}}';
    const raw = await host.client.request("PATCH", path, { body: JSON.parse(text) });
    expect(raw.status).toBe(400);
    expect((await host.client.get(path)).body).toEqual({ public_metadata: half, private_metadata: {} });
  });

  test("Two changes at once are both applied; an unknown member and another organization are 404 (G16).", async () => {
    const [host, other] = [await founded(at), await founded(at)];
    const path = ofMember(host.organizationId, host.userId);
    await race((index) => host.client.patch(path, { public_metadata: { [`k${index}`]: index } }), 4);
    expect((await host.client.get(path)).body.public_metadata).toEqual({ k0: 0, k1: 1, k2: 2, k3: 3 });
    expect((await host.client.patch(ofMember(host.organizationId, UNKNOWN), {})).status).toBe(404);
    expect((await host.client.get(ofMember(host.organizationId, other.userId))).status).toBe(404);
    expect((await other.client.get(path)).status).toBe(404);
    expect((await other.client.patch(ofOrganization(host.organizationId), {})).status).toBe(404);
  });

  test("A key with members.metadata reads and writes metadata; a key without the scope does not.", async () => {
    const owner = await steppedUpOwner(at);
    const { key } = await keyOf(owner.client, accountsOf(owner.organizationId), ["members.metadata"]);
    const robot = new Client(at.one.url);
    const headers = { authorization: `Bearer ${key}` };
    const path = ofMember(owner.organizationId, owner.userId);
    const body = { public_metadata: { plan: "gold" }, private_metadata: { crm: 7 } };
    expect((await robot.request("PATCH", path, { body, headers })).body).toEqual(body);
    const organization = ofOrganization(owner.organizationId);
    expect((await robot.request("PATCH", organization, { body, headers })).body).toEqual(body);
    expect((await robot.request("GET", organization, { headers })).body).toEqual(body);
    const weak = await keyOf(owner.client, accountsOf(owner.organizationId), ["members.list"]);
    const refused = await robot.request("GET", path, { headers: { authorization: `Bearer ${weak.key}` } });
    expect(refused.status).toBe(403);
  });
});

test("Members read public metadata of the organization; organization.update reads and writes both.", async () => {
  const host = await founded(at);
  const path = ofOrganization(host.organizationId);
  const body = { public_metadata: { plan: "gold" }, private_metadata: { crm: 7 } };
  expect((await host.client.patch(path, body)).body).toEqual(body);
  const member = await memberInSession(at, host);
  expect((await member.client.get(path)).body).toEqual({ public_metadata: { plan: "gold" } });
  expect((await member.client.patch(path, body)).status).toBe(403);
  const editor = await memberHolding(at, host, ["organization.update"]);
  expect((await editor.client.patch(path, { public_metadata: { plan: null } })).body).toEqual({
    public_metadata: {},
    private_metadata: { crm: 7 },
  });
});

describe("POST /v1/orgs (G222)", () => {
  test("A verified user creates a further organization as owner, and switches into the organization.", async () => {
    const user = await founded(at);
    const created = await user.client.post("/v1/orgs", { organization_name: " Acme Labs " });
    expect([created.status, created.body]).toMatchObject([
      201,
      { organization_name: "Acme Labs", slug: expect.stringMatching(/^acme-labs/), role: "owner" },
    ]);
    expect((await user.client.get("/v1/auth/session")).body.user.organization_id).toBe(user.organizationId);
    const moved = await user.client.post("/v1/auth/organization", { organization_id: created.body.organization_id });
    expect([moved.status, moved.body.capabilities.role]).toEqual([200, "owner"]);
  });

  test("400 for a name or slug, 409 for a taken slug, 403 without a verified address; nothing is stored.", async () => {
    const user = await founded(at);
    expect((await user.client.post("/v1/orgs", { organization_name: "" })).status).toBe(400);
    expect((await user.client.post("/v1/orgs", { organization_name: "A", slug: "UPPER!" })).status).toBe(400);
    const slug = `labs-${newEmail()
      .split("@")[0]
      ?.toLowerCase()
      .replaceAll(/[^a-z0-9]/g, "")}`.slice(0, 40);
    expect((await user.client.post("/v1/orgs", { organization_name: "A", slug })).status).toBe(201);
    expect((await user.client.post("/v1/orgs", { organization_name: "A", slug })).status).toBe(409);
    await at.sql`update users set email_verified_at = null where id = ${user.userId}`;
    expect((await user.client.post("/v1/orgs", { organization_name: "A" })).status).toBe(403);
    expect(await at.sql`select 1 from members where user_id = ${user.userId}`).toHaveLength(2);
  });

  test("A user owns at most 5 organizations, also with requests at once.", async () => {
    const user = await founded(at);
    const outcomes = await race(() => user.client.post("/v1/orgs", { organization_name: "Labs" }), 6);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 409, 409]);
  });
});
