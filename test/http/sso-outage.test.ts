/**
 * An organization that requires single sign-on while its identity provider, DNS and Redis are away (G202, G204): a user
 * with emergency access and an administrator of the platform get in, and no other person.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { type Answer, Client, PASSWORD } from "../support/client.ts";
import { type Deployment, deployment, eventually } from "../support/deployment.ts";
import { CODE, codeIn } from "../support/mail.ts";
import { addPasskey } from "../support/passkeys.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { startRedis } from "../support/services.ts";
import {
  coveredMember,
  type Enforceable,
  enforce,
  enforceable,
  refused,
  SIGNED_OUT,
  SSO_REQUIRED,
  signedInWithFactor,
} from "../support/sso-enforcement.ts";

const NOBODY = "127.0.0.1:1";
/** The time until a replica has noticed the loss of Redis. */
const NOTICED_MS = 10_000;

let at: Deployment;
let replica: Replica;
let host: Enforceable;
let member: Awaited<ReturnType<typeof coveredMember>>;
let owner: typeof member;
let admin: Awaited<ReturnType<typeof steppedUpAdmin>>;
let passkey: Awaited<ReturnType<typeof addPasskey>>["authenticator"];

beforeAll(async () => {
  at = await deployment();
  const redis = await startRedis();
  const starting = startReplica({
    DATABASE_URL: at.databaseUrl,
    REDIS_URL: redis.url,
    SERVICE_DNS_SERVERS: NOBODY,
    SERVICE_EMAIL_API_URL: at.mail.url,
    SERVICE_EMAIL_API_KEY: "re_test",
  });
  host = await enforceable(at, `https://${NOBODY}`);
  [member, owner] = [await coveredMember(at, host), await coveredMember(at, host, "owner")];
  passkey = (await addPasskey(member.client)).authenticator;
  admin = await steppedUpAdmin(at);
  const enforced = await enforce(at, host);
  expect(enforced.status).toBe(200);
  replica = await starting;
  expect((await new Client(replica.url).get("/readyz")).body.status).toBe("ok");
  await redis.kill();
  await eventually("the replica notices the loss of Redis", NOTICED_MS, async () => {
    return (await new Client(replica.url).get("/readyz")).body.status !== "ok";
  });
});

const fresh = () => new Client(replica.url);
const login = (email: string, more: object = {}) =>
  fresh().post("/v1/auth/login", { email, password: PASSWORD, ...more });

/** The sessions in the organization of everybody without emergency access, made since the requirement. */
async function intruders(): Promise<number> {
  const rows = await at.sql`
    select 1 from sessions s join sso_policies p on p.organization_id = s.organization_id
    where s.organization_id = ${host.organizationId} and s.user_id <> ${host.userId} and s.created_at > p.updated_at`;
  return rows.length;
}

describe("Without identity provider, DNS and Redis", () => {
  const WAYS: Readonly<Record<string, () => Promise<Answer>>> = {
    password: () => login(member.email),
    "password of an owner": () => login(owner.email),
    "password, organization named": () => login(member.email, { organization_id: host.organizationId }),
    "emailed code": async () => {
      const client = fresh();
      await client.post("/v1/auth/email-otp/request", { email: member.email });
      const code = codeIn((await at.mail.mailsTo(member.email, CODE)).at(-1));
      return await client.post("/v1/auth/email-otp/verify", { email: member.email, code });
    },
    passkey: async () => {
      const client = fresh();
      const { publicKey } = (await client.post("/v1/auth/passkey/login/begin")).body;
      return await client.post("/v1/auth/passkey/login/complete", { credential: await passkey.get(publicKey) });
    },
    "invitation to a new address": async () => {
      const token = crypto.randomUUID().replaceAll("-", "").padEnd(43, "t");
      await at.sql`
        insert into invitations (id, organization_id, email, role, token_hash, invited_by, expires_at, created_at)
        values (gen_random_uuid(), ${host.organizationId}, ${`new@${host.domain}`}, 'member',
                sha256(${token}::bytea), ${host.userId}, now() + interval '1 day', now())`;
      return await fresh().post("/v1/auth/invitations/accept", { token, password: PASSWORD });
    },
  };

  test("no covered member gets in: by no method, session, link, or the identity provider.", async () => {
    for (const [way, enter] of Object.entries(WAYS)) {
      expect([way, ...refused(await enter())]).toEqual([way, ...SSO_REQUIRED]);
    }
    const kept = member.client.at(replica.url);
    expect(refused(await kept.get("/v1/auth/session"))).toEqual(SIGNED_OUT);
    expect(refused(await kept.post("/v1/auth/refresh"))).toEqual(SIGNED_OUT);
    const started = await fresh().get(`/v1/auth/sso/${host.connectionId}/start`);
    expect(started.setCookies.join()).not.toContain("service_at");
    expect([started.status >= 500, started.status < 300]).toEqual([started.status === 503, false]);
    expect(await intruders()).toBe(0);
  });

  test("the password of a user with emergency access is not enough.", async () => {
    const { status, body } = await login(host.email);
    expect([status, body.status]).toEqual([200, "mfa_required"]);
    const { body: page } = await fresh().post("/v1/auth/mfa/challenge", { mfa_token: body.mfa_token, code: "000000" });
    expect(page.error?.code).toBeDefined();
  });

  test("a user with emergency access signs in, and ends the requirement.", async () => {
    const { client, answer } = await signedInWithFactor(at, replica.url, host);
    expect([answer.status, answer.body.user.organization_id]).toEqual([200, host.organizationId]);
    expect((await client.get(`/v1/orgs/${host.organizationId}/members`)).status).toBe(200);
    const settings = { break_glass: [host.userId] };
    expect((await client.put(host.path, { mode: "optional", ...settings })).status).toBe(200);
    expect((await login(member.email)).status).toBe(200);
    expect((await client.put(host.path, { mode: "required", ...settings })).status).toBe(200);
    expect(refused(await login(member.email))).toEqual(SSO_REQUIRED);
  });

  test("an administrator of the platform signs in and pauses the requirement, and ends the pause.", async () => {
    const path = `/v1/admin/orgs/${host.organizationId}/sso/pause`;
    expect((await fresh().post(path, { reason: "identity provider away" })).status).toBe(401);
    const { client, answer } = await signedInWithFactor(at, replica.url, admin);
    expect(answer.status).toBe(200);
    const paused = await client.post(path, { reason: "identity provider away" });
    expect([paused.status, paused.body.paused_until === null]).toEqual([200, false]);
    expect((await login(member.email)).status).toBe(200);
    expect(await at.mail.mailsTo(host.email, /The requirement is paused/)).toHaveLength(1);
    expect((await client.delete(path)).status).toBe(200);
    expect(refused(await login(member.email))).toEqual(SSO_REQUIRED);
  });
});
