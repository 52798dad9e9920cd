/** Linked identities and attributes of members (G156), over two replicas. */
import { beforeEach, describe, expect, test } from "bun:test";
import { keyOf } from "../support/service-accounts.ts";
import { changeConnection, SsoBrowser, type SsoDeployment, setPolicy, ssoDeployment } from "../support/sso.ts";
import { presentFactor } from "../support/states.ts";
import { memberWith, stepUpSessions } from "../support/team.ts";
import { until } from "../support/waiting.ts";

let sso: SsoDeployment;
beforeEach(async () => {
  sso = await ssoDeployment();
  sso.forged.provider.reset();
  await setPolicy(sso.at, sso.forged.organizationId, {});
});

/** An owner with a step-up: no replica has the session in memory yet. */
async function ownerOf(organizationId: string) {
  const owner = await memberWith(sso.at, organizationId, "owner");
  await presentFactor(sso.at.sql, owner.userId);
  return owner;
}

let employees = 0;

/** A signed-in employee. */
async function employee(claims: object = {}) {
  employees += 1;
  const { at, forged } = sso;
  const [sub, email] = [`identity-${employees}`, `identity-${employees}@${forged.domain}`];
  forged.provider.claims = { sub, email, ...claims };
  const browser = new SsoBrowser(at.one.url);
  const { body } = await browser.enter(forged.connectionId);
  const [identity] = await at.sql`select id from sso_identities where subject = ${sub}`;
  return { sub, email, client: browser.client, userId: body.user.user_id as string, id: String(identity?.id) };
}

const place = () => `/v1/orgs/${sso.forged.organizationId}/sso/identities`;

describe("the list of identities", () => {
  test("200: administrators and keys read all, a member reads the member's own; 404 elsewhere (G156).", async () => {
    const { forged, acme } = sso;
    const [ada, eve] = [await employee(), await employee()];
    const listed = await forged.owner.get(`${place()}?page_size=100`);
    const ids = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);
    expect([listed.status, ids(listed.body).slice(0, 2)]).toEqual([200, [eve.id, ada.id]]);
    expect(listed.body.items[1]).toMatchObject({
      connection_id: forged.connectionId,
      user_id: ada.userId,
      email: ada.email,
      subject: ada.sub,
      linked_by: "domain",
    });
    expect(ids((await ada.client.get(place())).body)).toEqual([ada.id]);
    expect((await acme.owner.get(place())).status).toBe(404);
    const owner = await ownerOf(forged.organizationId);
    const { key } = await keyOf(owner.client, `/v1/orgs/${forged.organizationId}/service-accounts`, ["sso.read"]);
    const byKey = await new SsoBrowser(sso.at.one.url).client.get(place(), { bearer: key });
    expect([byKey.status, byKey.body.total]).toEqual([200, listed.body.total]);
  });
});

describe("the removal of an identity", () => {
  test("204: ends its sessions on every replica, keeps the membership, and frees the address (G156).", async () => {
    const { at, forged } = sso;
    const owner = await ownerOf(forged.organizationId);
    const { client, userId, id, sub, email } = await employee();
    const elsewhere = client.at(at.other.url);
    expect((await elsewhere.get("/v1/auth/session")).status).toBe(200);
    const [first, again] = [
      await owner.client.delete(`/v1/orgs/${forged.organizationId}/sso/identities/${id}`),
      await owner.client.delete(`${place()}/${id}`),
    ];
    expect([first.status, again.status]).toEqual([204, 404]);
    await until("the session ended", async () => (await elsewhere.get("/v1/auth/session")).status === 401);
    expect(await at.sql`select 1 from members where user_id = ${userId}`).toHaveLength(1);
    const [record] = await at.sql`
      select actor_id, metadata from audit_logs where action = 'auth.sso.unlinked' and resource_id = ${userId}`;
    expect(record).toMatchObject({ actor_id: owner.userId, metadata: { connection_id: forged.connectionId } });
    forged.provider.claims = { sub: `${sub} new`, email };
    const replaced = await new SsoBrowser(at.one.url).enter(forged.connectionId);
    expect([replaced.status, replaced.body.user.user_id]).toEqual([200, userId]);
  });

  test("204, 404, 401: a member removes own identities only, an administrator needs a step-up.", async () => {
    const { at, forged, acme } = sso;
    const [ada, eve] = [await employee(), await employee()];
    expect((await ada.client.delete(`${place()}/${eve.id}`)).status).toBe(404);
    expect((await ada.client.delete(`${place()}/${ada.id}`)).status).toBe(204);
    const admin = await memberWith(at, forged.organizationId, "admin");
    await stepUpSessions(at.sql, admin.userId, "an hour ago");
    expect((await admin.client.delete(`${place()}/${eve.id}`)).body.error.code).toBe("mfa_required");
    const stranger = (await ownerOf(acme.organizationId)).client;
    expect((await stranger.delete(`${place()}/${eve.id}`)).status).toBe(404);
    const foreign = `/v1/orgs/${acme.organizationId}/sso/identities/${eve.id}`;
    expect((await stranger.delete(foreign)).status).toBe(404);
    expect((await eve.client.get("/v1/auth/session")).status).toBe(200);
  });
});

test("Attributes of a member are in the list of members and in the session of the member (P12: as data).", async () => {
  const { at, forged } = sso;
  const attributes = [
    { name: "department", from: "dept" },
    { name: "level", from: "level" },
  ];
  await changeConnection(at, forged.connectionId, { config: { attributes } });
  const markup = "<b>R&D</b>";
  const { client, userId } = await employee({ dept: markup, level: 3, other: "ignored" });
  const expected = { department: markup, level: "3" };
  expect((await client.get("/v1/auth/session")).body.user.extensions).toEqual({ attributes: expected });
  const { body } = await forged.owner.get(`/v1/orgs/${forged.organizationId}/members?page_size=100`);
  const items: { user_id: string; attributes?: object }[] = body.items;
  expect(items.find(({ user_id: id }) => id === userId)?.attributes).toEqual(expected);
  expect(items.find(({ user_id: id }) => id === forged.ownerId)).not.toHaveProperty("attributes");
  await changeConnection(at, forged.connectionId, { config: { attributes: [] } });
});
