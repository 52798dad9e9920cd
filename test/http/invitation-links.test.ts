/** Invitations as links, which a program delivers in place of an email (docs/contract.md, section 13.1). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, registered } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { INVITE_LINK, tokenTo } from "../support/mail.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { type Program, program } from "../support/programs.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";
import { assignPlatformRole } from "../support/states.ts";
import { accept, invitationsOf, joinedAs, preview, resendOf } from "../support/team.ts";

const SCOPES = ["members.invite", "members.list", "users.credentials"];
let at: Deployment;
let robot: Program;
let host: Awaited<ReturnType<typeof steppedUpOwner>>;
beforeAll(async () => {
  at = await deployment();
  robot = await program(at, SCOPES);
  host = await steppedUpOwner(at);
});

const invite = (email: string, by = robot, fields: object = {}) =>
  by.post(invitationsOf(host.organizationId), { email, delivery: "link", ...fields });
const tokenOf = (url: string) => new URL(url).searchParams.get("token") ?? "";
const addressOf = async (email: string) =>
  (await at.sql`select verified_at is not null as verified, vouched from user_emails where email = ${email}`)[0];

describe("an invitation as a link (G535)", () => {
  test("The response alone has the link, no email is sent, and the acceptance vouches for the address.", async () => {
    const email = newEmail();
    const created = await invite(email);
    expect([created.status, created.headers.get("cache-control")]).toEqual([201, "no-store"]);
    expect(created.body).toMatchObject({ email, role: "member", status: "pending" });
    const token = tokenOf(created.body.url);
    expect(created.body.url).toBe(`http://localhost:3000/accept-invitation?token=${token}`);
    const listed = await robot.get(invitationsOf(host.organizationId));
    const records = await at.sql`select metadata from audit_logs where resource_id = ${created.body.id}`;
    expect([...records]).toEqual([{ metadata: { role: "member", delivery: "link" } }]);
    for (const text of [listed.text, JSON.stringify(records)]) expect(text).not.toContain(token);
    expect((await preview(at.other.url, token)).body).toMatchObject({ email, account_exists: false });
    const accepted = await accept(new Client(at.other.url), token);
    expect([accepted.status, accepted.body.user?.organization_id]).toEqual([201, host.organizationId]);
    expect(await addressOf(email)).toEqual({ verified: true, vouched: true });
    expect((await accept(new Client(at.one.url), token)).status).toBe(409);
    expect(at.mail.delivered.filter(({ to, text }) => to.includes(email) && INVITE_LINK.test(text))).toEqual([]);
  });

  test("The endpoint below /admin returns the link too, and one of 20 parallel acceptances joins.", async () => {
    const email = newEmail();
    const path = `/v1/admin/orgs/${host.organizationId}/invitations`;
    const created = await robot.post(path, { email, delivery: "link" });
    expect(created.status).toBe(201);
    const token = tokenOf(created.body.url);
    const answers = await race((index) => accept(new Client(index % 2 ? at.one.url : at.other.url), token), 20);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test("A repeated sending replaces link and email by each other.", async () => {
    const email = newEmail();
    const created = await invite(email, robot, { delivery: "mail" });
    expect([created.status, created.body.url]).toEqual([201, undefined]);
    const mailed = await tokenTo(at.mail, email, INVITE_LINK);
    const resent = await robot.post(resendOf(host.organizationId, created.body.id), { delivery: "link" });
    expect([resent.status, resent.text]).toEqual([200, expect.stringContaining("accept-invitation")]);
    expect((await preview(at.one.url, mailed)).status).toBe(401);
    const again = await host.client.post(resendOf(host.organizationId, created.body.id));
    expect([again.status, again.body.url]).toEqual([200, undefined]);
    expect((await preview(at.one.url, tokenOf(resent.body.url))).status).toBe(401);
    const token = await tokenTo(at.mail, email, INVITE_LINK, 2);
    expect((await accept(new Client(at.one.url), token)).status).toBe(201);
    expect(await addressOf(email)).toEqual({ verified: true, vouched: false });
  });
});

describe("who receives a link (G536)", () => {
  test("People, programs of organizations and programs without users.credentials are refused, unchanged.", async () => {
    const email = newEmail();
    const owner = await steppedUpAdmin(at, "owner");
    const weak = await program(at, ["members.invite", "members.list"]);
    const own = await keyOf(host.client, accountsOf(host.organizationId), ["members.invite"]);
    const path = invitationsOf(host.organizationId);
    const below = `/v1/admin/orgs/${host.organizationId}/invitations`;
    const body = { email, delivery: "link" };
    const bearer = { headers: { authorization: `Bearer ${own.key}` }, body };
    const open = await host.client.post(path, { email: newEmail() });
    const before = await at.sql`select token_hash, expires_at from invitations where id = ${open.body.id}`;
    const resend = resendOf(host.organizationId, open.body.id);
    const statuses = [
      (await host.client.post(path, body)).status,
      (await owner.client.post(below, body)).status,
      (await weak.post(path, body)).status,
      (await weak.post(below, body)).status,
      (await new Client(at.one.url).request("POST", path, bearer)).status,
      (await host.client.post(resend, { delivery: "link" })).status,
      (await owner.client.post(`${below}/${open.body.id}/resend`, { delivery: "link" })).status,
      (await weak.post(resend, { delivery: "link" })).status,
    ];
    expect(statuses).toEqual(Array(8).fill(403));
    expect(await at.sql`select 1 from invitations where email = ${email}`).toHaveLength(0);
    expect(await at.sql`select token_hash, expires_at from invitations where id = ${open.body.id}`).toEqual(before);
  });

  test("No program receives a link for a user with a platform role, also where the role is younger.", async () => {
    const admin = await steppedUpAdmin(at, "admin");
    expect((await invite(admin.email)).status).toBe(403);
    const mailed = await invite(admin.email, robot, { delivery: "mail" });
    expect(mailed.status).toBe(201);
    expect((await robot.post(resendOf(host.organizationId, mailed.body.id), { delivery: "link" })).status).toBe(403);
    // Without an organization the token alone would join, and end what the user has set up.
    const homeless = await joinedAs(at, host, "member");
    await at.sql`delete from members where user_id = ${homeless.userId}`;
    const token = tokenOf((await invite(homeless.email)).body.url);
    await assignPlatformRole(at.sql, homeless.userId, "viewer");
    expect((await accept(new Client(at.one.url), token, {})).status).toBe(401);
    expect(await at.sql`select 1 from members where user_id = ${homeless.userId}`).toHaveLength(0);
  });

  test("A link for an existing user joins in the user's session alone, and verifies nothing.", async () => {
    const user = await registered(at.one.url);
    const token = tokenOf((await invite(user.email)).body.url);
    expect((await accept(new Client(at.one.url), token, {})).status).toBe(401);
    const joined = await user.client.post("/v1/auth/invitations/accept", { token });
    expect([joined.status, joined.body.organization_id]).toEqual([200, host.organizationId]);
    expect(await addressOf(user.email)).toEqual({ verified: false, vouched: false });
    const [state] = await at.sql`select controlled_at from users where id = ${user.userId}`;
    expect(state?.controlled_at).toBeNull();
  });

  test("A link ends with the revoked or expired key of the program, and names no role above the key.", async () => {
    const ends = [
      ({ keyId }: Program) => at.sql`update api_keys set expires_at = now() - interval '1 second' where id = ${keyId}`,
      ({ keyId }: Program) => at.sql`update api_keys set revoked_at = now() where id = ${keyId}`,
    ];
    for (const end of ends) {
      const other = await program(at, SCOPES);
      const mine = tokenOf((await invite(newEmail(), other)).body.url);
      const open = await host.client.post(invitationsOf(host.organizationId), { email: newEmail() });
      const resent = await other.post(resendOf(host.organizationId, open.body.id), { delivery: "link" });
      await end(other);
      for (const token of [mine, tokenOf(resent.body.url)]) {
        expect([401, 409]).toContain((await accept(new Client(at.one.url), token)).status);
      }
    }
    expect((await invite(newEmail(), robot, { role: "owner" })).status).toBe(403);
    expect((await invite(newEmail(), robot, { delivery: "sms" })).status).toBe(400);
  });
});
