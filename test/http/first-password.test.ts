/** A first password, and the removal of the password (docs/contract.md, sections 12.5 and 12.13). */
import { beforeAll, describe, expect, test } from "bun:test";
import { type Answer, Client, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { CODE, RESET_LINK, tokenTo } from "../support/mail.ts";
import { addPasskey } from "../support/passkeys.ts";
import { deletePassword, proveMailbox } from "../support/states.ts";

const PATH = "/v1/users/me/password";
const NEW_PASSWORD = "another horse, another battery";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const outcome = ({ status, body }: Answer) => [status, body?.error?.code];
const MFA_REQUIRED = [401, "mfa_required"];
const stepUp = (sessionId: string) => at.sql`update sessions set mfa_verified_at = now() where id = ${sessionId}`;
const hasPassword = async (client: Client) => (await client.get("/v1/users/me")).body.has_password;
const auditsOf = async (userId: string, action: string) => [
  ...(await at.sql`select outcome, metadata from audit_logs where actor_id = ${userId} and action = ${action}`),
];

/** Creates a user without a password, signed in by an emailed code, which is a controlling proof. */
async function personByCode() {
  const { email, userId } = await registered(at.one.url);
  const client = new Client(at.one.url);
  await client.post("/v1/auth/email-otp/request", { email });
  const code = await tokenTo(at.mail, email, CODE);
  const { body } = await client.post("/v1/auth/email-otp/verify", { email, code });
  return { client, email, userId, sessionId: String(body.user.session_family_id) };
}

describe("POST /v1/users/me/password without current_password", () => {
  describe("204", () => {
    test("sets a first password in a new session that began with a proof, and ends other sessions (G123)", async () => {
      const { client, email, userId } = await personByCode();
      expect(await hasPassword(client)).toBe(false);
      expect((await client.post(PATH, { new_password: NEW_PASSWORD })).status).toBe(204);
      expect((await signedIn(at.other.url, email, NEW_PASSWORD)).answer.status).toBe(200);
      expect(await hasPassword(client)).toBe(true);
      expect(await auditsOf(userId, "auth.password.changed")).toMatchObject([{ metadata: { first_password: true } }]);
    });

    test("sets a first password after a step-up, in a session of any age", async () => {
      const { client, sessionId } = await personByCode();
      await at.sql`update sessions set auth_time = auth_time - interval '11 minutes' where id = ${sessionId}`;
      expect(outcome(await client.post(PATH, { new_password: NEW_PASSWORD }))).toEqual(MFA_REQUIRED);
      await stepUp(sessionId);
      expect((await client.post(PATH, { new_password: NEW_PASSWORD })).status).toBe(204);
    });

    test("of 20 first passwords at once over two replicas, one is set", async () => {
      const { client, sessionId } = await personByCode();
      await stepUp(sessionId);
      const answers = await race(
        (index) =>
          client.at(index % 2 ? at.one.url : at.other.url).post(PATH, { new_password: `${NEW_PASSWORD} ${index}` }),
        5,
      );
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    });
  });

  test("400: a user with a password names the current password", async () => {
    const { client, sessionId } = await registered(at.one.url);
    await stepUp(sessionId);
    expect(outcome(await client.post(PATH, { new_password: NEW_PASSWORD }))).toEqual([400, "invalid_input"]);
  });

  test("401: a new session that began with a password is no proof (G123)", async () => {
    const { client, userId } = await registered(at.one.url);
    await deletePassword(at.sql, userId);
    expect(outcome(await client.post(PATH, { new_password: NEW_PASSWORD }))).toEqual(MFA_REQUIRED);
  });
});

describe("DELETE /v1/users/me/password", () => {
  /** Creates a user with a password, a controlled address and passkeys, stepped up. */
  async function personWithPasskeys(count: number) {
    const person = await registered(at.one.url);
    await proveMailbox(at.sql, person.userId);
    const passkeyIds: string[] = [];
    for (let made = 0; made < count; made += 1) {
      await stepUp(person.sessionId);
      passkeyIds.push((await addPasskey(person.client)).passkeyId);
    }
    await stepUp(person.sessionId);
    return { ...person, passkeyIds };
  }

  describe("204", () => {
    test("removes the password, ends reset links, sends a notice, and the reset mail sets a new one", async () => {
      const { client, email, userId } = await personWithPasskeys(2);
      const anonymous = new Client(at.other.url);
      await anonymous.post("/v1/auth/password/forgot", { email });
      const token = await tokenTo(at.mail, email, RESET_LINK);
      expect((await client.delete(PATH)).status).toBe(204);
      expect((await client.delete(PATH)).status).toBe(204);
      expect(await hasPassword(client)).toBe(false);
      expect((await signedIn(at.other.url, email)).answer.status).toBe(401);
      const reset = await anonymous.post("/v1/auth/password/reset", { token, new_password: NEW_PASSWORD });
      expect(reset.status).toBe(401);
      expect(await auditsOf(userId, "auth.password.removed")).toHaveLength(1);
      expect(await at.mail.mailsTo(email, /no longer has a password/)).toHaveLength(1);
    });

    test("one passkey is enough if the passkey is synchronised", async () => {
      const { client, userId } = await personWithPasskeys(1);
      await at.sql`update passkeys set backed_up = true where user_id = ${userId}`;
      expect((await client.delete(PATH)).status).toBe(204);
    });
  });

  test("401: without a session, and without a step-up within five minutes", async () => {
    expect(outcome(await new Client(at.one.url).delete(PATH))).toEqual([401, "authentication_required"]);
    const { client, sessionId } = await personWithPasskeys(2);
    await at.sql`update sessions set mfa_verified_at = now() - interval '6 minutes' where id = ${sessionId}`;
    expect(outcome(await client.delete(PATH))).toEqual(MFA_REQUIRED);
  });

  test("409: no passkey, one passkey of one device, an address without a proof keep the password (G123)", async () => {
    const [none, one, unproven] = [
      await personWithPasskeys(0),
      await personWithPasskeys(1),
      await personWithPasskeys(2),
    ];
    await at.sql`update users set controlled_at = null where id = ${unproven.userId}`;
    for (const { client } of [none, one, unproven]) {
      expect(outcome(await client.delete(PATH))).toEqual([409, "conflict"]);
      expect(await hasPassword(client)).toBe(true);
    }
  });

  test("of password and passkeys, removed at once by 20 requests over two replicas, one way stays (G123)", async () => {
    const { client, userId, passkeyIds } = await personWithPasskeys(2);
    const answers = await race((index) => {
      const each = client.at(index % 2 ? at.one.url : at.other.url);
      const target = index % 3;
      return target === 0 ? each.delete(PATH) : each.delete(`/v1/users/me/passkeys/${passkeyIds[target - 1]}`);
    });
    for (const { status } of answers) expect([204, 409]).toContain(status);
    const [left] = await at.sql`
      select (password_hash is not null)::int
             + (select count(*)::int from passkeys where user_id = u.id and deleted_at is null) as ways
      from users u where id = ${userId}`;
    expect(left?.ways).toBeGreaterThanOrEqual(1);
  });
});
