/** Members and invitations of any organization, for administrators of the platform (G137). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { INVITE_LINK, tokenTo } from "../support/mail.ts";
import { platformUser, viewerAndAdmin } from "../support/platform.ts";
import { insertMember } from "../support/states.ts";
import { accept, founded, invitationsOf, membersOf, memberWith, preview, stepUpSessions } from "../support/team.ts";

let at: Deployment;
let viewer: Client;
let admin: Client;
let adminId: string;
beforeAll(async () => {
  at = await deployment();
  ({ viewer, admin, adminId } = await viewerAndAdmin(at));
  await stepUpSessions(at.sql, adminId);
});

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const org = (id: string) => `/v1/admin/orgs/${id}`;
const recordsOf = async (action: string, resource: string) =>
  await at.sql`
    select actor_id, organization_id from audit_logs where action = ${action} and resource_id = ${resource}`;
const inviteAs = async (by: Client, organizationId: string, role = "member") => {
  const email = newEmail();
  const response = await by.post(`${org(organizationId)}/invitations`, { email, role });
  return { email, response };
};

describe("members of any organization", () => {
  test("are listed, changed and removed by an administrator; the record names the administrator", async () => {
    const { organizationId } = await founded(at);
    const { client, userId } = await memberWith(at, organizationId, "member");
    const listed = await viewer.get(`${org(organizationId)}/members`);
    expect([listed.status, listed.body.total]).toEqual([200, 2]);
    const place = `${org(organizationId)}/members/${userId}`;
    const changed = await admin.patch(place, { role: "owner" });
    expect([changed.status, changed.body.role]).toEqual([200, "owner"]);
    expect((await client.get(membersOf(organizationId))).status).toBe(200);
    expect((await admin.delete(place)).status).toBe(204);
    expect((await client.get(membersOf(organizationId))).status).toBe(404);
    for (const action of ["member.role_changed", "member.removed"]) {
      expect([...(await recordsOf(action, userId))]).toEqual([{ actor_id: adminId, organization_id: organizationId }]);
    }
  });

  test("keep one owner, and a user with a higher platform role is not changed", async () => {
    const host = await founded(at);
    const members = `${org(host.organizationId)}/members`;
    expect((await admin.patch(`${members}/${host.userId}`, { role: "member" })).status).toBe(409);
    expect((await admin.delete(`${members}/${host.userId}`)).status).toBe(409);
    const above = await platformUser(at, "owner");
    await insertMember(at.sql, host.organizationId, above.userId);
    expect((await admin.patch(`${members}/${above.userId}`, { role: "owner" })).status).toBe(403);
    expect((await admin.delete(`${members}/${above.userId}`)).status).toBe(403);
    expect((await admin.delete(`${members}/${UNKNOWN}`)).status).toBe(404);
    expect((await admin.get(`${org(UNKNOWN)}/members`)).status).toBe(404);
  });

  test("are out of reach for users without the platform role, owners of other organizations included", async () => {
    const host = await founded(at);
    const member = await memberWith(at, host.organizationId, "member");
    for (const by of [viewer, (await registered(at.one.url)).client]) {
      for (const response of [
        await by.patch(`${org(host.organizationId)}/members/${member.userId}`, { role: "owner" }),
        await by.delete(`${org(host.organizationId)}/members/${member.userId}`),
        (await inviteAs(by, host.organizationId)).response,
      ])
        expect([response.status, response.body.error.code]).toEqual([403, "forbidden"]);
    }
    expect((await host.client.get(membersOf(host.organizationId))).body.total).toBe(2);
  });
});

describe("invitations into any organization", () => {
  test("are sent with every role, resent and revoked, and join the invited user", async () => {
    const host = await founded(at);
    const { email, response } = await inviteAs(admin, host.organizationId, "owner");
    expect([response.status, response.body.invited_by, response.body.role]).toEqual([201, adminId, "owner"]);
    const place = `${org(host.organizationId)}/invitations`;
    expect((await viewer.get(`${place}?status=pending`)).body.total).toBe(1);
    expect((await host.client.get(invitationsOf(host.organizationId))).body.total).toBe(1);
    expect([...(await recordsOf("invitation.created", response.body.id))]).toEqual([
      { actor_id: adminId, organization_id: host.organizationId },
    ]);
    const first = await tokenTo(at.mail, email, INVITE_LINK);
    expect((await admin.post(`${place}/${response.body.id}/resend`)).status).toBe(200);
    expect((await preview(at.other.url, first)).status).toBe(401);
    const second = await tokenTo(at.mail, email, INVITE_LINK, 2);
    const joined = await accept(new Client(at.other.url), second);
    expect([joined.status, joined.body.user.organization_id]).toEqual([201, host.organizationId]);
    expect((await admin.delete(`${place}/${response.body.id}`)).status).toBe(409);
    const other = await inviteAs(admin, host.organizationId);
    expect((await admin.delete(`${place}/${other.response.body.id}`)).status).toBe(204);
    const revoked = await tokenTo(at.mail, other.email, INVITE_LINK);
    expect((await accept(new Client(at.one.url), revoked)).status).toBe(409);
  });

  test("are refused without the platform role, after a disabling, and in a suspended organization", async () => {
    const person = await platformUser(at, "admin");
    const host = await founded(at);
    const { email, response } = await inviteAs(person.client, host.organizationId);
    expect(response.status).toBe(201);
    const token = await tokenTo(at.mail, email, INVITE_LINK);
    const outcomes = async () => [
      (await preview(at.one.url, token)).status,
      (await accept(new Client(at.other.url), token)).status,
    ];
    const setUser = async (role: string | null, disabled: boolean) =>
      await at.sql`
        update users set platform_role = ${role}, disabled_at = case when ${disabled} then now() end
        where id = ${person.userId}`;
    for (const [role, disabled] of [
      [null, false],
      ["viewer", false],
      ["admin", true],
    ] as const) {
      await setUser(role, disabled);
      expect([role, disabled, await outcomes()]).toEqual([role, disabled, [401, 401]]);
    }
    await setUser("admin", false);
    await admin.patch(org(host.organizationId), { suspended: true });
    expect(await outcomes()).toEqual([401, 401]);
    expect((await inviteAs(admin, host.organizationId)).response.status).toBe(403);
    await admin.patch(org(host.organizationId), { suspended: false });
    expect(await outcomes()).toEqual([200, 201]);
  });

  test("409: a member, an open invitation; 400: no address; 404: an unknown organization or invitation", async () => {
    const host = await founded(at);
    const place = `${org(host.organizationId)}/invitations`;
    const { email } = await inviteAs(admin, host.organizationId);
    for (const [address, status] of [
      [email, 409],
      [host.email, 409],
      ["nobody", 400],
    ] as const)
      expect([address, (await admin.post(place, { email: address })).status]).toEqual([address, status]);
    expect((await admin.post(`${org(UNKNOWN)}/invitations`, { email: newEmail() })).status).toBe(404);
    expect((await admin.delete(`${place}/${UNKNOWN}`)).status).toBe(404);
    expect((await admin.post(`${place}/${UNKNOWN}/resend`)).status).toBe(404);
  });
});
