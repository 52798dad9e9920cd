/** An invitation grants at most the power of the inviter at the moment of acceptance (G36). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { INVITE_LINK, tokenTo } from "../support/mail.ts";
import { platformUser } from "../support/platform.ts";
import { insertMember } from "../support/states.ts";
import {
  accept,
  founded,
  invitationsOf,
  invite,
  invited,
  memberOf,
  memberWith,
  preview,
  statementsWait,
  verify,
} from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const statusOf = async (id: string) => {
  const [row] = await at.sql`select accepted_at, revoked_at from invitations where id = ${id}`;
  if (row?.accepted_at) return "accepted";
  return row?.revoked_at ? "revoked" : "open";
};
const revocationsOf = async (id: string) =>
  await at.sql`select actor_id, metadata from audit_logs where action = 'invitation.revoked' and resource_id = ${id}`;
const isMember = async (organizationId: string, email: string) =>
  (
    await at.sql`
      select 1 from members m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and u.email = ${email}`
  ).length > 0;

/** Creates an inviter, and the inviter's invitations into an organization: to a new address, and to a user. */
async function bothKinds(role: "owner" | "admin", granted: "owner" | "admin" | "member" = "member") {
  const owner = await founded(at);
  const inviter = await memberWith(at, owner.organizationId, role);
  const toNew = await invited(at, inviter.client, owner.organizationId, granted);
  const guest = await registered(at.one.url);
  const response = await invite(inviter.client, owner.organizationId, guest.email, granted);
  const toUser = { id: String(response.body.id), token: await tokenTo(at.mail, guest.email, INVITE_LINK) };
  const tryAll = async () => [
    (await preview(at.one.url, toNew.token)).status,
    (await accept(new Client(at.other.url), toNew.token)).status,
    (await accept(guest.client, toUser.token, {})).status,
  ];
  return { owner, inviter, toNew, toUser, guest, tryAll };
}

describe("the removal of a member", () => {
  test("revokes the invitations of the member, with a record each; no user joins by such an invitation", async () => {
    const { owner, inviter, toNew, toUser, guest, tryAll } = await bothKinds("admin");
    const kept = await invited(at, owner.client, owner.organizationId);
    expect((await owner.client.delete(memberOf(owner.organizationId, inviter.userId))).status).toBe(204);
    expect(await tryAll()).toEqual([409, 409, 409]);
    for (const { id } of [toNew, toUser]) {
      expect(await statusOf(id)).toBe("revoked");
      expect([...(await revocationsOf(id))]).toEqual([
        { actor_id: owner.userId, metadata: { reason: "inviter_removed" } },
      ]);
    }
    expect(await isMember(owner.organizationId, guest.email)).toBe(false);
    expect(await statusOf(kept.id)).toBe("open");
  });

  test("revokes the invitations also after a member leaves, and no return revives an invitation", async () => {
    const { owner, inviter, toNew, tryAll } = await bothKinds("admin");
    expect((await inviter.client.delete(memberOf(owner.organizationId, inviter.userId))).status).toBe(204);
    await insertMember(at.sql, owner.organizationId, inviter.userId, "admin");
    expect(await tryAll()).toEqual([409, 409, 409]);
    expect(await statusOf(toNew.id)).toBe("revoked");
  });

  test("revokes the open invitations to the member, and no link of such an invitation admits (G369)", async () => {
    const { owner, toUser, toNew, guest } = await bothKinds("owner");
    // The invited person joined in another way.
    await at.sql`insert into members values (${owner.organizationId}, ${guest.userId}, 'member', now())`;
    expect((await owner.client.delete(memberOf(owner.organizationId, guest.userId))).status).toBe(204);
    expect((await accept(guest.client, toUser.token, {})).status).toBe(409);
    expect(await isMember(owner.organizationId, guest.email)).toBe(false);
    expect([...(await revocationsOf(toUser.id))]).toEqual([
      { actor_id: owner.userId, metadata: { reason: "member_removed" } },
    ]);
    expect(await statusOf(toNew.id)).toBe("open");
    // A new invitation admits the person again, and so does an invitation that a person who left has received.
    const again = await invite(owner.client, owner.organizationId, guest.email);
    await at.sql`insert into members values (${owner.organizationId}, ${guest.userId}, 'member', now())`;
    expect((await guest.client.delete(memberOf(owner.organizationId, guest.userId))).status).toBe(204);
    expect(await statusOf(String(again.body.id))).toBe("open");
  });

  test("leaves invitations of the member to a second organization unchanged", async () => {
    const [owner, other] = [await founded(at), await founded(at)];
    const inviter = await memberWith(at, owner.organizationId, "admin");
    await insertMember(at.sql, other.organizationId, inviter.userId, "admin");
    const elsewhere = await invited(at, inviter.client, other.organizationId);
    await owner.client.delete(memberOf(owner.organizationId, inviter.userId));
    expect((await accept(new Client(at.one.url), elsewhere.token)).status).toBe(201);
  });
});

describe("the demotion of a member", () => {
  test("to a role without invitations revokes all invitations of the member", async () => {
    const { owner, inviter, toNew, tryAll } = await bothKinds("admin");
    const path = memberOf(owner.organizationId, inviter.userId);
    expect((await owner.client.patch(path, { role: "member" })).status).toBe(200);
    expect(await tryAll()).toEqual([409, 409, 409]);
    expect((await revocationsOf(toNew.id))[0]?.metadata).toEqual({ reason: "inviter_demoted" });
  });

  test("revokes only invitations beyond the remaining role", async () => {
    const { owner, inviter, toNew } = await bothKinds("owner", "owner");
    const asMember = await invited(at, inviter.client, owner.organizationId);
    const path = memberOf(owner.organizationId, inviter.userId);
    expect((await owner.client.patch(path, { role: "admin" })).status).toBe(200);
    expect(await statusOf(toNew.id)).toBe("revoked");
    expect((await accept(new Client(at.one.url), asMember.token)).status).toBe(201);
  });
});

describe("an invitation of older versions, still open after the loss of the inviter's power", () => {
  test.each([
    [
      "the inviter is no member any more",
      (org: string, id: string) => at.sql`delete from members where organization_id = ${org} and user_id = ${id}`,
    ],
    [
      "the inviter's role gives no role",
      (org: string, id: string) =>
        at.sql`update members set role = 'member' where organization_id = ${org} and user_id = ${id}`,
    ],
    [
      "the inviter's account is disabled",
      (_: string, id: string) => at.sql`update users set disabled_at = now() where id = ${id}`,
    ],
    [
      "nobody knows who sent it",
      (org: string, id: string) =>
        at.sql`update invitations set invited_by = null where organization_id = ${org} and invited_by = ${id}`,
    ],
  ])("is refused like an expired one when %s, by preview and by both kinds of acceptance", async (_, weaken) => {
    const { owner, inviter, toNew, guest, tryAll } = await bothKinds("admin");
    await weaken(owner.organizationId, inviter.userId);
    expect(await tryAll()).toEqual([401, 401, 401]);
    expect(await isMember(owner.organizationId, guest.email)).toBe(false);
    expect((await signedIn(at.one.url, toNew.email)).answer.status).toBe(401);
    const resent = await owner.client.post(`${invitationsOf(owner.organizationId)}/${toNew.id}/resend`);
    expect([resent.status, resent.body.error.code]).toEqual([409, "conflict"]);
  });

  test("is refused when the inviter's role does not reach the role that it gives", async () => {
    const { owner, inviter, tryAll } = await bothKinds("owner", "owner");
    await at.sql`
      update members set role = 'admin'
      where organization_id = ${owner.organizationId} and user_id = ${inviter.userId}`;
    expect(await tryAll()).toEqual([401, 401, 401]);
  });

  test("is worth something again once a disabled inviter is enabled", async () => {
    const { inviter, toNew } = await bothKinds("admin");
    const admin = await platformUser(at, "admin");
    await admin.client.patch(`/v1/admin/users/${inviter.userId}`, { disabled: true });
    expect((await accept(new Client(at.one.url), toNew.token)).status).toBe(401);
    await admin.client.patch(`/v1/admin/users/${inviter.userId}`, { disabled: false });
    expect((await accept(new Client(at.one.url), toNew.token)).status).toBe(201);
  });
});

describe("resending", () => {
  test("403: an admin does not resend an invitation beyond the own role; the link stays unchanged", async () => {
    const owner = await founded(at);
    const admin = await memberWith(at, owner.organizationId, "admin");
    const offer = await invited(at, owner.client, owner.organizationId, "owner");
    const response = await admin.client.post(`${invitationsOf(owner.organizationId)}/${offer.id}/resend`);
    expect([response.status, response.body.error.code]).toEqual([403, "forbidden"]);
    expect((await accept(new Client(at.one.url), offer.token)).status).toBe(201);
  });

  test("200: a member who may give the role resends another's, which still lives by its inviter", async () => {
    const owner = await founded(at);
    const admin = await memberWith(at, owner.organizationId, "admin");
    const offer = await invited(at, admin.client, owner.organizationId, "admin");
    const path = `${invitationsOf(owner.organizationId)}/${offer.id}/resend`;
    expect((await owner.client.post(path)).body).toMatchObject({ status: "pending", invited_by: admin.userId });
    const token = await tokenTo(at.mail, offer.email, INVITE_LINK, 2);
    await owner.client.delete(memberOf(owner.organizationId, admin.userId));
    expect((await accept(new Client(at.one.url), token)).status).toBe(409);
  });
});

describe("a removal and 20 acceptances at once, over two replicas", () => {
  test.each(["new users", "existing users"])("take in no %s after the removal", async (kind) => {
    const owner = await founded(at);
    const inviter = await memberWith(at, owner.organizationId, "admin");
    const guests = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const guest = kind === "new users" ? undefined : await registered(at.one.url);
        if (!guest)
          return { client: new Client(at.one.url), ...(await invited(at, inviter.client, owner.organizationId)) };
        const { body } = await invite(inviter.client, owner.organizationId, guest.email);
        const token = await tokenTo(at.mail, guest.email, INVITE_LINK);
        return { client: guest.client, id: String(body.id), email: guest.email, token };
      }),
    );
    const fields = kind === "new users" ? undefined : {};
    const [removal, ...answers] = await Promise.all([
      owner.client.delete(memberOf(owner.organizationId, inviter.userId)),
      ...guests.map(({ client, token }, index) =>
        accept(client.at(index % 2 ? at.one.url : at.other.url), token, fields),
      ),
    ]);
    expect(removal.status).toBe(204);
    const joined = answers.map(({ status }) => status === 200 || status === 201);
    expect(answers.every(({ status }, index) => joined[index] || status === 401 || status === 409)).toBe(true);
    for (const [index, guest] of guests.entries()) {
      expect(await isMember(owner.organizationId, guest.email)).toBe(joined[index] ?? false);
      expect(await statusOf(guest.id)).toBe(joined[index] ? "accepted" : "revoked");
    }
    // Entries are numbered under the locks: an acceptance with a lower number precedes the removal.
    const late = await at.sql`
      select 1 from audit_logs a
      where a.organization_id = ${owner.organizationId} and a.action = 'invitation.accepted' and a.id > (
        select r.id from audit_logs r
        where r.organization_id = ${owner.organizationId} and r.action = 'member.removed')`;
    expect(late).toHaveLength(0);
  });

  test.each([
    [
      "removed",
      (sql: Deployment["sql"], org: string, id: string) =>
        sql`delete from members where organization_id = ${org} and user_id = ${id}`,
    ],
    [
      "demoted",
      (sql: Deployment["sql"], org: string, id: string) =>
        sql`update members set role = 'member' where organization_id = ${org} and user_id = ${id}`,
    ],
    [
      "disabled",
      (sql: Deployment["sql"], _: string, id: string) => sql`update users set disabled_at = now() where id = ${id}`,
    ],
  ])("wait for an inviter who is being %s, and then refuse", async (_, weaken) => {
    const owner = await founded(at);
    const inviter = await memberWith(at, owner.organizationId, "admin");
    const offers = await Promise.all(
      Array.from({ length: 20 }, () => invited(at, inviter.client, owner.organizationId)),
    );
    let accepting: Promise<{ status: number }[]> = Promise.resolve([]);
    await at.sql.begin(async (transaction) => {
      await weaken(transaction as unknown as Deployment["sql"], owner.organizationId, inviter.userId);
      accepting = race((index) =>
        accept(new Client(index % 2 ? at.one.url : at.other.url), String(offers[index]?.token)),
      );
      await statementsWait(at.sql, 20);
    });
    expect((await accepting).map(({ status }) => status)).toEqual(Array(20).fill(401));
    for (const { email } of offers) expect(await isMember(owner.organizationId, email)).toBe(false);
  });

  test("a removal waits for an invitation that is being written, and then revokes it", async () => {
    const owner = await founded(at);
    const inviter = await memberWith(at, owner.organizationId, "admin");
    const [removal, ...answers] = await Promise.all([
      owner.client.delete(memberOf(owner.organizationId, inviter.userId)),
      ...Array.from({ length: 20 }, (_, index) =>
        invite(
          inviter.client.at(index % 2 ? at.one.url : at.other.url),
          owner.organizationId,
          `late-${index}-${inviter.email}`,
        ),
      ),
    ]);
    expect(removal.status).toBe(204);
    expect(answers.every(({ status }) => [201, 401, 403, 404].includes(status))).toBe(true);
    const open = await at.sql`
      select 1 from invitations where invited_by = ${inviter.userId} and revoked_at is null and accepted_at is null`;
    expect(open).toHaveLength(0);
  });
});

test("an acceptance waits for a suspension under way, and then refuses", async () => {
  const owner = await founded(at);
  await verify(at.sql, owner.userId);
  const offer = await invited(at, owner.client, owner.organizationId);
  let accepting: Promise<{ status: number }> = Promise.resolve({ status: 0 });
  await at.sql.begin(async (transaction) => {
    await transaction`select 1 from organizations where id = ${owner.organizationId} for update`;
    accepting = accept(new Client(at.one.url), offer.token);
    await statementsWait(at.sql, 1);
    await transaction`update organizations set suspended_at = now() where id = ${owner.organizationId}`;
  });
  expect((await accepting).status).toBe(401);
  expect(await at.sql`select 1 from members where organization_id = ${owner.organizationId}`).toHaveLength(1);
});
