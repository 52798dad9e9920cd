/** Registration settings, personal organizations, sign-up by code and link (docs/contract.md, chapter 37). */
import { beforeAll, describe, expect, test } from "bun:test";
import { allEndpoints, type ServerDeps } from "../../src/http/server.ts";
import { Client, newEmail, PASSWORD, registered } from "../support/client.ts";
import { eventually, type OwnDeployment, ownDeployment, race } from "../support/deployment.ts";
import { decodeClaims } from "../support/forge.ts";
import { CODE, codeIn, otherCode } from "../support/mail.ts";
import { platformUser, steppedUpPlatformUser } from "../support/platform.ts";

const REQUEST = "/v1/auth/email-otp/request";
const VERIFY = "/v1/auth/email-otp/verify";
const LINK = "/v1/auth/email-otp/link";
const SETTINGS = "/v1/admin/registration";
/** The cookie that binds a link to the browser that asked. */
const COOKIE = "service_code";

let at: OwnDeployment;
let admin: Client;
beforeAll(async () => {
  at = await ownDeployment({ SERVICE_RATE_LIMITS: "off", SERVICE_REGISTRATION: "personal" });
  admin = (await steppedUpPlatformUser(at, "admin")).client;
});

const replicaOf = (index: number) => (index % 2 ? at.one.url : at.other.url);
const signUp = (email: unknown, client = new Client(at.one.url)) => client.post(REQUEST, { email, sign_up: true });
const verify = (email: string, code: string, more: object = {}, url = at.one.url) =>
  new Client(url).post(VERIFY, { email, code, ...more });

async function mailTo(email: string, nth = 1) {
  return (await at.mail.mailsTo(email, CODE, nth)).at(-1);
}
/** Requests a code to sign up, and reads the code. */
async function codeFor(email: string, client?: Client): Promise<string> {
  expect((await signUp(email, client)).status).toBe(204);
  return codeIn(await mailTo(email));
}
/** Signs an unknown address up. */
async function newUser(more: object = {}) {
  const email = newEmail();
  const client = new Client(at.one.url);
  const code = await codeFor(email, client);
  const created = await client.post(VERIFY, { email, code, ...more });
  expect(created.status).toBe(201);
  return { email, client, body: created.body, userId: String(created.body.user.user_id) };
}
/** Stores settings, runs the work, and restores the settings of the environment. */
async function withSettings(settings: object, work: () => Promise<unknown>): Promise<void> {
  const stored = await admin.request("PUT", SETTINGS, { body: settings });
  if (stored.status !== 200) throw new Error(`the settings were answered ${stored.status}: ${stored.text}`);
  await eventually("the other replica has the settings", 10_000, async () => {
    const seen = await new Client(at.other.url).get("/v1/auth/registration");
    const methods = stored.body.mode === "invitation" ? [] : stored.body.methods;
    return JSON.stringify([seen.body.mode, seen.body.methods]) === JSON.stringify([stored.body.mode, methods]);
  });
  try {
    await work();
  } finally {
    await admin.request("PUT", SETTINGS, { body: { mode: "personal" } });
    await eventually("the other replica has the former settings", 10_000, async () => {
      const seen = await new Client(at.other.url).get("/v1/auth/registration");
      return seen.body.mode === "personal" && seen.body.methods.length === 3;
    });
  }
}

describe("GET, PUT /v1/admin/registration (G610)", () => {
  test("has the mode of the environment until settings are stored; a write counts on every replica", async () => {
    const before = await admin.get(SETTINGS);
    expect(before.status).toBe(200);
    expect(before.body).toMatchObject({ mode: "personal", link: true, methods: ["email_code", "password", "social"] });
    await withSettings({ mode: "organization", blocked_domains: ["*.Example.COM"] }, async () => {
      const stored = await admin.get(SETTINGS);
      expect(stored.body).toMatchObject({
        mode: "organization",
        methods: ["password", "social"],
        blocked_domains: ["*.example.com"],
        link: false,
        stored: true,
      });
      const [record] = await at.sql`
        select metadata from audit_logs where action = 'registration.updated' order by id desc limit 1`;
      expect(record?.metadata).toMatchObject({ mode: "organization", fields: expect.stringContaining("mode") });
    });
  });

  test("400 for no method and for wrong domains, 409 for an outdated revision, 403 for a viewer", async () => {
    const put = (body: object, client = admin) => client.request("PUT", SETTINGS, { body });
    expect((await put({ mode: "personal", methods: [] })).status).toBe(400);
    expect((await put({ mode: "nobody" })).status).toBe(400);
    for (const domain of ["*.*.example.com", "example", "127.0.0.1", "*.", "a b.example"]) {
      const refused = await put({ mode: "personal", allowed_domains: [domain] });
      expect([refused.status, refused.body.error.fields]).toMatchObject([400, [{ field: "allowed_domains" }]]);
    }
    const many = Array.from({ length: 501 }, (_, index) => `d${index}.example.com`);
    expect((await put({ mode: "personal", blocked_domains: many })).status).toBe(400);
    const { revision } = (await admin.get(SETTINGS)).body;
    expect((await put({ mode: "personal", revision: revision + 1 })).status).toBe(409);
    expect((await put({ mode: "personal", link: false, revision })).body.revision).toBe(revision + 1);
    expect((await put({ mode: "personal", revision })).status).toBe(409);
    expect((await put({ mode: "personal" })).status).toBe(200);
    const viewer = await platformUser(at, "viewer");
    expect((await viewer.client.get(SETTINGS)).status).toBe(200);
    expect((await put({ mode: "personal" }, viewer.client)).status).toBe(403);
  });

  test("an application may have a mode of its own; an unknown one is 400", async () => {
    const redirect_uris = ["https://shop.example/callback"];
    const body = { name: "Shop", redirect_uris, token_endpoint_auth_method: "none", registration: "invitation" };
    const client = await admin.post("/v1/admin/oauth-clients", body);
    expect([client.status, client.body.registration]).toEqual([201, "invitation"]);
    const path = "/v1/auth/registration";
    const seen = await new Client(at.one.url).get(`${path}?client_id=${client.body.client_id}`);
    expect(seen.body).toMatchObject({ mode: "invitation", methods: [] });
    expect(seen.headers.get("cache-control")).toBe("public, max-age=60");
    const register = { email: newEmail(), password: PASSWORD, client_id: client.body.client_id };
    expect((await new Client(at.one.url).post("/v1/auth/register", register)).status).toBe(403);
    const unknown = "019a0000-0000-7000-8000-000000000000";
    expect((await new Client(at.one.url).get(`${path}?client_id=${unknown}`)).status).toBe(400);
    const cleared = await admin.patch(`/v1/admin/oauth-clients/${client.body.client_id}`, { registration: null });
    expect(cleared.body.registration).toBeNull();
  });
});

describe("modes (G611)", () => {
  test("invitation: no user registers, and codes reach accounts only", async () => {
    const { email: known } = await newUser();
    await withSettings({ mode: "invitation" }, async () => {
      const body = { organization_name: "Acme", email: newEmail(), password: PASSWORD };
      expect((await new Client(at.one.url).post("/v1/auth/register", body)).status).toBe(403);
      const stranger = newEmail();
      expect((await signUp(stranger)).status).toBe(204);
      expect((await signUp(known)).status).toBe(204);
      await at.mail.mailsTo(known, CODE, 2);
      expect(at.mail.delivered.some(({ to }) => to.includes(stranger))).toBe(false);
    });
  });

  test("organization: the code creates a team with the given name; register needs a name", async () => {
    await withSettings({ mode: "organization", methods: ["email_code", "password"] }, async () => {
      const email = newEmail();
      const code = await codeFor(email);
      const created = await verify(email, code, { organization_name: "Analytical Engines", display_name: "Ada" });
      expect(created.status).toBe(201);
      expect(created.body.user.organization_kind).toBe("team");
      const [row] = await at.sql`select name, kind from organizations where id = ${created.body.user.organization_id}`;
      expect(row).toEqual({ name: "Analytical Engines", kind: "team" });
      expect(created.body.capabilities.permissions).toContain("members.invite");
      const nameless = { email: newEmail(), password: PASSWORD };
      const refused = await new Client(at.one.url).post("/v1/auth/register", nameless);
      expect([refused.status, refused.body.error.fields]).toEqual([
        400,
        [{ field: "organization_name", rule: "required" }],
      ]);
    });
  });

  test("a refused domain is 400 at the registration, and its mailbox gets the reason in place of a code", async () => {
    await withSettings({ mode: "personal", blocked_domains: ["blocked.test", "*.blocked.test"] }, async () => {
      for (const domain of ["blocked.test", "mail.blocked.test"]) {
        const email = newEmail().replace("example.test", domain);
        const body = { email, password: PASSWORD };
        const refused = await new Client(at.one.url).post("/v1/auth/register", body);
        expect([refused.status, refused.body.error.fields]).toMatchObject([400, [{ field: "email" }]]);
        expect((await signUp(email)).status).toBe(204);
        const [mail] = await at.mail.mailsTo(email, /domain/i);
        expect(mail?.text).not.toMatch(CODE);
      }
      expect((await newUser()).body.status).toBe("success");
    });
    await withSettings({ mode: "personal", allowed_domains: ["*.example.test"] }, async () => {
      const body = { email: newEmail(), password: PASSWORD };
      expect((await new Client(at.one.url).post("/v1/auth/register", body)).status).toBe(400);
    });
  });
});

describe("sign-up by code (G612)", () => {
  test("creates a controlled user without password, signed in at aal1, in a personal organization", async () => {
    const { body, userId, email, client } = await newUser({ display_name: "Ada" });
    expect(body).toMatchObject({
      status: "success",
      user: { email, auth_method: "email_otp", organization_kind: "personal" },
      capabilities: { role: "owner", roles: [], permissions: [] },
    });
    expect(decodeClaims(body.access_token)).not.toHaveProperty("org");
    const me = await client.get("/v1/users/me");
    expect(me.body).toMatchObject({
      email_verified: true,
      has_password: false,
      display_name: "Ada",
      organizations: [],
      organization_kind: "personal",
      personal_organization_id: body.user.organization_id,
    });
    const [user] = await at.sql`select controlled_at from users where id = ${userId}`;
    expect(user?.controlled_at).not.toBeNull();
    const [record] = await at.sql`
      select metadata from audit_logs where action = 'auth.register' and actor_id = ${userId}`;
    expect(record?.metadata).toMatchObject({ method: "email_otp", kind: "personal" });
    expect((await client.post("/v1/auth/refresh")).status).toBe(200);
    expect((await client.get("/v1/auth/session")).body.user.organization_kind).toBe("personal");
  });

  test("of forty parallel verifications on two replicas one is 201, and one account exists (P2)", async () => {
    const email = newEmail();
    const code = await codeFor(email);
    at.redis.empty();
    const responses = await race((index) => verify(email, code, {}, replicaOf(index)), 40);
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([201, 401]));
    const rows = await at.sql`select s.id from users u join sessions s on s.user_id = u.id where u.email = ${email}`;
    expect(rows).toHaveLength(1);
  });

  test("five failed attempts lock a code, the right code included; a new request replaces the code", async () => {
    const email = newEmail();
    const code = await codeFor(email);
    for (let miss = 0; miss < 5; miss += 1) expect((await verify(email, otherCode(code))).status).toBe(401);
    expect((await verify(email, code)).status).toBe(401);
    await signUp(email);
    const next = codeIn(await mailTo(email, 2));
    expect((await verify(email, next)).status).toBe(201);
  });

  test("an account that came to exist meanwhile belongs to the mailbox: the code ends its password (P4)", async () => {
    const email = newEmail();
    const code = await codeFor(email);
    const squatter = new Client(at.one.url);
    expect((await squatter.post("/v1/auth/register", { email, password: PASSWORD })).status).toBe(201);
    const owner = await verify(email, code);
    expect([owner.status, owner.body.status]).toEqual([200, "success"]);
    expect((await squatter.get("/v1/auth/session")).status).toBe(401);
    expect((await new Client(at.one.url).post("/v1/auth/login", { email, password: PASSWORD })).status).toBe(401);
  });

  test("without sign_up an unknown address gets no mail, and a known address gets a code to sign in", async () => {
    const { email } = await newUser();
    const stranger = newEmail();
    await new Client(at.one.url).post(REQUEST, { email: stranger });
    await new Client(at.one.url).post(REQUEST, { email });
    const mail = await mailTo(email, 2);
    expect((await verify(email, codeIn(mail))).status).toBe(200);
    expect(at.mail.delivered.some(({ to }) => to.includes(stranger))).toBe(false);
  });

  test("responses and cookies do not tell known, unknown, disabled and malformed addresses (P1)", async () => {
    const { email: known } = await newUser();
    const disabled = await newUser();
    await at.sql`update users set disabled_at = now() where id = ${disabled.userId}`;
    const inputs = [known, newEmail(), disabled.email, "x", "", null, 7, {}, undefined];
    const seen = await Promise.all(
      inputs.map(async (input) => {
        const { status, text, headers } = await signUp(input);
        const cookies = headers.getSetCookie().map((cookie) => cookie.replace(/=[\w-]{43};/, "=…;"));
        return { status, text, names: [...headers.keys()].sort(), cookies };
      }),
    );
    expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(seen[0]?.cookies).toEqual([expect.stringMatching(/^service_code=…; Max-Age=600; Path=\/; HttpOnly/)]);
    const wrong = await Promise.all(
      [known, newEmail(), disabled.email].map(async (email) => {
        const { status, body, headers } = await verify(email, "000000");
        return JSON.stringify([status, { ...body.error, request_id: "" }, [...headers.keys()].sort()]);
      }),
    );
    expect(new Set(wrong).size).toBe(1);
  });
});

describe("the link of a code (G613)", () => {
  const tokenIn = (text: string | undefined) => /sign-in\/link\?token=([\w-]{43})/.exec(text ?? "")?.[1] ?? "none";

  test("creates the account in the browser that asked, once, and ends the code", async () => {
    const email = newEmail();
    const browser = new Client(at.one.url);
    const code = await codeFor(email, browser);
    const token = tokenIn((await mailTo(email))?.text);
    const created = await browser.post(LINK, { token });
    expect([created.status, created.body.user.email]).toEqual([201, email]);
    expect((await verify(email, code)).status).toBe(401);
    expect((await browser.post(LINK, { token })).status).toBe(401);
  });

  test("of another browser is 401 and consumes nothing, whatever is submitted (P3)", async () => {
    const email = newEmail();
    const browser = new Client(at.one.url);
    const code = await codeFor(email, browser);
    const token = tokenIn((await mailTo(email))?.text);
    const other = new Client(at.other.url);
    await signUp(newEmail(), other);
    for (let click = 0; click < 6; click += 1) expect((await other.post(LINK, { token })).status).toBe(401);
    const foreign = { headers: { cookie: `${COOKIE}=${"A".repeat(43)}` } };
    expect((await new Client(at.one.url).post(LINK, { token }, foreign)).status).toBe(401);
    const created = await verify(email, code);
    expect(created.status).toBe(201);
    expect((await browser.post(LINK, { token })).status).toBe(401);
  });

  test("signs an existing user in, and the use of code or link ends the other", async () => {
    const { email } = await newUser();
    const browser = new Client(at.one.url);
    await signUp(email, browser);
    const mail = await mailTo(email, 2);
    expect((await browser.post(LINK, { token: tokenIn(mail?.text) })).status).toBe(200);
    expect((await verify(email, codeIn(mail))).status).toBe(401);
  });
});

describe("a code of an additional address", () => {
  /** A user with a vouched primary address and a proven second address. */
  async function withSecondAddress() {
    const person = await newUser();
    const second = newEmail();
    await at.sql`update user_emails set vouched = true where user_id = ${person.userId} and "primary"`;
    await at.sql`
      insert into user_emails (user_id, email, "primary", verified_at, controlled_at, created_at)
      values (${person.userId}, ${second}, false, now(), now(), now())`;
    const isVouched = async () =>
      (await at.sql`select vouched from user_emails where user_id = ${person.userId} and "primary"`)[0]?.vouched;
    return { ...person, second, isVouched };
  }

  test("proves the mailbox of its email alone, by the link too (G601)", async () => {
    const { second, isVouched } = await withSecondAddress();
    const browser = new Client(at.one.url);
    await browser.post(REQUEST, { email: second });
    const token = /sign-in\/link\?token=([\w-]{43})/.exec((await mailTo(second))?.text ?? "")?.[1];
    expect((await browser.post(LINK, { token })).status).toBe(200);
    expect(await isVouched()).toBe(true);
  });

  test("is 401 with another address of the user, and stays usable with its own", async () => {
    const { email, second, isVouched } = await withSecondAddress();
    await new Client(at.one.url).post(REQUEST, { email: second });
    const code = codeIn(await mailTo(second));
    expect((await verify(email, code)).status).toBe(401);
    expect(await isVouched()).toBe(true);
    expect((await verify(second, code)).status).toBe(200);
    expect(await isVouched()).toBe(true);
  });
});

describe("a personal organization (G614)", () => {
  /** The paths of organizations, with the id in place. */
  const endpoints = allEndpoints({} as ServerDeps).filter(({ path }) => /:org_id|^\/admin\/orgs\/:id/.test(path));
  const UNKNOWN = "019a0000-0000-7000-8000-000000000000";

  test("is an unknown id to every endpoint of organizations, for its user and for administrators (P5)", async () => {
    const { client, body } = await newUser();
    await at.sql`
      update sessions set aal = 'aal2', mfa_verified_at = now() where user_id = ${body.user.user_id}`;
    const owner = (await steppedUpPlatformUser(at, "owner")).client;
    const told: string[] = [];
    for (const { method, path } of endpoints) {
      for (const [who, caller] of Object.entries({ user: client, administrator: owner })) {
        const isOfPlatform = path.startsWith("/admin/");
        if (isOfPlatform !== (who === "administrator")) continue;
        const ask = async (id: string) => {
          const target = `/v1${path.replace(isOfPlatform ? ":id" : ":org_id", id).replace(/:\w+/g, UNKNOWN)}`;
          const input = method === "GET" ? {} : { body: {} };
          const { status, body: answer } = await caller.request(method, target, input);
          return `${status} ${answer?.error?.code} ${answer?.error?.message}`;
        };
        const [personal, unknown] = [await ask(body.user.organization_id), await ask(UNKNOWN)];
        if (personal !== unknown) told.push(`${who} ${method} ${path}: ${personal} / ${unknown}`);
      }
    }
    expect(endpoints.length).toBeGreaterThan(60);
    expect(told).toEqual([]);
  });

  test("is in no list of organizations; a team is created beside it, and the switch works both ways", async () => {
    const { client, body } = await newUser();
    const personal = String(body.user.organization_id);
    const listed = await admin.get(`/v1/admin/orgs?q=Personal&page_size=100`);
    expect(listed.body.items.some(({ id }: { id: string }) => id === personal)).toBe(false);
    expect((await admin.get(`/v1/admin/users?organization_id=${personal}`)).body.items).toEqual([]);
    const made = await client.post("/v1/orgs", { organization_name: "First team" });
    expect(made.status).toBe(201);
    const team = String(made.body.id ?? made.body.organization_id);
    const switched = await client.post("/v1/auth/organization", { organization_id: team });
    expect(switched.body.user).toMatchObject({ organization_id: team, organization_kind: "team" });
    expect(decodeClaims(switched.body.access_token).org).toBe(team);
    expect((await client.get("/v1/users/me")).body.organizations).toHaveLength(1);
    const back = await client.post("/v1/auth/organization", { organization_id: personal });
    expect(back.body).toMatchObject({ user: { organization_kind: "personal" }, capabilities: { permissions: [] } });
  });

  test("is created at the sign-in of a user whom no organization admits, once; not in other modes", async () => {
    const member = await registered(at.one.url, { organization_name: "Acme" });
    await at.sql`delete from members where user_id = ${member.userId}`;
    const login = { email: member.email, password: PASSWORD };
    await withSettings({ mode: "organization" }, async () => {
      expect((await new Client(at.one.url).post("/v1/auth/login", login)).status).toBe(401);
    });
    const signedIn = await race((index) => new Client(replicaOf(index)).post("/v1/auth/login", login), 6);
    expect(signedIn.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(new Set(signedIn.map(({ body }) => body.user.organization_id)).size).toBe(1);
    expect(signedIn[0]?.body.user.organization_kind).toBe("personal");
    await at.sql`delete from members where user_id = ${member.userId}`;
    const [other] = await at.sql`select id from organizations where kind = 'team' limit 1`;
    await at.sql`update users set managed_by = ${other?.id} where id = ${member.userId}`;
    expect((await new Client(at.one.url).post("/v1/auth/login", login)).status).toBe(401);
  });

  test("register ignores the name of an organization; 409 for a registered address stays", async () => {
    const body = { email: newEmail(), password: PASSWORD, organization_name: "Ignored" };
    const created = await new Client(at.one.url).post("/v1/auth/register", body);
    expect([created.status, created.body.user.organization_kind]).toEqual([201, "personal"]);
    expect((await new Client(at.one.url).post("/v1/auth/register", body)).status).toBe(409);
    expect(await at.sql`select 1 from organizations where name = 'Ignored'`).toHaveLength(0);
  });

  test("ends with its user, and the deletion names no organization", async () => {
    const { userId, client, body, email } = await newUser();
    expect((await signUp(email)).status).toBe(204);
    await mailTo(email, 2);
    await at.sql`update sessions set aal = 'aal2', mfa_verified_at = now() where user_id = ${userId}`;
    const asked = await client.post("/v1/users/me/deletion", {});
    expect([asked.status, asked.body.organizations ?? []]).toEqual([202, []]);
    await at.sql`update deletions set due_at = now() - interval '1 second' where subject_id = ${userId}`;
    await eventually("the user is erased", 30_000, async () => {
      const [left] = await at.sql`
        select count(*)::int as rows from organizations where id = ${body.user.organization_id}`;
      return left?.rows === 0;
    });
    expect(await at.sql`select 1 from users where id = ${userId}`).toHaveLength(0);
    expect(await at.sql`select 1 from sign_ups where email = ${email}`).toHaveLength(0);
  });
});
