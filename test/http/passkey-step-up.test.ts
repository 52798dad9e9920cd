/** Step-up by passkey, and the step-up before a further passkey (docs/contract.md, sections 9.1, 9.7 and 9.8). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Authenticator } from "../support/authenticator.ts";
import { type Answer, Client, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { codeOf, enrolled, forgetUsedStep, weakSession } from "../support/mfa.ts";
import { addPasskey, REGISTER_BEGIN, REGISTER_COMPLETE, STEP_UP_BEGIN, STEP_UP_COMPLETE } from "../support/passkeys.ts";

const ELEVEN_MINUTES = "11 minutes";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const outcome = ({ status, body }: Answer) => [status, body?.error?.code];
const MFA_REQUIRED = [401, "mfa_required"];
const REFUSED = [401, "authentication_required"];

/** Registers a user with a passkey. */
async function personWithPasskey() {
  const person = await registered(at.one.url);
  return { ...person, ...(await addPasskey(person.client)) };
}

async function present(client: Client, authenticator: Authenticator) {
  const { body } = await client.post(STEP_UP_BEGIN);
  return authenticator.get(body.publicKey);
}

const stepUp = async (client: Client, authenticator: Authenticator) =>
  await client.post(STEP_UP_COMPLETE, { credential: await present(client, authenticator) });
const age = (sessionId: string, interval: string) => at.sql`
  update sessions set auth_time = auth_time - ${interval}::interval,
                      mfa_verified_at = mfa_verified_at - ${interval}::interval
  where id = ${sessionId}`;
const assuranceOf = async (sessionId: string) =>
  (await at.sql`select aal, mfa_verified_at is not null as "steppedUp" from sessions where id = ${sessionId}`)[0];
const auditsOf = async (userId: string, action: string) => [
  ...(await at.sql`select outcome, metadata from audit_logs where actor_id = ${userId} and action = ${action}
    order by id`),
];

describe("POST /v1/auth/passkey/step-up/begin and /complete", () => {
  describe("200", () => {
    test("lists the caller's passkeys, requires user verification and steps up this session alone", async () => {
      const { client, email, sessionId, userId, authenticator, passkeyId } = await personWithPasskey();
      const elsewhere = await signedIn(at.other.url, email);
      const begun = await client.post(STEP_UP_BEGIN);
      expect(begun.body.publicKey).toMatchObject({
        userVerification: "required",
        allowCredentials: [{ id: authenticator.id, type: "public-key" }],
      });
      const credential = authenticator.get(begun.body.publicKey);
      const steppedUp = await client.at(at.other.url).post(STEP_UP_COMPLETE, { credential });
      expect(outcome(steppedUp)).toEqual([200, undefined]);
      const { mfa_verified_at, step_up_expires_at, access_token, expires_in } = steppedUp.body;
      expect(Date.parse(step_up_expires_at) - Date.parse(mfa_verified_at)).toBe(300_000);
      expect(expires_in).toBeGreaterThan(0);
      expect(steppedUp.setCookies.map((cookie) => cookie.split("=")[0])).toEqual(["service_at", "service_csrf"]);
      for (const url of [at.one.url, at.other.url]) {
        const { session } = (await new Client(url).get("/v1/auth/session", { bearer: access_token })).body;
        expect(session).toMatchObject({ id: sessionId, aal: "aal2", mfa_verified_at });
      }
      expect((await elsewhere.client.get("/v1/auth/session")).body.session.aal).toBe("aal1");
      expect(await auditsOf(userId, "auth.mfa.step_up")).toEqual([
        { outcome: "success", metadata: { factor: "passkey", passkey_id: passkeyId, previous_aal: "aal1" } },
      ]);
    });

    test("accepts an assertion without a user handle, which a list of credentials permits", async () => {
      const { client, authenticator } = await personWithPasskey();
      const { response, ...rest } = await present(client, authenticator);
      const { userHandle: _, ...withoutHandle } = response as Record<string, unknown>;
      const credential = { ...rest, response: withoutHandle };
      expect((await client.post(STEP_UP_COMPLETE, { credential })).status).toBe(200);
    });

    test("accepts one of 20 concurrent responses to one challenge, over two replicas (G120)", async () => {
      const { client, authenticator } = await personWithPasskey();
      const credential = await present(client, authenticator);
      const responses = await race((index) =>
        client.at(index % 2 ? at.one.url : at.other.url).post(STEP_UP_COMPLETE, { credential }),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(401)]);
    });
  });

  describe("400 invalid_input", () => {
    test.each([[undefined], [null], ["x"], [[]], [7]])("refuses the credential %p", async (credential) => {
      const { client } = await personWithPasskey();
      expect(outcome(await client.post(STEP_UP_COMPLETE, { credential }))).toEqual([400, "invalid_input"]);
    });
  });

  describe("401 authentication_required", () => {
    test("begin and completion need a session", async () => {
      for (const path of [STEP_UP_BEGIN, STEP_UP_COMPLETE]) {
        expect(outcome(await new Client(at.one.url).post(path, { credential: {} }))).toEqual(REFUSED);
      }
    });

    test("an assertion of one session steps up no other session of the user (G120)", async () => {
      const { client, email, authenticator } = await personWithPasskey();
      const thief = await signedIn(at.other.url, email);
      const credential = await present(client, authenticator);
      expect(outcome(await thief.client.post(STEP_UP_COMPLETE, { credential }))).toEqual(REFUSED);
      expect((await client.post(STEP_UP_COMPLETE, { credential })).status).toBe(200);
    });

    test("a passkey of another user, a deleted passkey and an unknown passkey have one response", async () => {
      const [person, other] = [await personWithPasskey(), await personWithPasskey()];
      const responses = [await stepUp(person.client, other.authenticator)];
      responses.push(await stepUp(person.client, new Authenticator()));
      const spoiled = await present(person.client, person.authenticator);
      spoiled.response = { ...spoiled.response, signature: Buffer.alloc(70, 1).toString("base64url") };
      responses.push(await person.client.post(STEP_UP_COMPLETE, { credential: spoiled }));
      const credential = await present(person.client, person.authenticator);
      await person.client.delete(`/v1/users/me/passkeys/${person.passkeyId}`);
      responses.push(await person.client.post(STEP_UP_COMPLETE, { credential }));
      for (const response of responses) {
        expect(outcome(response)).toEqual(REFUSED);
        expect(response.body).toEqual(responses[0]?.body);
      }
      expect(await assuranceOf(person.sessionId)).toEqual({ aal: "aal1", steppedUp: false });
      const reasons = (await auditsOf(person.userId, "auth.mfa.step_up")).map(({ metadata }) => metadata.reason);
      expect(reasons).toEqual(["another_user", "unknown_credential", "ceremony_failed", "unknown_credential"]);
    });

    test("a challenge of sign-in or registration, and an expired challenge, step up no session (G6b)", async () => {
      const { client, sessionId, authenticator } = await personWithPasskey();
      const signIn = (await client.post("/v1/auth/passkey/login/begin")).body.publicKey;
      expect(outcome(await client.post(STEP_UP_COMPLETE, { credential: authenticator.get(signIn) }))).toEqual(REFUSED);
      const stepUpChallenge = await present(client, authenticator);
      const crossed = await new Client(at.one.url).post("/v1/auth/passkey/login/complete", {
        credential: stepUpChallenge,
      });
      expect(outcome(crossed)).toEqual(REFUSED);
      const late = await present(client, authenticator);
      await at.sql`update passkey_challenges set expires_at = now() - interval '1 second'
        where session_id = ${sessionId}`;
      expect(outcome(await client.post(STEP_UP_COMPLETE, { credential: late }))).toEqual(REFUSED);
      expect(await assuranceOf(sessionId)).toEqual({ aal: "aal1", steppedUp: false });
    });

    test("a counter that goes back is refused and recorded", async () => {
      const { client, userId, authenticator } = await personWithPasskey();
      expect((await stepUp(client, authenticator)).status).toBe(200);
      authenticator.counter = 0;
      expect(outcome(await stepUp(client, authenticator))).toEqual(REFUSED);
      expect(await auditsOf(userId, "auth.passkey.counter_regressed")).toHaveLength(1);
    });
  });

  describe("409 conflict", () => {
    test("a user without a passkey cannot begin", async () => {
      const { client } = await registered(at.one.url);
      expect(outcome(await client.post(STEP_UP_BEGIN))).toEqual([409, "conflict"]);
    });
  });
});

describe("the step-up before a registration (G120)", () => {
  test("a session of more than ten minutes registers no first passkey, and a new session does", async () => {
    const { client, email, sessionId } = await registered(at.one.url);
    await age(sessionId, ELEVEN_MINUTES);
    expect(outcome(await client.post(REGISTER_BEGIN))).toEqual(MFA_REQUIRED);
    const again = await signedIn(at.other.url, email);
    expect((await again.client.post(REGISTER_BEGIN)).status).toBe(200);
  });

  test("a second passkey needs a step-up, also in a new session; a passkey or a code steps up", async () => {
    const { client, sessionId, authenticator } = await personWithPasskey();
    for (const each of [client, client.at(at.other.url)]) {
      expect(outcome(await each.post(REGISTER_BEGIN))).toEqual(MFA_REQUIRED);
    }
    expect((await stepUp(client, authenticator)).status).toBe(200);
    const second = await addPasskey(client);
    expect(second.registration.status).toBe(201);
    await age(sessionId, ELEVEN_MINUTES);
    expect(outcome(await client.post(REGISTER_BEGIN))).toEqual(MFA_REQUIRED);
    expect((await stepUp(client, second.authenticator)).status).toBe(200);
    expect((await client.post(REGISTER_BEGIN)).status).toBe(200);
  });

  test("a user with an authenticator app registers the first passkey in a session of aal2 alone", async () => {
    const person = await enrolled(at);
    const weak = await weakSession(at.other.url, person);
    expect(outcome(await weak.post(REGISTER_BEGIN))).toEqual(MFA_REQUIRED);
    expect((await weak.post("/v1/auth/mfa/verify", { code: codeOf(person.secret) })).status).toBe(200);
    await forgetUsedStep(at.sql, person.userId);
    const { authenticator } = await addPasskey(weak);
    const third = await weakSession(at.one.url, person);
    expect((await stepUp(third, authenticator)).status).toBe(200);
    expect((await third.get("/v1/auth/session")).body.session.aal).toBe("aal2");
  });

  test("of 20 registrations begun before the first passkey, one succeeds without a step-up", async () => {
    const { client, userId } = await registered(at.one.url);
    const credentials = await race(async () => {
      const { body } = await client.post(REGISTER_BEGIN);
      return new Authenticator().create(body.publicKey);
    });
    const responses = await race((index) =>
      client.at(index % 2 ? at.one.url : at.other.url).post(REGISTER_COMPLETE, { credential: credentials[index] }),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(401)]);
    expect(responses.filter(({ status }) => status === 401).map(outcome)).toEqual(Array(19).fill(MFA_REQUIRED));
    const live = await at.sql`select 1 from passkeys where user_id = ${userId} and deleted_at is null`;
    expect(live).toHaveLength(1);
  });
});
