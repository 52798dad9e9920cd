/**
 * What a removed or disabled person set up gives no power afterwards (G364, docs/contract.md, sections 29.3, 29.12,
 * 32.5 and 32.9): the person's provider, the person's claim of a domain and the person's keys.
 */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { Client } from "../support/client.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";
import {
  announceConnections,
  changeConnection,
  SsoBrowser,
  type SsoDeployment,
  setPolicy,
  ssoDeployment,
} from "../support/sso.ts";
import { deleteMemberships, disableUser } from "../support/states.ts";
import { memberWith, stepUpSessions } from "../support/team.ts";

let sso: SsoDeployment;
let responsibleId: string;
let subjects = 0;

const activate = async (userId: string) => {
  const { at, forged } = sso;
  await at.sql`
    update sso_connections set activated_by = ${userId}, confirmed_power = null where id = ${forged.connectionId}`;
  await announceConnections(at);
};

/** An admin is responsible for the connection. */
beforeEach(async () => {
  sso = await ssoDeployment();
  const { at, forged } = sso;
  forged.provider.reset();
  await setPolicy(at, forged.organizationId, {});
  await changeConnection(at, forged.connectionId, { config: { groups_from: "groups" } });
  await stepUpSessions(at.sql, forged.ownerId);
  responsibleId = (await memberWith(at, forged.organizationId, "admin")).userId;
  await activate(responsibleId);
});

/** The deployment is shared: the owner is responsible for the connection again. */
afterAll(async () => {
  const { at, forged } = sso;
  await setPolicy(at, forged.organizationId, {});
  await changeConnection(at, forged.connectionId, { config: { groups_from: null } });
  await activate(forged.ownerId);
});

const of = (path: string) => `/v1/orgs/${sso.forged.organizationId}${path}`;
const remove = async () => {
  expect((await sso.forged.owner.delete(of(`/members/${responsibleId}`))).status).toBe(204);
};
const disable = async () => {
  await disableUser(sso.at.sql, responsibleId);
};

function puppet() {
  const { at, forged } = sso;
  subjects += 1;
  const name = `kept-${subjects}-${crypto.randomUUID()}`;
  return async (groups: readonly string[] = []) => {
    forged.provider.claims = { sub: name, email: `${name}@${forged.domain}`, groups };
    const { status, body } = await new SsoBrowser(at.one.url).enter(forged.connectionId);
    return { status, role: body?.capabilities?.role, userId: String(body?.user?.user_id) };
  };
}

const rule = (value: string, confirm = false) => ({
  mode: "optional",
  jit: "on",
  role_rules: [{ from: "groups", value, role: "admin" }],
  ...(confirm && { confirm }),
});

describe.each([
  ["removed", remove],
  ["disabled", disable],
] as const)("the provider of a %s person", (_, end) => {
  test("409: a rule and a default role name the connection; accepted, the rule counts (G364).", async () => {
    const { forged } = sso;
    await end();
    const refused = await forged.owner.put(of("/sso/policy"), rule("chief"));
    const connection = { kind: "role_rule", id: forged.connectionId };
    expect(refused).toMatchObject({ status: 409, body: { error: { channels: [connection] } } });
    const byDefault = await forged.owner.put(of("/sso/policy"), { mode: "optional", default_role: "admin" });
    const named = byDefault.body.error.channels as { kind: string; id: string }[];
    expect(named.some(({ kind, id }) => kind === "default_role" && id === forged.connectionId)).toBe(true);
    expect((await forged.owner.put(of("/sso/policy"), rule("chief", true))).status).toBe(200);
    await announceConnections(sso.at);
    expect(await puppet()(["chief"])).toMatchObject({ status: 200, role: "admin" });
  });

  test("member: a rule from before gives new members and members no more than membership (G364).", async () => {
    const { forged } = sso;
    expect((await forged.owner.put(of("/sso/policy"), rule("boss"))).status).toBe(200);
    await announceConnections(sso.at);
    const [member, admin] = [puppet(), puppet()];
    expect(await member()).toMatchObject({ status: 200, role: "member" });
    expect(await admin(["boss"])).toMatchObject({ status: 200, role: "admin" });
    await end();
    expect(await puppet()(["boss"])).toMatchObject({ status: 200, role: "member" });
    expect(await member(["boss"])).toMatchObject({ status: 200, role: "member" });
    // A departure keeps no member out who had the power before.
    expect(await admin(["boss"])).toMatchObject({ status: 200, role: "admin" });
  });

  test("409: a promotion of a linked member names the connection (G364).", async () => {
    const { userId } = await puppet()();
    await end();
    for (const role of ["admin", "owner"]) {
      const refused = await sso.forged.owner.patch(of(`/members/${userId}`), { role });
      const connection = { kind: "linked_identity", id: sso.forged.connectionId };
      expect(refused).toMatchObject({ status: 409, body: { error: { channels: [connection] } } });
    }
  });
});

test("403: a member promoted since the removal; a member with the power of before goes on (G364).", async () => {
  const { at, forged } = sso;
  const [before, since] = [puppet(), puppet()];
  const [old, fresh] = [await before(), await since()];
  const promote = (userId: string, role: string) =>
    forged.owner.patch(of(`/members/${userId}`), { role, confirm: true });
  expect((await promote(old.userId, "admin")).status).toBe(200);
  await remove();
  expect((await promote(fresh.userId, "admin")).status).toBe(200);
  expect([(await before()).status, (await since()).status]).toEqual([200, 403]);
  // A removal of the account repeats no comparison: the promotion stays later than the departure.
  await at.sql`update sso_connections set activated_by = null,
    confirmed_power = confirmed_power || '{"activatedBy": null}' where id = ${forged.connectionId}`;
  await announceConnections(at);
  expect([(await before()).status, (await since()).status]).toEqual([200, 403]);
  expect((await promote(fresh.userId, "member")).status).toBe(200);
  expect((await since()).status).toBe(200);
});

describe("the pending claim of a removed person", () => {
  async function claimed() {
    const { at } = sso;
    const host = await steppedUpOwner(at);
    const organization = `/v1/orgs/${host.organizationId}`;
    const admin = await memberWith(at, host.organizationId, "admin");
    await stepUpSessions(at.sql, admin.userId);
    const domain = `${crypto.randomUUID()}.test`;
    const { body: claim } = await admin.client.post(`${organization}/domains`, { domain });
    at.dns.setTxt(claim.record_name, claim.record_value);
    expect((await host.client.delete(`${organization}/members/${admin.userId}`)).status).toBe(204);
    return { host, organization, admin, claim, domain };
  }

  test("is listed, verified by no daily check, and taken over by a member's check (G364).", async () => {
    const { at } = sso;
    const { host, organization, admin, claim, domain } = await claimed();
    const { body } = await host.client.get(`${organization}/members/${admin.userId}/creations`);
    expect(body.items).toMatchObject([{ kind: "domain", id: claim.id, name: domain }]);
    await at.sql`
      update organization_domains
      set created_at = created_at - interval '25 hours', checked_at = now() - interval '25 hours'
      where id = ${claim.id}`;
    const read = async () => {
      const [row] = await at.sql`
        select status, claimed_by, checked_at > now() - interval '1 hour' as checked
        from organization_domains where id = ${claim.id}`;
      return row;
    };
    for (let i = 0; i < 120 && !(await read())?.checked; i += 1) await Bun.sleep(500);
    expect(await read()).toMatchObject({ status: "pending", claimed_by: admin.userId, checked: true });
    const verified = await host.client.post(`${organization}/domains/${claim.id}/verify`);
    expect([verified.status, verified.body.status]).toEqual([200, "verified"]);
    expect((await read())?.claimed_by).toBe(host.userId);
  }, 90_000);

  test("409: open joining names the held domain of a removed person, also for the role member (G364).", async () => {
    const { at } = sso;
    const { host, organization, claim } = await claimed();
    await at.sql`update organization_domains set status = 'verified', verified_at = now() where id = ${claim.id}`;
    const opened = await host.client.put(`${organization}/policies`, { domain_join: "join" });
    expect(opened).toMatchObject({
      status: 409,
      body: { error: { channels: [{ kind: "claimed_domain", id: claim.id }] } },
    });
    expect((await host.client.put(`${organization}/policies`, { domain_join: "join", confirm: true })).status).toBe(
      200,
    );
  });
});

test("403: the key of a removed, demoted or disabled person removes no member (G364).", async () => {
  const { at } = sso;
  const host = await steppedUpOwner(at);
  const organization = `/v1/orgs/${host.organizationId}`;
  const removal = async (key: string, userId: string) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await new Client(at.one.url).request("DELETE", `${organization}/members/${userId}`, { headers })).status;
  };
  const ends: ((userId: string) => Promise<unknown>)[] = [
    (userId) => host.client.delete(`${organization}/members/${userId}`),
    (userId) => host.client.patch(`${organization}/members/${userId}`, { role: "member" }),
    (userId) => at.sql`update users set disabled_at = now() where id = ${userId}`,
    async (userId) => {
      await deleteMemberships(at.sql, userId);
      await at.sql`update api_keys set created_by = null where created_by = ${userId}`;
    },
  ];
  for (const end of ends) {
    const maker = await memberWith(at, host.organizationId, "admin");
    await stepUpSessions(at.sql, maker.userId);
    const made = await keyOf(maker.client, accountsOf(host.organizationId), ["members.remove"]);
    const [admin, member] = [
      await memberWith(at, host.organizationId, "admin"),
      await memberWith(at, host.organizationId, "member"),
    ];
    expect(await removal(made.key, (await memberWith(at, host.organizationId, "admin")).userId)).toBe(204);
    await end(maker.userId);
    expect([await removal(made.key, admin.userId), await removal(made.key, member.userId)]).toEqual([403, 403]);
    const rows = await at.sql`
      select 1 from members
      where organization_id = ${host.organizationId} and user_id in (${admin.userId}, ${member.userId})`;
    expect(rows.length).toBe(2);
  }
});
