import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered } from "../support/client.ts";
import { type Deployment, deployment, eventually, race } from "../support/deployment.ts";
import { INVITE_LINK, tokenTo, VERIFY_LINK } from "../support/mail.ts";
import { enrolled } from "../support/mfa.ts";
import { startReplica } from "../support/replica.ts";
import { freshDatabase } from "../support/services.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const replicaOf = (index: number) => (index % 2 ? at.one.url : at.other.url);
const paths = (ORG: string) => ({
  invitations: `/v1/orgs/${ORG}/invitations`,
  resend: (id: string) => `/v1/orgs/${ORG}/invitations/${id}/resend`,
  members: `/v1/orgs/${ORG}/members`,
  member: (id: string) => `/v1/orgs/${ORG}/members/${id}`,
});
const invite = (client: Client, org: string, email: unknown, role?: unknown) =>
  client.post(paths(org).invitations, { email, role });
const accept = (token: unknown, fields: object = { password: PASSWORD }, client = new Client(at.one.url)) =>
  client.post("/v1/auth/invitations/accept", { token, ...fields });
const preview = (token: string) => new Client(at.one.url).get(`/v1/auth/invitations/preview?token=${token}`);
const inviteToken = (email: string, nth = 1) => tokenTo(at.mail, email, INVITE_LINK, nth);
const auditsOf = async (org: string, action: string) =>
  await at.sql`select actor_id, resource_id, metadata from audit_logs where organization_id = ${org} and action = ${action}`;

/** Somebody who joined `host` with a role, by invitation. */
async function joined(host: { client: Client; organizationId: string }, role: string) {
  const email = newEmail();
  await invite(host.client, host.organizationId, email, role);
  const client = new Client(at.one.url);
  const answer = await accept(await inviteToken(email), { password: PASSWORD }, client);
  if (answer.status !== 201) throw new Error(`accepting answered ${answer.status}: ${answer.text}`);
  return { client, email, userId: String(answer.body.user.user_id), organizationId: host.organizationId };
}

describe("POST /v1/orgs/:org_id/invitations", () => {
  describe("201", () => {
    test("mails a link of seven days, with the names of host and organization, and writes invitation.created", async () => {
      const host = await registered(at.one.url, { organization_name: "Ümläut & Söhne", display_name: "Ann <i>" });
      const email = newEmail();
      const answer = await invite(host.client, host.organizationId, ` ${email.toUpperCase()} `, "admin");
      expect(answer.status).toBe(201);
      const { id, created_at, expires_at } = answer.body;
      expect(answer.body).toEqual({
        id: expect.any(String),
        organization_id: host.organizationId,
        email,
        role: "admin",
        status: "pending",
        invited_by: host.userId,
        created_at,
        expires_at,
      });
      expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(7 * 24 * 3600 * 1000);
      const [mail] = await at.mail.mailsTo(email, INVITE_LINK);
      expect(mail?.subject).toBe('Invitation to join "Ümläut & Söhne" at localhost');
      expect(mail?.html).toContain("Ann &lt;i&gt; invites you to join Ümläut &amp; Söhne");
      expect((await auditsOf(host.organizationId, "invitation.created"))[0]?.resource_id).toBe(id);
      const [row] = await at.sql`select token_hash from invitations where id = ${id}`;
      expect(row?.token_hash).toHaveLength(32);
    });

    test("is for a member unless another role is asked for", async () => {
      const host = await registered(at.one.url);
      expect((await invite(host.client, host.organizationId, newEmail())).body.role).toBe("member");
      expect((await invite(host.client, host.organizationId, newEmail(), "owner")).body.role).toBe("owner");
    });
  });

  describe("400 invalid_input", () => {
    test.each<[unknown, unknown]>([
      ["x", "member"],
      [["a@example.test"], "member"],
      ["a@example.test", "emperor"],
      [null, "member"],
      ["a@example.test\r\nBcc: b@example.test", "member"],
    ])("refuses %p as %p", async (email, role) => {
      const host = await registered(at.one.url);
      expect((await invite(host.client, host.organizationId, email, role)).status).toBe(400);
    });
  });

  describe("403 forbidden", () => {
    test("needs members.invite, and gives no role above the caller's own", async () => {
      const host = await registered(at.one.url);
      const member = await joined(host, "member");
      const admin = await joined(host, "admin");
      expect((await invite(member.client, host.organizationId, newEmail())).status).toBe(403);
      expect((await invite(admin.client, host.organizationId, newEmail(), "owner")).status).toBe(403);
      expect((await invite(admin.client, host.organizationId, newEmail(), "admin")).status).toBe(201);
    });
  });

  describe("404 not_found", () => {
    test("answers alike for another tenant's organization, an unknown one and what is no UUID (promise 16)", async () => {
      const [one, other] = [await registered(at.one.url), await registered(at.one.url)];
      for (const org of [other.organizationId, UNKNOWN, "x"]) {
        for (const answer of [
          await invite(one.client, org, newEmail()),
          await one.client.get(paths(org).invitations),
          await one.client.get(paths(org).members),
          await one.client.patch(paths(org).member(other.userId), { role: "member" }),
          await one.client.delete(paths(org).member(other.userId)),
          await one.client.post(paths(org).resend(UNKNOWN)),
        ]) {
          expect([answer.status, answer.body.error.code]).toEqual([404, "not_found"]);
        }
      }
    });
  });

  describe("409 conflict", () => {
    test("invites an address once of 20 at once, over two replicas (promise 5)", async () => {
      const host = await registered(at.one.url);
      const email = newEmail();
      const answers = await race((index) => invite(host.client.at(replicaOf(index)), host.organizationId, email));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
      expect(await at.sql`select 1 from invitations where email = ${email}`).toHaveLength(1);
    });

    test("refuses a member; takes an address anew whose invitation has expired or was revoked", async () => {
      const host = await registered(at.one.url);
      expect((await invite(host.client, host.organizationId, host.email)).status).toBe(409);
      const email = newEmail();
      const { id } = (await invite(host.client, host.organizationId, email)).body;
      await at.sql`update invitations set expires_at = now() - interval '1 second' where id = ${id}`;
      const second = await invite(host.client, host.organizationId, email);
      expect(second.status).toBe(201);
      await host.client.delete(`${paths(host.organizationId).invitations}/${second.body.id}`);
      expect((await invite(host.client, host.organizationId, email)).status).toBe(201);
    });
  });
});

describe("GET /v1/orgs/:org_id/invitations", () => {
  describe("200", () => {
    test("lists them newest first, by status and page", async () => {
      const host = await registered(at.one.url);
      const guest = await joined(host, "member");
      const [open, gone, late] = [newEmail(), newEmail(), newEmail()];
      const ids = [];
      for (const email of [open, gone, late]) ids.push((await invite(host.client, host.organizationId, email)).body.id);
      await host.client.delete(`${paths(host.organizationId).invitations}/${ids[1]}`);
      await at.sql`update invitations set expires_at = now() - interval '1 second' where id = ${ids[2]}`;
      const list = async (query: string) =>
        (await host.client.get(`${paths(host.organizationId).invitations}${query}`)).body;
      const all = await list("");
      expect(all.items.map((item: { email: string; status: string }) => [item.email, item.status])).toEqual([
        [late, "expired"],
        [gone, "revoked"],
        [open, "pending"],
        [guest.email, "accepted"],
      ]);
      expect(await list("?status=pending")).toMatchObject({ total: 1, items: [{ email: open }] });
      expect(await list("?page=2&page_size=3")).toMatchObject({
        total: 4,
        page: 2,
        page_size: 3,
        items: [{ email: guest.email }],
      });
      expect((await guest.client.get(paths(host.organizationId).invitations)).status).toBe(403);
      expect((await host.client.get(`${paths(host.organizationId).invitations}?status=x`)).status).toBe(400);
    });
  });
});

describe("DELETE …/invitations/:id and POST …/invitations/:id/resend", () => {
  test("revoking kills the link, is no error again, and is a conflict once accepted", async () => {
    const host = await registered(at.one.url);
    const email = newEmail();
    const { id } = (await invite(host.client, host.organizationId, email)).body;
    const token = await inviteToken(email);
    const path = `${paths(host.organizationId).invitations}/${id}`;
    expect((await host.client.delete(path)).status).toBe(204);
    expect((await host.client.delete(path)).status).toBe(204);
    expect((await accept(token)).status).toBe(409);
    expect((await preview(token)).status).toBe(409);
    expect((await host.client.post(`${path}/resend`)).status).toBe(409);
    expect(await auditsOf(host.organizationId, "invitation.revoked")).toHaveLength(1);
    const guest = await joined(host, "member");
    const { items } = (await host.client.get(`${paths(host.organizationId).invitations}?status=accepted`)).body;
    expect(items[0].email).toBe(guest.email);
    expect((await host.client.delete(`${paths(host.organizationId).invitations}/${items[0].id}`)).status).toBe(409);
    expect((await host.client.post(paths(host.organizationId).resend(items[0].id))).status).toBe(409);
  });

  test("resending gives a new link and a new end, also when the invitation has expired; the old link is dead", async () => {
    const host = await registered(at.one.url);
    const email = newEmail();
    const { id } = (await invite(host.client, host.organizationId, email)).body;
    const first = await inviteToken(email);
    await at.sql`update invitations set expires_at = now() - interval '1 second' where id = ${id}`;
    expect((await accept(first)).status).toBe(401);
    const answer = await host.client.post(paths(host.organizationId).resend(id));
    expect(answer.body).toMatchObject({ id, status: "pending" });
    expect(Date.parse(answer.body.expires_at)).toBeGreaterThan(Date.now() + 6 * 24 * 3600 * 1000);
    const second = await inviteToken(email, 2);
    expect((await accept(first)).status).toBe(401);
    expect((await accept(second)).status).toBe(201);
  });

  test("another organization's invitation is not found (promise 16)", async () => {
    const [one, other] = [await registered(at.one.url), await registered(at.one.url)];
    const { id } = (await invite(other.client, other.organizationId, newEmail())).body;
    expect((await one.client.delete(`${paths(one.organizationId).invitations}/${id}`)).status).toBe(404);
    expect((await one.client.post(paths(one.organizationId).resend(id))).status).toBe(404);
  });
});

describe("GET /v1/auth/invitations/preview", () => {
  test("200: shows the offer to the holder of the link, and whether an account exists", async () => {
    const host = await registered(at.one.url, { organization_slug: `offer-${Date.now()}`, display_name: "Ann" });
    const [fresh, known] = [newEmail(), (await registered(at.one.url)).email];
    for (const [email, exists] of [
      [fresh, false],
      [known, true],
    ] as const) {
      await invite(host.client, host.organizationId, email);
      expect((await preview(await inviteToken(email))).body).toEqual({
        organization_name: "Acme",
        organization_slug: expect.stringMatching(/^offer-\d+$/),
        email,
        role: "member",
        invited_by_name: "Ann",
        expires_at: expect.stringMatching(/Z$/),
        account_exists: exists,
      });
    }
  });

  test("401: an unknown token, one of another purpose, one of a suspended organization; 400 without one", async () => {
    const host = await registered(at.one.url);
    const email = newEmail();
    await invite(host.client, host.organizationId, email);
    const token = await inviteToken(email);
    await at.sql`update organizations set suspended_at = now() where id = ${host.organizationId}`;
    for (const bad of ["A".repeat(43), "x", await tokenTo(at.mail, host.email, VERIFY_LINK), token]) {
      expect((await preview(bad)).status).toBe(401);
      expect((await accept(bad)).status).toBe(401);
    }
    expect((await new Client(at.one.url).get("/v1/auth/invitations/preview")).status).toBe(400);
  });
});

describe("POST /v1/auth/invitations/accept", () => {
  test("201: a new user is signed in as a member, with a verified address", async () => {
    const host = await registered(at.one.url);
    const email = newEmail();
    await invite(host.client, host.organizationId, email, "admin");
    const client = new Client(at.one.url);
    const answer = await accept(await inviteToken(email), { password: PASSWORD, display_name: "Bob" }, client);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      status: "success",
      user: { email, organization_id: host.organizationId, auth_method: "password" },
      capabilities: { role: "admin" },
    });
    expect((await client.get("/v1/users/me")).body).toMatchObject({
      email_verified: true,
      display_name: "Bob",
      has_password: true,
    });
    expect(await auditsOf(host.organizationId, "invitation.accepted")).toHaveLength(1);
  });

  test("201: accepting proves the address, also of SERVICE_INITIAL_OWNER_EMAIL, who becomes platform owner", async () => {
    const email = newEmail();
    const replica = await startReplica({
      DATABASE_URL: await freshDatabase(),
      SERVICE_INITIAL_OWNER_EMAIL: email,
      SERVICE_EMAIL_API_URL: at.mail.url,
      SERVICE_EMAIL_API_KEY: "re_test",
    });
    const host = await registered(replica.url);
    await invite(host.client, host.organizationId, email);
    const client = new Client(replica.url);
    expect((await accept(await inviteToken(email), { password: PASSWORD }, client)).status).toBe(201);
    expect((await client.get("/v1/users/me")).body).toMatchObject({ email_verified: true, platform_role: "owner" });
    await replica.kill();
  });

  test("200: the user of an existing account joins when signed in as it, and may then switch", async () => {
    const [host, guest] = [await registered(at.one.url), await registered(at.one.url)];
    await invite(host.client, host.organizationId, guest.email);
    const answer = await accept(await inviteToken(guest.email), {}, guest.client);
    expect([answer.status, answer.body]).toEqual([200, { organization_id: host.organizationId, role: "member" }]);
    const moved = await guest.client.post("/v1/auth/organization", { organization_id: host.organizationId });
    expect(moved.body.capabilities).toEqual({ role: "member", permissions: [] });
  });

  test("works once of 20 at once, over two replicas, as new and as existing user (promise 2)", async () => {
    const [host, guest] = [await registered(at.one.url), await registered(at.one.url)];
    const email = newEmail();
    await invite(host.client, host.organizationId, email);
    await invite(host.client, host.organizationId, guest.email);
    const [fresh, known] = [await inviteToken(email), await inviteToken(guest.email)];
    const asNew = await race((index) => accept(fresh, { password: PASSWORD }, new Client(replicaOf(index))));
    expect(asNew.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(asNew.every(({ status }) => [201, 401, 409].includes(status))).toBe(true);
    const asKnown = await race((index) => accept(known, {}, guest.client.at(replicaOf(index))));
    expect(asKnown.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
  });

  test("401 and 403: an existing account is joined by its own user and by nobody else", async () => {
    const [host, guest, stranger] = [
      await registered(at.one.url),
      await registered(at.one.url),
      await registered(at.one.url),
    ];
    await invite(host.client, host.organizationId, guest.email);
    const token = await inviteToken(guest.email);
    expect((await accept(token)).status).toBe(401);
    expect((await accept(token, {}, stranger.client)).status).toBe(403);
    expect(await at.sql`select 1 from members where organization_id = ${host.organizationId}`).toHaveLength(1);
    expect((await accept(token, {}, guest.client)).status).toBe(200);
  });

  test("400: a new user needs a password, and a name that is one; the invitation stays open", async () => {
    const host = await registered(at.one.url);
    const email = newEmail();
    await invite(host.client, host.organizationId, email);
    const token = await inviteToken(email);
    for (const fields of [{}, { password: "short" }, { password: PASSWORD, display_name: "a\u0000" }]) {
      expect((await accept(token, fields)).status).toBe(400);
    }
    expect((await accept(token)).status).toBe(201);
  });
});

describe("GET /v1/orgs/:org_id/members", () => {
  test("200: lists members with role and second factor, searched literally by address and name", async () => {
    const host = await enrolled(at, { display_name: "Ann 100%_\\" });
    const guest = await joined(host, "member");
    const list = async (query: string) => (await host.client.get(`${paths(host.organizationId).members}${query}`)).body;
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
    expect((await guest.client.get(paths(host.organizationId).members)).status).toBe(403);
  });
});

describe("PATCH /v1/orgs/:org_id/members/:user_id", () => {
  test("200: the member's sessions know the new role at once, on every replica", async () => {
    const host = await registered(at.one.url);
    const guest = await joined(host, "member");
    const other = guest.client.at(at.other.url);
    expect((await other.get("/v1/auth/session")).body.capabilities.role).toBe("member");
    const answer = await host.client.patch(paths(host.organizationId).member(guest.userId), { role: "admin" });
    expect(answer.body).toMatchObject({ user_id: guest.userId, role: "admin" });
    const roleThere = async () => (await other.get("/v1/auth/session")).body.capabilities.role;
    await eventually("the new role", 1000, async () => (await roleThere()) === "admin");
    expect((await auditsOf(host.organizationId, "member.role_changed"))[0]?.metadata).toEqual({
      from: "member",
      to: "admin",
    });
    expect((await host.client.patch(paths(host.organizationId).member(guest.userId), { role: "admin" })).status).toBe(
      200,
    );
    expect(await auditsOf(host.organizationId, "member.role_changed")).toHaveLength(1);
  });

  test("403: nobody grants above the own role, nor touches anybody above it", async () => {
    const host = await registered(at.one.url);
    const [admin, member] = [await joined(host, "admin"), await joined(host, "member")];
    const change = (by: Client, userId: string, role: string) =>
      by.patch(paths(host.organizationId).member(userId), { role });
    expect((await change(admin.client, member.userId, "owner")).status).toBe(403);
    expect((await change(admin.client, host.userId, "member")).status).toBe(403);
    expect((await change(admin.client, admin.userId, "owner")).status).toBe(403);
    expect((await change(member.client, member.userId, "admin")).status).toBe(403);
    expect((await change(admin.client, member.userId, "admin")).status).toBe(200);
    expect((await change(admin.client, admin.userId, "member")).status).toBe(200);
    expect((await change(host.client, host.userId, "emperor")).status).toBe(400);
  });

  test("404 and 409: a stranger is no member; the last owner stays one", async () => {
    const [host, stranger] = [await registered(at.one.url), await registered(at.one.url)];
    const change = (userId: string) => host.client.patch(paths(host.organizationId).member(userId), { role: "member" });
    expect((await change(stranger.userId)).status).toBe(404);
    expect((await change(UNKNOWN)).status).toBe(404);
    expect((await change(host.userId)).status).toBe(409);
  });
});

describe("DELETE /v1/orgs/:org_id/members/:user_id", () => {
  test("204: ends the member's sessions in this organization on every replica, and in no other", async () => {
    const [host, guest] = [await registered(at.one.url), await registered(at.one.url)];
    await invite(host.client, host.organizationId, guest.email);
    await accept(await inviteToken(guest.email), {}, guest.client);
    const inside = new Client(at.other.url);
    await inside.post("/v1/auth/login", {
      email: guest.email,
      password: PASSWORD,
      organization_id: host.organizationId,
    });
    expect((await inside.get("/v1/auth/session")).status).toBe(200);
    expect((await host.client.delete(paths(host.organizationId).member(guest.userId))).status).toBe(204);
    await eventually("the session ends", 1000, async () => (await inside.get("/v1/auth/session")).status === 401);
    expect((await inside.post("/v1/auth/refresh")).status).toBe(401);
    expect((await guest.client.get("/v1/auth/session")).status).toBe(200);
    expect((await host.client.delete(paths(host.organizationId).member(guest.userId))).status).toBe(404);
    expect(await auditsOf(host.organizationId, "member.removed")).toHaveLength(1);
  });

  test("204: a member may leave; 403: it removes nobody else, and an admin no owner; 409: the last owner stays", async () => {
    const host = await registered(at.one.url);
    const [admin, member] = [await joined(host, "admin"), await joined(host, "member")];
    const remove = (by: Client, userId: string) => by.delete(paths(host.organizationId).member(userId));
    expect((await remove(member.client, admin.userId)).status).toBe(403);
    expect((await remove(admin.client, host.userId)).status).toBe(403);
    expect((await remove(host.client, host.userId)).status).toBe(409);
    expect((await remove(member.client, member.userId)).status).toBe(204);
    expect((await member.client.get("/v1/auth/session")).status).toBe(401);
  });
});

describe("two owners (promise 6)", () => {
  test.each(["demoting", "removing"])("%s each other at once leave one owner, again and again", async (how) => {
    const host = await registered(at.one.url);
    for (let round = 0; round < 5; round += 1) {
      const other = await joined(host, "owner");
      const change = (by: Client, userId: string, url: string) =>
        how === "demoting"
          ? by.at(url).patch(paths(host.organizationId).member(userId), { role: "member" })
          : by.at(url).delete(paths(host.organizationId).member(userId));
      const answers = await Promise.all([
        change(host.client, other.userId, at.one.url),
        change(other.client, host.userId, at.other.url),
      ]);
      const owners = await at.sql`
        select user_id from members where organization_id = ${host.organizationId} and role = 'owner'`;
      expect([answers.filter(({ status }) => status < 300).length, owners.length]).toEqual([1, 1]);
      if (owners[0]?.user_id !== host.userId) return;
    }
  });
});
