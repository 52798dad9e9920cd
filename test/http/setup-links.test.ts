/** Set-up links: set-up of single sign-on by a person without an account (G193 to G196). */
import { beforeEach, describe, expect, test } from "bun:test";
import { TEXTS } from "../../src/pages/texts/catalogue.ts";
import { type Answer, newEmail } from "../support/client.ts";
import { tokenTo } from "../support/mail.ts";
import { FormClient, mainOf } from "../support/pages.ts";
import { platformUser, steppedUpAdmin } from "../support/platform.ts";
import { ISSUER } from "../support/replica.ts";
import { setupHost } from "../support/setup-links.ts";
import { announceConnections, SsoBrowser, type SsoDeployment, ssoDeployment } from "../support/sso.ts";
import { assignPlatformRole, presentFactor } from "../support/states.ts";
import { memberWith, stepUpSessions } from "../support/team.ts";
import { until } from "../support/waiting.ts";

const { en: texts } = TEXTS;

let sso: SsoDeployment;
beforeEach(async () => {
  sso = await ssoDeployment();
  sso.forged.provider.reset();
});

const ALL_TASKS = ["domains", "connection", "directory"];
const PLAIN_TASKS = ["domains", "connection"];

async function vendor() {
  const host = await setupHost(sso);
  return { ...host, create: (body: object = {}) => host.create({ intents: PLAIN_TASKS, ...body }) };
}
type Vendor = Awaited<ReturnType<typeof vendor>>;

const tokenIn = (url: string) => new URL(url).searchParams.get("token") ?? "";

/** A browser without a session. */
const visitor = () => new FormClient(sso.at.one.url);

/** Opens a link, and begins. */
async function begun(host: Vendor, body: object = {}): Promise<FormClient> {
  const { url } = (await host.create(body)).body;
  const forms = visitor();
  await open(forms, url);
  expect((await forms.post("/setup", { step: "begin" })).status).toBe(303);
  return forms;
}

/** Follows the link as a browser does: the token leaves the address. */
async function open(forms: FormClient, url: string): Promise<Answer> {
  const moved = await forms.get(`/setup?token=${tokenIn(url)}`);
  expect([moved.status, moved.headers.get("location")]).toEqual([303, "/setup"]);
  return await forms.get("/setup");
}

/** The audit records of an organization by set-up links: action and type of the actor. */
async function records(organizationId: string): Promise<readonly string[]> {
  const rows = await sso.at.sql`
    select action, actor_type from audit_logs where organization_id = ${organizationId} order by timestamp, event_id`;
  return rows.map(({ action, actor_type: type }) => `${action} ${type}`);
}

describe("an administrator", () => {
  test("creates, lists and revokes links; the URL is in one response, and in the mail", async () => {
    const host = await vendor();
    const email = newEmail();
    const created = await host.create({ intents: ["connection", "domains"], email, expires_in_hours: 2 });
    expect(created.status).toBe(201);
    expect(Object.keys(created.body).sort()).toEqual(["expires_at", "id", "url"]);
    expect(created.body.url).toStartWith(`${ISSUER}/setup?token=`);
    const mailed = await tokenTo(sso.at.mail, email, /\/setup\?token=([A-Za-z0-9_-]{43})/);
    expect(mailed).toBe(tokenIn(created.body.url));
    const listed = await host.owner.get(host.base);
    expect(listed.body.items).toHaveLength(1);
    expect(listed.body.items[0]).toMatchObject({ intents: PLAIN_TASKS, email, status: "pending", begun_at: null });
    expect(listed.text).not.toContain(mailed);
    const hours = (Date.parse(created.body.expires_at) - Date.parse(listed.body.items[0].created_at)) / 3_600_000;
    expect(hours).toBe(2);
    for (const _ of ["revoked", "again"]) {
      expect(
        (await host.owner.delete(`/v1/orgs/${host.organizationId}/sso/setup-links/${created.body.id}`)).status,
      ).toBe(204);
    }
    expect((await host.owner.get(host.base)).body.items[0].status).toBe("revoked");
    expect((await open(visitor(), created.body.url)).status).toBe(401);
    expect((await host.owner.delete(`${host.base}/${crypto.randomUUID()}`)).status).toBe(404);
    const actions = (await records(host.organizationId)).filter((record) => record.includes("setup_link."));
    expect(actions).toEqual(["sso.setup_link.created user", "sso.setup_link.revoked user"]);
  });

  test("is limited: tasks and hours of the contract, five live links, a permission for every task", async () => {
    const host = await vendor();
    for (const body of [
      { intents: [] },
      { intents: ["members"] },
      { intents: undefined },
      { email: "nobody" },
      { expires_in_hours: 0 },
      { expires_in_hours: 337 },
      { expires_in_hours: 1.5 },
    ]) {
      expect((await host.create(body)).status).toBe(400);
    }
    const defaults = (await host.create()).body;
    expect((Date.parse(defaults.expires_at) - Date.now()) / 3_600_000).toBeWithin(71, 73);
    for (const _ of [2, 3, 4, 5]) expect((await host.create()).status).toBe(201);
    const full = await host.create();
    expect([full.status, full.body.error.code]).toEqual([409, "conflict"]);
    await host.owner.delete(`${host.base}/${defaults.id}`);
    expect((await host.create()).status).toBe(201);
    const member = await memberWith(sso.at, host.organizationId, "member");
    expect((await member.client.post(host.base, { intents: PLAIN_TASKS })).status).toBe(403);
    const admin = await memberWith(sso.at, host.organizationId, "admin");
    await stepUpSessions(sso.at.sql, admin.userId, "an hour ago");
    const withoutStepUp = await admin.client.post(host.base, { intents: PLAIN_TASKS });
    expect([withoutStepUp.status, withoutStepUp.body.error.code]).toEqual([401, "mfa_required"]);
    const stranger = await vendor();
    expect((await stranger.owner.get(host.base)).status).toBe(404);
    expect((await stranger.owner.delete(`${stranger.base}/${defaults.id}`)).status).toBe(404);
  });

  test("of the platform does the same for any organization", async () => {
    const host = await vendor();
    const admin = await steppedUpAdmin(sso.at);
    const { organizationId } = host;
    const base = `/v1/admin/orgs/${organizationId}/sso/setup-links`;
    const created = await admin.client.post(base, { intents: ["domains"] });
    expect(created.status).toBe(201);
    const forms = visitor();
    expect((await open(forms, created.body.url)).status).toBe(200);
    expect((await admin.client.get(base)).body.items).toHaveLength(1);
    await forms.post("/setup", { step: "begin" });
    expect((await forms.get("/setup/domains")).status).toBe(200);
    await assignPlatformRole(sso.at.sql, admin.userId, "viewer");
    expect((await forms.get("/setup/domains")).status).toBe(401);
    await assignPlatformRole(sso.at.sql, admin.userId, "admin");
    expect(
      (await admin.client.delete(`/v1/admin/orgs/${organizationId}/sso/setup-links/${created.body.id}`)).status,
    ).toBe(204);
    const viewer = await platformUser(sso.at, "viewer");
    expect((await viewer.client.get(base)).status).toBe(200);
    expect((await viewer.client.post(base, { intents: ["domains"] })).status).toBe(403);
    expect((await host.owner.get(base)).status).toBe(403);
  });
});

describe("a link", () => {
  test("works in the browser that begins, and in no further browser", async () => {
    const host = await vendor();
    const { url } = (await host.create()).body;
    const [scanner, first, second] = [visitor(), visitor(), visitor()];
    const presses = new Map<FormClient, string>();
    for (const forms of [scanner, first, second]) {
      const shown = await open(forms, url);
      expect([shown.status, shown.text.includes("need an account.")]).toEqual([200, true]);
      presses.set(forms, /name="press" value="([^"]+)"/.exec(shown.text)?.[1] ?? "");
    }
    const begin = (forms: FormClient) => forms.post("/setup", { step: "begin", press: presses.get(forms) ?? "" });
    const answers = await Promise.all([begin(first), begin(second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 401]);
    const [winner, loser] = answers[0]?.status === 303 ? [first, second] : [second, first];
    const cookie = answers
      .flatMap(({ setCookies }) => setCookies)
      .find((each) => each.startsWith("service_setup=") && !each.includes("Max-Age=0"));
    expect(cookie).toMatch(/Max-Age=28800; Path=\/setup; HttpOnly; SameSite=Lax/);
    const opened = async (forms: FormClient) => (await forms.get("/setup/connection")).status;
    expect([await opened(winner), await opened(loser), await opened(scanner)]).toEqual([200, 401, 401]);
    expect((await open(scanner, url)).status).toBe(401);
    const foreign = await winner.post(
      "/setup/domains",
      { step: "add", domain: "acme.com" },
      { "sec-fetch-site": "cross-site" },
    );
    expect(foreign.status).toBe(403);
    expect(await records(host.organizationId)).toContain("sso.setup_link.begun setup_link");
  });

  test("has the own tasks alone, in the own organization", async () => {
    const host = await vendor();
    const forms = await begun(host, { intents: ["domains"] });
    for (const task of ["connection", "directory"]) {
      expect((await forms.get(`/setup/${task}`)).status).toBe(403);
      expect((await forms.post(`/setup/${task}`, { preset: "okta", step: "create-token" })).status).toBe(403);
    }
    const secret = forms.client.jar.getCookiesSync("https://auth.example.test/setup");
    const cookie = { cookie: secret.map((each) => each.cookieString()).join("; ") };
    expect(cookie.cookie).toContain("service_setup=");
    for (const path of [host.base, `/v1/orgs/${host.organizationId}/members`, "/v1/auth/session", "/v1/users/me"]) {
      expect((await forms.client.request("GET", path, { headers: cookie, documented: false })).status).toBe(401);
    }
    const added = await forms.post("/setup/domains", { step: "add", domain: "tasks-of-a-link.test" });
    expect(added.status).toBe(303);
    const [row] = await sso.at.sql`select id from organization_domains where domain = 'tasks-of-a-link.test'`;
    expect((await forms.post("/setup/domains", { step: "remove", id: row?.id })).status).toBe(404);
    const reserved = await forms.post("/setup/domains", { step: "add", domain: new URL(ISSUER).hostname });
    expect(reserved.status).toBe(400);
    const other = await vendor();
    const claim = await other.owner.post(`/v1/orgs/${other.organizationId}/domains`, { domain: "other-tenant.test" });
    expect((await forms.post("/setup/domains", { step: "check", id: claim.body.id })).status).toBe(404);
  });

  test("ends with revocation, expiry, eight hours, the rights of the creator and the organization", async () => {
    const host = await vendor();
    const { sql } = sso.at;
    const admin = await memberWith(sso.at, host.organizationId, "admin");
    await presentFactor(sql, admin.userId);
    const ends: Readonly<Record<string, (id: string) => PromiseLike<unknown>>> = {
      revocation: (id) => host.owner.delete(`${host.base}/${id}`),
      expiry: (id) => sql`update sso_setup_links set expires_at = now() where id = ${id}`,
      "eight hours": (id) => sql`update sso_setup_links set begun_at = now() - interval '8 hours' where id = ${id}`,
      demotion: () => sql`update members set role = 'member' where user_id = ${admin.userId}`,
      disabling: () => sql`update users set disabled_at = now() where id = ${admin.userId}`,
      removal: () =>
        sql`delete from members where user_id = ${admin.userId} and organization_id = ${host.organizationId}`,
      suspension: () => sql`update organizations set suspended_at = now() where id = ${host.organizationId}`,
    };
    const undo = async () => {
      await sql`update organizations set suspended_at = null where id = ${host.organizationId}`;
      await sql`update users set disabled_at = null where id = ${admin.userId}`;
      await sql`
        insert into members (organization_id, user_id, role, joined_at)
        values (${host.organizationId}, ${admin.userId}, 'admin', now())
        on conflict (organization_id, user_id) do update set role = 'admin'`;
    };
    for (const [name, end] of Object.entries(ends)) {
      const { id, url } = (await admin.client.post(host.base, { intents: PLAIN_TASKS })).body;
      const forms = visitor();
      await open(forms, url);
      await forms.post("/setup", { step: "begin" });
      expect([name, (await forms.get("/setup/domains")).status]).toEqual([name, 200]);
      await end(id);
      const after = await forms.post("/setup/domains", { step: "add", domain: "after-the-end.test" });
      expect([name, after.status]).toEqual([name, 401]);
      await undo();
      expect([name, (await forms.get("/setup/domains")).status]).toEqual([name, 401]);
      await host.owner.delete(`${host.base}/${id}`);
    }
    expect(await sql`select 1 from organization_domains where domain = 'after-the-end.test'`).toHaveLength(0);
  });
});

describe("a company's administrator without an account", () => {
  /** Adds and verifies a domain on the page. */
  async function verifyDomain(forms: FormClient, domain: string) {
    expect((await forms.post("/setup/domains", { step: "add", domain })).status).toBe(303);
    const [row] = await sso.at.sql`select id, token from organization_domains where domain = ${domain}`;
    expect(mainOf((await forms.get("/setup/domains")).text)).toContain(`_service-domain.${domain}</code>`);
    sso.at.dns.setTxt(`_service-domain.${domain}`, `service-domain-verification=${row?.token}`);
    const checked = await forms.post("/setup/domains", { step: "check", id: row?.id });
    expect(checked.text).toContain("Domain verified.");
  }

  /** Enters the values of the forged identity provider. */
  async function configure(forms: FormClient) {
    expect((await forms.post("/setup/connection", { preset: "keycloak", protocol: "oidc" })).status).toBe(303);
    const version = async () =>
      /name="version" value="([^"]*)"/.exec((await forms.get("/setup/connection?step=values")).text)?.[1] ?? "";
    const values = {
      step: "save-values",
      name: "Acme ID",
      issuer: sso.forged.provider.url,
      client_id: "identity-service",
      client_secret: "a client secret of sixteen characters and more",
      token_auth: "client_secret",
    };
    expect((await forms.post("/setup/connection", { ...values, version: await version() })).status).toBe(303);
  }

  /** Runs the test in the browser of the link; returns the page with the result. */
  async function test_(forms: FormClient, claims: object) {
    sso.forged.provider.claims = { ...claims };
    let location = "";
    await until("the replica knows the connection", async () => {
      const started = await forms.post("/setup/connection", { step: "test" });
      location = /url=(\S+)/.exec(started.headers.get("refresh") ?? "")?.[1] ?? "";
      return started.status === 200 && location !== "";
    });
    const browser = Object.assign(new SsoBrowser(sso.at.one.url), { client: forms.client });
    const callback = await browser.visit(location);
    const tested = await forms.get(callback.pathname + callback.search);
    expect([tested.status, tested.headers.get("location")]).toEqual([302, "/setup/connection"]);
    return await forms.get("/setup/connection");
  }

  test("sets up domain, connection and directory; an owner confirms; the records name the link", async () => {
    const host = await vendor();
    const { sql } = sso.at;
    const forms = await begun(host, { intents: ALL_TASKS });
    const domain = `link-${crypto.randomUUID()}.test`;
    await verifyDomain(forms, domain);
    await configure(forms);
    const early = await forms.post("/setup/connection", { step: "request-activation" });
    expect(early.status).toBe(409);
    await sql`update sso_connections set name = 'evil.example/owner' where organization_id = ${host.organizationId}`;
    const email = `ada@${domain}`;
    const result = await test_(forms, { sub: "ada", email, email_verified: true });
    expect(result.text).toContain("The test passed.");
    expect(result.text).not.toContain(texts.ssoTests.effect);
    expect((await forms.post("/setup/connection", { step: "request-activation" })).status).toBe(303);
    const [row] = await sql`
      select id, status, activated_by, created_by from sso_connections where organization_id = ${host.organizationId}`;
    expect(row).toMatchObject({ status: "draft", activated_by: null, created_by: host.ownerId });
    expect((await forms.get("/setup")).text).toContain("Waiting for an owner");
    const [owner] = await sql`select email from users where id = ${host.ownerId}`;
    const [request] = await sso.at.mail.mailsTo(owner?.email, new RegExp(`/team/single-sign-on/${row?.id}`));
    expect(request?.text).not.toContain("evil.example");
    const item = `/v1/orgs/${host.organizationId}/sso/connections/${row?.id}`;
    const admin = await memberWith(sso.at, host.organizationId, "admin");
    await presentFactor(sql, admin.userId);
    expect((await admin.client.post(`${item}/activate`)).status).toBe(403);
    const confirmed = await host.owner.post(`${item}/activate`);
    expect([confirmed.status, confirmed.body.status, confirmed.body.activated_by]).toEqual([
      200,
      "active",
      host.ownerId,
    ]);
    expect((await forms.get("/setup/connection")).text).toContain("The connection is active.");
    const late = await forms.post("/setup/connection", {
      step: "save-values",
      name: "Mine",
      issuer: "https://evil.test",
      client_secret: "a secret for the new issuer",
    });
    expect(late.status).toBe(409);
    const token = await forms.post("/setup/directory", { step: "create-token" });
    const key = /<code id="key">([^<]+)<\/code>/.exec(token.text)?.[1] ?? "";
    expect([token.status, (await forms.post("/setup/directory", { step: "create-token" })).status]).toEqual([200, 409]);
    expect((await forms.get("/setup/directory")).text).not.toContain(key);
    const users = await fetch(`${sso.at.one.url}/v1/scim/v2/Users`, { headers: { authorization: `Bearer ${key}` } });
    expect(users.status).toBe(200);
    expect((await forms.post("/setup", { step: "finish" })).status).toBe(303);
    expect((await forms.get("/setup/domains")).status).toBe(401);
    const found = await records(host.organizationId);
    for (const action of [
      "sso.setup_link.begun",
      "sso.domain.claimed",
      "sso.domain.verified",
      "sso.connection.created",
      "sso.connection.updated",
      "sso.connection.tested",
      "directory.created",
      "service_account.created",
      "api_key.created",
      "sso.setup_link.revoked",
    ]) {
      expect(found).toContain(`${action} setup_link`);
    }
    await announceConnections(sso.at);
  });

  test("has one connection, in 40 parallel creations too", async () => {
    const host = await vendor();
    const forms = await begun(host);
    // Equal forms at once are one press; different values are 40 forms.
    const create = (_: unknown, index: number) =>
      forms.post("/setup/connection", { preset: "okta", protocol: "oidc", attempt: String(index) });
    const statuses = (await Promise.all(Array.from({ length: 40 }, create))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    const rows = await sso.at.sql`select 1 from sso_connections where organization_id = ${host.organizationId}`;
    expect(rows).toHaveLength(1);
  });
});
