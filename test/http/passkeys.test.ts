import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { freePort } from "../../db/embedded.ts";
import { Authenticator } from "../support/authenticator.ts";
import { type CredentialJson, type PageResponse, Visitor } from "../support/browser.ts";
import { type Answer, Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { eventually, race } from "../support/deployment.ts";
import { codeOf } from "../support/mfa.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { freshDatabase, openSql, redisUrl } from "../support/services.ts";
import { disableUser } from "../support/states.ts";
import { statementsWait } from "../support/team.ts";

const REGISTER_BEGIN = "/v1/users/me/passkeys/register/begin";
const REGISTER_COMPLETE = "/v1/users/me/passkeys/register/complete";
const SIGN_IN_BEGIN = "/v1/auth/passkey/login/begin";
const SIGN_IN_COMPLETE = "/v1/auth/passkey/login/complete";
const PASSKEYS = "/v1/users/me/passkeys";
const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
/** A new machine installs Chromium first. */
const INSTALL_DEADLINE_MS = 300_000;

let one: Replica;
let other: Replica;
let origin: string;
let sql: ReturnType<typeof openSql>;
const visitors: Visitor[] = [];

beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  const databaseUrl = await freshDatabase();
  sql = openSql(databaseUrl);
  const settings = { DATABASE_URL: databaseUrl, REDIS_URL: await redisUrl(), SERVICE_PUBLIC_BASE_URL: origin };
  [one, other] = await Promise.all([startReplica({ ...settings, PORT: String(port) }), startReplica(settings)]);
  await newVisitor();
}, INSTALL_DEADLINE_MS);

afterAll(async () => {
  await Promise.all(visitors.map((visitor) => visitor.close()));
  await Promise.all([one.stop(), other.stop()]);
});

async function newVisitor(): Promise<Visitor> {
  const visitor = await Visitor.at(origin);
  visitors.push(visitor);
  return visitor;
}

/** Creates a new user with a browser, signed in with a password. */
async function newPerson() {
  const visitor = await newVisitor();
  const email = newEmail();
  const fields = { organization_name: "Acme", email, password: PASSWORD };
  const { body } = await visitor.call("POST", "/v1/auth/register", fields);
  return { visitor, email, userId: String(body.user.user_id) };
}

/** Steps the sessions of a user up, as a passkey or a second factor does. */
async function steppedUp(userId: string): Promise<void> {
  await sql`update sessions set mfa_verified_at = now() where user_id = ${userId}`;
}

async function addPasskey(visitor: Visitor, name?: string) {
  const begun = await visitor.call("POST", REGISTER_BEGIN);
  const credential = await visitor.create(begun.body.publicKey);
  return { credential, answer: await visitor.call("POST", REGISTER_COMPLETE, { credential, name }) };
}

/** Enables a second factor from the visitor's page, whose session is then aal2. */
async function enable(visitor: Visitor): Promise<void> {
  const { body } = await visitor.call("POST", "/v1/auth/mfa/setup");
  const enabled = await visitor.call("POST", "/v1/auth/mfa/enable", { code: codeOf(body.secret) });
  expect(enabled.status).toBe(200);
}

/** Creates a user with a passkey, signed out. */
async function personWithPasskey() {
  const person = await newPerson();
  const { answer, credential } = await addPasskey(person.visitor, "Laptop");
  await person.visitor.call("POST", "/v1/auth/logout");
  return { ...person, passkeyId: String(answer.body.id), credential };
}

async function assertion(visitor: Visitor, change: (publicKey: CredentialJson) => object = (same) => same) {
  const { body } = await visitor.call("POST", SIGN_IN_BEGIN);
  return await visitor.get(change(body.publicKey));
}

/** Inserts passkeys of a user by SQL. */
async function passkeysOf(userId: string, count: number): Promise<void> {
  await sql`
    insert into passkeys (id, user_id, credential_id, public_key, sign_count, name, transports, device_type,
                          backed_up, aaguid, created_at)
    select gen_random_uuid(), ${userId}, decode(md5(n::text || ${userId}), 'hex'), '\\x00', 0, 'x', '{}',
           'singleDevice', false, gen_random_uuid(), now() from generate_series(1, ${count}) n`;
}

const complete = (credential: unknown, url = one.url) => new Client(url).post(SIGN_IN_COMPLETE, { credential });
const auditsOf = async (userId: string, action: string) =>
  await sql`select outcome, resource_id, metadata from audit_logs where actor_id = ${userId} and action = ${action}`;

describe("POST /v1/users/me/passkeys/register/begin and /complete", () => {
  describe("201", () => {
    test("registers a resident key with user verification, and shows it in the list", async () => {
      const { visitor, email, userId } = await newPerson();
      const { body } = await visitor.call("POST", REGISTER_BEGIN);
      expect(body.publicKey).toMatchObject({
        rp: { id: "localhost" },
        user: { name: email },
        attestation: "none",
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        excludeCredentials: [],
      });
      const { answer } = await addPasskey(visitor, " Laptop ");
      expect(answer.status).toBe(201);
      const passkey = {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: "Laptop",
        created_at: expect.stringMatching(/Z$/),
        last_used_at: null,
        transports: ["internal"],
        device_type: expect.stringMatching(/^(single|multi)Device$/),
        backed_up: expect.any(Boolean),
        aaguid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      };
      const { id } = answer.body;
      expect(answer.body).toEqual(passkey);
      const listed = await visitor.call("GET", PASSKEYS);
      expect(listed.body).toMatchObject({ total: 1, items: [{ id }] });
      expect((await auditsOf(userId, "auth.passkey.registered"))[0]?.resource_id).toBe(id);
    });

    test("tells the browser the existing credentials, so no device makes a second one", async () => {
      const { visitor, userId } = await newPerson();
      const { credential, answer } = await addPasskey(visitor);
      expect(answer.body.name).toBe("Passkey");
      await steppedUp(userId);
      const { body } = await visitor.call("POST", REGISTER_BEGIN);
      expect(body.publicKey.excludeCredentials).toMatchObject([{ id: credential.id, type: "public-key" }]);
      await expect(visitor.create(body.publicKey)).rejects.toThrow("InvalidStateError");
    });
  });

  describe("400 invalid_input", () => {
    test.each([
      [1023, 201],
      [1024, 400],
      [3000, 400],
    ])("a credential id of %p bytes is %p (WebAuthn level 3, section 7.1)", async (idBytes, status) => {
      const { client } = await registered(one.url);
      const { body } = await client.post(REGISTER_BEGIN);
      const credential = new Authenticator(origin, idBytes).create(body.publicKey);
      expect((await client.post(REGISTER_COMPLETE, { credential })).status).toBe(status);
    });

    test("takes the challenge once, also for a failing registration (G2)", async () => {
      const { visitor } = await newPerson();
      const begun = await visitor.call("POST", REGISTER_BEGIN);
      const credential = await visitor.create(begun.body.publicKey);
      const spoiled = { ...credential, type: "password" };
      expect((await visitor.call("POST", REGISTER_COMPLETE, { credential: spoiled })).status).toBe(400);
      const late = await visitor.call("POST", REGISTER_COMPLETE, { credential });
      expect([late.status, late.body.error.code]).toEqual([400, "invalid_input"]);
      expect((await visitor.call("GET", PASSKEYS)).body.total).toBe(0);
    });

    test("refuses another user's challenge, a sign-in challenge and an expired one (G6b, G12)", async () => {
      const [person, stranger] = [await newPerson(), await newPerson()];
      const begun = await person.visitor.call("POST", REGISTER_BEGIN);
      const foreign = await stranger.visitor.create(begun.body.publicKey);
      expect((await stranger.visitor.call("POST", REGISTER_COMPLETE, { credential: foreign })).status).toBe(400);
      const { challenge } = (await person.visitor.call("POST", SIGN_IN_BEGIN)).body.publicKey;
      const crossed = await person.visitor.create({ ...begun.body.publicKey, challenge });
      expect((await person.visitor.call("POST", REGISTER_COMPLETE, { credential: crossed })).status).toBe(400);
      const again = await person.visitor.call("POST", REGISTER_BEGIN);
      await sql`
        update passkey_challenges set expires_at = now() - interval '1 second'
        where user_id = ${person.userId}`;
      const credential = await stranger.visitor.create(again.body.publicKey);
      expect((await person.visitor.call("POST", REGISTER_COMPLETE, { credential })).status).toBe(400);
      expect((await person.visitor.call("GET", PASSKEYS)).body.total).toBe(0);
    });

    test.each<[string, unknown]>([
      ["no credential", undefined],
      ["a text", "credential"],
      ["a list", []],
      ["an empty object", {}],
      ["clientDataJSON that is none", { id: "AA", response: { clientDataJSON: "AA" } }],
      ["members of the wrong types", { id: 7, rawId: {}, response: [] }],
    ])("refuses %s", async (_, credential) => {
      const { client } = await registered(one.url);
      expect((await client.post(REGISTER_COMPLETE, { credential })).status).toBe(400);
    });
  });

  describe("401 mfa_required", () => {
    test("asks a session of aal1 for the second factor that its user has (G35)", async () => {
      const { client, userId, sessionId } = await registered(one.url);
      expect((await client.post(REGISTER_BEGIN)).status).toBe(200);
      const { secret } = (await client.post("/v1/auth/mfa/setup")).body;
      await client.post("/v1/auth/mfa/enable", { code: codeOf(secret) });
      expect((await client.post(REGISTER_BEGIN)).status).toBe(200);
      await sql`update sessions set aal = 'aal1', mfa_verified_at = null where id = ${sessionId}`;
      for (const each of [client, client.at(other.url)]) {
        const refused = await each.post(REGISTER_BEGIN);
        expect([refused.status, refused.body.error]).toMatchObject([
          401,
          { code: "mfa_required", type: "mfa_required" },
        ]);
      }
      await sql`update totp_factors set last_step = null where user_id = ${userId}`;
      expect((await client.at(other.url).post("/v1/auth/mfa/verify", { code: codeOf(secret) })).status).toBe(200);
      expect((await client.post(REGISTER_BEGIN)).status).toBe(200);
    });

    test("does not complete after enabling what began at aal1 before it, in any session (G35)", async () => {
      const { visitor, email, userId } = await newPerson();
      const thief = (await signedIn(one.url, email)).client;
      const begun = await Promise.all([1, 2].map(() => visitor.call("POST", REGISTER_BEGIN)));
      const [first, second] = [
        await visitor.create(begun[0]?.body.publicKey),
        await visitor.create(begun[1]?.body.publicKey),
      ];
      await enable(visitor);
      const weak = await thief.post(REGISTER_COMPLETE, { credential: first });
      expect([weak.status, weak.body.error.code]).toEqual([401, "mfa_required"]);
      const strong = await visitor.call("POST", REGISTER_COMPLETE, { credential: second });
      expect([strong.status, strong.body.error.code]).toEqual([401, "mfa_required"]);
      expect(await auditsOf(userId, "auth.passkey.registered")).toHaveLength(0);
      expect((await addPasskey(visitor)).answer.status).toBe(201);
    });

    test("registers no passkey from aal1 after enabling, of 12 completed at once beside it (G35)", async () => {
      const { visitor, email, userId } = await newPerson();
      const { accessToken } = await signedIn(one.url, email);
      const credentials: CredentialJson[] = [];
      for (let made = 0; made < 12; made += 1) {
        const { body } = await visitor.call("POST", REGISTER_BEGIN);
        credentials.push(await visitor.create({ ...body.publicKey, excludeCredentials: [] }));
      }
      const completed = Promise.all(
        credentials.map((credential, index) => {
          const thief = new Client(index % 2 ? one.url : other.url);
          return thief.post(REGISTER_COMPLETE, { credential }, { bearer: accessToken });
        }),
      );
      await enable(visitor);
      for (const { status } of await completed) expect([201, 401]).toContain(status);
      const late = await sql`
        select 1 from audit_logs where actor_id = ${userId} and action = 'auth.passkey.registered'
          and id > (select id from audit_logs where actor_id = ${userId} and action = 'mfa.enabled')`;
      expect(late).toHaveLength(0);
    });

    test("waits for an enrolment under way, and then refuses by what it made of the account (G35)", async () => {
      const { visitor, userId } = await newPerson();
      const { body } = await visitor.call("POST", REGISTER_BEGIN);
      const credential = await visitor.create(body.publicKey);
      let answered: Promise<PageResponse> | undefined;
      await sql.begin(async (enrolment) => {
        await enrolment`update users set credentials_epoch = credentials_epoch + 1 where id = ${userId}`;
        await enrolment`
          insert into totp_factors (user_id, sealed_secret, confirmed_at, created_at)
          values (${userId}, '\\x00', now(), now())`;
        answered = visitor.call("POST", REGISTER_COMPLETE, { credential });
        await eventually("the registration waits for the user's row", 5_000, async () => {
          const waiting = await enrolment`
            select 1 from pg_locks l join pg_stat_activity a using (pid)
            where not l.granted and a.datname = current_database()`;
          return waiting.length > 0;
        });
      });
      const response = await answered;
      expect([response?.status, response?.body.error.code]).toEqual([401, "mfa_required"]);
      expect(await auditsOf(userId, "auth.passkey.registered")).toHaveLength(0);
    });
  });

  describe("409 conflict", () => {
    test("refuses a registered credential for every user", async () => {
      const person = await newPerson();
      const { credential } = await addPasskey(person.visitor);
      const stranger = await newPerson();
      const begun = await stranger.visitor.call("POST", REGISTER_BEGIN);
      const fresh = await stranger.visitor.create(begun.body.publicKey);
      await sql`update passkeys set credential_id = ${Buffer.from(fresh.id, "base64url")}
        where credential_id = ${Buffer.from(credential.id, "base64url")}`;
      const response = await stranger.visitor.call("POST", REGISTER_COMPLETE, { credential: fresh });
      expect([response.status, response.body.error.code]).toEqual([409, "conflict"]);
    });

    test("refuses beyond 50 passkeys", async () => {
      const { client, userId } = await registered(one.url);
      await passkeysOf(userId, 50);
      await steppedUp(userId);
      expect((await client.post(REGISTER_BEGIN)).status).toBe(409);
    });

    test("refuses beyond 50 passkeys, also parallel registrations behind one lock", async () => {
      const { client, userId } = await registered(one.url);
      await passkeysOf(userId, 49);
      await steppedUp(userId);
      const credentials = await race(async () => {
        const { body } = await client.post(REGISTER_BEGIN);
        return new Authenticator(origin).create(body.publicKey);
      }, 3);
      let answered: Promise<Answer[]> | undefined;
      await sql.begin(async (holder) => {
        await holder`select 1 from users where id = ${userId} for no key update`;
        answered = Promise.all(credentials.map((credential) => client.post(REGISTER_COMPLETE, { credential })));
        await statementsWait(sql, credentials.length);
      });
      expect((await answered)?.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      expect((await client.get(PASSKEYS)).body.total).toBe(50);
      expect(await auditsOf(userId, "auth.passkey.registered")).toHaveLength(1);
    });
  });
});

describe("POST /v1/auth/passkey/login/begin and /complete", () => {
  describe("200", () => {
    test("signs in without a name, at aal2, with cookies, a counter and a date of use", async () => {
      const { visitor, userId, email, passkeyId } = await personWithPasskey();
      const begun = await visitor.call("POST", SIGN_IN_BEGIN);
      expect(begun.body.publicKey).toMatchObject({ rpId: "localhost", userVerification: "required" });
      expect(begun.body.publicKey.allowCredentials ?? []).toEqual([]);
      const credential = await visitor.get(begun.body.publicKey);
      const response = await visitor.call("POST", SIGN_IN_COMPLETE, { credential });
      const { mfa_verified_at } = response.body.user;
      expect(response.body).toMatchObject({
        status: "success",
        user: { user_id: userId, email, auth_method: "passkey", mfa_verified_at: expect.any(String) },
      });
      const { session } = (await visitor.call("GET", "/v1/auth/session")).body;
      expect(session).toMatchObject({ auth_method: "passkey", aal: "aal2", mfa_verified_at });
      const [item] = (await visitor.call("GET", PASSKEYS)).body.items;
      expect(item).toMatchObject({ id: passkeyId, last_used_at: expect.any(String) });
      const [row] = await sql`select sign_count::int as count from passkeys where id = ${passkeyId}`;
      expect(row?.count).toBeGreaterThan(0);
      expect(await auditsOf(userId, "auth.passkey.login")).toMatchObject([{ outcome: "success" }]);
      expect((await visitor.call("POST", REGISTER_BEGIN)).status).toBe(200);
    });

    test("creates one session from 20 concurrent responses to one challenge, over two replicas (G2)", async () => {
      const { visitor } = await personWithPasskey();
      const credential = await assertion(visitor);
      const responses = await race((index) => complete(credential, index % 2 ? one.url : other.url));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(401)]);
      expect((await complete(credential)).status).toBe(401);
    });
  });

  describe("400 invalid_input", () => {
    test.each([[undefined], [null], ["x"], [[]], [7]])("refuses the credential %p", async (credential) => {
      expect((await complete(credential)).status).toBe(400);
    });
  });

  describe("401 authentication_required", () => {
    test("refuses a counter that goes back, and says so in the audit trail (G12)", async () => {
      const { visitor, userId } = await personWithPasskey();
      expect((await complete(await assertion(visitor))).status).toBe(200);
      expect((await complete(await assertion(visitor))).status).toBe(200);
      await visitor.authenticator.setCounter(0);
      const response = await complete(await assertion(visitor));
      expect(response.status).toBe(401);
      expect(await auditsOf(userId, "auth.passkey.counter_regressed")).toHaveLength(1);
    });

    test("returns equal responses for a deleted, unknown or foreign credential and a tampered ceremony", async () => {
      const [person, stranger] = [await personWithPasskey(), await personWithPasskey()];
      const { visitor } = person;
      const mine = await assertion(visitor);
      const foreign = { ...mine, id: stranger.credential.id, rawId: stranger.credential.id };
      const withHandle = await assertion(visitor);
      withHandle.response.userHandle = (await assertion(stranger.visitor)).response.userHandle;
      const withoutHandle = await assertion(visitor);
      delete withoutHandle.response.userHandle;
      const spoiled = await assertion(visitor);
      spoiled.response.signature = Buffer.alloc(70, 1).toString("base64url");
      const unknown = { ...(await assertion(visitor)), id: "AAAA", rawId: "AAAA" };
      const late = await assertion(visitor);
      await sql`update passkey_challenges set expires_at = now() - interval '1 second'`;
      const responses = [await complete(late)];
      await sql`update passkey_challenges set expires_at = now() + interval '1 minute'`;
      for (const credential of [foreign, withHandle, withoutHandle, spoiled, unknown, {}, { response: {} }]) {
        responses.push(await complete(credential));
      }
      const shown = await assertion(visitor);
      await sql`update passkeys set deleted_at = now() where id = ${person.passkeyId}`;
      responses.push(await complete(shown));
      for (const response of responses) {
        expect([response.status, response.setCookies]).toEqual([401, []]);
        expect(response.body).toEqual(responses[0]?.body);
      }
    });

    test("refuses a ceremony of another origin (G12)", async () => {
      const { visitor } = await personWithPasskey();
      const { publicKey } = (await visitor.call("POST", SIGN_IN_BEGIN)).body;
      await visitor.visit("http://localhost:4");
      const credential = await visitor.get(publicKey);
      expect(JSON.parse(Buffer.from(credential.response.clientDataJSON, "base64url").toString()).origin).toBe(
        "http://localhost:4",
      );
      expect((await complete(credential)).status).toBe(401);
    });

    test("refuses presence without verification of the user, whatever the page asked for (G12)", async () => {
      const { visitor } = await personWithPasskey();
      await visitor.authenticator.setUserVerified(false);
      const credential = await assertion(visitor, (publicKey) => ({ ...publicKey, userVerification: "discouraged" }));
      expect((await complete(credential)).status).toBe(401);
    });

    test("refuses a registration challenge (G6b)", async () => {
      const { visitor, email, userId } = await personWithPasskey();
      await visitor.call("POST", "/v1/auth/login", { email, password: PASSWORD });
      await steppedUp(userId);
      const { challenge } = (await visitor.call("POST", REGISTER_BEGIN)).body.publicKey;
      expect((await complete(await assertion(visitor, (publicKey) => ({ ...publicKey, challenge })))).status).toBe(401);
    });

    test("keeps a disabled user and a member of a suspended organization out", async () => {
      const { visitor, userId } = await personWithPasskey();
      await disableUser(sql, userId);
      expect((await complete(await assertion(visitor))).status).toBe(401);
      await sql`update users set disabled_at = null where id = ${userId}`;
      await sql`update organizations set suspended_at = now()
        where id = (select organization_id from members where user_id = ${userId})`;
      expect((await complete(await assertion(visitor))).status).toBe(401);
    });
  });
});

describe("POST /v1/auth/passkey/step-up/begin and /complete", () => {
  /** Signs in with the password, at aal1, in the browser of the passkey. */
  async function personAtLevelOne() {
    const person = await personWithPasskey();
    await person.visitor.call("POST", "/v1/auth/login", { email: person.email, password: PASSWORD });
    return person;
  }

  test("a passkey of the browser steps the session up", async () => {
    const { visitor, credential } = await personAtLevelOne();
    const begun = await visitor.call("POST", "/v1/auth/passkey/step-up/begin");
    expect(begun.body.publicKey.allowCredentials).toMatchObject([{ id: credential.id, transports: ["internal"] }]);
    const presented = await visitor.get(begun.body.publicKey);
    const steppedUp = await visitor.call("POST", "/v1/auth/passkey/step-up/complete", { credential: presented });
    expect(steppedUp.status).toBe(200);
    expect((await visitor.call("GET", "/v1/auth/session")).body.session.aal).toBe("aal2");
    expect((await visitor.call("POST", REGISTER_BEGIN)).status).toBe(200);
  });

  test("presence without verification of the user steps no session up", async () => {
    const { visitor } = await personAtLevelOne();
    await visitor.authenticator.setUserVerified(false);
    const { publicKey } = (await visitor.call("POST", "/v1/auth/passkey/step-up/begin")).body;
    const presented = await visitor.get({ ...publicKey, userVerification: "discouraged" });
    const refused = await visitor.call("POST", "/v1/auth/passkey/step-up/complete", { credential: presented });
    expect([refused.status, refused.body.error.code]).toEqual([401, "authentication_required"]);
  });
});

describe("GET /v1/users/me/passkeys", () => {
  describe("200", () => {
    test("is empty at first, and contains no other user's entries", async () => {
      await personWithPasskey();
      const { client } = await registered(one.url);
      expect((await client.get(PASSKEYS)).body).toEqual({ items: [], total: 0, page: 1, page_size: 25 });
    });
  });
});

describe("DELETE /v1/users/me/passkeys/:id", () => {
  describe("204", () => {
    test("ends the passkey at once, on every replica, and is no error again", async () => {
      const { visitor, userId, passkeyId } = await personWithPasskey();
      const shown = await assertion(visitor);
      await complete(await assertion(visitor));
      const signedIn = await assertion(visitor);
      await visitor.call("POST", SIGN_IN_COMPLETE, { credential: signedIn });
      expect((await visitor.call("DELETE", `${PASSKEYS}/${passkeyId}`)).status).toBe(204);
      expect((await visitor.call("DELETE", `${PASSKEYS}/${passkeyId}`)).status).toBe(204);
      expect((await complete(shown, other.url)).status).toBe(401);
      expect((await visitor.call("GET", PASSKEYS)).body.total).toBe(0);
      expect(await auditsOf(userId, "auth.passkey.deleted")).toHaveLength(1);
    });
  });

  describe("404 not_found", () => {
    test("returns equal responses for a foreign id, an unknown id and a malformed UUID (G16)", async () => {
      const { passkeyId } = await personWithPasskey();
      const { client } = await registered(one.url);
      for (const id of [passkeyId, UNKNOWN, "x"]) {
        expect((await client.delete(`${PASSKEYS}/${id}`)).status).toBe(404);
      }
      const [row] = await sql`select deleted_at from passkeys where id = ${passkeyId}`;
      expect(row?.deleted_at).toBeNull();
    });
  });
});
