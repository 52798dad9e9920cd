import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { decodeClaims } from "../support/forge.ts";
import { sendRaw } from "../support/raw.ts";
import { ISSUER } from "../support/replica.ts";
import { deletePassword, disableUser, insertMember, suspendOrganization } from "../support/states.ts";

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
      const response = await client.post("/v1/auth/login", { email: victim.email, password: PASSWORD });
      expect(response.body.user.session_family_id).not.toBe(attacker.sessionId);
      expect((await client.get("/v1/auth/session")).body.user.user_id).toBe(victim.userId);
    });

    describe("a session cookie that a sibling domain planted signs nobody in (G8a)", () => {
      const tokens = { PLANTED: "", OWN: "" };
      beforeAll(async () => {
        tokens.PLANTED = (await registered(at.one.url)).accessToken;
        tokens.OWN = (await registered(at.one.url)).accessToken;
      });

      const statusWith = async (cookies: string) => {
        const cookie = cookies.replaceAll("PLANTED", tokens.PLANTED).replaceAll("OWN", tokens.OWN);
        const head = ["GET /v1/auth/session HTTP/1.1", "Host: localhost", `Cookie: ${cookie}`, "Connection: close"];
        return (await sendRaw(at.one.url, `${head.join("\r\n")}\r\n\r\n`, { waitMs: 30_000 })).status;
      };

      test.each([
        ["before", "service_at=PLANTED; service_at=OWN"],
        ["after", "service_at=OWN; service_at=PLANTED"],
        ["after, with a space before the equals sign", "service_at=OWN; service_at =PLANTED"],
        ["before, with a space before the equals sign", "service_at =PLANTED; service_at=OWN"],
        ["before, with a tab before the equals sign", "service_at\t=PLANTED; service_at=OWN"],
        ["before, with white space before the name", "  \t service_at=PLANTED;service_at=OWN"],
        ["before, quoted", 'service_at="PLANTED"; service_at=OWN'],
        ["before, and empty", "service_at=; service_at=OWN"],
        ["between other cookies", "a=1; =; service_at \t =PLANTED; b; a=2; service_at=OWN; c=3"],
        ["with the value of the user", "service_at=OWN; service_at=OWN"],
        ["in a header before", "service_at=PLANTED\r\nCookie: service_at=OWN"],
        ["in a header after, with a space", "service_at=OWN\r\ncookie: service_at =PLANTED"],
      ])("sent %s", async (_, cookies) => {
        expect(await statusWith(cookies)).toBe(401);
      });

      test("cookies with further names have no effect", async () => {
        const others = [
          "%73ervice_at=x",
          '"service_at"=x',
          "service_at2=x",
          "a=service_at=x",
          "service_at",
          "A=1; A=2",
        ];
        for (const other of others) {
          expect([other, await statusWith(`${other}; service_at=OWN`)]).toEqual([other, 200]);
        }
      });
    });

    test("makes 20 families of 20 parallel sign-ins", async () => {
      const { email } = await registered(at.one.url);
      const responses = await race((index) => signedIn(index % 2 ? at.one.url : at.other.url, email));
      expect(new Set(responses.map(({ answer }) => answer.body.user.session_family_id)).size).toBe(20);
    });

    test("enters the requested organization, and the same organization the next time", async () => {
      const host = await registered(at.one.url);
      const guest = await registered(at.one.url);
      await insertMember(at.sql, host.organizationId, guest.userId);
      const asked = await post({ email: guest.email, password: PASSWORD, organization_id: host.organizationId });
      expect(asked.body.user.organization_id).toBe(host.organizationId);
      expect(asked.body.capabilities).toEqual({ role: "member", roles: [], permissions: [] });
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
      const { status, body: response } = await post(body);
      expect([status, response.error.code]).toEqual([400, "invalid_input"]);
    });
  });

  describe("401 authentication_required", () => {
    /** Returns the responses of failed sign-ins, which must be indistinguishable. */
    async function failures(): Promise<Record<string, object>> {
      const [known, disabled, noPassword, suspended, elsewhere] = await race(() => registered(at.one.url), 5);
      if (!known || !disabled || !noPassword || !suspended || !elsewhere) throw new Error("five registrations");
      await disableUser(at.sql, disabled.userId);
      await deletePassword(at.sql, noPassword.userId);
      await suspendOrganization(at.sql, suspended.organizationId);
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
      const responses = await Promise.all(Object.values(await failures()).map(post));
      for (const { status, text, headers, setCookies } of responses) {
        expect([status, text, setCookies]).toEqual([401, responses[0]?.text ?? "", []]);
        expect([...headers.keys()].sort()).toEqual([...(responses[0]?.headers.keys() ?? [])].sort());
      }
      expect(responses[0]?.body.error).toMatchObject({ code: "authentication_required", type: "authentication_error" });
    });

    test("records auth.login with the reason, for unknown addresses too", async () => {
      const response = await post({ email: newEmail(), password: PASSWORD });
      const [row] = await at.sql`select * from audit_logs where request_id = ${response.headers.get("x-request-id")}`;
      expect(row).toMatchObject({ action: "auth.login", outcome: "failure", actor_id: null });
      expect(row?.metadata).toEqual({ method: "password", reason: "unknown_account" });
    });
  });
});
