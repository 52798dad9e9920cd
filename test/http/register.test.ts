import { beforeAll, describe, expect, test } from "bun:test";
import { PERMISSIONS } from "../../src/vocabulary/permissions.ts";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { VERIFY_LINK } from "../support/mail.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const post = (body: unknown, url = at.one.url) => new Client(url).post("/v1/auth/register", body);
const valid = (fields: object = {}) => ({
  organization_name: "Acme",
  email: newEmail(),
  password: PASSWORD,
  ...fields,
});

describe("POST /v1/auth/register", () => {
  describe("201", () => {
    test("returns a LoginResponse success for the owner of a new organization", async () => {
      const body = valid({ display_name: "Ada" });
      const { status, body: response } = await post(body);
      expect(status).toBe(201);
      expect(response).toEqual({
        status: "success",
        user: {
          user_id: expect.any(String),
          organization_id: expect.any(String),
          organization_kind: "team",
          email: body.email,
          auth_method: "password",
          session_family_id: expect.any(String),
          scopes: [],
          allowed_ips: [],
          allowed_referrers: [],
          extensions: {},
          mfa_verified_at: null,
        },
        capabilities: { role: "owner", roles: [], permissions: expect.arrayContaining([...PERMISSIONS]) },
        access_token: expect.any(String),
        expires_in: 900,
      });
    });

    test("takes an address of a mobile carrier, whose owner signs in and gets the emails (G436)", async () => {
      const email = newEmail().replace("@", ".@");
      const typed = email.toUpperCase();
      expect((await post(valid({ email: typed }))).body.user.email).toBe(email);
      expect((await signedIn(at.other.url, typed)).answer.status).toBe(200);
      const [mailbox, domain] = [email.split("@")[0], email.split("@")[1]];
      await at.mail.mailsTo(`"${mailbox}"@${domain}`, VERIFY_LINK);
    });

    test("makes identifiers of UUID version 7", async () => {
      const { userId, organizationId, sessionId } = await registered(at.one.url);
      for (const id of [userId, organizationId, sessionId]) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    });

    test("writes auth.register in the same transaction, without the password", async () => {
      const { userId, organizationId } = await registered(at.one.url);
      const rows = await at.sql`select * from audit_logs where actor_id = ${userId}`;
      expect(rows).toHaveLength(1);
      expect(rows[0]).toMatchObject({ action: "auth.register", outcome: "success", organization_id: organizationId });
      expect(rows[0]?.request_id).toBeString();
      expect(JSON.stringify(rows)).not.toContain(PASSWORD);
    });

    test("stores the password as Argon2id alone (G22)", async () => {
      const { userId } = await registered(at.one.url);
      const [row] = await at.sql`select * from users where id = ${userId}`;
      expect(row?.password_hash).toStartWith("$argon2id$v=19$m=1024,t=1,p=1$");
      expect(JSON.stringify(row)).not.toContain(PASSWORD);
    });

    test("derives the slug by transliteration, with a numeric suffix when taken", async () => {
      const name = `Łódź Über ${Date.now()}`;
      const slugOf = async (id: string) => (await at.sql`select slug from organizations where id = ${id}`)[0]?.slug;
      const first = await registered(at.one.url, { organization_name: name });
      const second = await registered(at.one.url, { organization_name: name });
      const slug = await slugOf(first.organizationId);
      expect(slug).toMatch(/^lodz-uber-\d+$/);
      expect(await slugOf(second.organizationId)).toBe(`${slug}-2`);
    });

    test("gives each of 20 organizations of one name a slug of its own", async () => {
      const name = `Same ${Date.now()}`;
      const responses = await race((index) =>
        post(valid({ organization_name: name }), index % 2 ? at.one.url : at.other.url),
      );
      expect(responses.map((response) => response.status)).toEqual(Array(20).fill(201));
    });

    test("ignores unknown members (G17)", async () => {
      const other = await registered(at.one.url);
      const { answer } = await registered(at.one.url, {
        role: "member",
        platform_role: "owner",
        email_verified: true,
        email_verified_at: "2020-01-01T00:00:00Z",
        organization_id: other.organizationId,
        id: other.userId,
        password_hash: "x",
      });
      const [row] = await at.sql`select * from users where id = ${answer.body.user.user_id}`;
      expect(row).toMatchObject({ platform_role: null, email_verified_at: null });
      expect(answer.body.user.organization_id).not.toBe(other.organizationId);
      expect(answer.body.user.user_id).not.toBe(other.userId);
    });

    test("accepts a password of 256 code points of 4 bytes, and signs in with it (G21)", async () => {
      const password = "🔐".repeat(256);
      const { email } = await registered(at.one.url, { password });
      expect((await signedIn(at.one.url, email, password)).answer.status).toBe(200);
    });
  });

  describe("400 invalid_input", () => {
    const cases: [string, object][] = [
      ["no organization name", { organization_name: undefined }],
      ["an empty organization name", { organization_name: "  " }],
      ["a name of 121 characters", { organization_name: "x".repeat(121) }],
      ["NUL in a name", { organization_name: "a\u0000b" }],
      ["a bad slug", { organization_slug: "-bad-" }],
      ["a slug of one character", { organization_slug: "a" }],
      ["no email address", { email: undefined }],
      ["what is no email address", { email: "nobody" }],
      ["an address given as array", { email: ["a@example.test", "b@example.test"] }],
      ["an address with a line break", { email: "a@example.test\r\nBcc: b@example.test" }],
      ["a look-alike of @", { email: "a＠example.test" }],
      ["a password of 11 characters", { password: "x".repeat(11) }],
      ["a password of 257 characters", { password: "x".repeat(257) }],
      ["a password that is a number", { password: 123456789012 }],
      ["a lone surrogate in the password", { password: `${"x".repeat(12)}\ud800` }],
      ["an empty display name", { display_name: "" }],
    ];
    test.each(cases)("refuses %s and makes nothing", async (_, fields) => {
      const body = valid(fields);
      const { status, body: response } = await post(body);
      expect({ status, code: response.error.code }).toEqual({ status: 400, code: "invalid_input" });
      expect(Object.keys(response)).toEqual(["error"]);
      expect(Object.keys(response.error).sort()).toEqual(["code", "fields", "message", "type"]);
    });
  });

  describe("409 conflict", () => {
    test("tells a registered address from a taken slug", async () => {
      const slug = `taken-${Date.now()}`;
      const { email } = await registered(at.one.url, { organization_slug: slug });
      const sameEmail = await post(valid({ email: ` ${email.toUpperCase()} ` }));
      const sameSlug = await post(valid({ organization_slug: slug }));
      expect([sameEmail.status, sameSlug.status]).toEqual([409, 409]);
      expect(sameEmail.body.error.message).not.toBe(sameSlug.body.error.message);
      expect(sameSlug.body.error).toMatchObject({ code: "conflict", type: "conflict" });
    });

    test("lets one of 20 registrations of an address win, over two replicas, with nothing half-made (G5)", async () => {
      const email = newEmail();
      const name = `Half ${Date.now()}`;
      const responses = await race((index) =>
        post(valid({ email, organization_name: name }), index % 2 ? at.one.url : at.other.url),
      );
      expect(responses.filter((response) => response.status === 201)).toHaveLength(1);
      expect(responses.filter((response) => response.status === 409)).toHaveLength(19);
      const [counts] = await at.sql`
        select (select count(*)::int from users where email = ${email}) as users,
               (select count(*)::int from organizations where name = ${name}) as organizations`;
      expect(counts).toEqual({ users: 1, organizations: 1 });
    });

    test("lets one of 20 registrations of a slug win (G5)", async () => {
      const slug = `race-${Date.now()}`;
      const responses = await race(() => post(valid({ organization_slug: slug })));
      expect(responses.map((response) => response.status).sort()).toEqual([201, ...Array(19).fill(409)]);
    });
  });
});
