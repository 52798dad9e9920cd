/** Policies of organizations over two replicas (G211 to G217): the refusals, their start, and nobody locked out. */
import { beforeAll, describe, expect, test } from "bun:test";
import { AFFECTING_RULES } from "../../src/vocabulary/policy-settings.ts";
import { type Answer, Client, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, eventually } from "../support/deployment.ts";
import { decodeClaims } from "../support/forge.ts";
import { codeOf, enrolled, forgetUsedStep, passwordShown, weakSession } from "../support/mfa.ts";
import { addPasskey, STEP_UP_BEGIN, STEP_UP_COMPLETE } from "../support/passkeys.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { accountsOf, keyOf } from "../support/service-accounts.ts";
import { redisUrl } from "../support/services.ts";
import { ageFactor, proveMailbox } from "../support/states.ts";
import { accept, invite, memberOf, membersOf, memberWith } from "../support/team.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

/** The time within which every replica knows a change. */
const REPLICATED_MS = 1_000;
/** The time until the sessions of a small organization are revoked. */
const ENDED_MS = 10_000;

const policiesOf = (organizationId: string) => `/v1/orgs/${organizationId}/policies`;

/** An organization whose owner has a second factor and a step-up. */
async function company() {
  const owner = await enrolled(at);
  await proveMailbox(at.sql, owner.userId);
  const path = policiesOf(owner.organizationId);
  const set = (policies: object) => owner.client.put(path, policies);
  return { ...owner, path, set };
}
type Company = Awaited<ReturnType<typeof company>>;

/** A member of the company alone, with a session in the company. */
async function memberIn({ organizationId }: Pick<Company, "organizationId">, role: "admin" | "member" = "member") {
  const person = await memberWith(at, organizationId, role);
  await at.sql`delete from members where user_id = ${person.userId} and organization_id <> ${organizationId}`;
  const { client } = await signedIn(at.one.url, person.email);
  return { ...person, client };
}

/** Registers the owner for emergency access. */
async function breakGlass(host: Company) {
  const stored = await host.client.put(`/v1/orgs/${host.organizationId}/sso/policy`, {
    mode: "off",
    break_glass: [host.userId],
  });
  if (stored.status !== 200) throw new Error(stored.text);
}

/** The claims of the access token of a response. */
const claimsOf = ({ body }: Answer) => decodeClaims(body.access_token);
const refused = ({ status, body }: Answer) => [status, body?.error?.code];
const FORBIDDEN = [403, "forbidden"];
const MFA_REQUIRED = [401, "mfa_required"];
const SIGNED_OUT = [401, "authentication_required"];
const session = (client: Client, url: string) => client.at(url).get("/v1/auth/session");

/** Waits until both replicas respond to a session check with a status. */
async function bothRespond(client: Client, status: number): Promise<void> {
  await eventually(`both replicas respond ${status}`, REPLICATED_MS, async () => {
    const both = [await session(client, at.one.url), await session(client, at.other.url)];
    return both.every((each) => each.status === status);
  });
}

async function signedInWithFactor(person: Pick<Company, "email" | "secret" | "userId">, url = at.one.url) {
  const mfaToken = await passwordShown(url, person.email);
  await forgetUsedStep(at.sql, person.userId);
  const client = new Client(url);
  const answer = await client.post("/v1/auth/mfa/challenge", { mfa_token: mfaToken, code: codeOf(person.secret) });
  return { client, answer };
}

describe("GET and PUT policies", () => {
  test("without a policy the defaults count; PUT replaces, normalises, and records the members", async () => {
    const host = await company();
    const { body: none } = await host.client.get(host.path);
    expect(none).toMatchObject({ mfa: "optional", methods: null, allowed_ips: [], device_flow: true, revision: 0 });
    expect([none.policies_at, none.updated_at]).toEqual([null, null]);
    const set = await host.set({
      mfa: "required",
      mfa_grace_days: 3,
      allowed_ips: ["127.0.0.1", "::ffff:10.1.2.3/112", "2001:DB8::1/32"],
      invite_domains: ["Bücher.Example", "bücher.example"],
    });
    expect([set.status, set.body.allowed_ips, set.body.invite_domains]).toEqual([
      200,
      ["127.0.0.1/32", "10.1.0.0/16", "2001:db8::/32"],
      ["xn--bcher-kva.example"],
    ]);
    expect(set.body.in_force).toMatchObject({ mfa: "required", mfa_grace_days: 3 });
    expect((await host.set({})).body).toMatchObject({ mfa: "optional", revision: 2 });
    expect((await host.set({})).body.revision).toBe(2);
    const records = await at.sql`
      select metadata->>'fields' as fields from audit_logs
      where organization_id = ${host.organizationId} and action = 'policy.updated' order by timestamp`;
    expect(records.map(({ fields }) => fields)).toEqual([
      "mfa mfa_grace_days allowed_ips invite_domains",
      "mfa mfa_grace_days allowed_ips invite_domains",
    ]);
  });

  test.each([
    ["mfa_grace_days", { mfa_grace_days: 31 }],
    ["methods", { methods: [] }],
    ["methods", { methods: ["sso"] }],
    ["session_max_hours", { session_max_hours: 2161 }],
    ["session_idle_minutes", { session_idle_minutes: 4 }],
    ["allowed_ips", { allowed_ips: ["127.0.0.1", "0.0.0.0/0"] }],
    ["allowed_ips", { allowed_ips: ["::ffff:0:0/96", "127.0.0.1"] }],
    ["allowed_ips", { allowed_ips: ["127.1"] }],
    ["allowed_ips", { allowed_ips: ["127.0.0.1", "010.0.0.0/8"] }],
    ["allowed_ips", { allowed_ips: ["127.0.0.1", "::ffff:010.0.0.1"] }],
    ["allowed_ips", { allowed_ips: Array.from({ length: 65 }, (_, i) => `127.0.0.${i}`) }],
    ["invite_domains", { invite_domains: ["co.uk"] }],
    ["third_party_clients", { third_party_clients: "some" }],
    ["password_min_length", { password_min_length: 11 }],
    ["policies_at", { policies_at: new Date(Date.now() - 3_600_000).toISOString() }],
    ["policies_at", { policies_at: new Date(Date.now() + 31 * 86_400_000).toISOString() }],
  ])("an invalid %s is 400 and changes nothing", async (field, policies) => {
    const host = await company();
    const answer = await host.client.put(host.path, policies, { documented: false });
    expect([answer.status, answer.body.error.fields[0].field]).toEqual([400, field]);
    expect((await host.client.get(host.path)).body.revision).toBe(0);
  });

  test("a change needs policies.manage and a step-up, reading members.list; other organizations are 404", async () => {
    const host = await company();
    const admin = await memberIn(host, "admin");
    const member = await memberIn(host);
    const stranger = await registered(at.one.url);
    expect((await admin.client.get(host.path)).status).toBe(200);
    expect(refused(await member.client.get(host.path))).toEqual(FORBIDDEN);
    expect(refused(await stranger.client.get(host.path))).toEqual([404, "not_found"]);
    expect(refused(await admin.client.put(host.path, { mfa: "required" }))).toEqual(FORBIDDEN);
    await ageFactor(at.sql, host.userId, 6);
    await eventually("the owner needs a step-up", 31_000, async () => {
      await at.sql`
        insert into session_events (session_id, kind, reason, at, expires_at)
        values (${host.organizationId}, 'organization_changed', 'test', now(), now() + interval '1 minute')`;
      return refused(await host.set({ mfa: "required" })).join() === MFA_REQUIRED.join();
    });
  });

  test("of two editors who read one revision, the second gets 409", async () => {
    const host = await company();
    const edits = ["one", "other"].map((_, index) =>
      host.client.at(index === 0 ? at.one.url : at.other.url).put(host.path, {
        session_max_hours: index + 1,
        revision: 0,
      }),
    );
    const statuses = (await Promise.all(edits)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
    expect((await host.client.get(host.path)).body.revision).toBe(1);
  });
});

describe("mfa", () => {
  test("without the factor a session only enrols, on both replicas within a second, until the set-up", async () => {
    const host = await company();
    const member = await memberIn(host, "admin");
    const dry = await host.client.put(`${host.path}?dry_run=true`, { mfa: "required" });
    expect(dry.body).toEqual({
      affected: 1,
      counts: { ...Object.fromEntries(AFFECTING_RULES.map((rule) => [rule, 0])), mfa: 1 },
      sessions_ended: 0,
      members: [{ user_id: member.userId, email: member.email, rules: ["mfa"] }],
    });
    expect((await member.client.at(at.other.url).get(membersOf(host.organizationId))).status).toBe(200);
    expect((await host.set({ mfa: "required" })).status).toBe(200);
    for (const url of [at.one.url, at.other.url]) {
      await eventually("the replica asks for the factor", REPLICATED_MS, async () => {
        return refused(await member.client.at(url).get("/v1/auth/sessions")).join() === MFA_REQUIRED.join();
      });
    }
    expect((await session(member.client, at.other.url)).body.session.enrolment_only).toBe(true);
    for (const path of [membersOf(host.organizationId), "/v1/auth/trusted-browsers", "/v1/users/me/grants"]) {
      expect([path, ...refused(await member.client.get(path))]).toEqual([path, ...MFA_REQUIRED]);
    }
    const marked = await member.client.post("/v1/auth/refresh");
    expect([marked.status, claimsOf(marked).enrolment_only]).toEqual([200, true]);
    for (const path of ["/v1/users/me", "/v1/auth/mfa/status", "/v1/users/me/passkeys"]) {
      expect([path, (await member.client.get(path)).status]).toEqual([path, 200]);
    }
    const secret = String((await member.client.post("/v1/auth/mfa/setup")).body.secret);
    expect((await member.client.post("/v1/auth/mfa/enable", { code: codeOf(secret) })).status).toBe(200);
    expect((await member.client.get(membersOf(host.organizationId))).status).toBe(200);
    expect((await session(member.client, at.one.url)).body.session.enrolment_only).toBe(false);
    expect(claimsOf(await member.client.post("/v1/auth/refresh"))).not.toHaveProperty("enrolment_only");
  });

  test("days of grace begin with the policy and the membership, and only for members without a factor", async () => {
    const host = await company();
    const member = await memberIn(host, "admin");
    await host.set({ mfa: "required", mfa_grace_days: 7 });
    await bothRespond(member.client, 200);
    expect((await member.client.get(membersOf(host.organizationId))).status).toBe(200);
    expect(claimsOf(await member.client.post("/v1/auth/refresh"))).not.toHaveProperty("enrolment_only");
    await at.sql`
      update organization_policies set settings = jsonb_set(settings, '{mfaSince}',
        to_jsonb((now() - interval '8 days')::text)) where organization_id = ${host.organizationId}`;
    await at.sql`update members set joined_at = now() - interval '9 days' where user_id = ${member.userId}`;
    const late = await signedIn(at.one.url, member.email);
    expect(refused(await late.client.get(membersOf(host.organizationId)))).toEqual(MFA_REQUIRED);
    const left = await late.client.delete(memberOf(host.organizationId, member.userId));
    expect(left.status).toBe(204);
  });

  test("phishing_resistant needs a passkey: a code is not enough, the step-up by passkey is", async () => {
    const host = await company();
    const { authenticator } = await addPasskey(host.client);
    expect((await host.set({ mfa: "phishing_resistant" })).status).toBe(200);
    const { client } = await signedInWithFactor(host);
    expect((await session(client, at.one.url)).body.session).toMatchObject({ aal: "aal2", enrolment_only: true });
    expect(refused(await client.get(membersOf(host.organizationId)))).toEqual(MFA_REQUIRED);
    const begun = await client.post(STEP_UP_BEGIN);
    const credential = authenticator.get(begun.body.publicKey);
    expect((await client.post(STEP_UP_COMPLETE, { credential })).status).toBe(200);
    expect((await client.get(membersOf(host.organizationId))).status).toBe(200);
  });

  test("another organization's session reaches the organization with the factor only", async () => {
    const host = await company();
    const guest = await memberWith(at, host.organizationId, "admin");
    await host.set({ mfa: "required" });
    expect(refused(await guest.client.get(membersOf(host.organizationId)))).toEqual(MFA_REQUIRED);
    const switched = await guest.client.post("/v1/auth/organization", { organization_id: host.organizationId });
    expect(refused(switched)).toEqual(MFA_REQUIRED);
    expect((await guest.client.get("/v1/auth/sessions")).status).toBe(200);
  });

  test("without trusted browsers, a member with a second factor presents the factor at every sign-in", async () => {
    const host = await company();
    const weak = await weakSession(at.one.url, host);
    expect((await weak.get(membersOf(host.organizationId))).status).toBe(200);
    await host.set({ trusted_browsers: false });
    expect((await weak.post("/v1/auth/login", { email: host.email, password: PASSWORD })).body.status).toBe(
      "mfa_required",
    );
    expect(refused(await weak.get(membersOf(host.organizationId)))).toEqual(MFA_REQUIRED);
  });
});

describe("methods", () => {
  test("end sessions of other methods everywhere within a second, with the reason policy and a record", async () => {
    const host = await company();
    await addPasskey(host.client);
    const member = await memberIn(host);
    await bothRespond(member.client, 200);
    const set = await host.client.put(`${host.path}?dry_run=true`, { methods: ["passkey"] });
    expect([set.body.counts.methods, set.body.sessions_ended]).toEqual([1, 2]);
    expect((await host.set({ methods: ["passkey"] })).status).toBe(200);
    await bothRespond(member.client, 401);
    expect(refused(await member.client.post("/v1/auth/refresh"))).toEqual(SIGNED_OUT);
    expect(refused((await signedIn(at.one.url, member.email)).answer)).toEqual(FORBIDDEN);
    expect(refused((await signedIn(at.one.url, member.email, "wrong password here")).answer)).toEqual(SIGNED_OUT);
    await eventually("the session is revoked", ENDED_MS, async () => {
      const rows = await at.sql`
        select 1 from sessions where user_id = ${member.userId} and organization_id = ${host.organizationId}
          and revoked_reason = 'policy'`;
      return rows.length > 0;
    });
    await eventually("the counts are recorded", ENDED_MS, async () => {
      const rows = await at.sql`
        select sum((metadata->>'sessions_ended')::int)::int as ended from audit_logs
        where organization_id = ${host.organizationId} and action = 'policy.enforced'`;
      return rows[0]?.ended === 2;
    });
  });

  test("a sign-in selects another organization that permits the method; a named organization is refused", async () => {
    const host = await company();
    await addPasskey(host.client);
    const member = await memberWith(at, host.organizationId, "member");
    const [own] = await at.sql`
      select organization_id from members
      where user_id = ${member.userId} and organization_id <> ${host.organizationId}`;
    await at.sql`update users set last_organization_id = ${host.organizationId} where id = ${member.userId}`;
    await host.set({ methods: ["passkey"] });
    const { answer } = await signedIn(at.one.url, member.email);
    expect([answer.status, answer.body.user.organization_id]).toEqual([200, own?.organization_id]);
    const named = await new Client(at.one.url).post("/v1/auth/login", {
      email: member.email,
      password: PASSWORD,
      organization_id: host.organizationId,
    });
    expect(refused(named)).toEqual(FORBIDDEN);
    const { client } = await signedIn(at.one.url, member.email);
    expect(refused(await client.get(membersOf(host.organizationId)))).toEqual(FORBIDDEN);
    const switched = await client.post("/v1/auth/organization", { organization_id: host.organizationId });
    expect(refused(switched)).toEqual(FORBIDDEN);
  });

  test("the earlier policies count until policies_at, which the check of the session displays as the end", async () => {
    const host = await company();
    await addPasskey(host.client);
    const member = await memberIn(host);
    const start = new Date(Date.now() + 3_600_000).toISOString();
    await host.set({ session_max_hours: 100 });
    const waiting = await host.set({ methods: ["passkey"], policies_at: start });
    expect(waiting.body).toMatchObject({ methods: ["passkey"], policies_at: start });
    expect(waiting.body.in_force).toMatchObject({ methods: null, session_max_hours: 100 });
    await eventually("the check names the end", REPLICATED_MS, async () => {
      const { status, body } = await session(member.client, at.other.url);
      return status === 200 && body.session.expires_at === start;
    });
    await at.sql`
      update organization_policies set policies_at = now() - interval '1 second'
      where organization_id = ${host.organizationId}`;
    expect(refused((await signedIn(at.one.url, member.email)).answer)).toEqual(FORBIDDEN);
  });
});

describe("lifetimes", () => {
  test("session_max_hours counts from the sign-in, session_idle_minutes from the last refresh", async () => {
    const host = await company();
    const old = await memberIn(host);
    const idle = await memberIn(host);
    await host.set({ session_max_hours: 2, session_idle_minutes: 30 });
    const { body } = await session(old.client, at.one.url);
    expect(Date.parse(body.session.expires_at) - Date.now()).toBeLessThanOrEqual(30 * 60_000);
    await at.sql`update sessions set auth_time = now() - interval '121 minutes' where user_id = ${old.userId}`;
    await at.sql`update sessions set rotated_at = now() - interval '31 minutes' where user_id = ${idle.userId}`;
    for (const { client } of [old, idle]) {
      expect(refused(await client.post("/v1/auth/refresh"))).toEqual(SIGNED_OUT);
      await bothRespond(client.at(at.other.url), 401).catch(() => undefined);
    }
    const fresh = await signedIn(at.one.url, idle.email);
    expect(fresh.answer.status).toBe(200);
  });

  test("an access token lives at most half of the idle time: an active user refreshes before the end", async () => {
    const host = await company();
    const member = await memberIn(host);
    await host.set({ session_idle_minutes: 10 });
    await eventually("tokens are shorter", REPLICATED_MS, async () => {
      const { answer } = await signedIn(at.other.url, member.email);
      return answer.body.expires_in === 300;
    });
  });
});

describe("allowed_ips", () => {
  let proxied: Replica;
  beforeAll(async () => {
    proxied = await startReplica({
      DATABASE_URL: at.databaseUrl,
      REDIS_URL: await redisUrl(),
      SERVICE_TRUSTED_PROXIES: "127.0.0.1/32",
    });
  });

  const INSIDE = { headers: { "x-forwarded-for": "203.0.113.7" } };
  const MAPPED = { headers: { "x-forwarded-for": "::ffff:203.0.113.7" } };
  const OUTSIDE = { headers: { "x-forwarded-for": "198.51.100.9" } };

  test("refuse requests, refreshes and sign-ins from other addresses, and never end the session", async () => {
    const host = await company();
    const member = await memberIn(host);
    const set = await host.client.at(proxied.url).put(host.path, { allowed_ips: ["203.0.113.0/24"] }, INSIDE);
    expect(set.status).toBe(200);
    const client = member.client.at(proxied.url);
    await eventually("the address is refused", REPLICATED_MS, async () => {
      return refused(await client.get("/v1/auth/session", OUTSIDE)).join() === FORBIDDEN.join();
    });
    expect((await client.get("/v1/auth/session", INSIDE)).status).toBe(200);
    expect((await client.get("/v1/auth/session", MAPPED)).status).toBe(200);
    const forged = { headers: { "x-forwarded-for": "203.0.113.7, 198.51.100.9" } };
    expect(refused(await client.get("/v1/auth/session", forged))).toEqual(FORBIDDEN);
    expect(refused(await client.post("/v1/auth/refresh", undefined, OUTSIDE))).toEqual(FORBIDDEN);
    expect((await client.post("/v1/auth/refresh", undefined, INSIDE)).status).toBe(200);
    const login = (options: object) =>
      new Client(proxied.url).post("/v1/auth/login", { email: member.email, password: PASSWORD }, options);
    expect(refused(await login(OUTSIDE))).toEqual(FORBIDDEN);
    expect((await login(MAPPED)).status).toBe(200);
    expect((await client.post("/v1/auth/logout", undefined, OUTSIDE)).status).toBe(204);
  });

  test("hold for every endpoint that names the organization; keys have ranges of their own", async () => {
    const host = await company();
    const guest = await memberWith(at, host.organizationId, "admin");
    const { key } = await keyOf(host.client, accountsOf(host.organizationId), ["members.list"]);
    await host.client.at(proxied.url).put(host.path, { allowed_ips: ["203.0.113.0/24"] }, INSIDE);
    const list = membersOf(host.organizationId);
    expect(refused(await guest.client.at(proxied.url).get(list, OUTSIDE))).toEqual(FORBIDDEN);
    expect((await guest.client.at(proxied.url).get(list, INSIDE)).status).toBe(200);
    expect((await guest.client.at(proxied.url).get("/v1/auth/sessions", OUTSIDE)).status).toBe(200);
    const byKey = await new Client(proxied.url).get(list, {
      headers: { ...OUTSIDE.headers, authorization: `Bearer ${key}` },
    });
    expect(byKey.status).toBe(200);
  });
});

describe("invitations and passwords", () => {
  test("invite_domains refuses invitations and acceptances of other domains", async () => {
    const host = await company();
    const outside = `early-${host.userId}@elsewhere.test`;
    expect((await invite(host.client, host.organizationId, outside)).status).toBe(201);
    await host.set({ invite_domains: ["example.com"] });
    expect(refused(await invite(host.client, host.organizationId, "new@elsewhere.test"))).toEqual(FORBIDDEN);
    expect(refused(await invite(host.client, host.organizationId, "new@sub.example.com"))).toEqual(FORBIDDEN);
    expect((await invite(host.client, host.organizationId, `new-${host.userId}@example.com`)).status).toBe(201);
    const token = "i".repeat(43);
    await at.sql`
      update invitations set token_hash = sha256(${token}::bytea)
      where organization_id = ${host.organizationId} and email = ${outside}`;
    expect(refused(await accept(new Client(at.one.url), token))).toEqual(FORBIDDEN);
    expect(await at.sql`select 1 from users where email = ${outside}`).toHaveLength(0);
  });

  test("a new password follows the strictest rule of the user's organizations", async () => {
    const host = await company();
    const member = await memberWith(at, host.organizationId, "member");
    await host.set({ password_min_length: 30, password_check: true });
    const change = (to: string) =>
      member.client.post("/v1/users/me/password", { current_password: PASSWORD, new_password: to });
    const short = await change("a longer password 123");
    expect([short.status, short.body.error.fields[0].rule]).toEqual([400, "too_short"]);
    expect((await change("a password of more than thirty characters")).status).toBe(204);
  });
});

describe("GET audit-logs of the organization", () => {
  test("a member with audit.read reads the records of the organization alone, if the policies permit", async () => {
    const host = await company();
    const admin = await memberWith(at, host.organizationId, "admin");
    const member = await memberWith(at, host.organizationId, "member");
    await host.set({ session_max_hours: 100 });
    const path = `/v1/orgs/${host.organizationId}/audit-logs`;
    const { status, body } = await admin.client.get(`${path}?action=policy.*`);
    expect([status, body.total, body.items[0].action]).toEqual([200, 1, "policy.updated"]);
    const all = await admin.client.get(`${path}?page_size=100`);
    const organizations = all.body.items.map((item: { organization_id: string }) => item.organization_id);
    expect(new Set(organizations)).toEqual(new Set([host.organizationId]));
    expect(refused(await member.client.get(path))).toEqual(FORBIDDEN);
    await host.set({ mfa: "required" });
    expect(refused(await admin.client.get(path))).toEqual(MFA_REQUIRED);
  });
});

describe("no policy locks out the caller", () => {
  test("409 for addresses, methods and passkeys of others; confirm needs a user with emergency access", async () => {
    const host = await company();
    const locking = [
      { allowed_ips: ["203.0.113.0/24"] },
      { methods: ["passkey", "oauth_idp_a"] },
      { mfa: "phishing_resistant" },
    ];
    for (const policies of locking) {
      expect(refused(await host.set(policies))).toEqual([409, "conflict"]);
      expect(refused(await host.set({ ...policies, confirm: true }))).toEqual([409, "conflict"]);
    }
    expect((await host.client.get(host.path)).body.revision).toBe(0);
    await breakGlass(host);
    expect(refused(await host.set({ allowed_ips: ["203.0.113.0/24"] }))).toEqual([409, "conflict"]);
    const set = await host.set({ allowed_ips: ["203.0.113.0/24"], methods: ["oauth_idp_a"], confirm: true });
    expect(set.status).toBe(200);
    const { client, answer } = await signedInWithFactor(host);
    expect([answer.status, (await client.get(membersOf(host.organizationId))).status]).toEqual([200, 200]);
    const member = await memberWith(at, host.organizationId, "admin");
    expect(refused(await member.client.get(membersOf(host.organizationId)))).toEqual(FORBIDDEN);
    const emptied = await client.put(`/v1/orgs/${host.organizationId}/sso/policy`, { mode: "off", break_glass: [] });
    expect(refused(emptied)).toEqual([409, "conflict"]);
    const disabled = await client.post("/v1/auth/mfa/disable", { password: PASSWORD });
    expect(refused(disabled)).toEqual([409, "conflict"]);
  });

  test("a manager of policies who is no owner cannot lock out every owner", async () => {
    const host = await company();
    const manager = await memberIn(host);
    const role = await host.client.post(`/v1/orgs/${host.organizationId}/roles`, {
      key: "policy-manager",
      name: "Policies",
      description: "",
      permissions: ["members.list", "policies.manage"],
    });
    const assigned = await host.client.put(`${memberOf(host.organizationId, manager.userId)}/roles`, {
      role_ids: [role.body.id],
    });
    expect(assigned.status).toBe(200);
    await addPasskey(manager.client);
    await at.sql`
      update sessions set aal = 'aal2', mfa_verified_at = now(), phishing_resistant = true
      where user_id = ${manager.userId}`;
    const { client } = manager;
    const fresh = await client.post("/v1/auth/refresh");
    expect(fresh.status).toBe(200);
    expect(refused(await client.put(host.path, { methods: ["passkey"] }))).toEqual([409, "conflict"]);
    expect((await client.put(host.path, { methods: ["passkey", "password"] })).status).toBe(200);
  });
});
