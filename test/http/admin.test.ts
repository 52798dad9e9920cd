import { beforeAll, describe, expect, test } from "bun:test";
import { loadConfig } from "../../src/config/config.ts";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, eventually, race } from "../support/deployment.ts";
import { VERIFY_LINK } from "../support/mail.ts";
import { codeOf, enrolled, forgetUsedStep, passwordShown, weakSession } from "../support/mfa.ts";
import { platformUser, verifySessionsOf, viewerAndAdmin } from "../support/platform.ts";
import { assignPlatformRole, disableUser, enterEnterprise, suspendOrganization } from "../support/states.ts";

let at: Deployment;
let viewer: Client;
let admin: Client;
let adminId: string;
beforeAll(async () => {
  at = await deployment();
  ({ viewer, admin, adminId } = await viewerAndAdmin(at));
});

const ORGS = "/v1/admin/orgs";
const USERS = "/v1/admin/users";
const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const unique = () => `x${Math.random().toString(36).slice(2, 12)}`;
const provision = (fields: object, by = admin) =>
  by.post(ORGS, { organization_name: "Beta", owner_email: newEmail(), owner_password: PASSWORD, ...fields });
const auditsOf = async (resource: string, action: string) =>
  await at.sql`select actor_id, metadata from audit_logs where resource_id = ${resource} and action = ${action}`;

describe("platform roles", () => {
  test("403: users without a platform role read nothing, viewers change nothing, for every identifier", async () => {
    const { client, userId, organizationId } = await registered(at.one.url);
    for (const path of [ORGS, USERS, "/v1/admin/feature-flags"]) {
      expect((await client.get(path)).status).toBe(403);
      expect((await viewer.get(path)).status).toBe(200);
      expect((await new Client(at.one.url).get(path)).status).toBe(401);
    }
    for (const by of [client, viewer]) {
      for (const response of [
        await provision({}, by),
        await by.patch(`${ORGS}/${organizationId}`, { suspended: true }),
        await by.patch(`${ORGS}/${UNKNOWN}`, { suspended: true }),
        await by.patch(`${USERS}/${userId}`, { disabled: true }),
        await by.post(`${USERS}/${userId}/mfa/reset`),
        await by.request("PUT", "/v1/admin/feature-flags", { body: { key: "x", enabled: true } }),
      ]) {
        expect([response.status, response.body.error.code]).toEqual([403, "forbidden"]);
      }
    }
    expect((await client.get("/v1/auth/session")).status).toBe(200);
  });

  test("count as soon as they are given or taken", async () => {
    const { client, userId } = await registered(at.one.url);
    await verifySessionsOf(at, userId);
    expect((await client.get(ORGS)).status).toBe(403);
    await assignPlatformRole(at.sql, userId, "viewer");
    expect((await client.get(ORGS)).status).toBe(200);
    await at.sql`update users set platform_role = null where id = ${userId}`;
    expect((await client.get(ORGS)).status).toBe(403);
  });
});

describe("GET /v1/admin/orgs", () => {
  test("200: newest first, searched by name and slug, letter for letter, in any case", async () => {
    const mark = unique();
    const names = [`First ${mark}`, `Second 100%_${mark}`, `Third ${mark}`];
    for (const organization_name of names) await registered(at.one.url, { organization_name });
    const list = async (q: string, rest = "") => (await viewer.get(`${ORGS}?q=${encodeURIComponent(q)}${rest}`)).body;
    const found = await list(mark.toUpperCase());
    expect(found.items.map((item: { name: string }) => item.name)).toEqual([...names].reverse());
    expect(found.items[0]).toEqual({
      id: expect.any(String),
      name: names[2],
      slug: `third-${mark}`,
      tier: "standard",
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      suspended: false,
    });
    expect((await list(`100%_${mark}`)).total).toBe(1);
    expect((await list(`%${mark}`)).total).toBe(0);
    expect((await list(`__${mark}`)).total).toBe(0);
    expect((await list(`\\${mark}`)).total).toBe(0);
    expect(await list(mark, "&page=2&page_size=2")).toMatchObject({
      total: 3,
      page: 2,
      page_size: 2,
      items: [{ name: names[0] }],
    });
    expect((await viewer.get(`${ORGS}?page_size=1000`)).body.page_size).toBe(100);
    expect((await viewer.get(`${ORGS}?q=`)).body.total).toBeGreaterThan(3);
  });
});

describe("GET /v1/admin/orgs with filters", () => {
  test("200: status, tier and creation select together; the order is as requested; the total is exact", async () => {
    const mark = unique();
    const [one, two, three] = await Promise.all(
      ["b", "A", "c"].map((name) => registered(at.one.url, { organization_name: `${name} ${mark}` })),
    );
    await suspendOrganization(at.sql, one?.organizationId ?? "");
    await enterEnterprise(at.sql, two?.organizationId ?? "");
    await at.sql`
      update organizations set created_at = '2020-02-02T12:00:00Z' where id = ${three?.organizationId ?? ""}`;
    const list = async (query: string) => {
      const { body } = await viewer.get(`${ORGS}?q=${mark}&${query}`);
      return [body.total, body.items.map(({ name }: { name: string }) => name.charAt(0)).join("")];
    };
    expect(await list("status=suspended")).toEqual([1, "b"]);
    expect(await list("status=active&sort=name")).toEqual([2, "Ac"]);
    expect(await list("sort=name")).toEqual([3, "Abc"]);
    expect(await list("sort=-name")).toEqual([3, "cbA"]);
    expect(await list("sort=created_at")).toEqual([3, expect.stringMatching(/^c/)]);
    expect(await list("tier=enterprise")).toEqual([1, "A"]);
    expect(await list("tier=standard&status=active")).toEqual([1, "c"]);
    expect(await list("created_from=2020-02-02T12:00:00Z&created_to=2020-02-02T12:00:00Z")).toEqual([1, "c"]);
    for (const query of ["status=enabled", "tier=gold", "sort=slug", "created_from=yesterday", "created_to=2026-02-30"])
      expect([query, (await viewer.get(`${ORGS}?${query}`)).status]).toEqual([query, 400]);
  });

  test("200: totals of filters without a search term count every organization once", async () => {
    const totalOf = async (query: string) => (await viewer.get(`${ORGS}?page_size=1&${query}`)).body.total;
    const { organizationId } = await registered(at.one.url);
    await at.sql`update organizations set suspended_at = now(), tier = 'enterprise' where id = ${organizationId}`;
    const all = await totalOf("");
    for (const [name, values] of Object.entries({
      status: ["active", "suspended"],
      tier: ["standard", "enterprise"],
    })) {
      const totals = await Promise.all(values.map((value) => totalOf(`${name}=${value}`)));
      expect([name, totals.every((total) => total > 0), totals[0] + totals[1]]).toEqual([name, true, all]);
    }
    const [counted] = await at.sql`
      select count(*)::int as total from organizations where suspended_at is null and tier = 'standard'`;
    expect(await totalOf("status=active&tier=standard")).toBe(counted?.total);
  });
});

describe("POST /v1/admin/orgs", () => {
  test("201: makes organization and owner, who signs in and gets a link that proves the address", async () => {
    const owner_email = newEmail();
    const slug = unique();
    const response = await provision({
      owner_email,
      organization_slug: slug,
      owner_display_name: "Olga",
      tier: "enterprise",
    });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({ organization_id: expect.any(String), owner_user_id: expect.any(String), slug });
    const owner = await signedIn(at.other.url, owner_email);
    expect(owner.answer.body).toMatchObject({
      user: { user_id: response.body.owner_user_id, organization_id: response.body.organization_id },
      capabilities: { role: "owner" },
    });
    expect((await owner.client.get("/v1/users/me")).body).toMatchObject({
      display_name: "Olga",
      email_verified: false,
    });
    await at.mail.mailsTo(owner_email, VERIFY_LINK);
    expect((await auditsOf(response.body.organization_id, "organization.created"))[0]?.actor_id).toBe(adminId);
  });

  test("400: bad names, slugs, addresses and passwords", async () => {
    for (const fields of [
      { organization_name: "" },
      { organization_slug: "Not A Slug" },
      { owner_email: "x" },
      { owner_email: [newEmail()] },
      { owner_password: "short" },
      { owner_password: undefined },
      { owner_display_name: "a\u0000" },
      { tier: "gold" },
    ]) {
      expect((await provision(fields)).status).toBe(400);
    }
  });

  test("409: a single one of 20 gets an address, and a single one a slug; no half is made (G5)", async () => {
    const [owner_email, organization_slug] = [newEmail(), unique()];
    const [begin] = await at.sql`select now() as at`;
    const mail = await race((index) => provision({ owner_email }, admin.at(index % 2 ? at.one.url : at.other.url)));
    expect(mail.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    const slug = await race((index) =>
      provision({ organization_slug }, admin.at(index % 2 ? at.one.url : at.other.url)),
    );
    expect(slug.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    const orphans = await at.sql`select 1 from organizations o where created_at >= ${begin?.at}
        and not exists (select 1 from members m where m.organization_id = o.id)`;
    expect(orphans).toHaveLength(0);
  });
});

describe("PATCH /v1/admin/orgs/:id", () => {
  const patch = (id: string, body: object) => admin.patch(`${ORGS}/${id}`, body);

  test("200: renames and re-tiers, and says in the audit trail what changed", async () => {
    const { organizationId } = await registered(at.one.url);
    expect((await patch(organizationId, { name: " Gamma " })).body).toMatchObject({
      name: "Gamma",
      tier: "standard",
      suspended: false,
    });
    expect((await patch(organizationId, { tier: "enterprise" })).body.tier).toBe("enterprise");
    expect((await patch(organizationId, {})).status).toBe(200);
    expect((await auditsOf(organizationId, "organization.updated")).length).toBe(2);
  });

  test("200: suspending ends every session on every replica within 1 s; restoring brings none back (G8)", async () => {
    const { client, email, organizationId } = await registered(at.one.url);
    const second = await signedIn(at.other.url, email);
    expect((await client.at(at.other.url).get("/v1/auth/session")).status).toBe(200);
    expect((await patch(organizationId, { suspended: true })).body.suspended).toBe(true);
    expect((await client.get("/v1/auth/session")).status).toBe(401);
    await eventually(
      "the other replica",
      1000,
      async () => (await second.client.get("/v1/auth/session")).status === 401,
    );
    expect((await second.client.post("/v1/auth/refresh")).status).toBe(401);
    expect((await signedIn(at.one.url, email)).answer.status).toBe(401);
    expect((await patch(organizationId, { suspended: false })).body.suspended).toBe(false);
    expect((await client.get("/v1/auth/session")).status).toBe(401);
    expect((await signedIn(at.one.url, email)).answer.status).toBe(200);
    expect(await auditsOf(organizationId, "organization.suspended")).toHaveLength(1);
    expect(await auditsOf(organizationId, "organization.restored")).toHaveLength(1);
  });

  test("leaves no session behind when 20 sign in while it is suspended", async () => {
    const { email, organizationId } = await registered(at.one.url);
    const [, ...answers] = await Promise.all([
      patch(organizationId, { suspended: true }),
      ...Array.from({ length: 20 }, (_, index) => signedIn(index % 2 ? at.one.url : at.other.url, email)),
    ]);
    expect(answers.every(({ answer }) => [200, 401].includes(answer.status))).toBe(true);
    const live = await at.sql`select 1 from sessions where organization_id = ${organizationId} and revoked_at is null`;
    expect(live).toHaveLength(0);
  });

  test("400 and 404: values of the wrong kind, an unknown organization, what is no UUID", async () => {
    const { organizationId } = await registered(at.one.url);
    for (const body of [{ name: "" }, { name: "a\u0000" }, { suspended: "yes" }, { tier: "gold" }]) {
      expect((await patch(organizationId, body)).status).toBe(400);
    }
    expect((await patch(UNKNOWN, { name: "x" })).status).toBe(404);
    expect((await patch("x", { name: "x" })).status).toBe(404);
    expect((await admin.patch(`${ORGS}/${organizationId}`, { name: "x" }, { csrf: false })).status).toBe(403);
  });
});

describe("GET /v1/admin/users", () => {
  test("200: finds users of all organizations by a part of address or name, letter for letter", async () => {
    const mark = unique();
    const one = await registered(at.one.url, { display_name: `Ann 50%_${mark}` });
    const other = await registered(at.one.url, { display_name: `Bob ${mark}` });
    const find = async (q: string) => (await viewer.get(`${USERS}?q=${encodeURIComponent(q)}`)).body;
    const found = await find(mark.toUpperCase());
    expect(found.items.map((item: { user_id: string }) => item.user_id)).toEqual([other.userId, one.userId]);
    expect(found.items[1]).toEqual({
      user_id: one.userId,
      email: one.email,
      email_verified: false,
      display_name: `Ann 50%_${mark}`,
      platform_role: null,
      disabled: false,
      mfa_enabled: false,
      organizations: [{ id: one.organizationId, name: "Acme", slug: expect.any(String), role: "owner" }],
      created_at: expect.stringMatching(/Z$/),
      last_login_at: expect.stringMatching(/Z$/),
      ...{ avatar_url: null, deletion_at: null, external_id: null, has_password: true, locale: null },
      ...{ managed_by: null, time_zone: null, updated_at: expect.stringMatching(/Z$/) },
    });
    expect((await find(one.email.slice(2, -3))).total).toBe(1);
    expect((await find(`50%_${mark}`)).total).toBe(1);
    expect((await find(`%${mark}`)).total).toBe(0);
    expect((await find("' or true --")).total).toBe(0);
    expect((await viewer.get(`${USERS}?q=%00`)).status).toBe(400);
  });

  test("200: a part of an address is found with few or none of the characters before the @", async () => {
    const mark = unique();
    const { userId } = await registered(at.one.url, { email: `ann@${mark}.example` });
    for (const q of [`ann@${mark}.example`, `nn@${mark}`, `@${mark}.`])
      expect((await viewer.get(`${USERS}?q=${encodeURIComponent(q)}`)).body, q).toMatchObject({
        total: 1,
        items: [{ user_id: userId }],
      });
    expect((await viewer.get(`${USERS}?q=ann@${mark}.com`)).body).toMatchObject({ total: 0, items: [] });
  });

  test("200: status, role, second factor, organization and creation select together, in the given order", async () => {
    const mark = unique();
    const people = await Promise.all(
      ["c", "a", "b"].map((name) => registered(at.one.url, { email: `${name}.${mark}@example.com` })),
    );
    const [third, first, second] = people.map(({ userId }) => userId);
    await disableUser(at.sql, third ?? "");
    await at.sql`
      update users set platform_role = 'viewer', created_at = '2020-02-02T12:00:00Z' where id = ${first ?? ""}`;
    await at.sql`
      insert into totp_factors (user_id, sealed_secret, confirmed_at, created_at)
      values (${second ?? ""}, '', now(), now())`;
    const list = async (query: string) => {
      const { body } = await viewer.get(`${USERS}?q=${mark}&${query}`);
      return [body.total, body.items.map(({ email }: { email: string }) => email.charAt(0)).join("")];
    };
    expect(await list("sort=email")).toEqual([3, "abc"]);
    expect(await list("sort=-email&page_size=2")).toEqual([3, "cb"]);
    expect(await list("sort=created_at")).toEqual([3, expect.stringMatching(/^a/)]);
    expect(await list("status=disabled")).toEqual([1, "c"]);
    expect(await list("status=enabled&sort=email")).toEqual([2, "ab"]);
    expect(await list("platform_role=viewer")).toEqual([1, "a"]);
    expect(await list("platform_role=viewer&status=disabled")).toEqual([0, ""]);
    expect(await list("mfa_enabled=true")).toEqual([1, "b"]);
    expect(await list("mfa_enabled=false&status=enabled")).toEqual([1, "a"]);
    expect(await list("created_to=2020-02-02T12:00:00Z")).toEqual([1, "a"]);
    expect(await list(`organization_id=${people[2]?.organizationId}`)).toEqual([1, "b"]);
    expect(await list(`organization_id=${UNKNOWN}`)).toEqual([0, ""]);
    for (const query of ["status=active", "platform_role=none", "mfa_enabled=yes", "organization_id=x", "sort=name"])
      expect([query, (await viewer.get(`${USERS}?${query}`)).status]).toEqual([query, 400]);
  });

  test("200: totals of filters without a search term count every user once", async () => {
    const totalOf = async (query: string) => (await viewer.get(`${USERS}?page_size=1&${query}`)).body.total;
    const { userId } = await registered(at.one.url);
    await disableUser(at.sql, userId);
    await at.sql`
      insert into totp_factors (user_id, sealed_secret, confirmed_at, created_at) values (${userId}, '', now(), now())`;
    const all = await totalOf("");
    expect((await totalOf("status=enabled")) + (await totalOf("status=disabled"))).toBe(all);
    expect((await totalOf("mfa_enabled=true")) + (await totalOf("mfa_enabled=false"))).toBe(all);
    const [counted] = await at.sql`
      select count(*)::int as total from users u
      where disabled_at is null and not exists (
        select 1 from totp_factors where user_id = u.id and confirmed_at is not null)`;
    expect(await totalOf("status=enabled&mfa_enabled=false")).toBe(counted?.total);
  });

  test("200: a page behind the last one is empty and has the total", async () => {
    const mark = unique();
    for (let count = 0; count < 3; count += 1) await registered(at.one.url, { display_name: mark });
    const pageOf = async (page: number) => (await viewer.get(`${USERS}?q=${mark}&page_size=2&page=${page}`)).body;
    expect([(await pageOf(1)).items.length, (await pageOf(2)).items.length]).toEqual([2, 1]);
    expect(await pageOf(3)).toEqual({ items: [], total: 3, page: 3, page_size: 2 });
    const all = (await viewer.get(`${USERS}?page=5000`)).body;
    expect(all).toMatchObject({ items: [], page: 5000 });
    expect(all.total).toBeGreaterThan(2);
  });
});

describe("totals of lists without a search", () => {
  test("are exact while users and organizations come and go at once", async () => {
    await race(() => registered(at.one.url));
    const doomed = await registered(at.one.url);
    await at.sql`delete from users where id = ${doomed.userId}`;
    await at.sql`delete from organizations where id = ${doomed.organizationId}`;
    const [counted] = await at.sql`
      select (select count(*)::int from users) as users, (select count(*)::int from organizations) as organizations`;
    expect((await viewer.get(USERS)).body.total).toBe(counted?.users);
    expect((await viewer.get(ORGS)).body.total).toBe(counted?.organizations);
  });
});

describe("PATCH /v1/admin/users/:id", () => {
  test("200: disabling ends sessions, sign-ins, mfa_tokens on each replica; enabling allows sign-in (G8)", async () => {
    const person = await enrolled(at);
    const mfa_token = await passwordShown(at.one.url, person.email);
    const elsewhere = person.client.at(at.other.url);
    expect((await elsewhere.get("/v1/auth/session")).status).toBe(200);
    const response = await admin.patch(`${USERS}/${person.userId}`, { disabled: true });
    expect(response.body).toMatchObject({ user_id: person.userId, disabled: true });
    expect((await person.client.get("/v1/auth/session")).status).toBe(401);
    await eventually("the other replica", 1000, async () => (await elsewhere.get("/v1/auth/session")).status === 401);
    expect((await signedIn(at.one.url, person.email)).answer.status).toBe(401);
    expect((await admin.patch(`${USERS}/${person.userId}`, { disabled: true })).status).toBe(200);
    expect((await admin.patch(`${USERS}/${person.userId}`, { disabled: false })).body.disabled).toBe(false);
    const challenge = { mfa_token, code: codeOf(person.secret) };
    expect((await new Client(at.one.url).post("/v1/auth/mfa/challenge", challenge)).status).toBe(401);
    expect((await person.client.get("/v1/auth/session")).status).toBe(401);
    expect(await passwordShown(at.one.url, person.email)).toBeString();
    expect(await auditsOf(person.userId, "user.disabled")).toHaveLength(1);
    expect(await auditsOf(person.userId, "user.enabled")).toHaveLength(1);
  });

  test("403: nobody acts on a holder of a higher platform role; 404: nobody unknown; 400: not a flag", async () => {
    const owner = await platformUser(at, "owner");
    for (const response of [
      await admin.patch(`${USERS}/${owner.userId}`, { disabled: true }),
      await admin.post(`${USERS}/${owner.userId}/mfa/reset`),
    ]) {
      expect(response.status).toBe(403);
    }
    expect((await owner.client.get("/v1/auth/session")).status).toBe(200);
    expect((await owner.client.patch(`${USERS}/${adminId}`, {})).status).toBe(200);
    expect((await admin.patch(`${USERS}/${UNKNOWN}`, { disabled: true })).status).toBe(404);
    expect((await admin.patch(`${USERS}/${owner.userId}`, { disabled: "yes" })).status).toBe(400);
  });
});

describe("POST /v1/admin/users/:id/mfa/reset", () => {
  test("204: takes factor, codes, browsers, sessions and mfa_tokens, tells the user, writes mfa.reset", async () => {
    const person = await enrolled(at);
    await person.client.post("/v1/auth/trusted-browsers");
    const mfa_token = await passwordShown(at.one.url, person.email);
    const path = `/v1/admin/users/${person.userId}/mfa/reset`;
    expect((await admin.post(path)).status).toBe(204);
    expect((await person.client.get("/v1/auth/session")).status).toBe(401);
    for (const factor of [{ code: codeOf(person.secret) }, { recovery_code: person.recoveryCodes[0] }]) {
      expect((await new Client(at.other.url).post("/v1/auth/mfa/challenge", { mfa_token, ...factor })).status).toBe(
        401,
      );
    }
    const { client, answer } = await signedIn(at.one.url, person.email);
    expect(answer.body.status).toBe("success");
    expect((await client.get("/v1/auth/mfa/status")).body).toMatchObject({
      enabled: false,
      recovery_codes_remaining: 0,
    });
    expect((await client.get("/v1/auth/trusted-browsers")).body.total).toBe(0);
    expect(await auditsOf(person.userId, "mfa.reset")).toHaveLength(1);
    await at.mail.mailsTo(person.email, /administrator removed the authenticator app/);
    expect((await admin.post(`${USERS}/${UNKNOWN}/mfa/reset`)).status).toBe(404);
  });
});

describe("POST /v1/admin/users/:id/send-verification and /send-password-reset", () => {
  const RESET_LINK = /\/reset-password\?token=([A-Za-z0-9_-]{43})$/m;

  test("204: the user gets a link, and the audit trail names the administrator", async () => {
    const { userId, email } = await registered(at.one.url);
    expect((await admin.post(`${USERS}/${userId}/send-verification`)).status).toBe(204);
    expect(await at.mail.mailsTo(email, VERIFY_LINK, 2)).toHaveLength(2);
    expect((await admin.post(`${USERS}/${userId}/send-password-reset`)).status).toBe(204);
    await at.mail.mailsTo(email, RESET_LINK);
    for (const action of ["auth.email.verification_requested", "auth.password_reset.requested"])
      expect((await auditsOf(userId, action)).map(({ actor_id }) => actor_id)).toContain(adminId);
  });

  test("409: a confirmed address and a disabled user; 403: a higher role; 404: an unknown user", async () => {
    const { userId } = await registered(at.one.url);
    await at.sql`update users set email_verified_at = now(), disabled_at = now() where id = ${userId}`;
    const owner = await platformUser(at, "owner");
    for (const action of ["send-verification", "send-password-reset"]) {
      expect([action, (await admin.post(`${USERS}/${userId}/${action}`)).status]).toEqual([action, 409]);
      expect([action, (await admin.post(`${USERS}/${owner.userId}/${action}`)).status]).toEqual([action, 403]);
      expect([action, (await admin.post(`${USERS}/${UNKNOWN}/${action}`)).status]).toEqual([action, 404]);
      expect([action, (await viewer.post(`${USERS}/${userId}/${action}`)).status]).toEqual([action, 403]);
    }
  });
});

describe("feature flags", () => {
  const FLAGS = "/v1/admin/feature-flags";
  const put = (body: object, by = admin) => by.request("PUT", FLAGS, { body });
  const resolvedAt = async (client: Client, key: string) => (await client.get("/v1/feature-flags")).body.flags[key];

  test("200: a flag is made with its defaults, changed member by member, listed, and audited", async () => {
    const key = unique();
    const flag = await put({ key, enabled: false });
    expect(flag.body).toEqual({
      key,
      description: "",
      enabled: false,
      rollout_percent: 100,
      organizations: { on: [], off: [] },
      updated_at: expect.stringMatching(/Z$/),
    });
    const { organizationId } = await registered(at.one.url);
    await put({
      key,
      enabled: true,
      description: "New page",
      rollout_percent: 30,
      organizations: { on: [organizationId] },
    });
    const after = await put({ key, enabled: true });
    expect(after.body).toMatchObject({
      description: "New page",
      rollout_percent: 30,
      organizations: { on: [organizationId], off: [] },
    });
    const { items } = (await viewer.get(`${FLAGS}?page_size=100`)).body;
    expect(items.find((item: { key: string }) => item.key === key)).toEqual(after.body);
    expect(await auditsOf(key, "feature_flag.updated")).toHaveLength(3);
  });

  test("resolve per organization: off-list, on-list, then enabled and percentage; soon on every replica", async () => {
    const key = unique();
    const [on, off, other] = await race(() => registered(at.one.url), 3);
    if (!on || !off || !other) throw new Error("three registrations");
    const lists = { on: [on.organizationId, off.organizationId], off: [off.organizationId] };
    await put({ key, enabled: false, organizations: lists });
    expect(await resolvedAt(on.client, key)).toBe(true);
    expect(await resolvedAt(off.client, key)).toBe(false);
    expect(await resolvedAt(other.client, key)).toBe(false);
    const there = other.client.at(at.other.url);
    await eventually("the other replica knows it", 2000, async () => (await resolvedAt(there, key)) === false);
    await put({ key, enabled: true });
    expect(await resolvedAt(other.client, key)).toBe(true);
    await eventually("the other replica follows", 2000, async () => (await resolvedAt(there, key)) === true);
    await put({ key, enabled: true, rollout_percent: 0 });
    expect(await resolvedAt(other.client, key)).toBe(false);
  });

  test("400: invalid keys, percentages and organizations", async () => {
    const good = { key: "a.b-c_1", enabled: true };
    for (const body of [
      { key: "A", enabled: true },
      { key: "", enabled: true },
      { key: `${"x".repeat(65)}`, enabled: true },
      { key: "-x", enabled: true },
      { ...good, enabled: "yes" },
      { key: "x" },
      { ...good, rollout_percent: 101 },
      { ...good, rollout_percent: -1 },
      { ...good, rollout_percent: 1.5 },
      { ...good, organizations: { on: ["x"] } },
      { ...good, description: "a\u0000" },
    ]) {
      expect((await put(body)).status).toBe(400);
    }
  });

  test("409: a thousand at most, with any number of parallel creations; existing flags can be changed", async () => {
    await at.sql`
      insert into feature_flags (key, description, enabled, rollout_percent, on_organizations, off_organizations,
        updated_at)
      select 'many-' || n, '', false, 100, '{}', '{}', now()
      from generate_series(1, 998 - (select count(*)::int from feature_flags)) n`;
    try {
      const made = await race(() => put({ key: `many-${unique()}`, enabled: false }), 40);
      expect(made.map(({ status }) => status).sort()).toEqual([200, 200, ...Array.from({ length: 38 }, () => 409)]);
      expect((await put({ key: "many-1", enabled: false })).status).toBe(200);
    } finally {
      await at.sql`delete from feature_flags where key like 'many-%'`;
    }
  });

  test("401: need a caller", async () => {
    expect((await new Client(at.one.url).get("/v1/feature-flags")).status).toBe(401);
  });
});

describe("a platform role needs a session with a second factor (G90)", () => {
  const calls = (
    userId: string,
  ): readonly (readonly [method: "GET" | "PATCH" | "POST", path: string, body?: unknown])[] => [
    ["GET", ORGS],
    ["GET", "/v1/admin/users"],
    ["GET", `/v1/users/${userId}`],
    ["GET", "/v1/audit-logs"],
    ["GET", "/v1/admin/feature-flags"],
    ["GET", "/v1/admin/integrations"],
    ["GET", "/v1/admin/oauth-clients"],
    ["GET", "/v1/admin/resources"],
    ["GET", "/v1/admin/service-accounts"],
    ["GET", "/v1/admin/webhooks"],
    ["GET", `/v1/admin/requests/${userId}`],
    ["PATCH", `/v1/admin/users/${userId}`, { disabled: true }],
    ["POST", `/v1/admin/users/${userId}/mfa/reset`],
  ];

  test("a session of aal1 is 401 mfa_required, with a second factor and without, and changes nothing", async () => {
    const other = await registered(at.one.url);
    const plain = await registered(at.one.url);
    const person = await enrolled(at);
    const weak = await weakSession(at.one.url, person);
    for (const { userId } of [plain, person]) {
      await assignPlatformRole(at.sql, userId, "owner");
    }
    for (const client of [plain.client, weak]) {
      for (const [method, path, body] of calls(other.userId)) {
        const response = await client.request(method, path, { body });
        expect([path, response.status, response.body.error.code]).toEqual([path, 401, "mfa_required"]);
      }
    }
    expect((await other.client.get("/v1/auth/session")).status).toBe(200);
    // Endpoints without a platform role are unaffected.
    expect((await plain.client.get("/v1/users/me")).status).toBe(200);
  });

  test("a verified second factor gives the role to that session at once", async () => {
    const person = await enrolled(at);
    const weak = await weakSession(at.one.url, person);
    await assignPlatformRole(at.sql, person.userId, "viewer");
    expect((await weak.get(ORGS)).status).toBe(401);
    await forgetUsedStep(at.sql, person.userId);
    expect((await weak.post("/v1/auth/mfa/verify", { code: codeOf(person.secret) })).status).toBe(200);
    expect((await weak.get(ORGS)).status).toBe(200);
    expect((await weak.at(at.other.url).get(ORGS)).status).toBe(200);
  });

  test("a caller without the role is 403, at any level", async () => {
    const { client } = await registered(at.one.url);
    expect((await client.get(ORGS)).status).toBe(403);
  });

  test("SERVICE_ADMIN_REQUIRE_MFA is on with DATABASE_URL and off in embedded mode, and off is a warning", () => {
    const external = {
      DATABASE_URL: "postgres://localhost/x",
      SERVICE_JWT_SECRET: "x".repeat(40),
      SERVICE_PUBLIC_BASE_URL: "https://id.example.com",
    };
    const settingOf = (environment: Record<string, string>) => {
      const config = loadConfig(environment);
      if (!config.ok) throw new Error(String(config.error));
      const warns = config.value.warnings.some((warning) => warning.includes("SERVICE_ADMIN_REQUIRE_MFA"));
      return [config.value.adminRequiresMfa, warns];
    };
    expect(settingOf(external)).toEqual([true, false]);
    expect(settingOf({ ...external, SERVICE_ADMIN_REQUIRE_MFA: "off" })).toEqual([false, true]);
    expect(settingOf({})).toEqual([false, false]);
    expect(settingOf({ SERVICE_ADMIN_REQUIRE_MFA: "on" })).toEqual([true, false]);
  });
});
