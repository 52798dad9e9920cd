/** Groups of members and the roles that groups grant (docs/contract.md, section 34.1). */
import { beforeAll, describe, expect, test } from "bun:test";
import { DIRECTORY_ROLE_HOLDERS_BATCH } from "../../src/limits/directory-limits.ts";
import type { Client } from "../support/client.ts";
import { type Deployment, deployment, eventually, race } from "../support/deployment.ts";
import { directoryOf, groupBody, userBody, verifyDomainOf } from "../support/directories.ts";
import {
  assignRoles,
  createdRole,
  type Host,
  memberHolding,
  memberInSession,
  type Person,
  permissionsOf,
  rolesOf,
  steppedUpMemberHolding,
} from "../support/roles.ts";
import { steppedUpOwner } from "../support/service-accounts.ts";
import { insertMember, verifyAddress } from "../support/states.ts";
import { founded, invitationsOf, memberOf, membersOf, memberWith } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const groupsOf = (organizationId: string) => `/v1/orgs/${organizationId}/groups`;
const groupOf = (organizationId: string, id: unknown) => `/v1/orgs/${organizationId}/groups/${id}`;
const membersOfGroup = (organizationId: string, id: unknown) => `/v1/orgs/${organizationId}/groups/${id}/members`;
const placeOf = (organizationId: string, id: unknown, userId: string) =>
  `/v1/orgs/${organizationId}/groups/${id}/members/${userId}`;
const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
let names = 0;

/** A group with roles; returns the path of the group. */
async function createdGroup(host: Host, roleIds: readonly string[] = []): Promise<string> {
  const body = { name: `Group ${++names}`, role_ids: roleIds };
  const response = await host.client.post(groupsOf(host.organizationId), body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return groupOf(host.organizationId, response.body.id);
}

const add = (caller: { client: Client }, group: string, userId: string) =>
  caller.client.put(`${group}/members/${userId}`);
const remove = (caller: { client: Client }, group: string, userId: string) =>
  caller.client.delete(`${group}/members/${userId}`);

async function actionsOf(organizationId: string): Promise<string[]> {
  const rows = await at.sql`
    select action from audit_logs where organization_id = ${organizationId} and action like 'group.%'
    order by timestamp, action`;
  return rows.map(({ action }) => action);
}

describe("/v1/orgs/:org_id/groups", () => {
  test("A group is created, read, listed, changed and deleted, with a record of each change.", async () => {
    const host = await founded(at);
    const path = groupsOf(host.organizationId);
    const role = await createdRole(host, ["audit.read"]);
    const created = await host.client.post(path, {
      name: " Engineers ",
      description: "Developers",
      role_ids: [role.id],
    });
    expect([created.status, created.body]).toMatchObject([
      201,
      {
        organization_id: host.organizationId,
        source: "manual",
        name: "Engineers",
        description: "Developers",
        roles: [{ id: role.id, key: role.key, name: "Role" }],
        member_count: 0,
      },
    ]);
    const group = groupOf(host.organizationId, created.body.id);
    expect((await host.client.get(group)).body).toEqual(created.body);
    const member = await memberWith(at, host.organizationId, "member");
    expect((await add(host, group, member.userId)).status).toBe(204);
    expect((await add(host, group, member.userId)).status).toBe(204);
    const listed = await host.client.get(path);
    expect([listed.body.total, listed.body.items[0]]).toMatchObject([1, { name: "Engineers", member_count: 1 }]);
    const members = await host.client.get(membersOfGroup(host.organizationId, created.body.id));
    expect(members.body).toMatchObject({ total: 1, items: [{ user_id: member.userId, email: member.email }] });
    const of = (await host.client.get(membersOf(host.organizationId))).body.items.find(
      (each: { user_id: string }) => each.user_id === member.userId,
    );
    expect(of.roles).toEqual([{ id: role.id, key: role.key, name: "Role", source: "group" }]);
    const changed = await host.client.patch(group, { name: "Developers", role_ids: [] });
    expect([changed.status, changed.body.name, changed.body.roles]).toEqual([200, "Developers", []]);
    expect((await host.client.delete(group)).status).toBe(204);
    expect((await host.client.get(group)).status).toBe(404);
    expect(await actionsOf(host.organizationId)).toEqual([
      "group.created",
      "group.member_added",
      "group.updated",
      "group.deleted",
    ]);
  });

  test("400 for an unknown role or name, 409 for a taken name, 404 for others' groups and members (G16).", async () => {
    const [host, other] = [await founded(at), await founded(at)];
    const path = groupsOf(host.organizationId);
    const foreignRole = await createdRole(other, []);
    const foreignGroup = (await createdGroup(other)).split("/").at(-1);
    for (const body of [{ name: "" }, { name: "G", role_ids: [foreignRole.id] }, { name: "G", role_ids: [UNKNOWN] }]) {
      expect((await host.client.post(path, body)).status).toBe(400);
    }
    expect((await host.client.post(path, { name: "Sales" })).status).toBe(201);
    expect((await host.client.post(path, { name: "SALES" })).status).toBe(409);
    const group = await createdGroup(host);
    expect((await host.client.patch(group, { name: "sales" })).status).toBe(409);
    const missing = [
      await host.client.get(`${path}/${foreignGroup}`),
      await host.client.get(`${path}/${foreignGroup}/members`),
      await host.client.patch(`${path}/${foreignGroup}`, { name: "Mine" }),
      await host.client.delete(`${path}/${foreignGroup}`),
      await host.client.put(placeOf(host.organizationId, foreignGroup, host.userId)),
      await add(host, group, other.userId),
      await remove(host, group, UNKNOWN),
    ];
    expect(missing.map(({ status }) => status)).toEqual(missing.map(() => 404));
  });
});

describe("roles by groups", () => {
  test("A role by a group counts on the other replica within a second, and ends with the place (G219).", async () => {
    const host = await founded(at);
    const role = await createdRole(host, ["members.list"]);
    const [group, second] = [await createdGroup(host, [role.id]), await createdGroup(host, [role.id])];
    const member = await memberInSession(at, host);
    const other = member.client.at(at.other.url);
    const known = async (permissions: readonly string[]) => {
      await eventually("the permissions", 1000, async () => Bun.deepEquals(await permissionsOf(other), permissions));
      const expected = permissions.includes("members.list") ? 200 : 403;
      expect((await other.get(membersOf(host.organizationId))).status).toBe(expected);
    };
    await known([]);
    await add(host, group, member.userId);
    await known(["members.list"]);
    await add(host, second, member.userId);
    await remove(host, group, member.userId);
    await known(["members.list"]);
    await remove(host, second, member.userId);
    await known([]);
    await add(host, group, member.userId);
    await known(["members.list"]);
    expect((await host.client.patch(group, { role_ids: [] })).status).toBe(200);
    await known([]);
    expect((await host.client.patch(group, { role_ids: [role.id] })).status).toBe(200);
    await known(["members.list"]);
    expect((await host.client.delete(group)).status).toBe(204);
    await known([]);
  });

  test("A deleted role is removed from groups; a removed member returns without the groups.", async () => {
    const host = await founded(at);
    const role = await createdRole(host, ["members.list"]);
    const group = await createdGroup(host, [role.id]);
    const member = await memberInSession(at, host);
    await add(host, group, member.userId);
    const path = `${rolesOf(host.organizationId)}/${role.id}`;
    expect((await host.client.delete(path)).status).toBe(409);
    expect((await host.client.request("DELETE", path, { body: { reassign: true } })).status).toBe(204);
    expect((await host.client.get(group)).body.roles).toEqual([]);
    expect(await permissionsOf(member.client)).toEqual([]);
    expect((await host.client.delete(memberOf(host.organizationId, member.userId))).status).toBe(204);
    expect((await host.client.get(group)).body.member_count).toBe(0);
  });

  test("A member has at most 10 additional roles, by groups too.", async () => {
    const host = await founded(at);
    const roles: string[] = [];
    for (let index = 0; index < 11; index++) roles.push((await createdRole(host, [])).id);
    const member = await memberWith(at, host.organizationId, "member");
    expect((await assignRoles(host, host.organizationId, member.userId, roles.slice(0, 10))).status).toBe(200);
    const [full, same] = [await createdGroup(host, roles.slice(10)), await createdGroup(host, roles.slice(0, 1))];
    expect((await add(host, full, member.userId)).status).toBe(400);
    expect((await add(host, same, member.userId)).status).toBe(204);
    expect((await host.client.patch(same, { role_ids: roles.slice(10) })).status).toBe(400);
    expect((await assignRoles(host, host.organizationId, member.userId, roles.slice(1))).status).toBe(400);
  });
});

describe("no privilege escalation by groups (G219)", () => {
  test("A caller neither makes, fills, empties nor deletes a group beyond the caller's permissions.", async () => {
    const host = await founded(at);
    const editor = await memberHolding(at, host, ["members.role", "members.list"]);
    const [strong, weak] = [await createdRole(host, ["members.remove"]), await createdRole(host, ["members.list"])];
    const [powerful, own, plain] = [
      await createdGroup(host, [strong.id]),
      await createdGroup(host, [editor.role.id]),
      await createdGroup(host, [weak.id]),
    ];
    const target = await memberWith(at, host.organizationId, "member");
    const admin = await memberWith(at, host.organizationId, "admin");
    const path = groupsOf(host.organizationId);
    const refused = [
      await editor.client.post(path, { name: "P", role_ids: [strong.id] }),
      await editor.client.post(path, { name: "P", role_ids: [editor.role.id] }),
      await editor.client.patch(powerful, { name: "Renamed" }),
      await editor.client.patch(plain, { role_ids: [strong.id] }),
      await editor.client.patch(powerful, { role_ids: [] }),
      await editor.client.delete(powerful),
      await editor.client.delete(own),
      await add(editor, powerful, target.userId),
      await add(editor, own, target.userId),
      await add(editor, plain, editor.userId),
      await add(editor, plain, admin.userId),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    expect((await add(editor, plain, target.userId)).status).toBe(204);
    expect((await remove(editor, plain, target.userId)).status).toBe(204);
  });

  test("A caller changes no group roles of the caller or of a member with more permissions.", async () => {
    const host = await founded(at);
    const editor = await memberHolding(at, host, ["members.role", "members.list"]);
    const weak = await createdRole(host, ["members.list"]);
    const [withEditor, withAdmin] = [await createdGroup(host), await createdGroup(host)];
    const admin = await memberWith(at, host.organizationId, "admin");
    await add(host, withEditor, editor.userId);
    await add(host, withAdmin, admin.userId);
    expect((await editor.client.patch(withEditor, { role_ids: [weak.id] })).status).toBe(403);
    expect((await editor.client.patch(withAdmin, { role_ids: [weak.id] })).status).toBe(403);
    expect((await host.client.patch(withEditor, { role_ids: [weak.id] })).status).toBe(200);
    expect((await remove(editor, withEditor, editor.userId)).status).toBe(403);
    expect((await editor.client.patch(withEditor, { role_ids: [] })).status).toBe(403);
  });

  test("An addition and a widening of the group at once never give a role that no grantor could give.", async () => {
    const host = await founded(at);
    const editor = await memberHolding(at, host, ["members.role", "members.list"]);
    const strong = await createdRole(host, ["members.remove"]);
    for (let round = 0; round < 3; round++) {
      const group = await createdGroup(host);
      const target = await memberWith(at, host.organizationId, "member");
      const [added, widened] = await race(
        async (index) =>
          index === 0
            ? await add(editor, group, target.userId)
            : await host.client.patch(group, { role_ids: [strong.id] }),
        2,
      );
      expect([204, 403]).toContain(Number(added?.status));
      expect(widened?.status).toBe(200);
      const rows = await at.sql`
        select 1 from member_roles where user_id = ${target.userId} and role_id = ${strong.id} and source = 'group'`;
      // The owner widened a group with the member, or the editor met the widened group.
      expect(rows.length).toBe(added?.status === 204 ? 1 : 0);
    }
  });

  test("Two editors who end one another's groups at once: one of the two succeeds.", async () => {
    const host = await founded(at);
    const roles = [await createdRole(host, ["members.role"]), await createdRole(host, ["members.role"])];
    const people: Person[] = [
      await memberWith(at, host.organizationId, "member"),
      await memberWith(at, host.organizationId, "member"),
    ];
    const groups = [await createdGroup(host, [String(roles[0]?.id)]), await createdGroup(host, [String(roles[1]?.id)])];
    for (let round = 0; round < 3; round++) {
      for (const [index, person] of people.entries()) await add(host, String(groups[index]), person.userId);
      const outcomes = await race(async (index) => {
        const [self, other] = [people[index], people[1 - index]];
        return await remove(self as Person, String(groups[1 - index]), String(other?.userId));
      }, 2);
      expect(outcomes.map(({ status }) => status).sort()).toEqual([204, 403]);
    }
  });
});

/** A directory with a record of an existing member, in a group; and the group. */
async function directoryWithMember() {
  const directory = await directoryOf(at);
  const member = await memberInSession(at, directory);
  const record = await directory.scim("POST", "/Users", userBody(member.email));
  expect(record.status).toBe(201);
  const group = await directory.scim("POST", "/Groups", groupBody(`Engineers ${++names}`, [record.body.id]));
  const map = (caller: { client: Client }, body: object) =>
    caller.client.patch(`/v1/orgs/${directory.organizationId}/directory/groups/${group.body.id}`, body);
  return { directory, member, record: String(record.body.id), group: String(group.body.id), map };
}

describe("roles by groups of a directory (G220)", () => {
  test("Members have the roles of the group while the directory has them in the group.", async () => {
    const { directory, member, record, group, map } = await directoryWithMember();
    const role = await createdRole(directory, ["members.list"]);
    const mapped = await map(directory, { role: null, role_ids: [role.id] });
    expect([mapped.status, mapped.body.roles]).toEqual([200, [{ id: role.id, key: role.key, name: "Role" }]]);
    expect(await permissionsOf(member.client)).toEqual(["members.list"]);
    const path = groupOf(directory.organizationId, group);
    expect((await directory.client.get(path)).body).toMatchObject({
      source: "directory",
      member_count: 1,
      roles: [{ id: role.id }],
    });
    expect((await directory.client.patch(path, { name: "Mine" })).status).toBe(409);
    expect((await directory.client.delete(path)).status).toBe(409);
    expect((await add(directory, path, directory.userId)).status).toBe(409);
    const replace = (members: readonly string[]) =>
      directory.scim("PUT", `/Groups/${group}`, groupBody(`Engineers ${names}`, members));
    expect((await replace([])).status).toBe(200);
    expect(await permissionsOf(member.client)).toEqual([]);
    expect((await replace([record])).status).toBe(200);
    expect(await permissionsOf(member.client)).toEqual(["members.list"]);
    expect((await directory.client.put(directory.place, { role_source: "none" })).status).toBe(200);
    expect(await permissionsOf(member.client)).toEqual([]);
    expect((await directory.client.put(directory.place, { role_source: "groups", status: "paused" })).status).toBe(200);
    expect(await permissionsOf(member.client)).toEqual(["members.list"]);
    expect((await directory.client.delete(directory.place)).status).toBe(204);
    expect(await permissionsOf(member.client)).toEqual([]);
  });

  test("A manager of the directory maps no role beyond the manager's permissions and no own group.", async () => {
    const { directory, map } = await directoryWithMember();
    const manager = await steppedUpMemberHolding(at, directory, ["directory.manage", "members.list"]);
    const [strong, weak] = [
      await createdRole(directory, ["members.remove"]),
      await createdRole(directory, ["members.list"]),
    ];
    expect((await map(manager, { role: null, role_ids: [strong.id] })).status).toBe(403);
    expect((await map(manager, { role: null, role_ids: [UNKNOWN] })).status).toBe(400);
    expect((await map(manager, { role: null, role_ids: [weak.id] })).status).toBe(200);
    expect((await map(directory, { role: null, role_ids: [strong.id] })).status).toBe(200);
    expect((await map(manager, { role: null, role_ids: [] })).status).toBe(403);
    const settings = { role_source: "none" };
    expect((await manager.client.put(directory.place, settings)).status).toBe(403);
    expect((await directory.client.put(directory.place, settings)).status).toBe(200);
    expect((await manager.client.put(directory.place, { role_source: "groups" })).status).toBe(403);
  });

  test("A deletion beyond the manager's permissions changes nothing; a manager by a group deletes all.", async () => {
    const { directory, member, record, group, map } = await directoryWithMember();
    const manager = await steppedUpMemberHolding(at, directory, ["directory.manage"]);
    const led = await steppedUpOwner(at);
    await insertMember(at.sql, directory.organizationId, led.userId);
    const { body } = await directory.scim("POST", "/Users", userBody(led.email));
    await directory.scim("PUT", `/Groups/${group}`, groupBody(`Engineers ${names}`, [record, body.id]));
    const role = await createdRole(directory, ["directory.manage", "members.remove"]);
    expect((await map(directory, { role: null, role_ids: [role.id] })).status).toBe(200);
    expect((await directory.client.put(directory.place, { status: "paused" })).status).toBe(200);
    expect((await manager.client.delete(directory.place)).status).toBe(403);
    expect(await permissionsOf(member.client)).toContain("members.remove");
    expect((await directory.client.get(directory.place)).body.role_source).toBe("groups");
    // The deletion needs a second transaction, after the end of the manager's own role.
    await at.sql`
      insert into directory_groups (id, directory_id, display_name, display_name_key, version, created_at, updated_at)
      select gen_random_uuid(), d.id, 'g' || n, 'g' || n, 1, now(), now()
      from directories d, generate_series(1, ${DIRECTORY_ROLE_HOLDERS_BATCH}::int) n
      where d.organization_id = ${directory.organizationId}`;
    expect((await led.client.delete(directory.place)).status).toBe(204);
    expect(await permissionsOf(member.client)).toEqual([]);
    expect((await directory.client.get(directory.place)).status).toBe(404);
  });

  test("A manager below admin neither demotes nor promotes admins by the settings of the directory.", async () => {
    const { directory, member, map } = await directoryWithMember();
    const manager = await steppedUpMemberHolding(at, directory, ["directory.manage"]);
    const roleOf = async () =>
      (
        await at.sql`select role from members where user_id = ${member.userId}
                    and organization_id = ${directory.organizationId}`
      )[0]?.role;
    expect((await map(directory, { role: "admin" })).status).toBe(200);
    expect(await roleOf()).toBe("admin");
    expect((await map(manager, { role: null })).status).toBe(403);
    expect((await directory.client.put(directory.place, { role_source: "none" })).status).toBe(200);
    await at.sql`update members set role = 'member' where user_id = ${member.userId}`;
    expect((await manager.client.put(directory.place, { role_source: "groups" })).status).toBe(403);
    expect(await roleOf()).toBe("member");
    expect((await directory.client.put(directory.place, { role_source: "groups" })).status).toBe(200);
    expect(await roleOf()).toBe("admin");
  });

  test("An invitation that the directory accepts grants its roles, with a record.", async () => {
    const directory = await directoryOf(at);
    await verifyDomainOf(at, directory);
    await verifyAddress(at.sql, directory.userId);
    const role = await createdRole(directory, ["audit.read"]);
    const email = directory.address("grace");
    const invitation = { email, role_ids: [role.id] };
    expect((await directory.client.post(invitationsOf(directory.organizationId), invitation)).status).toBe(201);
    expect((await directory.scim("POST", "/Users", userBody(email))).status).toBe(201);
    const [user] = await at.sql`select id from users where email = ${email}`;
    const [held] = await at.sql`select source from member_roles where user_id = ${user?.id}`;
    expect(held?.source).toBe("manual");
    const [record] = await at.sql`
      select metadata from audit_logs where action = 'member.roles_changed' and resource_id = ${user?.id}`;
    expect(record?.metadata).toMatchObject({ added: role.id, dropped: "" });
  });
});

describe("PATCH /v1/orgs/:org_id/directory/groups/:id with the version that the caller has read", () => {
  test("409 conflict after another change, which stays; the present version succeeds (G377).", async () => {
    const directory = await directoryOf(at);
    const { client, scim, organizationId } = directory;
    expect((await scim("POST", "/Groups", groupBody("Engineers"))).status).toBe(201);
    const groups = `/v1/orgs/${organizationId}/directory/groups`;
    const read = async () => (await client.get(groups)).body.items[0];
    const first = await read();
    const map = (role: string | null, updated_at: string, other = at.one.url) =>
      client.at(other).patch(`${groups}/${first.id}`, { role, updated_at });
    expect((await map("member", first.updated_at)).status).toBe(200);
    const outdated = await map("admin", first.updated_at, at.other.url);
    expect([outdated.status, outdated.body.error.code]).toEqual([409, "conflict"]);
    expect(outdated.body.error.message).toContain("changed since");
    const second = await read();
    expect(second.role).toBe("member");
    expect((await map("admin", second.updated_at)).status).toBe(200);
    expect((await read()).role).toBe("admin");
  });
});
