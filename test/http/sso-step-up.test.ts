/** The step-up of a session of single sign-on at its identity provider (G171), over two replicas. */
import { beforeEach, describe, expect, test } from "bun:test";
import { rfc3339 } from "../../src/base/clock.ts";
import {
  attemptsOf,
  changeConnection,
  SsoBrowser,
  type SsoDeployment,
  setPolicy,
  ssoDeployment,
} from "../support/sso.ts";
import { browserOf, runIntent, startIntent } from "../support/sso-intents.ts";
import { memberWith } from "../support/team.ts";

let sso: SsoDeployment;
beforeEach(async () => {
  sso = await ssoDeployment();
  sso.forged.provider.reset();
  await setPolicy(sso.at, sso.forged.organizationId, {});
});

const STEP_UP = { intent: "step_up", redirect_to: "/team/single-sign-on" };
let employees = 0;

/** An administrator in a session of single sign-on, at a connection that trusts `mfa`. */
async function admin(trust: "never" | string[] = ["mfa"]) {
  const { at, forged } = sso;
  await changeConnection(at, forged.connectionId, { config: { mfa_trust: trust } });
  employees += 1;
  const claims = { sub: `step-${employees}`, email: `step-${employees}@${forged.domain}` };
  forged.provider.claims = claims;
  const browser = new SsoBrowser(at.one.url);
  const { body } = await browser.enter(forged.connectionId);
  await at.sql`update members set role = 'admin' where user_id = ${body.user.user_id}`;
  const session = async () => (await browser.client.get("/v1/auth/session")).body.session;
  return { client: browser.client, userId: body.user.user_id as string, claims, session };
}

const seconds = () => Math.floor(Date.now() / 1000);
const domains = () => `/v1/orgs/${sso.forged.organizationId}/domains`;

describe("a step-up at the identity provider", () => {
  test("302: the same subject with a trusted value makes aal2 on the other replica (G171).", async () => {
    const { at, forged } = sso;
    const { client, claims, session, userId } = await admin();
    const claim = () => client.post(domains(), { domain: `step-up-${employees}.test` });
    expect((await claim()).body.error.code).toBe("mfa_required");
    const authTime = seconds() - 60;
    forged.provider.claims = { ...claims, amr: ["pwd", "mfa"], auth_time: authTime };
    const started = await startIntent(client, forged.connectionId, STEP_UP);
    const location = new URL(started.headers.get("location") ?? "");
    expect([location.searchParams.get("prompt"), location.searchParams.get("max_age")]).toEqual(["login", "0"]);
    const callback = await browserOf(client).visit(location.href);
    const finished = await client.at(at.other.url).get(`${callback.pathname}${callback.search}`);
    expect([finished.status, finished.headers.get("location")]).toEqual([302, STEP_UP.redirect_to]);
    expect(await session()).toMatchObject({
      aal: "aal2",
      organization_bound: true,
      mfa_verified_at: rfc3339(authTime * 1000),
    });
    expect((await claim()).status).toBe(201);
    const [record] = await at.sql`
      select metadata from audit_logs where action = 'auth.mfa.step_up' and actor_id = ${userId}`;
    expect(record?.metadata).toMatchObject({ factor: "sso", previous_aal: "aal1" });
    const replayed = await client.get(`${callback.pathname}${callback.search}`);
    expect(replayed.headers.get("location")).toStartWith("/sign-in?error=authentication_required");
  });

  test("no step-up: another subject, an old or future authentication, no trusted value, no time.", async () => {
    const { forged } = sso;
    const { client, claims, session } = await admin();
    const good = { ...claims, amr: ["mfa"], auth_time: seconds() };
    const cases = [
      [{ ...good, sub: "another" }, "step_up"],
      [{ ...good, auth_time: seconds() - 301 }, "step_up"],
      [{ ...good, amr: ["pwd"] }, "step_up"],
      [{ ...good, amr: undefined, acr: "MFA" }, "step_up"],
      [{ ...good, auth_time: seconds() + 600 }, "step_up"],
      [{ ...good, auth_time: undefined }, "id_token"],
      [{ ...good, auth_time: seconds() - 3600 }, "id_token"],
    ] as const;
    for (const [asserted, reason] of cases) {
      forged.provider.claims = asserted;
      const refused = await runIntent(client, forged.connectionId, STEP_UP);
      expect(refused.headers.get("location")).toStartWith("/step-up?error=authentication_required&request_id=");
      expect((await attemptsOf(forged))[0]).toBe(`failure ${reason} ${reason === "step_up" ? "account" : "response"}`);
    }
    expect(await session()).toMatchObject({ aal: "aal1", mfa_verified_at: null });
  });
});

describe("the start of a step-up", () => {
  test("401 mfa_required with mfa_trust never; 403 for other sessions; 403 without the CSRF value.", async () => {
    const { at, acme, forged } = sso;
    const trusting = await admin();
    expect((await startIntent(trusting.client, acme.connectionId, STEP_UP)).body.error.code).toBe("forbidden");
    const unbound = await memberWith(at, forged.organizationId, "owner");
    expect((await startIntent(unbound.client, forged.connectionId, STEP_UP)).body.error.code).toBe("forbidden");
    const path = `/v1/auth/sso/${forged.connectionId}/start`;
    expect((await trusting.client.post(path, STEP_UP, { csrf: false })).body.error.code).toBe("csrf_failed");
    const { client } = await admin("never");
    const refused = await startIntent(client, forged.connectionId, STEP_UP);
    expect([refused.status, refused.body.error.code]).toEqual([401, "mfa_required"]);
    expect(refused.body.error.message).toContain("mfa_trust");
  });

  test("a response counts for the session that began the request only, and for no ended session.", async () => {
    const { at, forged } = sso;
    const { client, claims, session, userId } = await admin();
    const other = await admin();
    forged.provider.claims = { ...claims, amr: ["mfa"], auth_time: seconds() };
    const started = await startIntent(client, forged.connectionId, STEP_UP);
    const callback = await browserOf(client).visit(started.headers.get("location") ?? "");
    const path = `${callback.pathname}${callback.search}`;
    const own = client.cookie("service_at") ?? "";
    client.setCookie("service_at", other.client.cookie("service_at") ?? "");
    expect((await client.get(path)).headers.get("location")).toStartWith("/step-up?error=");
    client.setCookie("service_at", own);
    expect([(await session()).aal, (await other.session()).aal]).toEqual(["aal1", "aal1"]);
    await at.sql`delete from sso_identities where user_id = ${userId}`;
    expect((await client.get(path)).headers.get("location")).toStartWith("/step-up?error=");
    expect((await session()).aal).toBe("aal1");
  });
});
