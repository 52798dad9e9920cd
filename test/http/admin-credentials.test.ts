/** Credentials, sessions and addresses of users that programs change (docs/contract.md, section 36.2). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { tokenTo } from "../support/mail.ts";
import { enrolled } from "../support/mfa.ts";
import { addPasskey } from "../support/passkeys.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { type Program, program } from "../support/programs.ts";
import { verify } from "../support/team.ts";

let at: Deployment;
let robot: Program;
beforeAll(async () => {
  at = await deployment();
  robot = await program(at, ["users.write", "users.credentials"]);
});

const NEXT = "an entirely different password";
const UNDO_LINK = /^http:\/\/localhost:3000\/undo-email\?token=([A-Za-z0-9_-]{43})$/m;

describe("PUT /v1/admin/users/:id/password (G494)", () => {
  test("The new password signs in, the old one and every session end, and the user is told by email.", async () => {
    const person = await registered(at.one.url);
    const path = `/v1/admin/users/${person.userId}/password`;
    expect((await robot.put(path, { password: NEXT })).status).toBe(204);
    expect((await person.client.get("/v1/users/me")).status).toBe(401);
    const old = await new Client(at.one.url).post("/v1/auth/login", { email: person.email, password: PASSWORD });
    expect(old.status).toBe(401);
    const { client } = await signedIn(at.one.url, person.email, NEXT);
    expect((await client.get("/v1/users/me")).status).toBe(200);
    const records = await at.sql`
      select metadata from audit_logs where action = 'user.password_replaced' and resource_id = ${person.userId}`;
    expect(records).toEqual([{ metadata: { form: "password" } }] as never);
    expect((await at.mail.mailsTo(person.email, /password of your account was changed/)).length).toBe(1);
  });

  test("A foreign hash replaces the password; both forms, no form, short and common passwords are 400.", async () => {
    const person = await registered(at.one.url);
    const path = `/v1/admin/users/${person.userId}/password`;
    const password_hash = await Bun.password.hash(NEXT, { algorithm: "bcrypt", cost: 4 });
    for (const body of [{}, { password: "short" }, { password: NEXT, password_hash }, { password_hash: "x" }]) {
      expect((await robot.put(path, body)).status).toBe(400);
    }
    expect((await person.client.get("/v1/users/me")).status).toBe(200);
    expect((await robot.put(path, { password_hash })).status).toBe(204);
    expect((await signedIn(at.one.url, person.email, NEXT)).client).toBeDefined();
    expect((await robot.put(`/v1/admin/users/${crypto.randomUUID()}/password`, { password: NEXT })).status).toBe(404);
  });

  test("A platform admin lacks users.credentials; an owner with a step-up has the permission.", async () => {
    const person = await registered(at.one.url);
    const path = `/v1/admin/users/${person.userId}/password`;
    const admin = await steppedUpAdmin(at);
    expect((await admin.client.put(path, { password: NEXT })).status).toBe(403);
    const owner = await steppedUpAdmin(at, "owner");
    expect((await owner.client.put(path, { password: NEXT })).status).toBe(204);
  });
});

describe("PUT /v1/admin/users/:id/email (G494)", () => {
  test("The address changes, and the mailbox of the controlled former address undoes the change.", async () => {
    const person = await registered(at.one.url);
    await verify(at.sql, person.userId);
    await at.sql`update users set controlled_at = now() where id = ${person.userId}`;
    const next = newEmail();
    const changed = await robot.put(`/v1/admin/users/${person.userId}/email`, { email: next });
    expect([changed.status, changed.body.email, changed.body.email_verified]).toEqual([200, next, false]);
    const token = await tokenTo(at.mail, person.email, UNDO_LINK);
    const undone = await new Client(at.one.url).post("/v1/auth/email/change/undo", { token });
    expect(undone.status).toBe(204);
    expect((await robot.get(`/v1/admin/users/${person.userId}`)).body.email).toBe(person.email);
  });

  test("An address without control leaves earlier credentials to the first proof of the mailbox.", async () => {
    const person = await enrolled(at);
    await at.sql`update users set controlled_at = now(), email_verified_at = now() where id = ${person.userId}`;
    await robot.put(`/v1/admin/users/${person.userId}/email`, { email: newEmail() });
    const [row] = await at.sql`select controlled_at from users where id = ${person.userId}`;
    expect(row?.controlled_at).toBeNull();
    const vouched = newEmail();
    const verified = await robot.put(`/v1/admin/users/${person.userId}/email`, {
      email: vouched,
      email_verified: true,
    });
    expect([verified.body.email, verified.body.email_verified]).toEqual([vouched, true]);
  });

  test("409 for a taken address, 400 for no address, and the present address is verified on request.", async () => {
    const [one, two] = [await registered(at.one.url), await registered(at.one.url)];
    const path = `/v1/admin/users/${one.userId}/email`;
    expect((await robot.put(path, { email: two.email })).status).toBe(409);
    expect((await robot.put(path, { email: "no address" })).status).toBe(400);
    expect((await robot.put(path, { email: one.email, email_verified: true })).body.email_verified).toBe(true);
  });
});

describe("sessions, factors and identities of a user (G495)", () => {
  test("A program lists and ends sessions; a session of another user is 404.", async () => {
    const [one, two] = [await registered(at.one.url), await registered(at.one.url)];
    const second = await signedIn(at.one.url, one.email);
    const listed = await robot.get(`/v1/admin/users/${one.userId}/sessions`);
    expect([listed.status, listed.body.total]).toEqual([200, 2]);
    expect(Object.keys(listed.body.items[0])).not.toContain("current");
    const own = (await second.client.get("/v1/auth/session")).body.session.id;
    expect((await robot.delete(`/v1/admin/users/${two.userId}/sessions/${own}`)).status).toBe(404);
    expect((await robot.delete(`/v1/admin/users/${one.userId}/sessions/${own}`)).status).toBe(204);
    expect((await second.client.get("/v1/users/me")).status).toBe(401);
    expect((await robot.delete(`/v1/admin/users/${one.userId}/sessions`)).status).toBe(204);
    expect((await one.client.get("/v1/users/me")).status).toBe(401);
    expect((await robot.get(`/v1/admin/users/${crypto.randomUUID()}/sessions`)).status).toBe(404);
  });

  test("A program lists factors and removes a passkey, and the user is told by email.", async () => {
    const person = await enrolled(at);
    await at.sql`update sessions set mfa_verified_at = now() where user_id = ${person.userId}`;
    const { passkeyId } = await addPasskey(person.client);
    const factors = await robot.get(`/v1/admin/users/${person.userId}/factors`);
    expect(factors.body).toMatchObject({ mfa: { enabled: true }, passkeys: [{ id: passkeyId }] });
    expect((await robot.delete(`/v1/admin/users/${person.userId}/passkeys/${crypto.randomUUID()}`)).status).toBe(404);
    expect((await robot.delete(`/v1/admin/users/${person.userId}/passkeys/${passkeyId}`)).status).toBe(204);
    expect((await robot.get(`/v1/admin/users/${person.userId}/factors`)).body.passkeys).toEqual([]);
    expect((await at.mail.mailsTo(person.email, /removed the passkey/)).length).toBe(1);
  });

  test("A program lists linked providers and unlinks one, and the user is told by email.", async () => {
    const person = await registered(at.one.url);
    const path = `/v1/admin/users/${person.userId}/identities`;
    await at.sql`
      insert into user_identities (provider, issuer, subject, user_id, created_at, last_used_at)
      values ('oauth_idp_a', 'https://idp.test', ${person.userId}, ${person.userId}, now(), now())`;
    const listed = await robot.get(path);
    expect(listed.body.total).toBe(1);
    expect((await robot.delete(`/v1/admin/users/${person.userId}/identities/${crypto.randomUUID()}`)).status).toBe(404);
    expect((await robot.delete(`/v1/admin/users/${person.userId}/identities/${listed.body.items[0].id}`)).status).toBe(
      204,
    );
    expect((await robot.get(path)).body.total).toBe(0);
    expect((await at.mail.mailsTo(person.email, /was unlinked/)).length).toBe(1);
  });
});
