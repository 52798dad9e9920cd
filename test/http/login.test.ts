import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { decodeClaims } from "../support/forge.ts";
import { ISSUER } from "../support/replica.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const post = (body: unknown) => new Client(at.one.url).post("/v1/auth/login", body);

describe("POST /v1/auth/login", () => {
  describe("200", () => {
    test("signs in, with the address in any case and with spaces around it", async () => {
      const { email, userId } = await registered(at.one.url);
      const { answer } = await signedIn(at.other.url, `  ${email.toUpperCase()} `);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        status: "success",
        user: { user_id: userId, email, auth_method: "password" },
      });
    });

    test("mints the claims of the contract, without the address", async () => {
      const { email, userId, organizationId } = await registered(at.one.url);
      const { answer, accessToken } = await signedIn(at.one.url, email);
      expect(decodeClaims(accessToken)).toEqual({
        iss: ISSUER,
        sub: userId,
        org: organizationId,
        sid: answer.body.user.session_family_id,
        jti: expect.any(String),
        typ: "access",
        aal: "aal1",
        auth_method: "password",
        auth_time: expect.any(Number),
        iat: expect.any(Number),
        exp: expect.any(Number),
      });
    });

    test("always makes a new session family, whatever cookies were planted (G8)", async () => {
      const victim = await registered(at.one.url);
      const attacker = await registered(at.one.url);
      const client = new Client(at.one.url);
      for (const name of ["service_at", "service_rt", "service_csrf"]) {
        client.setCookie(name, attacker.client.cookie(name) ?? "", name === "service_rt" ? "/v1" : "/");
      }
      const answer = await client.post("/v1/auth/login", { email: victim.email, password: PASSWORD });
      expect(answer.body.user.session_family_id).not.toBe(attacker.sessionId);
      expect((await client.get("/v1/auth/session")).body.user.user_id).toBe(victim.userId);
    });

    test.each([
      ["first", (planted: string, own: string) => [planted, own]],
      ["last", (planted: string, own: string) => [own, planted]],
    ])("a cookie that a sibling domain planted, sent %s, signs nobody in (G8a)", async (_, order) => {
      const [victim, attacker] = [await registered(at.one.url), await registered(at.one.url)];
      const tokens = order(attacker.client.cookie("service_at") ?? "", victim.client.cookie("service_at") ?? "");
      const ask = (values: readonly string[]) =>
        fetch(`${at.one.url}/v1/auth/session`, {
          headers: { cookie: values.map((value) => `service_at=${value}`).join("; ") },
        });
      expect((await ask(tokens)).status).toBe(401);
      expect((await ask([tokens[0] ?? "", tokens[0] ?? ""])).status).toBe(200);
    });

    test("makes 20 families of 20 parallel sign-ins", async () => {
      const { email } = await registered(at.one.url);
      const answers = await race((index) => signedIn(index % 2 ? at.one.url : at.other.url, email));
      expect(new Set(answers.map(({ answer }) => answer.body.user.session_family_id)).size).toBe(20);
    });

    test("enters the organization that was asked for, and that one the next time", async () => {
      const host = await registered(at.one.url);
      const guest = await registered(at.one.url);
      await at.sql`insert into members values (${host.organizationId}, ${guest.userId}, 'member', now())`;
      const asked = await post({ email: guest.email, password: PASSWORD, organization_id: host.organizationId });
      expect(asked.body.user.organization_id).toBe(host.organizationId);
      expect(asked.body.capabilities).toEqual({ role: "member", permissions: [] });
      const next = await post({ email: guest.email, password: PASSWORD });
      expect(next.body.user.organization_id).toBe(host.organizationId);
    });

    test("replaces a hash of another cost", async () => {
      const { email, userId } = await registered(at.one.url);
      const old = await Bun.password.hash(PASSWORD, { algorithm: "argon2id", memoryCost: 2048, timeCost: 2 });
      await at.sql`update users set password_hash = ${old} where id = ${userId}`;
      expect((await signedIn(at.one.url, email)).answer.status).toBe(200);
      const [row] = await at.sql`select password_hash from users where id = ${userId}`;
      expect(row?.password_hash).toStartWith("$argon2id$v=19$m=1024,t=1,p=1$");
      expect((await signedIn(at.one.url, email)).answer.status).toBe(200);
    });

    test("records auth.login with its session and the time of sign-in", async () => {
      const { email, userId } = await registered(at.one.url);
      const { answer } = await signedIn(at.one.url, email);
      const [row] = await at.sql`select * from audit_logs where actor_id = ${userId} and action = 'auth.login'`;
      expect(row).toMatchObject({
        outcome: "success",
        resource_type: "session",
        resource_id: answer.body.user.session_family_id,
        metadata: { method: "password" },
        request_id: answer.headers.get("x-request-id"),
      });
    });
  });

  describe("400 invalid_input", () => {
    test.each([
      ["no password", { email: "a@example.test" }],
      ["no address", { password: PASSWORD }],
      ["an object as password", { email: "a@example.test", password: {} }],
      ["an organization that is no UUID", { email: "a@example.test", password: PASSWORD, organization_id: "1" }],
    ])("refuses %s", async (_, body) => {
      const { status, body: answer } = await post(body);
      expect([status, answer.error.code]).toEqual([400, "invalid_input"]);
    });
  });

  describe("401 authentication_required", () => {
    /** Ways in which a sign-in fails; all must look alike. */
    async function failures(): Promise<Record<string, object>> {
      const [known, disabled, noPassword, suspended, elsewhere] = await race(() => registered(at.one.url), 5);
      if (!known || !disabled || !noPassword || !suspended || !elsewhere) throw new Error("five registrations");
      await at.sql`update users set disabled_at = now() where id = ${disabled.userId}`;
      await at.sql`update users set password_hash = null where id = ${noPassword.userId}`;
      await at.sql`update organizations set suspended_at = now() where id = ${suspended.organizationId}`;
      return {
        "unknown address": { email: newEmail(), password: PASSWORD },
        "wrong password": { email: known.email, password: "not the right one" },
        "disabled account": { email: disabled.email, password: PASSWORD },
        "no password set": { email: noPassword.email, password: PASSWORD },
        "suspended organization": { email: suspended.email, password: PASSWORD },
        "foreign organization": { email: known.email, password: PASSWORD, organization_id: elsewhere.organizationId },
      };
    }

    test("answers every failure with the same body and headers (G13)", async () => {
      const answers = await Promise.all(Object.values(await failures()).map(post));
      for (const { status, text, headers, setCookies } of answers) {
        expect([status, text, setCookies]).toEqual([401, answers[0]?.text ?? "", []]);
        expect([...headers.keys()].sort()).toEqual([...(answers[0]?.headers.keys() ?? [])].sort());
      }
      expect(answers[0]?.body.error).toMatchObject({ code: "authentication_required", type: "authentication_error" });
    });

    test("records auth.login with the reason, for unknown addresses too", async () => {
      const answer = await post({ email: newEmail(), password: PASSWORD });
      const [row] = await at.sql`select * from audit_logs where request_id = ${answer.headers.get("x-request-id")}`;
      expect(row).toMatchObject({ action: "auth.login", outcome: "failure", actor_id: null });
      expect(row?.metadata).toEqual({ method: "password", reason: "unknown_account" });
    });
  });
});
