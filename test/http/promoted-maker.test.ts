/**
 * A promotion of a person gives nothing to what the person had set up before (G366, docs/contract.md, section 32.9): a
 * key, a connection and a set-up link act with the power of that time, until the person acts again.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { permissionsOf } from "../../src/vocabulary/member-power.ts";
import { Client } from "../support/client.ts";
import { directoryOf, userBody, verifyDomainOf } from "../support/directories.ts";
import { assignRoles, createdRole } from "../support/roles.ts";
import { accountsOf, keyOf } from "../support/service-accounts.ts";
import { SetupHolder, setupHost } from "../support/setup-links.ts";
import { announceConnections, SsoBrowser, type SsoDeployment, setPolicy, ssoDeployment } from "../support/sso.ts";
import { memberWith, stepUpSessions } from "../support/team.ts";

let at: SsoDeployment["at"];
let sso: SsoDeployment;
beforeAll(async () => {
  sso = await ssoDeployment();
  at = sso.at;
});

const setRole = (organizationId: string, userId: string, role: string) =>
  at.sql`update members set role = ${role} where organization_id = ${organizationId} and user_id = ${userId}`;
const active = (value: boolean) => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
  Operations: [{ op: "replace", path: "active", value }],
});

describe("a key of a person who was promoted since", () => {
  test("deactivates no owner, restores no owner, and moves no address of an owner (G366).", async () => {
    const directory = await directoryOf(at);
    await verifyDomainOf(at, directory);
    const { scim, address, organizationId, keyId, userId } = directory;
    const { body } = await scim("POST", "/Users", userBody(address("ada")));
    const ada = String((await at.sql`select id from users where email = ${address("ada")}`)[0]?.id);
    const maker = await memberWith(at, organizationId, "admin");
    await at.sql`update api_keys set created_by = ${maker.userId} where id = ${keyId}`;
    for (const id of [ada, maker.userId]) await setRole(organizationId, id, "owner");
    const refused = await scim("PATCH", `/Users/${body.id}`, active(false));
    expect([refused.status, refused.body.scimType]).toEqual([400, "mutability"]);
    await scim("PUT", `/Users/${body.id}`, userBody(address("moved")));
    expect((await at.sql`select email from users where id = ${ada}`)[0]?.email).toBe(address("ada"));
    // Former owners return as members at most.
    await at.sql`update api_keys set created_by = ${userId} where id = ${keyId}`;
    expect((await scim("PATCH", `/Users/${body.id}`, active(false))).status).toBe(200);
    await setRole(organizationId, maker.userId, "admin");
    await at.sql`update api_keys set created_by = ${maker.userId} where id = ${keyId}`;
    await setRole(organizationId, maker.userId, "owner");
    expect((await scim("PATCH", `/Users/${body.id}`, active(true))).status).toBe(200);
    const [member] = await at.sql`
      select role from members where organization_id = ${organizationId} and user_id = ${ada}`;
    expect(member?.role).toBe("member");
  });

  test("403: the key removes no member beyond the power at its creation; a new key does (G366).", async () => {
    const { organizationId, ownerId, owner } = await setupHost(sso);
    const host = { client: owner, userId: ownerId, organizationId };
    const maker = await memberWith(at, organizationId, "member");
    await stepUpSessions(at.sql, maker.userId);
    const role = await createdRole(host, [...permissionsOf("admin")]);
    expect((await assignRoles(host, organizationId, maker.userId, [role.id])).status).toBe(200);
    const newKey = async () => (await keyOf(maker.client, accountsOf(organizationId), ["members.remove"])).key;
    const removal = async (key: string, userId: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const path = `/v1/orgs/${organizationId}/members/${userId}`;
      return (await new Client(at.one.url).request("DELETE", path, { headers })).status;
    };
    const former = await newKey();
    const [admin, member] = [
      await memberWith(at, organizationId, "admin"),
      await memberWith(at, organizationId, "member"),
    ];
    await setRole(organizationId, maker.userId, "admin");
    expect([await removal(former, admin.userId), await removal(former, member.userId)]).toEqual([403, 204]);
    expect(await removal(await newKey(), admin.userId)).toBe(204);
  });
});

describe("the connection of a person who was promoted since", () => {
  afterAll(async () => {
    const { forged } = sso;
    await at.sql`
      update sso_connections set activated_by = ${forged.ownerId}, confirmed_power = null
      where id = ${forged.connectionId}`;
    await announceConnections(at);
  });

  test("403 link_required above the power at the activation, until the person takes over (G366).", async () => {
    const { forged } = sso;
    const { organizationId, connectionId, provider, domain } = forged;
    await setPolicy(at, organizationId, {});
    const maker = await memberWith(at, organizationId, "admin");
    await at.sql`
      update sso_connections set activated_by = ${maker.userId}, confirmed_power = null where id = ${connectionId}`;
    await announceConnections(at);
    const subject = `owned-${crypto.randomUUID()}`;
    const enter = async () => {
      provider.claims = { sub: subject, email: `${subject}@${domain}` };
      return await new SsoBrowser(at.one.url).enter(connectionId);
    };
    const first = await enter();
    expect(first.status).toBe(200);
    const ada = String(first.body.user.user_id);
    for (const id of [ada, maker.userId]) await setRole(organizationId, id, "owner");
    expect((await enter()).status).toBe(403);
    await stepUpSessions(at.sql, maker.userId);
    const path = `/v1/orgs/${organizationId}/sso/connections/${connectionId}`;
    for (const _ of [1, 2]) expect((await maker.client.post(`${path}/take-over`)).status).toBe(200);
    const records = await at.sql`
      select 1 from audit_logs where organization_id = ${organizationId} and actor_id = ${maker.userId}
        and action = 'sso.connection.updated'`;
    expect(records.length).toBe(1);
    expect((await enter()).status).toBe(200);
    await setRole(organizationId, maker.userId, "admin");
    expect((await enter()).status).toBe(403);
  });
});

describe("the set-up link of a person who was promoted since", () => {
  test("A domain and a key of the link have the power at the creation of the link (G366).", async () => {
    const { organizationId, ownerId, owner, base } = await setupHost(sso);
    const host = { client: owner, userId: ownerId, organizationId };
    const maker = await memberWith(at, organizationId, "admin");
    await stepUpSessions(at.sql, maker.userId);
    const created = await maker.client.post(base, { intents: ["domains", "directory"] });
    expect(created.status).toBe(201);
    await setRole(organizationId, maker.userId, "owner");
    const role = await createdRole(host, ["policies.manage"]);
    expect((await assignRoles(host, organizationId, maker.userId, [role.id])).status).toBe(200);
    const holder = new SetupHolder(sso);
    expect((await holder.begin(new URL(created.body.url).searchParams.get("token") ?? "")).status).toBe(200);
    const domain = `${crypto.randomUUID()}.test`;
    expect((await holder.send("POST", "/v1/setup/domains", { domain })).status).toBe(201);
    expect((await holder.send("POST", "/v1/setup/directory-token")).status).toBe(201);
    const powers = await at.sql`
      select set_up_power as power from organization_domains where organization_id = ${organizationId}
      union all
      select k.set_up_power from api_keys k join service_accounts a on a.id = k.service_account_id
      where a.organization_id = ${organizationId}`;
    const admin = { role: "admin", granted: [] };
    expect(powers.map(({ power }) => power)).toEqual([admin, admin]);
  });
});
