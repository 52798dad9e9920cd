import { beforeAll, describe, expect, test } from "bun:test";
import { Client, PASSWORD, signedIn } from "../support/client.ts";
import { type Deployment, deployment, eventually } from "../support/deployment.ts";
import { INVITE_LINK, tokenTo } from "../support/mail.ts";
import { enrolled } from "../support/mfa.ts";
import { insertMember } from "../support/states.ts";
import { accept, invite, invited, joinedAs, memberOf, membersOf, newOwner, statementsWait } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const auditsOf = async (org: string, action: string) =>
  await at.sql`
    select actor_id, resource_id, metadata from audit_logs
    where organization_id = ${org} and action = ${action}`;

describe("GET /v1/orgs/:org_id/members", () => {
  test("200: lists members with role and second factor, searched literally by address and name", async () => {
    const host = await enrolled(at, { display_name: "Ann 100%_\\" });
    const guest = await joinedAs(at, host, "member");
    const list = async (query: string) => (await host.client.get(`${membersOf(host.organizationId)}${query}`)).body;
    const { items, ...rest } = await list("");
    expect(rest).toEqual({ total: 2, page: 1, page_size: 25 });
    expect(items).toEqual([
      {
        user_id: host.userId,
        email: host.email,
        display_name: "Ann 100%_\\",
        avatar_url: null,
        role: "owner",
        mfa_enabled: true,
        joined_at: expect.stringMatching(/Z$/),
      },
      {
        user_id: guest.userId,
        email: guest.email,
        display_name: null,
        avatar_url: null,
        role: "member",
        mfa_enabled: false,
        joined_at: expect.stringMatching(/Z$/),
      },
    ]);
    const found = async (q: string) =>
      (await list(`?q=${encodeURIComponent(q)}`)).items.map((item: { email: string }) => item.email);
    expect(await found("%")).toEqual([host.email]);
    expect(await found("100%_\\")).toEqual([host.email]);
    expect(await found("__")).toEqual([]);
    expect(await found(guest.email.slice(3).toUpperCase())).toEqual([guest.email]);
    expect(await found("' or 1=1 --")).toEqual([]);
    expect((await guest.client.get(membersOf(host.organizationId))).status).toBe(403);
  });
});

describe("PATCH /v1/orgs/:org_id/members/:user_id", () => {
  test("200: the member's sessions know the new role at once, on every replica", async () => {
    const host = await newOwner(at);
    const guest = await joinedAs(at, host, "member");
    const other = guest.client.at(at.other.url);
    expect((await other.get("/v1/auth/session")).body.capabilities.role).toBe("member");
    const response = await host.client.patch(memberOf(host.organizationId, guest.userId), { role: "admin" });
    expect(response.body).toMatchObject({ user_id: guest.userId, role: "admin" });
    const roleThere = async () => (await other.get("/v1/auth/session")).body.capabilities.role;
    await eventually("the new role", 1000, async () => (await roleThere()) === "admin");
    expect((await auditsOf(host.organizationId, "member.role_changed"))[0]?.metadata).toEqual({
      from: "member",
      to: "admin",
    });
    expect((await host.client.patch(memberOf(host.organizationId, guest.userId), { role: "admin" })).status).toBe(200);
    expect(await auditsOf(host.organizationId, "member.role_changed")).toHaveLength(1);
  });

  test("200: a session that begins while the role changes has the new role within a second (G8)", async () => {
    const host = await newOwner(at);
    const guest = await joinedAs(at, host, "admin");
    const { id } = await invited(at, guest.client, host.organizationId, "admin");
    const signingIn = async () => {
      const { client } = await signedIn(at.other.url, guest.email);
      await client.get("/v1/auth/session");
      return client;
    };
    const [changing, begun] = await at.sql.begin(async (transaction) => {
      // Delays the change after the update of the role and of the sessions.
      await transaction`select 1 from invitations where id = ${id} for update`;
      const changing = host.client.patch(memberOf(host.organizationId, guest.userId), { role: "member" });
      await statementsWait(at.sql, 1);
      const begun = signingIn();
      await Promise.race([begun, statementsWait(at.sql, 2)]);
      return [changing, begun] as const;
    });
    expect((await changing).status).toBe(200);
    const roleOf = async (client: Client) => (await client.get("/v1/auth/session")).body.capabilities.role;
    const client = await begun;
    await eventually("the new role", 1000, async () => (await roleOf(client)) === "member");
  });

  test("403: no one grants above the own role, nor touches a member above it", async () => {
    const host = await newOwner(at);
    const [admin, member] = [await joinedAs(at, host, "admin"), await joinedAs(at, host, "member")];
    const change = (by: Client, userId: string, role: string) =>
      by.patch(memberOf(host.organizationId, userId), { role });
    expect((await change(admin.client, member.userId, "owner")).status).toBe(403);
    expect((await change(admin.client, host.userId, "member")).status).toBe(403);
    expect((await change(admin.client, admin.userId, "owner")).status).toBe(403);
    expect((await change(member.client, member.userId, "admin")).status).toBe(403);
    expect((await change(admin.client, member.userId, "admin")).status).toBe(200);
    expect((await change(admin.client, admin.userId, "member")).status).toBe(200);
    expect((await change(host.client, host.userId, "emperor")).status).toBe(400);
  });

  test("404 and 409: a stranger is no member; the last owner stays one", async () => {
    const [host, stranger] = [await newOwner(at), await newOwner(at)];
    const change = (userId: string) => host.client.patch(memberOf(host.organizationId, userId), { role: "member" });
    expect((await change(stranger.userId)).status).toBe(404);
    expect((await change(UNKNOWN)).status).toBe(404);
    expect((await change(host.userId)).status).toBe(409);
  });
});

describe("DELETE /v1/orgs/:org_id/members/:user_id", () => {
  test("204: ends the member's sessions in this organization on every replica, and in no other", async () => {
    const [host, guest] = [await newOwner(at), await newOwner(at)];
    await invite(host.client, host.organizationId, guest.email);
    await accept(guest.client, await tokenTo(at.mail, guest.email, INVITE_LINK), {});
    const inside = new Client(at.other.url);
    await inside.post("/v1/auth/login", {
      email: guest.email,
      password: PASSWORD,
      organization_id: host.organizationId,
    });
    expect((await inside.get("/v1/auth/session")).status).toBe(200);
    expect((await host.client.delete(memberOf(host.organizationId, guest.userId))).status).toBe(204);
    await eventually("the session ends", 1000, async () => (await inside.get("/v1/auth/session")).status === 401);
    expect((await inside.post("/v1/auth/refresh")).status).toBe(401);
    expect((await guest.client.get("/v1/auth/session")).status).toBe(200);
    expect((await host.client.delete(memberOf(host.organizationId, guest.userId))).status).toBe(404);
    expect(await auditsOf(host.organizationId, "member.removed")).toHaveLength(1);
  });

  test("204: ends a session just outside of the organization, with live tokens of the organization (G8)", async () => {
    const [host, guest] = [await newOwner(at), await newOwner(at)];
    await insertMember(at.sql, host.organizationId, guest.userId);
    const inside = (await signedIn(at.other.url, guest.email)).client;
    const move = (organization_id: string) => inside.post("/v1/auth/organization", { organization_id });
    const response = await move(host.organizationId);
    const sid = response.body.user.session_family_id;
    expect((await move(guest.organizationId)).status).toBe(200);
    expect((await host.client.delete(memberOf(host.organizationId, guest.userId))).status).toBe(204);
    await eventually("the session ends", 1000, async () => (await inside.get("/v1/auth/session")).status === 401);
    const { revocations } = (await inside.get("/.well-known/service-revocations.json")).body;
    expect(revocations.find((entry: { sid: string }) => entry.sid === sid)?.reason).toBe("organization_left");
    // The record belongs to the organization of the session, and names neither an actor nor an address of the second
    // organization.
    const [record] = await at.sql`
      select organization_id, actor_type, actor_id, ip_address from audit_logs
      where resource_id = ${sid} and action = 'auth.session.revoked'`;
    expect(record?.organization_id).toBe(guest.organizationId);
    expect([record?.actor_type, record?.actor_id, record?.ip_address]).toEqual(["system", null, null]);
    expect((await guest.client.get("/v1/auth/session")).status).toBe(200);
  });

  test("204: a member may leave; 403: it removes no other, an admin no owner; 409: the last owner stays", async () => {
    const host = await newOwner(at);
    const [admin, member] = [await joinedAs(at, host, "admin"), await joinedAs(at, host, "member")];
    const remove = (by: Client, userId: string) => by.delete(memberOf(host.organizationId, userId));
    expect((await remove(member.client, admin.userId)).status).toBe(403);
    expect((await remove(admin.client, host.userId)).status).toBe(403);
    expect((await remove(host.client, host.userId)).status).toBe(409);
    expect((await remove(member.client, member.userId)).status).toBe(204);
    expect((await member.client.get("/v1/auth/session")).status).toBe(401);
  });
});

describe("two owners (G6)", () => {
  test.each(["demoting", "removing"])("%s of each other at once leaves one owner, again and again", async (how) => {
    const host = await newOwner(at);
    for (let round = 0; round < 5; round += 1) {
      const other = await joinedAs(at, host, "owner");
      const change = (by: Client, userId: string, url: string) =>
        how === "demoting"
          ? by.at(url).patch(memberOf(host.organizationId, userId), { role: "member" })
          : by.at(url).delete(memberOf(host.organizationId, userId));
      const responses = await Promise.all([
        change(host.client, other.userId, at.one.url),
        change(other.client, host.userId, at.other.url),
      ]);
      const owners = await at.sql`
        select user_id from members where organization_id = ${host.organizationId} and role = 'owner'`;
      expect([responses.filter(({ status }) => status < 300).length, owners.length]).toEqual([1, 1]);
      if (owners[0]?.user_id !== host.userId) return;
    }
  });
});
