/** The link of a company account by the user (G170), over two replicas. */
import { beforeEach, describe, expect, test } from "bun:test";
import { DEFAULT_POLICY } from "../../src/vocabulary/policy-settings.ts";
import { Client, type RequestOptions } from "../support/client.ts";
import { eventually } from "../support/deployment.ts";
import {
  attemptsOf,
  changeConnection,
  SsoBrowser,
  type SsoDeployment,
  setPolicy,
  ssoDeployment,
} from "../support/sso.ts";
import { browserOf, offeredLink, runIntent, startIntent } from "../support/sso-intents.ts";
import { deleteMember } from "../support/states.ts";
import { memberWith, stepUpSessions } from "../support/team.ts";

let sso: SsoDeployment;
beforeEach(async () => {
  sso = await ssoDeployment();
  sso.forged.provider.reset();
  await setPolicy(sso.at, sso.forged.organizationId, {});
});

/** The time within which every replica knows a change. */
const REPLICATED_MS = 1_000;

let subjects = 0;

/** A subject of the identity provider whose address is outside of the domains. */
function newSubject() {
  subjects += 1;
  const claims = { sub: `own-${process.pid}-${subjects}`, email: `own-${subjects}@elsewhere.test` };
  sso.forged.provider.claims = claims;
  return claims;
}

const LINK = { intent: "link", redirect_to: "/account/security" };

/** An owner with a link that waits for the confirmation. */
async function offered() {
  const owner = await memberWith(sso.at, sso.forged.organizationId, "owner");
  const claims = newSubject();
  const answer = await runIntent(owner.client, sso.forged.connectionId, LINK, sso.at.other.url);
  return { ...owner, ...claims, answer, id: offeredLink(answer) };
}

const confirm = (client: Client, id: string, options?: RequestOptions) =>
  client.post(`/v1/users/me/sso-links/${id}/confirm`, undefined, options);
const linkOf = (id: string) => `/v1/users/me/sso-links/${id}`;

describe("a link by the user", () => {
  test("201: an owner confirms the displayed subject, on the other replica, and signs in (G170).", async () => {
    const { at, forged } = sso;
    const { client, userId, sub, email, answer, id } = await offered();
    expect([answer.status, answer.headers.get("location")]).toEqual([
      302,
      `/account/security/company-account?link=${id}&return_to=%2Faccount%2Fsecurity`,
    ]);
    expect(await at.sql`select 1 from sso_identities where subject = ${sub}`).toHaveLength(0);
    const displayed = await client.get(linkOf(id));
    expect([displayed.status, displayed.body]).toMatchObject([
      200,
      { subject: sub, email, connection_id: forged.connectionId, organization_id: forged.organizationId },
    ]);
    const confirmed = await confirm(client.at(at.other.url), id);
    expect([confirmed.status, confirmed.body]).toMatchObject([
      201,
      { subject: sub, user_id: userId, linked_by: "user" },
    ]);
    const [record] = await at.sql`
      select metadata from audit_logs where action = 'auth.sso.linked' and actor_id = ${userId}`;
    expect(record?.metadata).toEqual({ connection_id: forged.connectionId, linked_by: "user" });
    const signedIn = await new SsoBrowser(at.one.url).enter(forged.connectionId);
    expect([signedIn.status, signedIn.body.user.user_id, signedIn.body.capabilities.role]).toEqual([
      200,
      userId,
      "owner",
    ]);
    const [again, second] = [await confirm(client, id), await startIntent(client, forged.connectionId, LINK)];
    expect([again.status, second.body.error.code]).toEqual([404, "conflict"]);
  });

  test("link_required: a link that awaits a confirmation after a reset signs nobody in (G290).", async () => {
    const { at, forged } = sso;
    const { client, userId, id } = await offered();
    await confirm(client, id);
    await at.sql`
      insert into credential_reviews (user_id, email, held_since, listed_since, reset_at, token_hash, expires_at)
      values (${userId}, 'owner@example.test', now() - interval '7 days', now() - interval '7 days', now(),
              sha256(${userId}::text::bytea), now())`;
    expect((await new SsoBrowser(at.one.url).enter(forged.connectionId)).status).not.toBe(200);
    expect((await attemptsOf(forged))[0]).toContain("link_required");
    await at.sql`delete from credential_reviews where user_id = ${userId}`;
    expect((await new SsoBrowser(at.one.url).enter(forged.connectionId)).status).toBe(200);
  });

  test("one of forty parallel confirmations links (P5).", async () => {
    const { at } = sso;
    const { client, id, sub } = await offered();
    const confirmations = Array.from({ length: 40 }, (_, index) =>
      confirm(client.at(index % 2 ? at.one.url : at.other.url), id),
    );
    const statuses = (await Promise.all(confirmations)).map(({ status }) => status);
    expect([statuses.filter((status) => status === 201).length, statuses.filter((status) => status >= 500)]).toEqual([
      1,
      [],
    ]);
    expect(await at.sql`select 1 from sso_identities where subject = ${sub}`).toHaveLength(1);
  });
});

describe("the start of a link", () => {
  test("401, 403: without a session, without the CSRF value; a form sends the CSRF value as a field.", async () => {
    const { at, forged } = sso;
    const start = `/v1/auth/sso/${forged.connectionId}/start`;
    const { client } = await memberWith(at, forged.organizationId, "member");
    expect((await new Client(at.one.url).post(start, LINK)).body.error.code).toBe("authentication_required");
    expect((await client.post(start, LINK, { csrf: false })).body.error.code).toBe("csrf_failed");
    const foreign = await memberWith(at, forged.organizationId, "member");
    const stolen = foreign.client.cookie("service_csrf");
    expect((await client.post(start, { ...LINK, csrf: stolen }, { csrf: false })).body.error.code).toBe("csrf_failed");
    const csrf = client.cookie("service_csrf");
    expect((await client.post(start, { ...LINK, csrf }, { csrf: false })).status).toBe(302);
    const byUrl = await client.get(`${start}?intent=link`);
    const [request] = await at.sql`select intent from sso_requests order by created_at desc limit 1`;
    expect([byUrl.status, request?.intent]).toEqual([302, "sign_in"]);
  });

  test("404, 403, 401: for other users, in a bound session, in an old session without a step-up.", async () => {
    const { at, acme, forged } = sso;
    const stranger = await startIntent(acme.owner, forged.connectionId, LINK);
    expect(stranger.body.error.code).toBe("not_found");
    sso.forged.provider.claims = { sub: "bound", email: `bound@${forged.domain}` };
    const bound = new SsoBrowser(at.one.url);
    await bound.enter(forged.connectionId);
    expect((await startIntent(bound.client, forged.connectionId, LINK)).body.error.code).toBe("forbidden");
    const old = await memberWith(at, forged.organizationId, "owner");
    await stepUpSessions(at.sql, old.userId, "an hour ago");
    await at.sql`update sessions set auth_time = now() - interval '11 minutes' where user_id = ${old.userId}`;
    expect((await startIntent(old.client, forged.connectionId, LINK)).body.error.code).toBe("mfa_required");
  });
});

describe("the policy of the session's organization", () => {
  const start = () => `/v1/auth/sso/${sso.forged.connectionId}/start`;

  /** An owner whose session is in an organization of the owner's own, `home`. */
  async function ownerElsewhere() {
    const person = await memberWith(sso.at, sso.forged.organizationId, "owner");
    const [home] = await sso.at.sql`select organization_id as id from sessions where user_id = ${person.userId}`;
    return { ...person, home: String(home?.id) };
  }

  /** Stores settings, and waits until a session of the organization gets a response. */
  async function enforce(client: Client, organizationId: string, changed: object, code: string) {
    const { at } = sso;
    const settings = at.sql.json({ ...DEFAULT_POLICY, mfaSince: new Date(0).toISOString(), ...changed } as never);
    await at.sql`
      insert into organization_policies (organization_id, settings, policies_at, revision, updated_at)
      values (${organizationId}, ${settings}, 'epoch', 1, now())`;
    await at.sql`
      insert into session_events (session_id, kind, reason, at, expires_at)
      values (${organizationId}, 'organization_changed', 'test', now(), now() + interval '1 minute')`;
    await eventually(
      "the policy counts",
      REPLICATED_MS,
      async () => (await client.get("/v1/auth/sessions")).body?.error?.code === code,
    );
  }

  test("403: no link begins or ends outside of the address ranges, by a form either (G214).", async () => {
    const { forged } = sso;
    const owner = await ownerElsewhere();
    newSubject();
    const started = await startIntent(owner.client, forged.connectionId, LINK);
    const { pathname, search } = await browserOf(owner.client).visit(started.headers.get("location") ?? "");
    await enforce(owner.client, owner.home, { allowedIps: ["203.0.113.0/24"] }, "forbidden");
    const callback = await owner.client.get(`${pathname}${search}`);
    expect(callback.headers.get("location")).toStartWith("/account/security/company-account?error=forbidden");
    const csrf = owner.client.cookie("service_csrf");
    const byForm = await owner.client.post(start(), { ...LINK, csrf }, { csrf: false });
    expect([byForm.status, byForm.body.error.code]).toEqual([403, "forbidden"]);
  });

  test("401: a session without the required factor begins no link (G212).", async () => {
    const owner = await ownerElsewhere();
    await enforce(owner.client, owner.home, { mfa: "required" }, "mfa_required");
    const csrf = owner.client.cookie("service_csrf");
    const byForm = await owner.client.post(start(), { ...LINK, csrf }, { csrf: false });
    expect([byForm.status, byForm.body.error.code]).toEqual([401, "mfa_required"]);
  });
});

describe("a link of another party", () => {
  test("the browser and session that began the link are needed at the callback and at the confirmation.", async () => {
    const { at, forged } = sso;
    const { client, id, sub } = await offered();
    const other = await memberWith(at, forged.organizationId, "owner");
    expect((await other.client.get(linkOf(id))).status).toBe(404);
    expect((await confirm(other.client, id)).status).toBe(404);
    expect((await confirm(client, id, { csrf: false })).body.error.code).toBe("csrf_failed");
    newSubject();
    const started = await startIntent(other.client, forged.connectionId, LINK);
    const callback = await browserOf(other.client).visit(started.headers.get("location") ?? "");
    const path = `${callback.pathname}${callback.search}`;
    // The victim's browser without the cookie of the start, and the same browser with the session of another user.
    const victim = await memberWith(at, forged.organizationId, "member");
    const elsewhere = await victim.client.get(path);
    expect(elsewhere.headers.get("location")).toStartWith("/sign-in?error=authentication_required");
    const access = victim.client.cookie("service_at") ?? "";
    const own = other.client.cookie("service_at") ?? "";
    other.client.setCookie("service_at", access);
    const swapped = await other.client.get(path);
    expect(swapped.headers.get("location")).toStartWith(
      "/account/security/company-account?error=authentication_required",
    );
    other.client.setCookie("service_at", own);
    expect(offeredLink(await other.client.get(path))).not.toBe("");
    expect(await at.sql`select 1 from sso_identities where subject = ${sub}`).toHaveLength(0);
  });

  test("409: a subject of another user; the attempt has the reason identity_conflict.", async () => {
    const { at, forged } = sso;
    const first = await offered();
    expect((await confirm(first.client, first.id)).status).toBe(201);
    const second = await memberWith(at, forged.organizationId, "admin");
    const refused = await runIntent(second.client, forged.connectionId, LINK);
    expect(refused.headers.get("location")).toStartWith("/account/security/company-account?error=conflict&request_id=");
    expect((await attemptsOf(forged))[0]).toBe("failure identity_conflict account");
  });

  test("a confirmation after the end of membership or session, or a change of settings, links nothing.", async () => {
    const { at, forged } = sso;
    const [left, ended, changed, expired] = [await offered(), await offered(), await offered(), await offered()];
    await deleteMember(at.sql, forged.organizationId, left.userId);
    expect((await confirm(left.client, left.id)).status).toBe(404);
    await ended.client.post("/v1/auth/logout");
    expect((await confirm(ended.client, ended.id)).status).toBe(401);
    await at.sql`update sso_outcomes set expires_at = now() - interval '1 second' where user_id = ${expired.userId}`;
    expect((await confirm(expired.client, expired.id)).status).toBe(404);
    await changeConnection(at, forged.connectionId, {});
    expect((await confirm(changed.client, changed.id)).body.error.code).toBe("conflict");
    const subjectsOf = [left.sub, ended.sub, changed.sub, expired.sub];
    expect(await at.sql`select 1 from sso_identities where subject = any(${subjectsOf})`).toHaveLength(0);
  });
});
