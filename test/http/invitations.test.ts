import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { INVITE_LINK, RESET_LINK, tokenTo, VERIFY_LINK } from "../support/mail.ts";
import { startReplica } from "../support/replica.ts";
import { freshDatabase } from "../support/services.ts";
import { suspendOrganization } from "../support/states.ts";
import * as team from "../support/team.ts";
import { invitationsOf, invite, joinedAs, memberOf, membersOf, newOwner, resendOf } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const replicaOf = (index: number) => (index % 2 ? at.one.url : at.other.url);
const accept = (token: unknown, fields: object = { password: PASSWORD }, client = new Client(at.one.url)) =>
  team.accept(client, token, fields);
const preview = (token: string) => team.preview(at.one.url, token);
const inviteToken = (email: string, nth = 1) => tokenTo(at.mail, email, INVITE_LINK, nth);
const auditsOf = async (org: string, action: string) =>
  await at.sql`
    select actor_id, resource_id, metadata from audit_logs
    where organization_id = ${org} and action = ${action}`;

describe("POST /v1/orgs/:org_id/invitations", () => {
  describe("201", () => {
    test("mails a link of seven days with the names of host and organization; writes invitation.created", async () => {
      const host = await newOwner(at, { organization_name: "Ümläut & Söhne", display_name: "Ann <i>" });
      const email = newEmail();
      const response = await invite(host.client, host.organizationId, ` ${email.toUpperCase()} `, "admin");
      expect(response.status).toBe(201);
      const { id, created_at, expires_at } = response.body;
      expect(response.body).toEqual({
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
      expect(mail?.subject).toBe("Invitation to join “Ümläut & Söhne” at localhost");
      expect(mail?.html).toContain("Ann &lt;i&gt; invited you to join Ümläut &amp; Söhne");
      expect((await auditsOf(host.organizationId, "invitation.created"))[0]?.resource_id).toBe(id);
      const [row] = await at.sql`select token_hash from invitations where id = ${id}`;
      expect(row?.token_hash).toHaveLength(32);
    });

    test("is for a member unless another role is asked for", async () => {
      const host = await newOwner(at);
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
      const host = await newOwner(at);
      expect((await invite(host.client, host.organizationId, email, role)).status).toBe(400);
    });
  });

  describe("403 forbidden", () => {
    test("needs members.invite, and gives no role above the caller's own", async () => {
      const host = await newOwner(at);
      const member = await joinedAs(at, host, "member");
      const admin = await joinedAs(at, host, "admin");
      expect((await invite(member.client, host.organizationId, newEmail())).status).toBe(403);
      expect((await invite(admin.client, host.organizationId, newEmail(), "owner")).status).toBe(403);
      expect((await invite(admin.client, host.organizationId, newEmail(), "admin")).status).toBe(201);
    });
  });

  describe("404 not_found", () => {
    test("is equal for a foreign organization, an unknown organization and a malformed id (G16)", async () => {
      const [one, other] = [await registered(at.one.url), await registered(at.one.url)];
      for (const org of [other.organizationId, UNKNOWN, "x"]) {
        for (const response of [
          await invite(one.client, org, newEmail()),
          await one.client.get(invitationsOf(org)),
          await one.client.get(membersOf(org)),
          await one.client.patch(memberOf(org, other.userId), { role: "member" }),
          await one.client.delete(memberOf(org, other.userId)),
          await one.client.post(resendOf(org, UNKNOWN)),
        ]) {
          expect([response.status, response.body.error.code]).toEqual([404, "not_found"]);
        }
      }
    });
  });

  describe("409 conflict", () => {
    test("invites an address once of 20 at once, over two replicas (G5)", async () => {
      const host = await newOwner(at);
      const email = newEmail();
      const responses = await race((index) => invite(host.client.at(replicaOf(index)), host.organizationId, email));
      expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
      expect(await at.sql`select 1 from invitations where email = ${email}`).toHaveLength(1);
    });

    test("refuses a member; takes an address anew whose invitation has expired or was revoked", async () => {
      const host = await newOwner(at);
      expect((await invite(host.client, host.organizationId, host.email)).status).toBe(409);
      const email = newEmail();
      const { id } = (await invite(host.client, host.organizationId, email)).body;
      await at.sql`update invitations set expires_at = now() - interval '1 second' where id = ${id}`;
      const second = await invite(host.client, host.organizationId, email);
      expect(second.status).toBe(201);
      await host.client.delete(`${invitationsOf(host.organizationId)}/${second.body.id}`);
      expect((await invite(host.client, host.organizationId, email)).status).toBe(201);
    });
  });
});

describe("GET /v1/orgs/:org_id/invitations", () => {
  describe("200", () => {
    test("lists them newest first, by status and page", async () => {
      const host = await newOwner(at);
      const guest = await joinedAs(at, host, "member");
      const [open, gone, late] = [newEmail(), newEmail(), newEmail()];
      const ids = [];
      for (const email of [open, gone, late]) ids.push((await invite(host.client, host.organizationId, email)).body.id);
      await host.client.delete(`${invitationsOf(host.organizationId)}/${ids[1]}`);
      await at.sql`update invitations set expires_at = now() - interval '1 second' where id = ${ids[2]}`;
      const list = async (query: string) =>
        (await host.client.get(`${invitationsOf(host.organizationId)}${query}`)).body;
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
      expect((await guest.client.get(invitationsOf(host.organizationId))).status).toBe(403);
      expect((await host.client.get(`${invitationsOf(host.organizationId)}?status=x`)).status).toBe(400);
    });
  });
});

describe("DELETE …/invitations/:id and POST …/invitations/:id/resend", () => {
  test("revoking kills the link, is no error again, and is a conflict once accepted", async () => {
    const host = await newOwner(at);
    const email = newEmail();
    const { id } = (await invite(host.client, host.organizationId, email)).body;
    const token = await inviteToken(email);
    const path = `${invitationsOf(host.organizationId)}/${id}`;
    expect((await host.client.delete(path)).status).toBe(204);
    expect((await host.client.delete(path)).status).toBe(204);
    expect((await accept(token)).status).toBe(409);
    expect((await preview(token)).status).toBe(409);
    expect((await host.client.post(`${path}/resend`)).status).toBe(409);
    expect(await auditsOf(host.organizationId, "invitation.revoked")).toHaveLength(1);
    const guest = await joinedAs(at, host, "member");
    const { items } = (await host.client.get(`${invitationsOf(host.organizationId)}?status=accepted`)).body;
    expect(items[0].email).toBe(guest.email);
    expect((await host.client.delete(`${invitationsOf(host.organizationId)}/${items[0].id}`)).status).toBe(409);
    expect((await host.client.post(resendOf(host.organizationId, items[0].id))).status).toBe(409);
  });

  test("resending gives a new link and a new end, also when the invitation expired; the old link is dead", async () => {
    const host = await newOwner(at);
    const email = newEmail();
    const { id } = (await invite(host.client, host.organizationId, email)).body;
    const first = await inviteToken(email);
    await at.sql`update invitations set expires_at = now() - interval '1 second' where id = ${id}`;
    expect((await accept(first)).status).toBe(401);
    const response = await host.client.post(resendOf(host.organizationId, id));
    expect(response.body).toMatchObject({ id, status: "pending" });
    expect(Date.parse(response.body.expires_at)).toBeGreaterThan(Date.now() + 6 * 24 * 3600 * 1000);
    const second = await inviteToken(email, 2);
    expect((await accept(first)).status).toBe(401);
    expect((await accept(second)).status).toBe(201);
  });

  test("another organization's invitation is not found (G16)", async () => {
    const [one, other] = [await registered(at.one.url), await registered(at.one.url)];
    const { id } = (await invite(other.client, other.organizationId, newEmail())).body;
    expect((await one.client.delete(`${invitationsOf(one.organizationId)}/${id}`)).status).toBe(404);
    expect((await one.client.post(resendOf(one.organizationId, id))).status).toBe(404);
  });
});

describe("GET /v1/auth/invitations/preview", () => {
  test("200: shows the offer to the holder of the link, and whether an account exists", async () => {
    const host = await newOwner(at, { organization_slug: `offer-${Date.now()}`, display_name: "Ann" });
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

  test("401: an unknown token, or of a different purpose or a suspended organization; 400 without", async () => {
    const host = await newOwner(at);
    const email = newEmail();
    await invite(host.client, host.organizationId, email);
    const token = await inviteToken(email);
    await suspendOrganization(at.sql, host.organizationId);
    for (const bad of ["A".repeat(43), "x", await tokenTo(at.mail, host.email, VERIFY_LINK), token]) {
      expect((await preview(bad)).status).toBe(401);
      expect((await accept(bad)).status).toBe(401);
    }
    expect((await new Client(at.one.url).get("/v1/auth/invitations/preview")).status).toBe(400);
  });
});

describe("POST /v1/auth/invitations/accept", () => {
  test("201: a new user is signed in as a member, with a verified address", async () => {
    const host = await newOwner(at);
    const email = newEmail();
    await invite(host.client, host.organizationId, email, "admin");
    const client = new Client(at.one.url);
    const response = await accept(await inviteToken(email), { password: PASSWORD, display_name: "Bob" }, client);
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
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

  test("201: accepting proves the address; the one of SERVICE_INITIAL_OWNER_EMAIL becomes platform owner", async () => {
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
    const response = await accept(await inviteToken(guest.email), {}, guest.client);
    expect([response.status, response.body]).toEqual([200, { organization_id: host.organizationId, role: "member" }]);
    const moved = await guest.client.post("/v1/auth/organization", { organization_id: host.organizationId });
    expect(moved.body.capabilities).toEqual({ role: "member", roles: [], permissions: [] });
  });

  test("200: an account whose last organization is gone joins by the mailed token, then signs in (G68)", async () => {
    const host = await newOwner(at);
    const guest = await joinedAs(at, host, "member");
    expect((await host.client.delete(memberOf(host.organizationId, guest.userId))).status).toBe(204);
    expect((await signedIn(at.one.url, guest.email)).answer.status).toBe(401);
    await new Client(at.one.url).post("/v1/auth/password/forgot", { email: guest.email });
    expect(await tokenTo(at.mail, guest.email, RESET_LINK)).toHaveLength(43);
    await invite(host.client, host.organizationId, guest.email, "admin");
    const token = await inviteToken(guest.email, 2);
    expect((await preview(token)).body).toMatchObject({ account_exists: true });
    const stranger = await registered(at.one.url);
    expect((await accept(token, {}, stranger.client)).status).toBe(403);
    const response = await accept(token, {});
    expect([response.status, response.body]).toEqual([200, { organization_id: host.organizationId, role: "admin" }]);
    expect(response.setCookies).toEqual([]);
    expect((await accept(token, {})).status).toBe(409);
    const again = await signedIn(at.other.url, guest.email);
    expect(again.answer.body).toMatchObject({ status: "success", capabilities: { role: "admin" } });
    expect(await auditsOf(host.organizationId, "invitation.accepted")).toHaveLength(2);
  });

  test("works once of 20 at once, over two replicas, as new and as existing user (G2)", async () => {
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
    const host = await newOwner(at);
    const email = newEmail();
    await invite(host.client, host.organizationId, email);
    const token = await inviteToken(email);
    for (const fields of [{}, { password: "short" }, { password: PASSWORD, display_name: "a\u0000" }]) {
      expect((await accept(token, fields)).status).toBe(400);
    }
    expect((await accept(token)).status).toBe(201);
  });
});
