import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { CODE, codeIn, INVITE_LINK, RESET_LINK, tokenTo, VERIFY_LINK } from "../support/mail.ts";
import { withAuthenticator } from "../support/mfa.ts";
import { startReplica } from "../support/replica.ts";
import { freshDatabase, openSql, redisUrl } from "../support/services.ts";
import { deletePassword } from "../support/states.ts";
import { spreadBeyondNoise } from "../support/timing.ts";
import {
  addAddress,
  CHANGE_LINK,
  changeAddress,
  confirm,
  expectStatus,
  IN_USE,
  NOTICE,
  type ProvenUser,
  provenUser,
  requestChange,
  resetBy,
  UNDO_LINK,
  undo,
} from "../support/user-emails.ts";
import { attempts, stopwatch } from "../support/waiting.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const OTHER_PASSWORD = "another horse, another battery";
const UNKNOWN_TOKEN = "A".repeat(43);
const replicaOf = (index: number) => (index % 2 ? at.one.url : at.other.url);
const change = (client: Client, body: Record<string, unknown>) => client.post("/v1/users/me/email", body);
const add = (client: Client, body: Record<string, unknown>) => client.post("/v1/users/me/emails", body);
const listed = async (client: Client) => (await client.get("/v1/users/me/emails")).body.items;
const remove = (client: Client, id: string, body: unknown = { password: PASSWORD }) =>
  client.delete(`/v1/users/me/emails/${id}`, { body });
const makePrimary = (client: Client, id: string) =>
  client.post(`/v1/users/me/emails/${id}/primary`, { password: PASSWORD });
const recordsOf = async (userId: string, action: string) =>
  await at.sql`select metadata from audit_logs where resource_id = ${userId} and action = ${action} order by id`;

describe("GET /v1/users/me/emails", () => {
  test("200: the address of the registration is the primary address, and follows the verification", async () => {
    const { client, email } = await registered(at.one.url);
    expect(await listed(client)).toMatchObject([{ email, verified: false, primary: true }]);
    await client.post("/v1/auth/email/verify", { token: await tokenTo(at.mail, email, VERIFY_LINK) });
    expect(await listed(client.at(at.other.url))).toMatchObject([{ email, verified: true, primary: true }]);
    expect((await new Client(at.one.url).get("/v1/users/me/emails")).status).toBe(401);
  });

  test("writes of an earlier release to users appear in the list", async () => {
    const { client, userId } = await registered(at.one.url);
    const renamed = newEmail();
    await at.sql`update users set email = ${renamed}, email_verified_at = now() where id = ${userId}`;
    expect(await listed(client)).toMatchObject([{ email: renamed, verified: true, primary: true }, { primary: false }]);
  });
});

describe("POST /v1/users/me/email", () => {
  test("204: the address changes with the confirmation, and the sessions continue", async () => {
    const person = await provenUser(at);
    const { client, email, userId } = person;
    const changed = await requestChange(client);
    expect((await signedIn(at.other.url, email)).answer.status).toBe(200);
    expect((await signedIn(at.other.url, changed)).answer.status).toBe(401);
    const token = await tokenTo(at.mail, changed, CHANGE_LINK);
    expect((await confirm(client.at(at.other.url), token)).status).toBe(204);
    expect((await client.get("/v1/users/me")).body).toMatchObject({ email: changed, email_verified: true });
    expect((await client.at(at.other.url).get("/v1/auth/session")).body.user.email).toBe(changed);
    expect((await signedIn(at.one.url, email)).answer.status).toBe(401);
    expect((await signedIn(at.one.url, changed)).answer.status).toBe(200);
    expect((await confirm(client, token)).status).toBe(401);
    const records = await recordsOf(userId, "user.email.changed");
    expect(records).toHaveLength(1);
    expect(JSON.stringify(records)).not.toContain(changed);
  });

  test("204: free and taken addresses have one response and one row, and only the email differs", async () => {
    const { client, email, userId } = await provenUser(at);
    const owner = await provenUser(at);
    const free = newEmail();
    const responses = [];
    for (const new_email of [free, owner.email])
      responses.push(await change(client, { new_email, password: PASSWORD }));
    expect(responses.map(({ status, text }) => [status, text])).toEqual([
      [204, ""],
      [204, ""],
    ]);
    await at.mail.mailsTo(free, CHANGE_LINK);
    const [informed] = await at.mail.mailsTo(owner.email, IN_USE);
    expect(informed?.text).not.toContain(email);
    expect(informed?.text).not.toContain("token=");
    expect(await at.mail.mailsTo(email, NOTICE, 2)).toHaveLength(2);
    expect(await recordsOf(userId, "user.email.change_requested")).toHaveLength(2);
  });

  test.each([
    ["a change", (client: Client, address: string) => change(client, { new_email: address })],
    ["an addition", (client: Client, address: string) => client.post("/v1/users/me/emails", { email: address })],
  ] as const)("free and taken addresses of %s take as long: medians within 15 %% (G13)", async (_, send) => {
    const { client, userId } = await provenUser(at);
    const owners = await race(() => registered(at.one.url), 12);
    const times: Record<"free" | "taken", number[]> = { free: [], taken: [] };
    await attempts(async () => {
      for (const { email } of owners) {
        // A step-up: the hash of a password would hide the duration of the statements.
        await at.sql`update sessions set mfa_verified_at = now() where user_id = ${userId}`;
        await at.sql`delete from email_changes where user_id = ${userId}`;
        await at.sql`delete from user_emails where user_id = ${userId} and not "primary"`;
        for (const [kind, address] of [["free", newEmail()] as const, ["taken", email] as const]) {
          const elapsed = stopwatch();
          await expectStatus(send(client, address), 204);
          times[kind].push(elapsed());
        }
      }
      expect(spreadBeyondNoise(times)).toBeLessThan(1.15);
    });
  });

  test("400: no address; 409: an address of the own account", async () => {
    const { client, email } = await provenUser(at);
    expect((await change(client, { new_email: "x", password: PASSWORD })).status).toBe(400);
    expect((await change(client, { password: PASSWORD })).status).toBe(400);
    expect((await change(client, { new_email: ` ${email.toUpperCase()}`, password: PASSWORD })).status).toBe(409);
  });

  test("a user without password and factor needs a session of at most ten minutes", async () => {
    const { client, userId } = await provenUser(at);
    await deletePassword(at.sql, userId);
    expect((await change(client, { new_email: newEmail() })).status).toBe(204);
    await at.sql`update sessions set auth_time = now() - interval '11 minutes' where user_id = ${userId}`;
    expect((await change(client, { new_email: newEmail() })).status).toBe(401);
  });
});

describe("POST /v1/users/me/emails", () => {
  test("204: a confirmed additional address signs in, resets the password and receives codes", async () => {
    const person = await provenUser(at);
    const { client, email } = person;
    const added = newEmail();
    expect((await add(client, { email: added, password: PASSWORD })).status).toBe(204);
    expect(await listed(client)).toMatchObject([
      { email, primary: true },
      { email: added, verified: false, primary: false },
    ]);
    expect((await signedIn(at.one.url, added)).answer.status).toBe(401);
    expect((await confirm(client, await tokenTo(at.mail, added, CHANGE_LINK))).status).toBe(204);
    expect((await signedIn(at.other.url, added)).answer.status).toBe(200);
    await new Client(at.one.url).post("/v1/auth/email-otp/request", { email: added });
    const code = codeIn((await at.mail.mailsTo(added, CODE))[0]);
    expect((await new Client(at.other.url).post("/v1/auth/email-otp/verify", { email: added, code })).status).toBe(200);
    expect((await resetBy(at, added, OTHER_PASSWORD)).status).toBe(204);
    expect((await signedIn(at.one.url, email, OTHER_PASSWORD)).answer.body.user.email).toBe(email);
  });

  test("a reset by an additional address does not remove the second factor", async () => {
    const person = await provenUser(at);
    const { added } = await addAddress(at, person);
    await withAuthenticator(at, person);
    expect((await resetBy(at, added, OTHER_PASSWORD)).status).toBe(204);
    expect((await signedIn(at.one.url, added, OTHER_PASSWORD)).answer.body.status).toBe("mfa_required");
  });

  test("an invitation to an additional address is accepted in the session of its user", async () => {
    const host = await provenUser(at);
    const person = await provenUser(at);
    const { added } = await addAddress(at, person);
    const path = `/v1/orgs/${host.organizationId}/invitations`;
    expect((await host.client.post(path, { email: added, role: "member" })).status).toBe(201);
    const token = await tokenTo(at.mail, added, INVITE_LINK);
    expect((await person.client.post("/v1/auth/invitations/accept", { token })).status).toBe(200);
    expect((await host.client.post(path, { email: person.email, role: "member" })).status).toBe(409);
  });

  test("409: a seventh address; 403: an account without a controlling proof", async () => {
    const { client, userId } = await provenUser(at);
    await at.sql`
      insert into user_emails (user_id, email, verified_at, created_at)
      select ${userId}, 'more-' || n || ${`-${userId}@example.test`}, now(), now() from generate_series(1, 5) n`;
    expect((await add(client, { email: newEmail(), password: PASSWORD })).status).toBe(409);
    const uncontrolled = await registered(at.one.url);
    expect((await add(uncontrolled.client, { email: newEmail(), password: PASSWORD })).status).toBe(403);
  });

  test("registration refuses an additional address of another user", async () => {
    const { added } = await addAddress(at, await provenUser(at));
    const response = await new Client(at.one.url).post("/v1/auth/register", {
      organization_name: "Acme",
      email: added,
      password: PASSWORD,
    });
    expect(response.status).toBe(409);
  });
});

describe("POST /v1/auth/email/change", () => {
  test("works once of 20 at once, over two replicas (G2)", async () => {
    const { client, userId } = await provenUser(at);
    const token = await tokenTo(at.mail, await requestChange(client), CHANGE_LINK);
    const statuses = await race(async (index) => (await confirm(client.at(replicaOf(index)), token)).status);
    expect(statuses.sort()).toEqual([204, ...Array(19).fill(401)]);
    expect(await recordsOf(userId, "user.email.changed")).toHaveLength(1);
  });

  test("20 users with one awaited address: a single user gets the address", async () => {
    const email = newEmail();
    const people = await race(() => provenUser(at), 4);
    for (const { client } of people) await add(client, { email, password: PASSWORD });
    const mails = await at.mail.mailsTo(email, CHANGE_LINK, 4);
    const tokens = mails.map(({ text }) => CHANGE_LINK.exec(text)?.[1] ?? "");
    const pairs = people.flatMap(({ client }) => tokens.map((token) => ({ client, token })));
    const statuses = await Promise.all(
      pairs.map(async ({ client, token }, index) => (await confirm(client.at(replicaOf(index)), token)).status),
    );
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.every((status) => [204, 401, 403].includes(status))).toBe(true);
    expect(await at.sql`select 1 from user_emails where email = ${email} and verified_at is not null`).toHaveLength(1);
  });

  test("401: without a session, an unknown and an expired link; 403: another user; 400: no token", async () => {
    const { client, userId } = await provenUser(at);
    const token = await tokenTo(at.mail, await requestChange(client), CHANGE_LINK);
    expect((await confirm(new Client(at.one.url), token)).status).toBe(401);
    expect((await confirm((await registered(at.one.url)).client, token)).status).toBe(403);
    expect((await confirm(client, UNKNOWN_TOKEN)).status).toBe(401);
    expect((await confirm(client, "x")).status).toBe(400);
    await at.sql`update email_changes set expires_at = now() - interval '1 second' where user_id = ${userId}`;
    expect((await confirm(client, token)).status).toBe(401);
  });

  test("ends reset links and codes of the former address, and pending sign-ins", async () => {
    const person = await provenUser(at);
    await new Client(at.one.url).post("/v1/auth/password/forgot", { email: person.email });
    const reset = await tokenTo(at.mail, person.email, RESET_LINK);
    await new Client(at.one.url).post("/v1/auth/email-otp/request", { email: person.email });
    const code = codeIn((await at.mail.mailsTo(person.email, CODE))[0]);
    const { changed } = await changeAddress(at, person);
    const late = await new Client(at.one.url).post("/v1/auth/password/reset", {
      token: reset,
      new_password: OTHER_PASSWORD,
    });
    expect(late.status).toBe(401);
    for (const email of [person.email, changed]) {
      expect((await new Client(at.one.url).post("/v1/auth/email-otp/verify", { email, code })).status).toBe(401);
    }
  });
});

describe("POST /v1/users/me/emails/{id}/primary and DELETE /v1/users/me/emails/{id}", () => {
  test("200: the addresses swap, and the former primary address gets an undo link", async () => {
    const person = await provenUser(at);
    const { client, email } = person;
    const { added, id } = await addAddress(at, person);
    expect((await client.post(`/v1/users/me/emails/${id}/primary`)).status).toBe(401);
    expect((await makePrimary(client.at(at.other.url), id)).body).toMatchObject({ email: added, primary: true });
    expect((await client.get("/v1/users/me")).body.email).toBe(added);
    expect((await signedIn(at.one.url, email)).answer.status).toBe(200);
    const undoToken = await tokenTo(at.mail, email, UNDO_LINK, 2);
    expect((await undo(at.one.url, undoToken)).status).toBe(204);
    expect((await resetBy(at, email, OTHER_PASSWORD)).status).toBe(204);
    const again = await signedIn(at.one.url, email, OTHER_PASSWORD);
    expect(await listed(again.client)).toMatchObject([{ email, primary: true }]);
    expect((await signedIn(at.one.url, added, OTHER_PASSWORD)).answer.status).toBe(401);
  });

  test("200: the switch ends the link of a requested change, so that the new primary address stays", async () => {
    const person = await provenUser(at);
    const { added, id } = await addAddress(at, person);
    const token = await tokenTo(at.mail, await requestChange(person.client), CHANGE_LINK);
    expect((await makePrimary(person.client, id)).status).toBe(200);
    expect((await confirm(person.client, token)).status).toBe(401);
    expect(await listed(person.client)).toMatchObject([{ email: added, primary: true }, { email: person.email }]);
  });

  test("409: an unverified address is not made primary, the primary address stays; 404: no own address", async () => {
    const { client } = await provenUser(at);
    await add(client, { email: newEmail(), password: PASSWORD });
    const [primary, pending] = await listed(client);
    expect((await makePrimary(client, pending.id)).status).toBe(409);
    expect((await remove(client, primary.id)).status).toBe(409);
    expect((await remove(client, crypto.randomUUID())).status).toBe(404);
    const other = await provenUser(at);
    expect((await remove(other.client, primary.id)).status).toBe(404);
    expect((await makePrimary(other.client, primary.id)).status).toBe(404);
    expect((await remove(client, pending.id)).status).toBe(204);
    expect(await listed(client)).toHaveLength(1);
  });

  test("204 once of 4: a removed address signs nobody in, both addresses get a notice, the link is dead", async () => {
    const person = await provenUser(at);
    const { client, email, userId } = person;
    const { added, id } = await addAddress(at, person);
    await new Client(at.one.url).post("/v1/auth/password/forgot", { email: added });
    const token = await tokenTo(at.mail, added, RESET_LINK);
    expect((await remove(client, id, {})).status).toBe(401);
    const statuses = await race(async (index) => (await remove(client.at(replicaOf(index)), id)).status, 4);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(await recordsOf(userId, "user.email.removed")).toHaveLength(1);
    const reset = { token, new_password: OTHER_PASSWORD };
    expect((await new Client(at.one.url).post("/v1/auth/password/reset", reset)).status).toBe(401);
    expect((await signedIn(at.one.url, added)).answer.status).toBe(401);
    for (const address of [email, added]) await at.mail.mailsTo(address, /was removed from an account/);
  });
});

/** Everything that an attacker with the session and the password sets up after a change of the address. */
async function setUpAccess(person: ProvenUser) {
  const enrolled = await withAuthenticator(at, person);
  await at.sql`
    insert into user_identities (provider, issuer, subject, user_id, created_at, last_used_at)
    values ('oauth_idp_a', 'https://idp.test', ${person.userId}, ${person.userId}, now(), now())`;
  await at.sql`
    insert into passkeys (id, user_id, credential_id, public_key, sign_count, name, transports, device_type, backed_up,
                          aaguid, created_at)
    select gen_random_uuid(), ${person.userId}, decode(md5(random()::text), 'hex'), ''::bytea, 0, 'k', '{}',
           'singleDevice', false, gen_random_uuid(), now()`;
  await expectStatus(person.client.post("/v1/auth/trusted-browsers"), 201);
  return enrolled;
}

describe("POST /v1/auth/email/change/undo", () => {
  test("204 once of 20: restores the address and ends what was added since the request", async () => {
    const person = await provenUser(at);
    const { email, userId, client } = person;
    const { changed, undoToken } = await changeAddress(at, person);
    await setUpAccess(person);
    const statuses = await race(async (index) => (await undo(replicaOf(index), undoToken)).status);
    expect(statuses.sort()).toEqual([204, ...Array(19).fill(401)]);
    for (const url of [at.one.url, at.other.url])
      expect((await client.at(url).get("/v1/auth/session")).status).toBe(401);
    for (const address of [email, changed]) expect((await signedIn(at.one.url, address)).answer.status).toBe(401);
    expect((await resetBy(at, email, OTHER_PASSWORD)).status).toBe(204);
    const owner = await signedIn(at.one.url, email, OTHER_PASSWORD);
    expect(owner.answer.body.status).toBe("success");
    expect(await listed(owner.client)).toMatchObject([{ email, verified: true, primary: true }]);
    expect((await owner.client.get("/v1/users/me/passkeys")).body.items).toEqual([]);
    expect((await owner.client.get("/v1/auth/trusted-browsers")).body.items).toEqual([]);
    expect(await at.sql`select 1 from user_identities where user_id = ${userId}`).toHaveLength(0);
    expect(await recordsOf(userId, "user.email.reverted")).toHaveLength(1);
    await at.mail.mailsTo(email, /primary address of your account again/);
  });

  test("credentials from before the request remain", async () => {
    const person = await provenUser(at);
    await withAuthenticator(at, person);
    await at.sql`update totp_factors set confirmed_at = now() - interval '1 hour' where user_id = ${person.userId}`;
    await at.sql`update recovery_codes set created_at = now() - interval '1 hour' where user_id = ${person.userId}`;
    const { undoToken } = await changeAddress(at, person);
    expect((await undo(at.one.url, undoToken)).status).toBe(204);
    expect((await resetBy(at, person.email, OTHER_PASSWORD)).status).toBe(204);
    expect((await signedIn(at.one.url, person.email, OTHER_PASSWORD)).answer.body.status).toBe("mfa_required");
    expect(await at.sql`select 1 from recovery_codes where user_id = ${person.userId}`).toHaveLength(10);
  });

  test("before the confirmation the undo cancels the request, and the session continues", async () => {
    const { client, email } = await provenUser(at);
    const requested = await requestChange(client);
    const token = await tokenTo(at.mail, requested, CHANGE_LINK);
    expect((await undo(at.one.url, await tokenTo(at.mail, email, UNDO_LINK))).status).toBe(204);
    expect((await confirm(client, token)).status).toBe(401);
    expect((await client.get("/v1/users/me")).body.email).toBe(email);
  });
});

describe("With limits", () => {
  let limited: Deployment;
  beforeAll(async () => {
    // A separate database: held notices stay in the outbox.
    const databaseUrl = await freshDatabase();
    const settings = {
      DATABASE_URL: databaseUrl,
      REDIS_URL: await redisUrl(),
      SERVICE_EMAIL_API_URL: at.mail.url,
      SERVICE_EMAIL_API_KEY: "re_test",
      SERVICE_RATE_LIMITS: "on",
    };
    limited = { ...at, databaseUrl, sql: openSql(databaseUrl), one: await startReplica(settings) };
  });

  test("429: the sixth request within an hour", async () => {
    const { client, userId } = await provenUser(limited);
    const statuses = [];
    for (let turn = 0; turn < 5; turn += 1) {
      statuses.push((await change(client, { new_email: newEmail(), password: PASSWORD })).status);
    }
    expect(statuses).toEqual(Array(5).fill(204));
    const refused = await change(client, { new_email: newEmail(), password: PASSWORD });
    expect([refused.status, Number(refused.headers.get("retry-after")) > 3000]).toEqual([429, true]);
    expect(await limited.sql`select 1 from email_changes where user_id = ${userId}`).toHaveLength(5);
    await limited.sql`update email_changes set requested_at = now() - interval '61 minutes' where user_id = ${userId}`;
    expect((await change(client, { new_email: newEmail(), password: PASSWORD })).status).toBe(204);
  });

  test("wrong passwords by several addresses count for one user", async () => {
    const person = await provenUser(limited);
    const { added } = await addAddress(limited, person);
    const guesses = Array.from({ length: 12 }, (_, index) => (index % 2 ? added : person.email));
    const statuses = [];
    for (const email of guesses) statuses.push((await signedIn(limited.one.url, email, OTHER_PASSWORD)).answer.status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
    expect(statuses.at(-1)).toBe(429);
  });
});
