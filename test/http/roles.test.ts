/** Additional roles of members, templates, and no privilege escalation (docs/contract.md, chapter 32). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, signedIn } from "../support/client.ts";
import { type Deployment, deployment, eventually, race } from "../support/deployment.ts";
import { INVITE_LINK, tokenTo } from "../support/mail.ts";
import { steppedUpAdmin, viewerAndAdmin } from "../support/platform.ts";
import {
  assignRoles,
  createdRole,
  memberHolding,
  newRoleKey,
  type Person,
  permissionsOf,
  rolesOf,
  steppedUpMemberHolding,
} from "../support/roles.ts";
import { accountsOf, steppedUpOwner } from "../support/service-accounts.ts";
import { insertMember } from "../support/states.ts";
import { accept, founded, invitationsOf, memberOf, memberWith } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const checkOf = (organizationId: string) => `/v1/orgs/${organizationId}/permissions/check`;

describe("/v1/orgs/:org_id/roles", () => {
  test("A role is created, listed, changed and deleted; a role with members needs reassign.", async () => {
    const host = await founded(at);
    const path = rolesOf(host.organizationId);
    const body = {
      key: "auditor",
      name: " Auditor ",
      description: "Reads",
      permissions: ["members.list", "audit.read"],
    };
    const created = await host.client.post(path, body);
    expect([created.status, created.body]).toMatchObject([
      201,
      {
        key: "auditor",
        name: "Auditor",
        permissions: ["audit.read", "members.list"],
        organization_id: host.organizationId,
      },
    ]);
    const member = await memberWith(at, host.organizationId, "member");
    const assigned = await assignRoles(host, host.organizationId, member.userId, [created.body.id]);
    expect(assigned.body.roles).toEqual([{ id: created.body.id, key: "auditor", name: "Auditor", source: "manual" }]);
    const own = (await host.client.get(path)).body.items.filter(
      (role: { organization_id: unknown }) => role.organization_id,
    );
    expect(own).toMatchObject([{ key: "auditor", member_count: 1 }]);
    const changed = await host.client.patch(`${path}/${created.body.id}`, { permissions: [] });
    expect([changed.status, changed.body.permissions, changed.body.name]).toEqual([200, [], "Auditor"]);
    expect((await host.client.delete(`${path}/${created.body.id}`)).status).toBe(409);
    const removed = await host.client.request("DELETE", `${path}/${created.body.id}`, { body: { reassign: true } });
    expect(removed.status).toBe(204);
    expect((await host.client.get(`${path}`)).text).not.toContain("auditor");
    expect(await at.sql`select 1 from member_roles where user_id = ${member.userId}`).toHaveLength(0);
    const actions = await at.sql`
      select action from audit_logs where organization_id = ${host.organizationId}
        and (action like 'role.%' or action = 'member.roles_changed') order by timestamp, action`;
    expect(actions.map(({ action }) => action)).toEqual([
      "role.created",
      "member.roles_changed",
      "role.updated",
      "role.deleted",
    ]);
  });

  test("400 for unknown permissions and keys of built-in roles; 409 for a taken key; nothing is stored.", async () => {
    const host = await founded(at);
    const path = rolesOf(host.organizationId);
    const valid = { key: "one", name: "One", permissions: [] };
    const bad = [
      { ...valid, permissions: ["members.fly"] },
      { ...valid, permissions: ["sso.read"] },
      { ...valid, key: "owner" },
      { ...valid, key: "A" },
      { ...valid, name: "" },
      { ...valid, permissions: Array.from({ length: 201 }, () => "members.list") },
    ];
    for (const body of bad) expect((await host.client.post(path, body)).status).toBe(400);
    expect(await at.sql`select 1 from organization_roles where organization_id = ${host.organizationId}`).toHaveLength(
      0,
    );
    expect((await host.client.post(path, valid)).status).toBe(201);
    expect((await host.client.post(path, valid)).status).toBe(409);
  });

  test("Roles of another organization are not found, and cannot be assigned (G16).", async () => {
    const [host, other] = [await founded(at), await founded(at)];
    const foreign = await createdRole(other, ["members.list"]);
    const member = await memberWith(at, host.organizationId, "member");
    const item = `/v1/orgs/${host.organizationId}/roles/${foreign.id}`;
    expect((await host.client.patch(item, { name: "Mine" })).status).toBe(404);
    expect((await host.client.delete(item)).status).toBe(404);
    expect((await assignRoles(host, host.organizationId, member.userId, [foreign.id])).status).toBe(400);
    const nobody = `/v1/orgs/${host.organizationId}/members/${UNKNOWN}/roles`;
    expect((await host.client.put(nobody, { role_ids: [] })).status).toBe(404);
    const many = Array.from({ length: 11 }, (_, index) =>
      UNKNOWN.replace(/0$/, String(index % 10)).replace("019a", `01${index + 10}`),
    );
    expect((await assignRoles(host, host.organizationId, member.userId, many)).status).toBe(400);
  });
});

describe("permissions of additional roles", () => {
  test("An assigned and a withdrawn permission counts on the other replica within a second (G192).", async () => {
    const host = await founded(at);
    const member = await memberHolding(at, host, ["members.list"]);
    const other = member.client.at(at.other.url);
    const list = async () => (await other.get(`/v1/orgs/${host.organizationId}/members`)).status;
    expect(await list()).toBe(200);
    const known = async (permissions: readonly string[]) =>
      await eventually("the permissions", 1000, async () => Bun.deepEquals(await permissionsOf(other), permissions));
    await known(["members.list"]);
    const session = (await other.get("/v1/auth/session")).body;
    expect(session.capabilities).toEqual({ role: "member", roles: [member.role.key], permissions: ["members.list"] });
    const narrowed = await host.client.patch(`${rolesOf(host.organizationId)}/${member.role.id}`, {
      permissions: ["members.invite"],
    });
    expect(narrowed.status).toBe(200);
    expect(await list()).toBe(403);
    await known(["members.invite"]);
    expect((await assignRoles(host, host.organizationId, member.userId, [])).status).toBe(200);
    await known([]);
  });

  test("Every permission alone opens its endpoints to a member, and no other endpoint.", async () => {
    const host = await founded(at);
    const member = await memberHolding(at, host, ["webhooks.manage"]);
    const statusOf = async (path: string) =>
      (await member.client.get(`/v1/orgs/${host.organizationId}/${path}`)).status;
    expect(await statusOf("webhooks")).toBe(200);
    expect(await statusOf("service-accounts")).toBe(403);
    expect(await statusOf("members")).toBe(403);
  });

  test("The sign-in response has the roles and permissions of the organization of the session.", async () => {
    const host = await founded(at);
    const member = await memberHolding(at, host, ["audit.read"]);
    const moved = await member.client.post("/v1/auth/organization", { organization_id: host.organizationId });
    expect(moved.body.capabilities).toEqual({ role: "member", roles: [member.role.key], permissions: ["audit.read"] });
    const again = await signedIn(at.one.url, member.email);
    expect(again.answer.body.capabilities).toEqual(moved.body.capabilities);
  });
});

describe("no privilege escalation (G191)", () => {
  test("A caller cannot create, widen, narrow, delete or assign a role beyond the caller's permissions.", async () => {
    const host = await founded(at);
    const path = rolesOf(host.organizationId);
    const editor = await memberHolding(at, host, ["roles.manage", "members.role", "members.list"]);
    const strong = await createdRole(host, ["members.remove"]);
    const weak = await createdRole(host, ["members.list"]);
    const target = await memberWith(at, host.organizationId, "member");
    const refused = [
      await editor.client.post(path, { key: newRoleKey(), name: "R", permissions: ["members.remove"] }),
      await editor.client.patch(`${path}/${weak.id}`, { permissions: ["members.remove"] }),
      await editor.client.patch(`${path}/${strong.id}`, { permissions: [] }),
      await editor.client.delete(`${path}/${strong.id}`),
      await assignRoles(editor, host.organizationId, target.userId, [strong.id]),
      await editor.client.patch(`${path}/${editor.role.id}`, { permissions: [] }),
      await editor.client.delete(`${path}/${editor.role.id}`),
      await assignRoles(editor, host.organizationId, editor.userId, []),
      await assignRoles(editor, host.organizationId, target.userId, [editor.role.id]),
      await assignRoles(editor, host.organizationId, host.userId, [weak.id]),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    expect((await assignRoles(editor, host.organizationId, target.userId, [weak.id])).status).toBe(200);
    expect((await assignRoles(host, host.organizationId, target.userId, [strong.id])).status).toBe(200);
    expect((await assignRoles(editor, host.organizationId, target.userId, [])).status).toBe(403);
  });

  test("A caller neither removes nor promotes a member with more permissions.", async () => {
    const host = await founded(at);
    const admin = await memberWith(at, host.organizationId, "admin");
    const member = await memberHolding(at, host, ["policies.manage"]);
    const item = memberOf(host.organizationId, member.userId);
    expect((await admin.client.patch(item, { role: "admin" })).status).toBe(403);
    expect((await admin.client.delete(item)).status).toBe(403);
    expect((await host.client.delete(item)).status).toBe(204);
  });

  test("Roles of an invitation count by the inviter's permissions at acceptance; the rest is dropped.", async () => {
    const host = await founded(at);
    const inviter = await memberHolding(at, host, ["members.invite", "members.list", "members.remove"]);
    const [kept, dropped, above] = [
      await createdRole(host, ["members.list"]),
      await createdRole(host, ["members.remove"]),
      await createdRole(host, ["audit.read"]),
    ];
    const path = invitationsOf(host.organizationId);
    expect((await inviter.client.post(path, { email: newEmail(), role_ids: [above.id] })).status).toBe(403);
    const email = newEmail();
    const sent = await inviter.client.post(path, { email, role_ids: [kept.id, dropped.id] });
    expect([sent.status, sent.body.role_ids]).toEqual([201, [kept.id, dropped.id]]);
    await host.client.patch(`${rolesOf(host.organizationId)}/${inviter.role.id}`, {
      permissions: ["members.invite", "members.list"],
    });
    const accepted = await accept(new Client(at.one.url), await tokenTo(at.mail, email, INVITE_LINK));
    expect([accepted.status, accepted.body.capabilities]).toEqual([
      201,
      { role: "member", roles: [kept.key], permissions: ["members.list"] },
    ]);
    const [record] = await at.sql`
      select metadata from audit_logs
      where action = 'member.roles_changed' and actor_id = ${accepted.body.user.user_id}`;
    expect(record?.metadata).toMatchObject({ added: kept.id, dropped: dropped.id });
  });

  test("An API key has no scope beyond the permissions of the creator.", async () => {
    const owner = await steppedUpOwner(at);
    const role = await createdRole(owner, ["machines.manage", "members.list"]);
    const admin = await steppedUpOwner(at);
    await insertMember(at.sql, owner.organizationId, admin.userId);
    expect((await assignRoles(owner, owner.organizationId, admin.userId, [role.id])).status).toBe(200);
    const accounts = accountsOf(owner.organizationId);
    const account = await admin.client.post(accounts, { name: "Robot" });
    const create = (scopes: readonly string[]) => admin.client.post(`${accounts}/${account.body.id}/keys`, { scopes });
    expect((await create(["members.remove"])).status).toBe(403);
    expect((await create(["scim.write"])).status).toBe(403);
    expect((await create(["members.list"])).status).toBe(201);
  });

  test("A manager of the directory below admin makes no member an admin by the directory.", async () => {
    const owner = await steppedUpOwner(at);
    const role = await createdRole(owner, ["directory.manage"]);
    const manager = await steppedUpOwner(at);
    await insertMember(at.sql, owner.organizationId, manager.userId);
    expect((await assignRoles(owner, owner.organizationId, manager.userId, [role.id])).status).toBe(200);
    const path = `/v1/orgs/${owner.organizationId}/directory`;
    expect((await manager.client.put(path, { default_role: "admin" })).status).toBe(403);
    expect((await manager.client.put(path, { default_role: "member" })).status).toBe(200);
  });

  test("A manager of policies maps no role beyond the manager's permissions by single sign-on (G226).", async () => {
    const owner = await steppedUpOwner(at);
    const manager = await steppedUpMemberHolding(at, owner, ["policies.manage", "audit.read"]);
    const [strong, weak] = [await createdRole(owner, ["members.remove"]), await createdRole(owner, ["audit.read"])];
    const path = `/v1/orgs/${owner.organizationId}/sso/policy`;
    const put = async (caller: Person, ...roles: readonly string[]) => {
      const role_rules = roles.map((role) => ({ from: "groups", value: "x", role }));
      return (await caller.client.put(path, { role_rules })).status;
    };
    expect(await put(manager, strong.key)).toBe(403);
    expect(await put(manager, "unknown-role")).toBe(400);
    expect(await put(owner, "owner")).toBe(400);
    expect(await put(manager, weak.key)).toBe(200);
    expect(await put(owner, weak.key, strong.key)).toBe(200);
    expect(await put(manager, weak.key)).toBe(403);
  });

  test("Two editors who withdraw one another's roles at once: one of the two succeeds.", async () => {
    const host = await founded(at);
    const [roleA, roleB] = [await createdRole(host, ["members.role"]), await createdRole(host, ["members.role"])];
    const [a, b] = [
      await memberWith(at, host.organizationId, "member"),
      await memberWith(at, host.organizationId, "member"),
    ];
    for (let round = 0; round < 3; round++) {
      expect((await assignRoles(host, host.organizationId, a.userId, [roleA.id])).status).toBe(200);
      expect((await assignRoles(host, host.organizationId, b.userId, [roleB.id])).status).toBe(200);
      const outcomes = await race(
        async (index) =>
          index === 0
            ? await assignRoles(a, host.organizationId, b.userId, [])
            : await assignRoles(b, host.organizationId, a.userId, []),
        2,
      );
      expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 403]);
    }
  });
});

describe("no privilege escalation by invitations, sessions, keys and erasure (G191)", () => {
  test("An invitation with a role that the caller has or exceeds is neither sent nor sent again.", async () => {
    const host = await founded(at);
    const inviter = await memberHolding(at, host, ["members.invite"]);
    const above = await createdRole(host, ["members.remove"]);
    const path = invitationsOf(host.organizationId);
    const own = await inviter.client.post(path, { email: newEmail(), role_ids: [inviter.role.id] });
    expect(own.status).toBe(403);
    const sent = await host.client.post(path, { email: newEmail(), role_ids: [above.id] });
    expect((await inviter.client.post(`${path}/${sent.body.id}/resend`)).status).toBe(403);
    expect((await host.client.post(`${path}/${sent.body.id}/resend`)).status).toBe(200);
  });

  test("A caller ends no session of a member with more permissions.", async () => {
    const host = await founded(at);
    const remover = await memberHolding(at, host, ["members.remove"]);
    const stronger = await memberHolding(at, host, ["policies.manage"]);
    const weaker = await memberHolding(at, host, []);
    const end = async (userId: string) => {
      const [session] = await at.sql`select id from sessions where user_id = ${userId} and revoked_at is null`;
      return (await remover.client.delete(`/v1/orgs/${host.organizationId}/sessions/${session?.id}`)).status;
    };
    expect(await end(stronger.userId)).toBe(403);
    expect(await end(weaker.userId)).toBe(204);
  });

  test("A key of a directory, whose groups grant the role admin, needs every permission of an admin.", async () => {
    const owner = await steppedUpOwner(at);
    const manager = await steppedUpMemberHolding(at, owner, ["directory.manage", "machines.manage"]);
    const accounts = accountsOf(owner.organizationId);
    const account = await manager.client.post(accounts, { name: "Robot" });
    const create = (scopes: readonly string[]) =>
      manager.client.post(`${accounts}/${account.body.id}/keys`, { scopes });
    expect((await create(["scim.write"])).status).toBe(403);
    expect((await create(["scim.read"])).status).toBe(201);
  });

  test("A caller with organization.delete erases no member with more permissions.", async () => {
    const owner = await steppedUpOwner(at);
    const eraser = await steppedUpMemberHolding(at, owner, ["organization.delete"]);
    const { userId } = await steppedUpMemberHolding(at, owner, ["audit.read"]);
    const admin = await memberWith(at, owner.organizationId, "admin");
    for (const id of [userId, admin.userId]) {
      await at.sql`delete from members where user_id = ${id} and organization_id <> ${owner.organizationId}`;
      await at.sql`
        update users set managed_by = ${owner.organizationId}, password_hash = null where id = ${id}`;
      await at.sql`delete from totp_factors where user_id = ${id}`;
    }
    const pathOf = (id: string) => `${memberOf(owner.organizationId, id)}/erasure`;
    expect((await eraser.client.post(pathOf(userId))).status).toBe(403);
    expect((await owner.client.post(pathOf(userId))).status).toBe(202);
    // Nobody manages the account of an admin.
    expect((await owner.client.post(pathOf(admin.userId))).status).toBe(409);
  });
});

describe("/v1/admin/roles", () => {
  test("A template reaches every organization, contains no permission of owners, and shares no key.", async () => {
    const [admin, host] = [await steppedUpAdmin(at), await founded(at)];
    const own = await createdRole(host, []);
    const key = newRoleKey();
    const create = (fields: object) =>
      admin.client.post("/v1/admin/roles", { key, name: "Template", permissions: [], ...fields });
    for (const permission of ["organization.delete", "policies.manage", "roles.manage", "support.grant"]) {
      expect((await create({ permissions: [permission] })).status).toBe(400);
    }
    expect((await create({ key: own.key })).status).toBe(409);
    const template = await create({ permissions: ["members.list"] });
    expect([template.status, template.body.organization_id]).toEqual([201, null]);
    expect((await host.client.get(rolesOf(host.organizationId))).text).toContain(key);
    expect((await host.client.post(rolesOf(host.organizationId), { key, name: "R", permissions: [] })).status).toBe(
      409,
    );
    const item = `${rolesOf(host.organizationId)}/${template.body.id}`;
    expect((await host.client.patch(item, { permissions: [] })).status).toBe(404);
    const member = await memberWith(at, host.organizationId, "member");
    expect((await assignRoles(host, host.organizationId, member.userId, [template.body.id])).status).toBe(200);
    const changed = await admin.client.patch(`/v1/admin/roles/${template.body.id}`, { permissions: ["audit.read"] });
    expect([changed.status, changed.body.permissions]).toEqual([200, ["audit.read"]]);
    expect((await admin.client.delete(`/v1/admin/roles/${template.body.id}`)).status).toBe(409);
    const path = `/v1/admin/roles/${template.body.id}`;
    expect((await admin.client.request("DELETE", path, { body: { reassign: true } })).status).toBe(204);
  });

  test("A viewer lists templates; changes need an admin with a step-up.", async () => {
    const { viewer, admin } = await viewerAndAdmin(at);
    expect((await viewer.get("/v1/admin/roles")).status).toBe(200);
    const body = { key: newRoleKey(), name: "Template", permissions: [] };
    expect((await viewer.post("/v1/admin/roles", body)).status).toBe(403);
    expect((await admin.post("/v1/admin/roles", body)).body.error.code).toBe("mfa_required");
  });
});

describe("POST /v1/orgs/:org_id/permissions/check", () => {
  test("200 for the caller and, with members.list, for a member; also for a permission of an API.", async () => {
    const [admin, host] = [await steppedUpAdmin(at), await founded(at)];
    const permission = `invoices-${newRoleKey()}.approve`;
    const scopes = [{ name: `${newRoleKey()}:read`, permission }];
    const registered = await admin.client.post("/v1/admin/resources", {
      identifier: `https://api-${newRoleKey()}.roles.example.test/`,
      name: "Invoices",
      scopes,
    });
    expect([registered.status, registered.body.scopes?.[0]?.permission]).toEqual([201, permission]);
    const member = await memberHolding(at, host, [permission]);
    const names = [permission, "members.list", "nothing.known"];
    const ask = async (caller: Person, user_id?: string) =>
      await caller.client.post(checkOf(host.organizationId), { permissions: names, user_id });
    expect((await ask(member)).body).toEqual({
      allowed: { [permission]: true, "members.list": false, "nothing.known": false },
    });
    expect((await ask(host)).body.allowed).toEqual({
      [permission]: true,
      "members.list": true,
      "nothing.known": false,
    });
    expect((await ask(host, member.userId)).body.allowed[permission]).toBe(true);
    expect((await ask(member, host.userId)).status).toBe(403);
    expect((await ask(host, UNKNOWN)).status).toBe(404);
    for (const permissions of [[], Array.from({ length: 201 }, () => "members.list")]) {
      const refused = await host.client.post(checkOf(host.organizationId), { permissions });
      expect([refused.status, refused.body.error.fields[0].field]).toEqual([400, "permissions"]);
    }
  });
});
