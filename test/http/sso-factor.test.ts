/** The factor that an organization requires after single sign-on (G205, G206), over two replicas. */
import { beforeEach, describe, expect, test } from "bun:test";
import { type Client, PASSWORD, registered } from "../support/client.ts";
import { decodeClaims } from "../support/forge.ts";
import { codeOf, withAuthenticator, wrongCode } from "../support/mfa.ts";
import { FormClient, mainOf } from "../support/pages.ts";
import { changeConnection, SsoBrowser, type SsoDeployment, setPolicy, ssoDeployment } from "../support/sso.ts";
import { startIntent } from "../support/sso-intents.ts";
import { deleteMember, presentFactor, proveMailbox } from "../support/states.ts";
import { memberOf, memberWith, stepUpSessions } from "../support/team.ts";

let sso: SsoDeployment;
beforeEach(async () => {
  sso = await ssoDeployment();
  sso.forged.provider.reset();
  await setPolicy(sso.at, sso.forged.organizationId, { requireOwnFactor: true });
});

let employees = 0;

/** A new employee after single sign-on, or a further session of the same employee. */
async function employee(claims?: { sub: string; email: string }) {
  const { at, forged } = sso;
  employees += 1;
  const asserted = claims ?? { sub: `factor-${employees}`, email: `factor-${employees}@${forged.domain}` };
  forged.provider.claims = asserted;
  const browser = new SsoBrowser(at.one.url);
  const { body } = await browser.enter(forged.connectionId);
  return { client: browser.client, userId: String(body.user.user_id), claims: asserted };
}

const ORGANIZATION = () => `/v1/orgs/${sso.forged.organizationId}`;
const sessionOf = async (client: Client) => (await client.get("/v1/auth/session")).body.session;
const statusOf = async (client: Client) => (await client.get(`${ORGANIZATION()}/sso/identities`)).status;

async function setUp(client: Client) {
  const { body } = await client.post("/v1/auth/mfa/setup");
  const secret = String(body.secret);
  const enabled = await client.post("/v1/auth/mfa/enable", { code: codeOf(secret) });
  return { secret, enabled, uri: new URL(body.otpauth_uri) };
}

function formsOf(url: string, { jar }: Client): FormClient {
  const forms = new FormClient(url);
  Object.assign(forms.client, { jar });
  return forms;
}

const forgetStep = (userId: string) =>
  sso.at.sql`update organization_factors set last_step = null where user_id = ${userId}`;

describe("a session of single sign-on before the factor that the organization requires", () => {
  test("401 mfa_required on every replica; the set-up of the factor makes aal2 (G205).", async () => {
    const { at } = sso;
    const { client, userId, claims } = await employee();
    expect(await sessionOf(client)).toMatchObject({ aal: "aal1", mfa_verified_at: null, organization_bound: true });
    const closed = [ORGANIZATION(), `${ORGANIZATION()}/members`, "/v1/users/me", "/v1/auth/sessions"];
    for (const { url } of [at.one, at.other]) {
      const codes = await Promise.all(
        closed.slice(1).map(async (path) => (await client.at(url).get(path)).body.error.code),
      );
      expect(codes).toEqual(["mfa_required", "mfa_required", "mfa_required"]);
    }
    expect((await client.post("/v1/auth/mfa/verify", { code: "123456" })).status).toBe(401);
    const { enabled, uri, secret } = await setUp(client);
    expect([enabled.status, enabled.body.recovery_codes.length]).toEqual([200, 10]);
    expect(decodeURIComponent(uri.pathname)).toContain(claims.email);
    expect(uri.searchParams.get("issuer")).not.toBe("localhost");
    expect([await statusOf(client), await statusOf(client.at(at.other.url))]).toEqual([200, 200]);
    expect(await sessionOf(client.at(at.other.url))).toMatchObject({ aal: "aal2" });
    expect((await client.post("/v1/auth/mfa/setup")).status).toBe(409);
    await at.mail.mailsTo(claims.email, /authenticator app was set up for single sign-on/);
    const [record] = await at.sql`
      select organization_id from audit_logs where action = 'sso.factor.enabled' and actor_id = ${userId}`;
    expect(record?.organization_id).toBe(sso.forged.organizationId);
    const again = await employee(claims);
    expect([await statusOf(again.client), again.userId]).toEqual([401, userId]);
    await forgetStep(userId);
    const verified = await again.client.at(at.other.url).post("/v1/auth/mfa/verify", { code: codeOf(secret) });
    expect([verified.status, await statusOf(again.client)]).toEqual([200, 200]);
    const replayed = await client.post("/v1/auth/mfa/verify", { code: codeOf(secret) });
    expect(replayed.status).toBe(401);
  });

  test("a factor at the identity provider does not replace the factor of the organization.", async () => {
    const { at, forged } = sso;
    await changeConnection(at, forged.connectionId, { config: { mfa_trust: ["mfa"] } });
    const first = await employee();
    forged.provider.claims = { ...first.claims, amr: ["mfa"] } as never;
    const browser = new SsoBrowser(at.one.url);
    await browser.enter(forged.connectionId);
    expect(await statusOf(browser.client)).toBe(401);
    const started = await startIntent(browser.client, forged.connectionId, { intent: "step_up" });
    expect([started.status, started.body.error.code]).toEqual([401, "mfa_required"]);
  });

  test("a change of the policy reaches live sessions; without the requirement the set-up is 403.", async () => {
    const { at, forged } = sso;
    await setPolicy(at, forged.organizationId, {});
    const { client } = await employee();
    expect(await statusOf(client.at(at.other.url))).toBe(200);
    for (const action of ["setup", "enable", "verify"]) {
      const refused = await client.post(`/v1/auth/mfa/${action}`, { code: "123456" });
      expect([action, refused.body.error.code]).toEqual([action, "forbidden"]);
    }
    const owner = await memberWith(at, forged.organizationId, "owner");
    await presentFactor(at.sql, owner.userId);
    const fresh = owner.client.at(at.other.url);
    const policy = { mode: "optional", require_own_factor: true };
    expect((await fresh.put(`${ORGANIZATION()}/sso/policy`, policy)).status).toBe(200);
    expect(await statusOf(client.at(at.other.url))).toBe(401);
    const refreshed = async () => {
      const { body } = await client.at(at.other.url).post("/v1/auth/refresh");
      return decodeClaims(body.access_token).enrolment_only;
    };
    expect(await refreshed()).toBe(true);
    await setUp(client.at(at.other.url));
    expect(await refreshed()).toBeUndefined();
  });
});

describe("the pages of a session before the factor", () => {
  test("lead to the set-up and back, then to the code after the next sign-in, without scripts (G205).", async () => {
    const { at } = sso;
    const { client, userId, claims } = await employee();
    const forms = formsOf(at.other.url, client);
    for (const path of ["/team", "/team?q=ada", "/"]) {
      expect((await forms.get(path)).headers.get("location")).toBe(
        `/step-up?${new URLSearchParams({ return_to: path })}`,
      );
    }
    const begin = await forms.get("/step-up?return_to=%2Fteam");
    expect(mainOf(begin.text)).toContain("requires a code from an authenticator app after single sign-on");
    const csrf = await forms.csrf("/step-up?return_to=%2Fteam");
    const shared = { csrf, return_to: "/team" };
    const setup = await forms.post("/account/security/authenticator", { ...shared, step: "begin" });
    const secret = /secret=([A-Z2-7]+)/.exec(setup.text)?.[1] ?? "";
    const enable = (code: string) =>
      forms.post("/account/security/authenticator", { ...shared, secret, code, step: "enable" });
    expect((await enable(wrongCode(secret))).text).toContain(secret);
    const codes = await enable(codeOf(secret));
    expect(codes.text.match(/<li>[0-9a-z]{5}-[0-9a-z]{5}/g)).toHaveLength(10);
    expect(mainOf(codes.text)).toContain('href="/team"');
    expect((await forms.get("/team")).status).toBe(200);
    const again = formsOf(at.other.url, (await employee(claims)).client);
    const asked = await again.get("/step-up?return_to=%2Fteam");
    expect(mainOf(asked.text)).toContain('name="code"');
    await forgetStep(userId);
    const fields = { csrf: await again.csrf("/step-up?return_to=%2Fteam"), code: codeOf(secret) };
    const verified = await again.post("/step-up?return_to=%2Fteam", fields);
    expect([verified.status, verified.headers.get("location")]).toEqual([303, "/team"]);
    expect((await again.get("/team")).status).toBe(200);
    expect((await again.get("/account/security")).status).toBe(403);
  });
});

describe("the factor of the organization", () => {
  test("neither accepts nor changes the user's own factor, password and counters (P3, G205).", async () => {
    const { at, forged } = sso;
    const email = `own-${employees}@${forged.domain}`;
    const person = await withAuthenticator(at, await registered(at.one.url, { email }));
    await proveMailbox(at.sql, person.userId);
    const [before] = await at.sql`select sealed_secret, last_step from totp_factors where user_id = ${person.userId}`;
    const { client, userId } = await employee({ sub: `own-${employees}`, email });
    expect(userId).toBe(person.userId);
    expect((await client.post("/v1/auth/mfa/verify", { code: codeOf(person.secret) })).status).toBe(401);
    const [recovery] = person.recoveryCodes;
    expect((await client.post("/v1/auth/mfa/verify", { recovery_code: recovery })).status).toBe(401);
    const withPassword = { code: "123456", password: PASSWORD };
    await client.post("/v1/auth/mfa/setup");
    expect((await client.post("/v1/auth/mfa/enable", withPassword)).status).toBe(409);
    expect((await client.post("/v1/auth/mfa/enable", { ...withPassword, password: "a wrong password" })).status).toBe(
      409,
    );
    const { secret, enabled } = await setUp(client);
    expect(enabled.status).toBe(200);
    for (let miss = 1; miss <= 5; miss += 1) {
      expect((await client.post("/v1/auth/mfa/verify", { code: wrongCode(secret) })).status).toBe(401);
    }
    expect((await client.post("/v1/auth/mfa/verify", { code: codeOf(secret) })).status).toBe(429);
    const counters = await at.sql`select kind, hour_count from failed_attempts where user_id = ${userId}`;
    expect(counters.map(({ kind }) => kind)).not.toContain("second_factor");
    const [after] = await at.sql`select sealed_secret, last_step from totp_factors where user_id = ${userId}`;
    expect(after).toEqual(before);
    expect((await person.client.post("/v1/auth/mfa/verify", { code: codeOf(secret) })).status).toBe(401);
    expect((await person.client.post("/v1/auth/mfa/verify", { code: codeOf(person.secret) })).status).toBe(200);
  });

  test("a recovery code verifies once.", async () => {
    const first = await employee();
    const { enabled } = await setUp(first.client);
    const [code] = enabled.body.recovery_codes;
    const { client } = await employee(first.claims);
    expect((await client.post("/v1/auth/mfa/verify", { recovery_code: code })).status).toBe(200);
    expect(await statusOf(client)).toBe(200);
    expect((await client.post("/v1/auth/mfa/verify", { recovery_code: code })).status).toBe(401);
  });

  test("enabling in a session of more than ten minutes leaves the verification to the next code.", async () => {
    const { client, userId } = await employee();
    await sso.at.sql`update sessions set auth_time = auth_time - interval '11 minutes' where user_id = ${userId}`;
    const { enabled, secret } = await setUp(client.at(sso.at.other.url));
    expect([enabled.status, await statusOf(client)]).toEqual([200, 401]);
    await forgetStep(userId);
    expect((await client.post("/v1/auth/mfa/verify", { code: codeOf(secret) })).status).toBe(200);
    expect(await statusOf(client)).toBe(200);
  });

  test("ends with the membership.", async () => {
    const { at, forged } = sso;
    const { client, userId } = await employee();
    await setUp(client);
    await deleteMember(at.sql, forged.organizationId, userId);
    expect(await at.sql`select 1 from organization_factors where user_id = ${userId}`).toHaveLength(0);
  });
});

describe("DELETE /v1/orgs/:org_id/members/:user_id/factor", () => {
  test("204: an administrator resets; 403 above the own permissions; 401 without a step-up; 404 (G206).", async () => {
    const { at, forged } = sso;
    const { client, userId, claims } = await employee();
    await setUp(client);
    const admin = await memberWith(at, forged.organizationId, "admin");
    const path = `${memberOf(forged.organizationId, userId)}/factor`;
    await stepUpSessions(at.sql, admin.userId, "an hour ago");
    expect((await admin.client.delete(path)).body.error.code).toBe("mfa_required");
    await presentFactor(at.sql, admin.userId);
    const stepped = admin.client.at(at.other.url);
    expect((await client.delete(path)).status).toBe(403);
    const ownerPath = `${memberOf(forged.organizationId, forged.ownerId)}/factor`;
    expect((await stepped.delete(ownerPath)).body.error.code).toBe("forbidden");
    expect((await stepped.delete(`${memberOf(forged.organizationId, forged.organizationId)}/factor`)).status).toBe(404);
    expect((await stepped.delete(path)).status).toBe(204);
    const repeated = await stepped.delete(`/v1/orgs/${forged.organizationId}/members/${userId}/factor`);
    expect(repeated.status).toBe(204);
    const records = await at.sql`
      select 1 from audit_logs where action = 'sso.factor.reset' and resource_id = ${userId}`;
    expect(records).toHaveLength(1);
    const again = await employee(claims);
    expect((await again.client.post("/v1/auth/mfa/setup")).status).toBe(200);
  });
});
