/**
 * Organizations that require single sign-on, over two replicas (G200 to G204): who is covered, who keeps access, and
 * when access ends.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, eventually } from "../support/deployment.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { accountsOf, keyOf } from "../support/service-accounts.ts";
import * as support from "../support/sso-enforcement.ts";
import {
  type Enforceable,
  enforceable,
  REPLICATED_MS,
  refused,
  SIGNED_OUT,
  SSO_REQUIRED,
} from "../support/sso-enforcement.ts";
import { deactivateConnection, insertMember, proveMailbox } from "../support/states.ts";
import { invite, memberWith } from "../support/team.ts";
import { addAddress } from "../support/user-emails.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

/** The time until the sessions of a small organization are revoked. */
const ENDED_MS = 10_000;

let labels = 0;

const company = () => enforceable(at);
const recordSsoSignIn = (host: Enforceable) => support.recordSsoSignIn(at, host);
const coveredMember = (host: Enforceable, role?: "admin" | "member" | "owner") => support.coveredMember(at, host, role);
const enforce = (host: Enforceable, policy?: object) => support.enforce(at, host, policy);
const signedInWithFactor = (person: Enforceable) => support.signedInWithFactor(at, at.one.url, person);

describe("PUT policy with the mode required", () => {
  test("409 names the first missing prerequisite; with all of them the policy is in force", async () => {
    const host = await company();
    const put = async (policy: object = {}) => {
      const { status, body } = await host.client.put(host.path, { mode: "required", ...policy });
      return `${status} ${body.error?.message ?? ""}`;
    };
    await deactivateConnection(at.sql, host.connectionId);
    expect(await put()).toContain("409 The mode required needs an active connection");
    await at.sql`update sso_connections set status = 'active' where id = ${host.connectionId}`;
    await at.sql`update organization_domains set status = 'pending' where organization_id = ${host.organizationId}`;
    expect(await put()).toContain("409 The mode required needs a verified domain");
    await at.sql`update organization_domains set status = 'verified' where organization_id = ${host.organizationId}`;
    expect(await put()).toContain("409 The mode required needs a sign-in by single sign-on");
    await recordSsoSignIn(host);
    expect(await put()).toContain("409 The mode required needs a user for emergency access");
    const member = await memberWith(at, host.organizationId, "admin");
    for (const unfit of [member.userId, crypto.randomUUID()]) {
      expect(await put({ break_glass: [unfit] })).toContain("409 A user for emergency access (break_glass)");
    }
    expect((await host.client.get(host.path)).body.mode).toBe("optional");
    expect(await put({ break_glass: [host.userId] })).toBe("200 ");
  });

  test("required_at more than 30 days ahead is 400; break_glass is stored with the mode off", async () => {
    const host = await company();
    await recordSsoSignIn(host);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const late = await enforce(host, { required_at: inDays(31) });
    expect([late.status, late.body.error.fields]).toEqual([400, [{ field: "required_at", rule: "not_allowed" }]]);
    expect((await enforce(host, { required_at: inDays(29) })).status).toBe(200);
    const off = await host.client.put(host.path, { mode: "off", break_glass: [host.userId] });
    expect([off.status, off.body.break_glass]).toEqual([200, [host.userId]]);
  });

  test("dry_run counts the covered members, names those without an identity, and changes nothing", async () => {
    const host = await company();
    const linked = await coveredMember(host);
    const unlinked = await coveredMember(host);
    const guest = await memberWith(at, host.organizationId, "member");
    await at.sql`
      insert into sso_identities (id, connection_id, subject_hash, subject, user_id, linked_by, created_at,
                                  last_used_at)
      values (gen_random_uuid(), ${host.connectionId}, sha256('a'), 'a', ${linked.userId}, 'domain', now(), now())`;
    const preview = async (policy: object) => (await host.client.put(`${host.path}?dry_run=true`, policy)).body;
    const named = (person: { userId: string; email: string }) => ({ user_id: person.userId, email: person.email });
    const required = { mode: "required", break_glass: [host.userId] };
    expect(await preview(required)).toEqual({ covered: 2, without_identity: 1, members: [named(unlinked)] });
    const withGuests = await preview({ ...required, guests: "required" });
    expect([withGuests.covered, withGuests.without_identity]).toEqual([3, 2]);
    expect(withGuests.members).toContainEqual(named(guest));
    expect((await host.client.get(host.path)).body.mode).toBe("optional");
  });
});

describe("a covered member", () => {
  test("loses the session on both replicas within a second; the reason is sso_required", async () => {
    const host = await company();
    const member = await coveredMember(host);
    const session = (url: string) => member.client.at(url).get("/v1/auth/session");
    expect([(await session(at.one.url)).status, (await session(at.other.url)).status]).toEqual([200, 200]);
    expect((await enforce(host)).status).toBe(200);
    await eventually("both replicas refuse the session", REPLICATED_MS, async () => {
      const both = [await session(at.one.url), await session(at.other.url)];
      return both.every(({ status }) => status === 401);
    });
    expect(refused(await member.client.post("/v1/auth/refresh"))).toEqual(SIGNED_OUT);
    await eventually("the session is revoked", ENDED_MS, async () => {
      const rows = await at.sql`
        select 1 from sessions where user_id = ${member.userId} and revoked_at is not null
          and revoked_reason = 'sso_required'`;
      return rows.length > 0;
    });
    const [record] = await at.sql`
      select actor_type, metadata from audit_logs
      where organization_id = ${host.organizationId} and action = 'auth.session.revoked'
        and metadata->>'reason' = 'sso_required' limit 1`;
    expect(record).toEqual({ actor_type: "system", metadata: { reason: "sso_required" } });
  });

  test("keeps the session until required_at, which the check of the session displays as the end", async () => {
    const host = await company();
    const member = await coveredMember(host);
    const requiredAt = new Date(Date.now() + 3_600_000).toISOString();
    expect((await enforce(host, { required_at: requiredAt })).status).toBe(200);
    await eventually("the check names the end", REPLICATED_MS, async () => {
      const { status, body } = await member.client.at(at.other.url).get("/v1/auth/session");
      return status === 200 && body.session.expires_at === requiredAt;
    });
    await at.sql`
      update sso_policies set required_at = now() - interval '1 second' where organization_id = ${host.organizationId}`;
    const fresh = await signedIn(at.one.url, member.email);
    expect(refused(fresh.answer)).toEqual(SSO_REQUIRED);
  });

  test("gets sso_required with continue_at after a right password, and the usual response to a wrong one", async () => {
    const host = await company();
    const member = await coveredMember(host);
    await enforce(host);
    const right = await signedIn(at.one.url, member.email);
    expect([...refused(right.answer), right.answer.body.error.type, right.answer.body.error.continue_at]).toEqual([
      ...SSO_REQUIRED,
      "authorization_error",
      `/v1/auth/sso/${host.connectionId}/start`,
    ]);
    const wrong = await signedIn(at.one.url, member.email, "not the password of this user");
    expect(refused(wrong.answer)).toEqual(SIGNED_OUT);
    expect(wrong.answer.text).not.toContain("sso");
    const [record] = await at.sql`
      select metadata->>'reason' as reason from audit_logs
      where actor_id = ${member.userId} and action = 'auth.login' and outcome = 'failure'
      order by timestamp limit 1`;
    expect(record?.reason).toBe("sso_required");
  });

  test("signs in to another organization, which neither switches to the company nor acts on the company", async () => {
    const host = await company();
    const member = await coveredMember(host, "owner");
    const other = await registered(at.one.url);
    await insertMember(at.sql, other.organizationId, member.userId);
    await enforce(host);
    const { client, answer } = await signedIn(at.one.url, member.email);
    expect([answer.status, answer.body.user.organization_id]).toEqual([200, other.organizationId]);
    const asked = await new Client(at.one.url).post("/v1/auth/login", {
      email: member.email,
      password: PASSWORD,
      organization_id: host.organizationId,
    });
    expect(refused(asked)).toEqual(SSO_REQUIRED);
    const base = `/v1/orgs/${host.organizationId}`;
    const switched = await client.post("/v1/auth/organization", { organization_id: host.organizationId });
    expect(refused(switched)).toEqual(SSO_REQUIRED);
    for (const path of ["members", "invitations", "sso/policy", "domains", "webhooks", "service-accounts", "brand"]) {
      expect([path, ...refused(await client.get(`${base}/${path}`))]).toEqual([path, ...SSO_REQUIRED]);
    }
    expect(refused(await client.patch(`${base}/members/${host.userId}`, { role: "member" }))).toEqual(SSO_REQUIRED);
    const left = await client.delete(`${base}/members/${member.userId}`);
    expect(left.status).toBe(204);
  });

  test("stays covered: neither a removal nor a change takes the address of the domain from a member", async () => {
    const host = await company();
    const member = await coveredMember(host);
    const other = await registered(at.one.url);
    await insertMember(at.sql, other.organizationId, member.userId);
    await proveMailbox(at.sql, member.userId);
    await enforce(host);
    const { client } = await signedIn(at.one.url, member.email);
    const person = { client, email: member.email };
    const { id: addedId } = await addAddress(at, person);
    expect(refused(await client.post("/v1/users/me/email", { new_email: newEmail(), password: PASSWORD }))).toEqual([
      403,
      "forbidden",
    ]);
    expect((await client.post(`/v1/users/me/emails/${addedId}/primary`, { password: PASSWORD })).status).toBe(200);
    const { body } = await client.get("/v1/users/me/emails");
    const companyId = body.items.find((item: { email: string }) => item.email === member.email).id;
    const remove = (replica: string) =>
      client.at(replica).delete(`/v1/users/me/emails/${companyId}`, { body: { password: PASSWORD } });
    expect(refused(await remove(at.other.url))).toEqual([403, "forbidden"]);
    const switched = await client.post("/v1/auth/organization", { organization_id: host.organizationId });
    expect(refused(switched)).toEqual(SSO_REQUIRED);
    expect((await client.delete(`/v1/orgs/${host.organizationId}/members/${member.userId}`)).status).toBe(204);
    expect((await remove(at.one.url)).status).toBe(204);
  });

  test("keeps a session of single sign-on", async () => {
    const host = await company();
    const member = await coveredMember(host);
    await at.sql`update sessions set organization_bound = true, auth_method = 'sso' where user_id = ${member.userId}`;
    await enforce(host);
    const answers = [
      await member.client.get("/v1/auth/session"),
      await member.client.at(at.other.url).get(`/v1/orgs/${host.organizationId}/sso/identities`),
      await member.client.post("/v1/auth/refresh"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test("is no other member: guests keep own methods, unless guests are required; keys keep access", async () => {
    const host = await company();
    const guest = await memberWith(at, host.organizationId, "member");
    const { key } = await keyOf(host.client, accountsOf(host.organizationId), ["members.list"]);
    await enforce(host);
    const asGuest = () =>
      new Client(at.one.url).post("/v1/auth/login", {
        email: guest.email,
        password: PASSWORD,
        organization_id: host.organizationId,
      });
    const byKey = () =>
      new Client(at.one.url).get(`/v1/orgs/${host.organizationId}/members`, {
        headers: { authorization: `Bearer ${key}` },
      });
    expect((await asGuest()).status).toBe(200);
    expect((await byKey()).status).toBe(200);
    expect((await enforce(host, { guests: "required" })).status).toBe(200);
    expect(refused(await asGuest())).toEqual(SSO_REQUIRED);
    expect((await byKey()).status).toBe(200);
  });

  test("is covered by an address in U-labels, and by a domain that is verified later", async () => {
    const host = await company();
    const member = await memberWith(at, host.organizationId, "member");
    labels += 1;
    const label = `bücher-${process.pid}-${labels}`;
    const email = `ada@${label}.test`;
    await at.sql`update users set email = ${email} where id = ${member.userId}`;
    await at.sql`delete from members where user_id = ${member.userId} and organization_id <> ${host.organizationId}`;
    await enforce(host);
    const client = new Client(at.one.url);
    const login = () => client.post("/v1/auth/login", { email, password: PASSWORD });
    expect((await login()).status).toBe(200);
    const check = () => client.at(at.other.url).get("/v1/auth/session");
    expect((await check()).status).toBe(200);
    await at.sql`
      insert into organization_domains (id, organization_id, domain, token, status, created_at, verified_at)
      values (gen_random_uuid(), ${host.organizationId}, ${new URL(`http://${label}.test`).hostname}, 't', 'verified',
              now(), now())`;
    await eventually("the second replica refuses the session", REPLICATED_MS, async () => {
      return (await check()).status === 401;
    });
    expect(refused(await login())).toEqual(SSO_REQUIRED);
  });

  test("cannot accept an invitation by a password: the account is not made", async () => {
    const host = await company();
    await enforce(host);
    const { client } = await signedInWithFactor(host);
    const email = `new@${host.domain}`;
    expect((await invite(client, host.organizationId, email)).status).toBe(201);
    const token = "t".repeat(43);
    await at.sql`
      update invitations set token_hash = sha256(${token}::bytea) where organization_id = ${host.organizationId}`;
    const accepted = await new Client(at.one.url).post("/v1/auth/invitations/accept", { token, password: PASSWORD });
    expect(refused(accepted)).toEqual(SSO_REQUIRED);
    expect(await at.sql`select 1 from users where email = ${email}`).toHaveLength(0);
  });
});

describe("emergency access", () => {
  test("needs two factors, lasts an hour, is recorded and mailed to all owners", async () => {
    const host = await company();
    const second = await coveredMember(host, "owner");
    expect((await host.client.post("/v1/auth/trusted-browsers")).status).toBe(201);
    await enforce(host);
    const trusted = new Client(at.one.url);
    trusted.setCookie("service_trust", host.client.cookie("service_trust") ?? "", "/v1");
    const shown = await trusted.post("/v1/auth/login", { email: host.email, password: PASSWORD });
    expect(shown.body.status).toBe("mfa_required");
    const { client, answer } = await signedInWithFactor(host);
    expect([answer.status, answer.body.user.organization_id]).toEqual([200, host.organizationId]);
    const { body } = await client.get("/v1/auth/session");
    const lifetime = Date.parse(body.session.expires_at) - Date.now();
    expect([lifetime > 3_500_000, lifetime <= 3_600_000]).toEqual([true, true]);
    expect((await client.get(`/v1/orgs/${host.organizationId}/members`)).status).toBe(200);
    const records = await at.sql`
      select actor_id from audit_logs
      where organization_id = ${host.organizationId} and action = 'auth.sso.break_glass_used'`;
    expect(records.map(({ actor_id: id }) => id)).toEqual([host.userId]);
    for (const email of [host.email, second.email]) {
      expect(await at.mail.mailsTo(email, /signed in with emergency access/)).toHaveLength(1);
    }
    await at.sql`update sessions set auth_time = auth_time - interval '61 minutes' where user_id = ${host.userId}`;
    expect((await client.at(at.other.url).get("/v1/auth/session")).status).toBe(401);
  });

  test("the last user keeps membership, role, account and factor: 409", async () => {
    const host = await company();
    const second = await coveredMember(host, "owner");
    await enforce(host);
    const { client } = await signedInWithFactor(host);
    const admin = await steppedUpAdmin(at);
    const answers = [
      await client.delete(`/v1/orgs/${host.organizationId}/members/${host.userId}`),
      await client.patch(`/v1/orgs/${host.organizationId}/members/${host.userId}`, { role: "admin" }),
      await admin.client.patch(`/v1/admin/users/${host.userId}`, { disabled: true }),
      await admin.client.post(`/v1/admin/users/${host.userId}/mfa/reset`),
      await client.post("/v1/auth/mfa/disable", { password: PASSWORD }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409]);
    expect((await client.get("/v1/auth/session")).status).toBe(200);
    expect(second.userId).not.toBe(host.userId);
  });
});

describe("POST /v1/admin/orgs/:id/sso/pause", () => {
  test("opens own methods for 24 hours, with a record; 409 without a requirement", async () => {
    const host = await company();
    const member = await coveredMember(host);
    const admin = await steppedUpAdmin(at);
    const path = `/v1/admin/orgs/${host.organizationId}/sso/pause`;
    expect((await admin.client.post(path, { reason: "IdP outage" })).status).toBe(409);
    await enforce(host);
    expect(refused((await signedIn(at.one.url, member.email)).answer)).toEqual(SSO_REQUIRED);
    expect((await member.client.post(path, { reason: "IdP outage" })).status).toBe(401);
    const paused = await admin.client.post(path, { reason: "IdP outage" });
    const hours = (Date.parse(paused.body.paused_until) - Date.now()) / 3_600_000;
    expect([paused.status, paused.body.mode, Math.round(hours)]).toEqual([200, "required", 24]);
    expect((await signedIn(at.one.url, member.email)).answer.status).toBe(200);
    const ended = await admin.client.delete(path);
    expect([ended.status, ended.body.paused_until]).toEqual([200, null]);
    expect(refused((await signedIn(at.one.url, member.email)).answer)).toEqual(SSO_REQUIRED);
    expect((await admin.client.delete(`/v1/admin/orgs/${host.organizationId}/sso/pause`)).status).toBe(409);
    await admin.client.post(path, { reason: "IdP outage" });
    const [record] = await at.sql`
      select metadata->>'reason' as reason, actor_id from audit_logs
      where organization_id = ${host.organizationId} and action = 'sso.policy.paused' limit 1`;
    expect(record).toEqual({ reason: "IdP outage", actor_id: admin.userId });
    await at.sql`
      update sso_policies set paused_until = now() - interval '1 second'
      where organization_id = ${host.organizationId}`;
    expect(refused((await signedIn(at.one.url, member.email)).answer)).toEqual(SSO_REQUIRED);
    expect((await admin.client.post(path, { reason: " " })).status).toBe(400);
  });
});
/** More than one batch; `npm run test:sso-enforcement` measures 50,000 beside other organizations. */
const SESSIONS = 1_500;
const BATCHES_MS = 30_000;

test(
  "All sessions of a large organization are refused within a second and revoked within 30",
  async () => {
    const host = await company();
    const member = await coveredMember(host);
    await at.sql`
      insert into sessions (id, user_id, organization_id, auth_method, aal, auth_time, refresh_jti, access_jti,
                            rotated_at, expires_at, ends_at, created_at)
      select gen_random_uuid(), ${member.userId}, ${host.organizationId}, 'password', 'aal1', now(),
             gen_random_uuid(), gen_random_uuid(), now(), now() + interval '1 day', now() + interval '1 day', now()
      from generate_series(1, ${SESSIONS}::integer)`;
    expect((await enforce(host)).status).toBe(200);
    await eventually("both replicas refuse a session", REPLICATED_MS, async () => {
      const answers = [at.one.url, at.other.url].map((url) => member.client.at(url).get("/v1/auth/session"));
      return (await Promise.all(answers)).every(({ status }) => status === 401);
    });
    await eventually("every session is revoked", BATCHES_MS, async () => {
      const rows = await at.sql`
        select 1 from sessions where user_id = ${member.userId} and revoked_at is null limit 1`;
      return rows.length === 0;
    });
    const [counted] = await at.sql`
      select count(*)::int as records from audit_logs
      where organization_id = ${host.organizationId} and metadata->>'reason' = 'sso_required'
        and action = 'auth.session.revoked'`;
    expect(counted?.records).toBeGreaterThanOrEqual(SESSIONS);
  },
  BATCHES_MS * 2,
);
