/** Logout by the identity provider of an organization, with a real OpenID provider, over two replicas (G159). */
import { beforeAll, describe, expect, test } from "bun:test";
import Redis from "ioredis";
import { Client } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import { CLIENT_ID, changeConnection, SsoBrowser, type SsoDeployment, ssoDeployment } from "../support/sso.ts";
import { eventually } from "../support/waiting.ts";

let sso: SsoDeployment;
beforeAll(async () => {
  sso = await ssoDeployment();
});

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const LOGOUT_EVENT = { "http://schemas.openid.net/event/backchannel-logout": {} };
/** The time until a replica knows an event of the other replica. */
const REPLICATED_MS = 1_000;
let people = 0;

function newLogin(): string {
  people += 1;
  return `leaver-${people}`;
}

async function withRedis(work: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis(sso.at.redis.url);
  await work(redis);
  redis.disconnect();
}

/** A new employee of a company with a real identity provider, or a further session of an employee. */
async function enter(company: "acme" | "hooli" = "acme", login = newLogin()) {
  const { connectionId, domain, provider } = sso[company];
  provider.people.set(login, { email: `${login}@${domain}`, email_verified: true });
  const browser = new SsoBrowser(sso.at.one.url);
  const { status, body } = await browser.enter(connectionId, login);
  expect(status).toBe(200);
  const [row] = await sso.at.sql`
    select id, sso_session_index as sid from sessions where user_id = ${body.user.user_id} order by created_at desc`;
  return { client: browser.client, login, userId: body.user.user_id, id: String(row?.id), sid: String(row?.sid) };
}
type Employee = Awaited<ReturnType<typeof enter>>;

const post = (token: string, connectionId = sso.acme.connectionId, url = sso.at.one.url) =>
  new Client(url).request("POST", `/v1/auth/sso/${connectionId}/backchannel-logout`, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    raw: new URLSearchParams({ logout_token: token }).toString(),
  });
const tokenOf = ({ login }: Employee, sid?: string) => sso.acme.provider.logoutToken(CLIENT_ID, login, sid);
const isLive = async ({ client }: Employee, url = sso.at.one.url) =>
  (await client.at(url).get("/v1/auth/session")).status === 200;
const endsEverywhere = (employee: Employee) =>
  eventually("the other replica refuses the session", REPLICATED_MS, async () => {
    return !(await isLive(employee)) && !(await isLive(employee, sso.at.other.url));
  });

describe("a logout token of the identity provider", () => {
  test("ends the named session of a subject on every replica, and no other session", async () => {
    const first = await enter();
    const second = await enter("acme", first.login);
    const colleague = await enter();
    const { status, text } = await post(await tokenOf(first, first.sid), sso.acme.connectionId, sso.at.other.url);
    expect([status, text]).toEqual([200, ""]);
    await endsEverywhere(first);
    expect([await isLive(second), await isLive(colleague)]).toEqual([true, true]);
    const [revoked] = await sso.at.sql`
      select metadata, actor_id, actor_type from audit_logs
      where action = 'auth.session.revoked' and resource_id = ${first.id}`;
    expect(revoked).toMatchObject({ actor_id: null, actor_type: "system", metadata: { reason: "idp_logout" } });
    const [event] = await sso.at.sql`select reason from session_events where session_id = ${first.id} order by id desc`;
    expect(event?.reason).toBe("idp_logout");
  });

  test("ends all sessions of the subject at this connection without a session index", async () => {
    const first = await enter();
    const second = await enter("acme", first.login);
    const elsewhere = await enter("hooli", first.login);
    expect((await post(await tokenOf(first))).status).toBe(200);
    await Promise.all([endsEverywhere(first), endsEverywhere(second)]);
    expect(await isLive(elsewhere)).toBe(true);
  });

  test("is accepted without an effect for a subject without a session", async () => {
    const stranger = await sso.acme.provider.logoutToken(CLIENT_ID, "never-signed-in");
    expect((await post(stranger)).status).toBe(200);
  });

  test("counts once in 40 parallel posts to two replicas with Redis emptied, and never again (P5)", async () => {
    const employee = await enter();
    const token = await tokenOf(employee);
    const statuses = await race(async (index) => {
      if (index % 10 === 5) await withRedis((redis) => redis.flushall());
      const { url } = index % 2 === 0 ? sso.at.one : sso.at.other;
      return (await post(token, sso.acme.connectionId, url)).status;
    }, 40);
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 39 }, () => 400)]);
    await endsEverywhere(employee);
    const later = await enter("acme", employee.login);
    await withRedis((redis) => redis.flushall());
    expect((await post(token, sso.acme.connectionId, sso.at.other.url)).status).toBe(400);
    expect(await isLive(later)).toBe(true);
  });

  test("of another connection or for an unknown connection ends no session", async () => {
    const employee = await enter("hooli");
    const token = await sso.hooli.provider.logoutToken(CLIENT_ID, employee.login);
    expect((await post(token, sso.acme.connectionId)).status).toBe(400);
    for (const id of [UNKNOWN, "not-an-id"]) expect((await post(token, id)).status).toBe(404);
    expect(await isLive(employee)).toBe(true);
  });
});

describe("a logout token of a forged provider", () => {
  const now = () => Math.floor(Date.now() / 1000);
  const claimsOf = (changes: object = {}) => ({
    iss: sso.forged.provider.url,
    aud: CLIENT_ID,
    sub: "subject of the forged provider",
    iat: now(),
    jti: crypto.randomUUID(),
    events: LOGOUT_EVENT,
    ...changes,
  });
  const forge = async (changes: object = {}, header = {}) => {
    sso.forged.provider.reset();
    return await sso.forged.provider.sign(claimsOf(changes), header);
  };
  const send = async (token: string) => await post(token, sso.forged.connectionId);

  test("400 for each flaw, without an effect", async () => {
    const { provider } = sso.forged;
    provider.foreignKey = true;
    const foreign = await provider.sign(claimsOf());
    const none = `${part({ alg: "none", kid: "k" })}.${part(claimsOf())}.`;
    const flawed = [
      foreign,
      none,
      ...(await Promise.all([
        forge({ iss: "https://other.test" }),
        forge({ aud: "another-client" }),
        forge({ nonce: "a nonce" }),
        forge({ events: undefined }),
        forge({ events: {} }),
        forge({ events: { "http://schemas.openid.net/event/other": {} } }),
        forge({ jti: undefined }),
        forge({ jti: "" }),
        forge({ jti: "x".repeat(257) }),
        forge({ iat: undefined }),
        forge({ iat: now() - 700 }),
        forge({ iat: now() + 300 }),
        forge({ sub: undefined }),
        forge({ sub: "x".repeat(257) }),
        forge({}, { typ: "at+jwt" }),
        forge({}, { kid: "unknown" }),
      ])),
      "",
      "not a token",
      "a.b.c",
      "\0",
    ];
    for (const token of flawed) {
      const { status, body } = await send(token);
      expect([token.slice(0, 40), status, body.error.code]).toEqual([token.slice(0, 40), 400, "invalid_input"]);
    }
    expect((await send(await forge())).status).toBe(200);
  });

  test("reads the subject from the claim of the connection: 'sub' alone names no user of another claim", async () => {
    await changeConnection(sso.at, sso.forged.connectionId, { config: { subject_from: "oid" } });
    expect((await send(await forge())).status).toBe(400);
    for (const claims of [{ sid: "a session" }, { oid: "object id" }]) {
      expect((await send(await forge(claims))).status).toBe(200);
    }
    await changeConnection(sso.at, sso.forged.connectionId, { config: { subject_from: "sub" } });
  });

  test("503 while the keys of the provider are unreachable; then the same token counts", async () => {
    await changeConnection(sso.at, sso.forged.connectionId, {});
    const token = await forge();
    sso.forged.provider.answers.set("/jwks", () => new Response("maintenance", { status: 503 }));
    const unreachable = await send(token);
    expect([unreachable.status, unreachable.headers.get("retry-after")]).toEqual([503, "60"]);
    sso.forged.provider.reset();
    await changeConnection(sso.at, sso.forged.connectionId, {});
    expect((await send(token)).status).toBe(200);
  });

  test("forged and replayed tokens use up no share of the limit; 429 for tokens beyond the limit", async () => {
    const replayed = await forge();
    expect((await send(replayed)).status).toBe(200);
    const { provider } = sso.forged;
    provider.foreignKey = true;
    const foreign = await provider.sign(claimsOf());
    provider.reset();
    const refused = await race(async (index) => (await send(index % 2 === 0 ? foreign : replayed)).status, 80);
    expect(new Set(refused)).toEqual(new Set([400]));
    expect((await send(await forge())).status).toBe(200);
    await withRedis((redis) => redis.set(`service:sso-logouts:${sso.forged.connectionId}`, 1_000, "PX", 60_000));
    const held = await forge();
    const { status, body } = await send(held);
    expect([status, body.error.code]).toEqual([429, "rate_limited"]);
    const { text } = await new Client(sso.at.one.url).get("/metrics");
    expect(text).toMatch(/service_bound_refusals_total\{service_bound="sso_logouts"[^}]*\} [1-9]/);
    await withRedis((redis) => redis.flushall());
    expect((await send(held)).status).toBe(200);
  });
});

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
