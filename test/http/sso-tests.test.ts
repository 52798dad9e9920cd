/** Tests of connections by administrators (G149, G155). */
import { beforeEach, describe, expect, test } from "bun:test";
import type { Bound } from "../../src/limits/bounds.ts";
import { SSO_TESTS_MAX } from "../../src/limits/sso-sign-in-limits.ts";
import { type Client, newEmail } from "../support/client.ts";
import { keyOf } from "../support/service-accounts.ts";
import { announceConnections, company, SsoBrowser, type SsoDeployment, ssoDeployment } from "../support/sso.ts";
import { presentFactor } from "../support/states.ts";
import { memberWith, stepUpSessions } from "../support/team.ts";
import { until } from "../support/waiting.ts";

let sso: SsoDeployment;
beforeEach(async () => {
  sso = await ssoDeployment();
  sso.forged.provider.reset();
});

/** A company with a draft at the forged provider, and an owner with a step-up. */
async function draft(config: object = {}) {
  const { at, forged } = sso;
  const made = await company(at, crypto.randomUUID(), forged.provider.url, config);
  await at.sql`update sso_connections set status = 'draft', tested_at = null where id = ${made.connectionId}`;
  await announceConnections(at);
  await presentFactor(at.sql, made.ownerId);
  const { organizationId, connectionId } = made;
  const item = `/v1/orgs/${organizationId}/sso/connections/${connectionId}`;
  const place = `/v1/orgs/${organizationId}/sso/connections/${connectionId}/test`;
  const begin = async () => (await made.owner.post(place)).body.url as string;
  return { ...made, item, begin, result: () => made.owner.get(place) };
}
type Draft = Awaited<ReturnType<typeof draft>>;

const pathOf = (url: string) => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** Opens the URL of a test in a browser until the service has the response. */
async function run(client: Client, url: string, claims: object) {
  const { at, forged } = sso;
  forged.provider.claims = { ...claims };
  let location = "";
  await until("the replica knows the connection", async () => {
    const started = await client.get(pathOf(url), { headers: { accept: "application/json" } });
    location = started.headers.get("location") ?? "";
    return started.status === 302;
  });
  const browser = Object.assign(new SsoBrowser(at.one.url), { client });
  return location.startsWith("/") ? location : await finish(browser, location);
}

async function finish(browser: SsoBrowser, location: string): Promise<string> {
  const callback = await browser.visit(location);
  const response = await browser.client.get(callback.pathname + callback.search);
  expect(response.status).toBe(302);
  return response.headers.get("location") ?? "";
}

const checksOf = (checks: readonly { name: string; outcome: string }[], outcome: string) =>
  checks.filter((check) => check.outcome === outcome).map(({ name }) => name);

describe("a successful test", () => {
  test("displays checks, claims, mapping and effect, and creates neither session nor user nor identity.", async () => {
    const { at } = sso;
    const host = await draft({ groups_from: "groups" });
    const email = `ada@${host.domain}`;
    const claims = { sub: "ada", email, name: "Ada Lovelace", groups: ["Staff"], long: "x".repeat(900) };
    const location = await run(host.owner, await host.begin(), claims);
    expect(location).toBe(`/team/single-sign-on/${host.connectionId}`);
    const { status, body } = await host.result();
    expect([status, body.succeeded, body.current, body.user_id]).toEqual([200, true, true, host.ownerId]);
    expect(checksOf(body.checks, "pass")).toEqual([
      ...["discovery", "state", "provider_error", "issuer", "token_request", "nonce", "id_token", "subject", "email"],
      ...["email_verified", "domain", "groups"],
    ]);
    expect(checksOf(body.checks, "skipped")).toEqual(["userinfo", "mfa"]);
    expect(body.mapping).toMatchObject({ subject: "ada", email, display_name: "Ada Lovelace", groups: ["Staff"] });
    expect(body.effect).toEqual({ outcome: "create", joining: "jit", reason: null, role: "member" });
    const long = body.claims.find(({ name }: { name: string }) => name === "long");
    expect(long.value).toBe("x".repeat(200));
    expect(await at.sql`select 1 from users where email = ${email}`).toHaveLength(0);
    expect(await at.sql`select 1 from sso_identities where connection_id = ${host.connectionId}`).toHaveLength(0);
    expect(await at.sql`select 1 from sessions where sso_connection_id = ${host.connectionId}`).toHaveLength(0);
    const [stored] = await at.sql`select sealed_result from sso_tests where connection_id = ${host.connectionId}`;
    expect(String(stored?.sealed_result)).not.toContain("Lovelace");
  });

  test("allows the activation, until a change that concerns security.", async () => {
    const host = await draft();
    expect((await host.owner.post(`${host.item}/activate`)).status).toBe(409);
    await run(host.owner, await host.begin(), { sub: "ada", email: `ada@${host.domain}` });
    expect((await host.owner.patch(host.item, { email_from: "upn" })).body.tested_at).toBeNull();
    expect((await host.result()).body.current).toBe(false);
    expect((await host.owner.post(`${host.item}/activate`)).status).toBe(409);
    await run(host.owner, await host.begin(), { sub: "ada", upn: `ada@${host.domain}` });
    const activated = await host.owner.post(`${host.item}/activate`);
    expect([activated.status, activated.body.status]).toEqual([200, "active"]);
    expect(activated.body.last_test_at).toBe(activated.body.tested_at);
  });

  test("tells the effect for a member, and nothing about an account outside of the domains.", async () => {
    const { at } = sso;
    const host = await draft();
    const member = await memberWith(at, host.organizationId, "member");
    const email = `member@${host.domain}`;
    await at.sql`update users set email = ${email} where id = ${member.userId}`;
    const effect = async (address: string) => {
      await run(host.owner, await host.begin(), { sub: `of ${address}`, email: address });
      const { body } = await host.result();
      return [body.succeeded, checksOf(body.checks, "warning"), body.effect];
    };
    expect(await effect(email)).toEqual([true, [], { outcome: "link", joining: null, reason: null, role: "member" }]);
    const outside = [true, ["domain"], { outcome: "refused", joining: null, reason: "domain", role: null }];
    expect(await effect((await memberWith(at, host.organizationId, "member")).email)).toEqual(outside);
    expect(await effect(newEmail())).toEqual(outside);
  });
});

describe("a failed test", () => {
  const FAILURES: readonly (readonly [string, string, (host: Draft) => object])[] = [
    ["a foreign key", "id_token", () => Object.assign(sso.forged.provider, { foreignKey: true }) && {}],
    ["another nonce", "nonce", () => ({ nonce: "another" })],
    ["another issuer", "issuer", () => ({ iss: "https://other.example" })],
    ["no subject", "subject", () => ({ sub: "s".repeat(300) })],
    ["no address", "email", () => ({ email: undefined })],
    ["an address that is not verified", "email_verified", () => ({ email_verified: false })],
  ];
  for (const [title, failed, claimsFor] of FAILURES) {
    test(`names the check: ${title}.`, async () => {
      const host = await draft();
      await run(host.owner, await host.begin(), { sub: "ada", email: `ada@${host.domain}`, ...claimsFor(host) });
      const { body } = await host.result();
      expect([body.succeeded, checksOf(body.checks, "fail")]).toEqual([false, [failed]]);
      const connection = (await host.owner.get(host.item)).body;
      expect([connection.tested_at, connection.last_test_at === null]).toEqual([null, false]);
      expect((await host.owner.post(`${host.item}/activate`)).status).toBe(409);
      const [record] = await sso.at.sql`
        select outcome from audit_logs where action = 'sso.connection.tested' and resource_id = ${host.connectionId}`;
      expect(record?.outcome).toBe("failure");
    });
  }

  test("names the discovery of an identity provider that is away.", async () => {
    const host = await draft();
    sso.forged.provider.answers.set("/.well-known/openid-configuration", () => new Response("", { status: 502 }));
    await run(host.owner, await host.begin(), {});
    const { body } = await host.result();
    expect([body.succeeded, checksOf(body.checks, "fail")]).toEqual([false, ["discovery"]]);
  });

  test("does not count for settings that changed during the test.", async () => {
    const { at } = sso;
    const host = await draft();
    const url = await host.begin();
    sso.forged.provider.claims = { sub: "ada", email: `ada@${host.domain}` };
    let location = "";
    await until("the replica knows the connection", async () => {
      location = (await host.owner.get(pathOf(url))).headers.get("location") ?? "";
      return location.startsWith("https:");
    });
    await at.sql`update sso_connections set revision = revision + 1 where id = ${host.connectionId}`;
    await finish(Object.assign(new SsoBrowser(at.one.url), { client: host.owner }), location);
    expect((await host.owner.get(host.item)).body.tested_at).toBeNull();
  });
});

describe("the URL of a test", () => {
  test("stores nothing for a user who lost the role during the test (G155).", async () => {
    const { at } = sso;
    const host = await draft();
    const begun = await host.begin();
    await at.sql`update members set role = 'member' where user_id = ${host.ownerId}`;
    await run(host.owner, begun, { sub: "ada", email: `ada@${host.domain}` });
    await at.sql`update members set role = 'owner' where user_id = ${host.ownerId}`;
    const [{ tested_at: testedAt } = {}] = await at.sql`
      select tested_at from sso_connections where id = ${host.connectionId}`;
    expect([testedAt, (await host.result()).status]).toEqual([null, 404]);
  });

  test("404: works in the session of the administrator, once (G155).", async () => {
    const { at } = sso;
    const host = await draft();
    const url = await host.begin();
    await run(host.owner, await host.begin(), { sub: "ada", email: `ada@${host.domain}` });
    const other = await memberWith(at, host.organizationId, "owner");
    const open = async (client: Client) =>
      (await client.get(pathOf(url), { headers: { accept: "application/json" } })).status;
    expect([await open(other.client), await open(new SsoBrowser(at.one.url).client)]).toEqual([404, 404]);
    expect([await open(host.owner), await open(host.owner)]).toEqual([302, 404]);
    const foreign = url.replace(host.connectionId, sso.acme.connectionId);
    expect((await host.owner.get(pathOf(foreign), { headers: { accept: "application/json" } })).status).toBe(404);
  });

  test("403, 401, 404, 409: only an administrator with a step-up begins a test, of complete settings.", async () => {
    const { at, acme } = sso;
    const host = await draft();
    const member = await memberWith(at, host.organizationId, "member");
    expect((await member.client.post(`${host.item}/test`)).status).toBe(403);
    expect((await member.client.get(`${host.item}/test`)).status).toBe(403);
    const admin = await memberWith(at, host.organizationId, "admin");
    await stepUpSessions(at.sql, admin.userId, "an hour ago");
    expect((await admin.client.post(`${host.item}/test`)).body.error.code).toBe("mfa_required");
    expect((await acme.owner.post(`${host.item}/test`)).status).toBe(404);
    expect((await host.result()).status).toBe(404);
    await at.sql`update sso_connections set sealed_secret = null, key_id = null where id = ${host.connectionId}`;
    expect((await host.owner.post(`${host.item}/test`)).status).toBe(409);
  });

  test("429: ten tests of a connection an hour (sso_tests).", async () => {
    const host = await draft();
    for (let turn = 0; turn < SSO_TESTS_MAX; turn += 1) await host.begin();
    expect((await host.owner.post(`${host.item}/test`)).status).toBe(429);
    const metrics = await (await fetch(`${sso.at.one.url}/metrics`)).text();
    const bound: Bound = "sso_tests";
    expect(metrics).toMatch(new RegExp(`service_bound_refusals_total\\{service_bound="${bound}"[^}]*\\} [1-9]`));
  });

  test("200: a key with sso.read reads the result, which ends after 24 hours.", async () => {
    const { at } = sso;
    const host = await draft();
    await run(host.owner, await host.begin(), { sub: "ada", email: `ada@${host.domain}` });
    const { key } = await keyOf(host.owner, `/v1/orgs/${host.organizationId}/service-accounts`, ["sso.read"]);
    expect((await new SsoBrowser(at.one.url).client.get(`${host.item}/test`, { bearer: key })).status).toBe(200);
    await at.sql`
      update sso_tests set expires_at = now() - interval '1 second' where connection_id = ${host.connectionId}`;
    expect((await host.result()).status).toBe(404);
  });
});
