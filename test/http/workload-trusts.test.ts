/** Federation of workloads (docs/contract.md, section 35.11). */
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { decodeJwt, exportJWK, exportSPKI, generateKeyPair, SignJWT } from "jose";
import { testCertificate } from "../support/certificate.ts";
import { type Answer, Client, signedIn } from "../support/client.ts";
import { type Deployment, deployment, forgetAnonymousRecords, race } from "../support/deployment.ts";
import { ForgedProvider } from "../support/identity/forged-provider.ts";
import { sendForm } from "../support/oauth.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { ISSUER } from "../support/replica.ts";
import { accountsOf, steppedUpOwner } from "../support/service-accounts.ts";
import { endedSessionIn, openStream, receiverKeyOf, startPushReceiver } from "../support/signal-receiver.ts";
import { memberWith, stepUpSessions } from "../support/team.ts";
import { eventually } from "../support/waiting.ts";

const JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const JWT_SPIFFE = "urn:ietf:params:oauth:client-assertion-type:jwt-spiffe";
const REFUSED_WITHIN_MS = 1_000;

let at: Deployment;
let owner: Awaited<ReturnType<typeof steppedUpOwner>>;
let accounts: string;
let issuer: ForgedProvider;
beforeAll(async () => {
  at = await deployment();
  owner = await steppedUpOwner(at);
  accounts = accountsOf(owner.organizationId);
  issuer = new ForgedProvider(testCertificate());
});
beforeEach(forgetAnonymousRecords);

const SETTINGS = {
  name: "Pipeline",
  conditions: [{ claim: "repository_id", equals: "64511" }],
  scopes: ["members.list"],
};

interface MadeTrust {
  readonly accountId: string;
  readonly id: string;
  readonly path: string;
}

async function trustOf(settings: Record<string, unknown> = {}): Promise<MadeTrust> {
  const account = await owner.client.post(accounts, { name: "Pipeline" });
  return await addTrust(account.body.id, settings);
}

async function addTrust(accountId: string, settings: Record<string, unknown> = {}): Promise<MadeTrust> {
  const path = `${accounts}/${accountId}/trusts`;
  const made = await owner.client.post(path, { issuer: issuer.url, ...SETTINGS, ...settings });
  if (made.status !== 201) throw new Error(`the trust returned ${made.status}: ${made.text}`);
  return { accountId, id: made.body.id, path: `${path}/${made.body.id}` };
}

const now = (offset = 0) => Math.floor(Date.now() / 1000) + offset;
const claimsOf = (more: Record<string, unknown> = {}) => ({
  iss: issuer.url,
  sub: "repo:acme/app:ref:refs/heads/main",
  aud: ISSUER,
  jti: crypto.randomUUID(),
  iat: now(),
  exp: now(300),
  repository_id: "64511",
  ...more,
});
const sign = (more: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
  issuer.sign(claimsOf(more), header);

function exchangeAt(
  trust: Pick<MadeTrust, "accountId">,
  assertion: string,
  more: Record<string, string> = {},
  url = at.one.url,
) {
  const credentials = { client_id: trust.accountId, client_assertion_type: JWT_BEARER, client_assertion: assertion };
  return sendForm(url, "/oauth2/token", { grant_type: "client_credentials", ...credentials, ...more });
}
const members = (token: string, url = at.one.url) =>
  new Client(url).request("GET", `/v1/orgs/${owner.organizationId}/members`, { bearer: token });
const errorOf = ({ status, body }: Answer) => [status, body.error];
const lastReason = async ({ accountId }: Pick<MadeTrust, "accountId">) => {
  const [row] = await at.sql`
    select metadata->>'reason' as reason from audit_logs
    where action = 'service_account.token_refused' and resource_id = ${accountId}
    order by timestamp desc, id desc limit 1`;
  return row?.reason;
};

async function refusedEverywhere(token: string): Promise<void> {
  await eventually("both replicas refuse the token", REFUSED_WITHIN_MS, async () => {
    const all = await Promise.all([at.one.url, at.other.url].map((url) => members(token, url)));
    return all.every(({ status }) => status === 401);
  });
}

describe("an assertion of a trusted issuer (G514)", () => {
  test("is exchanged for a token of the account, accepted on both replicas", async () => {
    const trust = await trustOf();
    const { status, body } = await exchangeAt(trust, await sign());
    expect([status, body.token_type, body.expires_in, body.scope]).toEqual([200, "Bearer", 900, "members.list"]);
    expect(decodeJwt(body.access_token)).toMatchObject({ sub: trust.accountId, sid: trust.id, federated: true });
    for (const { url } of [at.one, at.other]) expect((await members(body.access_token, url)).status).toBe(200);
    const session = await new Client(at.one.url).request("GET", "/v1/auth/session", { bearer: body.access_token });
    expect(session.body.user).toMatchObject({ user_id: trust.accountId, auth_method: "federated" });
    const [record] = await at.sql`
      select actor_type, metadata->>'credential' as credential, metadata->>'subject' as subject from audit_logs
      where action = 'service_account.token_issued' and resource_id = ${trust.accountId}`;
    const subject = "repo:acme/app:ref:refs/heads/main";
    expect(record).toEqual({ actor_type: "service_account", credential: `trust:${trust.id}`, subject });
  });

  test("is accepted once, of twenty parallel exchanges over two replicas", async () => {
    const trust = await trustOf();
    const assertion = await sign();
    const urls = [at.one.url, at.other.url];
    const all = await race((index) => exchangeAt(trust, assertion, {}, urls[index % 2]));
    expect(all.filter(({ status }) => status === 200).length).toBe(1);
    expect(all.filter(({ status }) => status === 401).length).toBe(19);
    expect(await lastReason(trust)).toBe("replayed");
  });

  test("a refused exchange consumes nothing", async () => {
    const trust = await trustOf();
    const assertion = await sign();
    expect(errorOf(await exchangeAt(trust, assertion, { scope: "members.invite" }))).toEqual([400, "invalid_scope"]);
    const elsewhere = { resource: "https://api.example.test/" };
    expect(errorOf(await exchangeAt(trust, assertion, elsewhere))).toEqual([400, "invalid_target"]);
    const tested = await owner.client.post(`${trust.path}/test`, { assertion });
    expect(tested.body).toMatchObject({ accepted: true, reason: null });
    expect((await exchangeAt(trust, assertion)).status).toBe(200);
  });

  test("is accepted repeatedly by a trust without single use, such as of Kubernetes", async () => {
    const trust = await trustOf({ single_use: false, max_age_seconds: 3600, token_seconds: 60 });
    const assertion = await sign({ jti: undefined, iat: now(-3000), exp: now(600) });
    for (const { url } of [at.one, at.other]) {
      const { status, body } = await exchangeAt(trust, assertion, {}, url);
      expect([status, body.expires_in]).toEqual([200, 60]);
    }
  });

  test("one refusal for every wrong assertion, with the reason in the trail", async () => {
    const trust = await trustOf();
    const foreign = await generateKeyPair("RS256");
    const { publicKey } = foreign;
    const jwks = await (await fetch(`${issuer.url}/jwks`, { tls: { rejectUnauthorized: false } })).json();
    const published = await crypto.subtle.importKey(
      "jwk",
      jwks.keys[0],
      { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
      true,
      ["verify"],
    );
    const encode = (value: object | string) =>
      Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
    const hmac = (key: string) => {
      const input = `${encode({ alg: "HS256", kid: "k" })}.${encode(claimsOf())}`;
      return `${input}.${createHmac("sha256", key).update(input).digest("base64url")}`;
    };
    const signForeign = async (header: Record<string, unknown>) =>
      await new SignJWT(claimsOf()).setProtectedHeader({ alg: "RS256", kid: "k", ...header }).sign(foreign.privateKey);
    const good = await sign();
    const [head = "", , tail = ""] = good.split(".");
    const twice = `{"iss":"${issuer.url}","aud":"${ISSUER}","aud":"x","sub":"a","iat":${now()},"exp":${now(60)}}`;
    const attempts: readonly (readonly [string, string])[] = [
      ["algorithm", `${encode({ alg: "none", kid: "k" })}.${encode(claimsOf())}.${tail}`],
      ["form", `${encode({ alg: "none", kid: "k" })}.${encode(claimsOf())}.`],
      ["algorithm", hmac(await exportSPKI(published))],
      ["algorithm", hmac(JSON.stringify(jwks.keys[0]))],
      ["header", await signForeign({ jwk: await exportJWK(publicKey) })],
      ["header", await signForeign({ jku: `${issuer.url}/jwks` })],
      ["header", await signForeign({ x5u: `${issuer.url}/x5u` })],
      ["header", `${encode({ alg: "RS256", kid: "k", crit: ["exp"], exp: 1 })}.${encode(claimsOf())}.${tail}`],
      ["signature", await signForeign({})],
      ["key", await signForeign({ kid: "other" })],
      ["key", await sign({}, { kid: undefined })],
      ["key", await sign({}, { kid: "../../etc/passwd" })],
      ["type", await sign({}, { typ: "at+jwt" })],
      ["type", await sign({}, { typ: "application/AT+JWT" })],
      ["type", await sign({}, { typ: "logout+jwt" })],
      ["type", await sign({}, { typ: "oauth-id-jag+jwt" })],
      ["type", await sign({}, { typ: "dpop+jwt" })],
      ["type", await sign({}, { typ: "secevent+jwt" })],
      ["trust", await sign({ iss: `${issuer.url}/` })],
      ["trust", await sign({ iss: issuer.url.toUpperCase() })],
      ["trust", await sign({ iss: [issuer.url] })],
      ["trust", await sign({ iss: undefined })],
      ["audience", await sign({ aud: "https://elsewhere.example.test" })],
      ["audience", await sign({ aud: `${ISSUER}/` })],
      ["audience", await sign({ aud: [ISSUER, 1] })],
      ["audience", await sign({ aud: { 0: ISSUER } })],
      ["audience", await sign({ aud: undefined })],
      ["expiry", await sign({ exp: now(-10) })],
      ["expiry", await sign({ exp: String(now(300)) })],
      ["expiry", await sign({ exp: undefined })],
      ["expiry", await sign({ nbf: now(60) })],
      ["age", await sign({ iat: now(-700) })],
      ["age", await sign({ iat: now(60) })],
      ["age", await sign({ iat: undefined })],
      ["age", await sign({ iat: String(now()) })],
      ["subject", await sign({ sub: undefined })],
      ["condition", await sign({ repository_id: 64511 })],
      ["condition", await sign({ repository_id: ["64511"] })],
      ["condition", await sign({ repository_id: "645110" })],
      ["condition", await sign({ repository_id: undefined })],
      ["single_use", await sign({ jti: undefined })],
      ["single_use", await sign({ jti: 7 })],
      ["form", `${head}.${encode(twice)}.${tail}`],
      ["form", `${head}.${encode("[]")}.${tail}`],
      ["form", "not.a.jwt"],
      ["form", `${good}.${tail}`],
    ];
    const texts = new Set<string>();
    for (const [reason, assertion] of attempts) {
      const tested = await owner.client.post(`${trust.path}/test`, { assertion });
      const refused = await exchangeAt(trust, assertion);
      texts.add(refused.text);
      expect([reason, errorOf(refused)]).toEqual([reason, [401, "invalid_client"]]);
      expect([reason, tested.body.accepted]).toEqual([reason, false]);
      if (reason !== "trust") expect(tested.body.reason).toBe(reason);
    }
    expect(texts.size).toBe(1);
    const reasons = await at.sql`
      select distinct metadata->>'reason' as reason from audit_logs
      where action = 'service_account.token_refused' and resource_id = ${trust.accountId}`;
    const known = new Set(attempts.map(([reason]) => reason));
    expect(reasons.length).toBeGreaterThan(0);
    for (const { reason } of reasons) expect(known.has(reason)).toBe(true);
    expect((await exchangeAt(trust, good)).status).toBe(200);
  });

  test("an assertion of more than 16 KiB is refused, and one of 15 KiB is accepted", async () => {
    const trust = await trustOf();
    expect((await exchangeAt(trust, await sign({ padding: "x".repeat(11_000) }))).status).toBe(200);
    const refused = await exchangeAt(trust, await sign({ padding: "x".repeat(12_500) }));
    expect(refused.status).toBeGreaterThanOrEqual(400);
  });

  test("a trust is of the account that the request names, never found by the issuer", async () => {
    const [trust, other] = [await trustOf(), await trustOf({ conditions: [{ claim: "repository_id", equals: "9" }] })];
    const assertion = await sign();
    expect(errorOf(await exchangeAt(other, assertion))).toEqual([401, "invalid_client"]);
    expect(errorOf(await exchangeAt({ accountId: crypto.randomUUID() }, assertion))).toEqual([401, "invalid_client"]);
    const without = {
      grant_type: "client_credentials",
      client_assertion_type: JWT_BEARER,
      client_assertion: assertion,
    };
    expect(errorOf(await sendForm(at.one.url, "/oauth2/token", without))).toEqual([401, "invalid_client"]);
    expect((await exchangeAt(trust, assertion)).status).toBe(200);
  });

  test("of several trusts in one issuer, a trust with the requested scopes decides", async () => {
    const narrow = await trustOf({ scopes: ["members.list"] });
    const conditions = [{ claim: "ref", equals: "refs/heads/main" }];
    const wide = await addTrust(narrow.accountId, { scopes: ["members.list", "audit.read"], conditions });
    const main = { ref: "refs/heads/main" };
    const issued = await exchangeAt(narrow, await sign(main), { scope: "audit.read" });
    expect(decodeJwt(issued.body.access_token).sid).toBe(wide.id);
    expect(errorOf(await exchangeAt(narrow, await sign({ ref: "x" }), { scope: "audit.read" }))).toEqual([
      400,
      "invalid_scope",
    ]);
  });

  test("conditions read names, pointers and beginnings, and no element of a list", async () => {
    const conditions = [
      { claim: "/kubernetes.io/namespace", equals: "payments" },
      { claim: "/kubernetes.io/serviceaccount/uid", one_of: ["u-1", "u-2"] },
      { claim: "sub", starts_with: "system:serviceaccount:payments:" },
      { claim: "https://claims.example/level", equals: 3 },
    ];
    const trust = await trustOf({ conditions: conditions.map((each) => each) }).catch((error) => error);
    expect(trust.id).toBeDefined();
    const kubernetes = { namespace: "payments", serviceaccount: { uid: "u-2" } };
    const good = {
      "kubernetes.io": kubernetes,
      sub: "system:serviceaccount:payments:web",
      "https://claims.example/level": 3,
    };
    expect((await exchangeAt(trust, await sign(good))).status).toBe(200);
    const bad: Record<string, unknown>[] = [
      { ...good, "kubernetes.io": { ...kubernetes, namespace: ["payments"] } },
      { ...good, "kubernetes.io": [kubernetes] },
      { ...good, "kubernetes.io": { ...kubernetes, serviceaccount: { uid: "u-3" } } },
      { ...good, sub: "system:serviceaccount:payments-evil:web" },
      { ...good, "https://claims.example/level": "3" },
      { ...good, "https://claims.example/level": true },
    ];
    for (const claims of bad) expect((await exchangeAt(trust, await sign(claims))).status).toBe(401);
  });

  test("a SPIFFE id is accepted by the trust domain, without iss", async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const keys = [{ ...(await exportJWK(publicKey)), kid: "s", use: "jwt-svid" }];
    const conditions = [{ claim: "sub", equals: "spiffe://acme.example/ns/payments/sa/web" }];
    const domain = { issuer: "spiffe://acme.example", keys, conditions, single_use: false, max_age_seconds: 3600 };
    const trust = await trustOf(domain);
    const svid = (sub: string) =>
      new SignJWT({ sub, aud: [ISSUER], iat: now(), exp: now(300) })
        .setProtectedHeader({ alg: "ES256", kid: "s", typ: "JWT" })
        .sign(privateKey);
    const type = { client_assertion_type: JWT_SPIFFE };
    expect((await exchangeAt(trust, await svid("spiffe://acme.example/ns/payments/sa/web"), type)).status).toBe(200);
    for (const sub of ["spiffe://acme.example.evil/ns/payments/sa/web", "spiffe://acme.example/ns/payments/sa/web2"]) {
      expect((await exchangeAt(trust, await svid(sub), type)).status).toBe(401);
    }
  });
});

describe("the end of a trust (G515)", () => {
  test("tokens end with the deletion of the trust, on both replicas within a second", async () => {
    const trust = await trustOf();
    const token = (await exchangeAt(trust, await sign())).body.access_token;
    for (const { url } of [at.one, at.other]) expect((await members(token, url)).status).toBe(200);
    expect((await owner.client.delete(trust.path)).status).toBe(204);
    await refusedEverywhere(token);
    expect(errorOf(await exchangeAt(trust, await sign()))).toEqual([401, "invalid_client"]);
    expect((await owner.client.delete(trust.path)).status).toBe(404);
  });

  test("tokens end while the trust is disabled, and stay ended afterwards", async () => {
    const trust = await trustOf();
    const token = (await exchangeAt(trust, await sign())).body.access_token;
    expect((await members(token, at.other.url)).status).toBe(200);
    expect((await owner.client.patch(trust.path, { disabled: true })).status).toBe(200);
    await refusedEverywhere(token);
    expect((await exchangeAt(trust, await sign())).status).toBe(401);
    expect((await owner.client.patch(trust.path, { disabled: false })).status).toBe(200);
    await refusedEverywhere(token);
    const again = await exchangeAt(trust, await sign(), {}, at.other.url);
    for (const { url } of [at.one, at.other]) expect((await members(again.body.access_token, url)).status).toBe(200);
  });

  test("tokens of a wider trust end with a narrower rule, and a new name ends nothing", async () => {
    const trust = await trustOf();
    const token = (await exchangeAt(trust, await sign())).body.access_token;
    expect((await owner.client.patch(trust.path, { name: "Renamed" })).body.name).toBe("Renamed");
    expect((await members(token)).status).toBe(200);
    const conditions = [...SETTINGS.conditions, { claim: "ref", equals: "refs/heads/main" }];
    expect((await owner.client.patch(trust.path, { conditions })).status).toBe(200);
    await refusedEverywhere(token);
  });

  test("the person who changes the rules answers for the trust; a new name changes nothing (G545)", async () => {
    const { id, path } = await trustOf();
    const admin = await memberWith(at, owner.organizationId, "admin");
    await at.sql`delete from members where user_id = ${admin.userId} and organization_id <> ${owner.organizationId}`;
    const { client } = await signedIn(at.one.url, admin.email);
    await stepUpSessions(at.sql, admin.userId);
    const responsible = async () => {
      const [row] = await at.sql`select created_by from service_account_trusts where id = ${id}`;
      return row?.created_by;
    };
    expect((await client.patch(path, { name: "Renamed" })).status).toBe(200);
    expect(await responsible()).toBe(owner.userId);
    expect((await client.patch(path, { token_seconds: 120 })).status).toBe(200);
    expect(await responsible()).toBe(admin.userId);
  });

  test("tokens end with the account", async () => {
    const trust = await trustOf();
    const token = (await exchangeAt(trust, await sign())).body.access_token;
    expect((await members(token, at.other.url)).status).toBe(200);
    expect((await owner.client.delete(`${accounts}/${trust.accountId}`)).status).toBe(204);
    await refusedEverywhere(token);
  });
});

describe("the rules of a trust (G516)", () => {
  const statusOf = async (settings: Record<string, unknown>) => {
    const account = await owner.client.post(accounts, { name: "Rules" });
    const made = await owner.client.post(`${accounts}/${account.body.id}/trusts`, {
      issuer: issuer.url,
      ...SETTINGS,
      ...settings,
    });
    await owner.client.delete(`${accounts}/${account.body.id}`);
    return { status: made.status, field: made.body.error?.fields?.[0]?.field, message: made.body.error?.message ?? "" };
  };

  test("a shared issuer needs a condition on an id that no second owner receives", async () => {
    const shared: readonly (readonly [string, string, readonly string[]])[] = [
      ["https://token.actions.githubusercontent.com", "repository", ["repository_id"]],
      ["https://token.actions.githubusercontent.com/acme", "sub", ["repository_owner_id"]],
      ["https://gitlab.com", "project_path", ["project_id"]],
      ["https://api.bitbucket.org/2.0/workspaces/acme/pipelines-config/identity/oidc", "sub", ["workspaceUuid"]],
      ["https://oidc.circleci.com/org/6f1c", "sub", ["oidc.circleci.com/project-id"]],
      ["https://agent.buildkite.com", "organization_slug", ["organization_id"]],
      ["https://app.terraform.io", "terraform_workspace_name", ["terraform_workspace_id"]],
      ["https://accounts.google.com", "email", ["sub"]],
      ["https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0", "tid", ["tid", "oid"]],
      ["https://sts.windows.net/11111111-2222-3333-4444-555555555555/", "oid", ["tid", "oid"]],
    ];
    for (const [url, name, ids] of shared) {
      const refused = await statusOf({ issuer: url, conditions: [{ claim: name, equals: "acme/app" }] });
      expect([url, refused.status, refused.field]).toEqual([url, 400, "conditions"]);
      for (const id of ids) expect(refused.message).toContain(id);
      const begins = ids.map((claim) => ({ claim, starts_with: "12345678:" }));
      expect((await statusOf({ issuer: url, conditions: begins })).status).toBe(400);
      const exact = ids.map((claim) => ({ claim, equals: "12345" }));
      expect([url, (await statusOf({ issuer: url, conditions: exact })).status]).toEqual([url, 201]);
    }
  });

  test("patterns, short beginnings, empty values and unknown operands are refused", async () => {
    const conditions: unknown[] = [
      { claim: "sub", equals: "repo:acme/*" },
      { claim: "sub", equals: "" },
      { claim: "sub", one_of: [] },
      { claim: "sub", one_of: ["a", ""] },
      { claim: "sub", starts_with: "repo:a:" },
      { claim: "sub", starts_with: "repo:acme/app" },
      { claim: "sub", starts_with: "repo:*/app:" },
      { claim: "sub" },
      { claim: "sub", equals: "a", one_of: ["a"] },
      { claim: "", equals: "a" },
      { claim: "/a/~2", equals: "a" },
      { claim: "sub", equals: null },
      { claim: "sub", equals: ["a"] },
      { claim: "sub", matches: "a" },
    ];
    for (const condition of conditions) {
      const refused = await statusOf({ conditions: [condition] });
      expect([condition, refused.status]).toEqual([condition, 400]);
    }
    expect((await statusOf({ conditions: [] })).status).toBe(400);
    expect(
      (await statusOf({ conditions: Array.from({ length: 21 }, () => ({ claim: "a", equals: "b" })) })).status,
    ).toBe(400);
  });

  test("issuers, keys, times and scopes have bounds", async () => {
    const rsa = await exportJWK((await generateKeyPair("RS256", { modulusLength: 2048 })).publicKey);
    const pair = await generateKeyPair("ES256", { extractable: true });
    const secret = await exportJWK(pair.privateKey);
    const bad: Record<string, unknown>[] = [
      { issuer: ISSUER },
      { issuer: `${ISSUER}/` },
      { issuer: "http://issuer.example.test" },
      { issuer: "https://issuer.example.test/?a" },
      { issuer: "https://*.example.test" },
      { issuer: "https://10.0.0.1" },
      { issuer: "spiffe://acme.example" },
      { issuer: "spiffe://acme.example/path", jwks_uri: `${issuer.url}/jwks` },
      { jwks_uri: "http://issuer.example.test/jwks" },
      { jwks_uri: `${issuer.url}/jwks`, keys: [{ ...rsa, kid: "a" }] },
      { keys: [] },
      { keys: [{ ...rsa }] },
      {
        keys: [
          { ...rsa, kid: "a" },
          { ...rsa, kid: "a" },
        ],
      },
      { keys: [{ ...rsa, kid: "a", n: "AQAB" }] },
      { keys: [{ ...secret, kid: "a" }] },
      { keys: [{ kty: "oct", k: "c2VjcmV0", kid: "a" }] },
      { audiences: [] },
      { audiences: [""] },
      { scopes: [] },
      { scopes: ["oauth_clients.read"] },
      { organizations: [owner.organizationId] },
      { allowed_ips: ["10.1"] },
      { token_seconds: 59 },
      { token_seconds: 3601 },
      { max_age_seconds: 3601 },
    ];
    for (const settings of bad) expect([settings, (await statusOf(settings)).status]).toEqual([settings, 400]);
  });

  test("an account has ten trusts at most, also of parallel requests", async () => {
    const account = await owner.client.post(accounts, { name: "Many" });
    const path = `${accounts}/${account.body.id}/trusts`;
    const all = await race(() => owner.client.post(path, { issuer: issuer.url, ...SETTINGS }), 14);
    expect(all.filter(({ status }) => status === 201).length).toBe(10);
    expect(all.filter(({ status }) => status === 409).length).toBe(4);
    expect((await owner.client.get(path)).body.items.length).toBe(10);
  });
});

describe("the endpoints of trusts (G516)", () => {
  test("an organization lists, changes, tests and deletes the trusts of its accounts alone", async () => {
    const { accountId, id } = await trustOf();
    const org = owner.organizationId;
    const list = `/v1/orgs/${org}/service-accounts/${accountId}/trusts`;
    const one = `/v1/orgs/${org}/service-accounts/${accountId}/trusts/${id}`;
    expect((await owner.client.get(list)).body.items.map((each: { id: string }) => each.id)).toEqual([id]);
    expect((await owner.client.patch(one, { token_seconds: 120 })).body.token_seconds).toBe(120);
    const stranger = await steppedUpOwner(at);
    expect((await stranger.client.delete(one.replace(org, stranger.organizationId))).status).toBe(404);
    expect((await stranger.client.delete(one)).status).toBe(404);
    expect((await stranger.client.get(list)).status).toBe(404);
    expect((await stranger.client.patch(one, { disabled: true })).status).toBe(404);
    const tested = await owner.client.post(`/v1/orgs/${org}/service-accounts/${accountId}/trusts/${id}/test`, {
      assertion: await sign(),
    });
    expect(tested.body.accepted).toBe(true);
    expect((await owner.client.delete(one)).status).toBe(204);
  });

  test("a trust of the platform acts in its organizations alone", async () => {
    const { client: admin } = await steppedUpAdmin(at, "owner");
    const { body: account } = await admin.post("/v1/admin/service-accounts", { name: "Fleet" });
    const settings = { issuer: issuer.url, ...SETTINGS, organizations: [owner.organizationId] };
    const made = await admin.post(`/v1/admin/service-accounts/${account.id}/trusts`, settings);
    expect([made.status, made.body.organizations]).toEqual([201, [owner.organizationId]]);
    expect((await admin.get(`/v1/admin/service-accounts/${account.id}/trusts`)).body.items.length).toBe(1);
    const path = `/v1/admin/service-accounts/${account.id}/trusts/${made.body.id}`;
    const token = (await exchangeAt({ accountId: account.id }, await sign())).body.access_token;
    for (const { url } of [at.one, at.other]) expect((await members(token, url)).status).toBe(200);
    const other = await steppedUpOwner(at);
    const elsewhere = `/v1/orgs/${other.organizationId}/members`;
    expect((await new Client(at.one.url).request("GET", elsewhere, { bearer: token })).status).toBe(404);
    const test = `/v1/admin/service-accounts/${account.id}/trusts/${made.body.id}/test`;
    expect((await admin.post(test, { assertion: "x" })).body).toMatchObject({ accepted: false, reason: "form" });
    expect((await admin.patch(path, { disabled: true })).body.disabled).toBe(true);
    await refusedEverywhere(token);
    expect((await admin.delete(path)).status).toBe(204);
  });

  test("a program creates no trust, and a key that a trust created ends with the trust", async () => {
    const trust = await trustOf({ scopes: ["machines.manage", "members.list"] });
    const token = (await exchangeAt(trust, await sign())).body.access_token;
    const program = new Client(at.one.url);
    const path = `${accounts}/${trust.accountId}/trusts`;
    const refused = await program.request("POST", path, { bearer: token, body: { issuer: issuer.url, ...SETTINGS } });
    expect(refused.status).toBe(403);
    const keys = `${accounts}/${trust.accountId}/keys`;
    const made = await program.request("POST", keys, { bearer: token, body: { scopes: ["members.list"] } });
    expect(made.status).toBe(201);
    const [record] = await at.sql`select actor_type, actor_id from audit_logs where resource_id = ${made.body.id}`;
    expect(record).toEqual({ actor_type: "service_account", actor_id: trust.accountId });
    expect((await members(made.body.key)).status).toBe(200);
    expect((await owner.client.delete(trust.path)).status).toBe(204);
    await refusedEverywhere(made.body.key);
  });
});

describe("the keys of an issuer (G517)", () => {
  test("a new key is found by its kid, and a foreign issuer in the metadata is refused", async () => {
    const rotating = new ForgedProvider(testCertificate());
    const trust = await trustOf({ issuer: rotating.url });
    const claims = () => ({ ...claimsOf(), iss: rotating.url });
    expect((await exchangeAt(trust, await rotating.sign(claims()))).status).toBe(200);
    const lying = new ForgedProvider(testCertificate());
    lying.metadata = { issuer: "https://elsewhere.example.test" };
    const ofLying = await trustOf({ issuer: lying.url });
    const refused = await exchangeAt(ofLying, await lying.sign({ ...claimsOf(), iss: lying.url }));
    expect([refused.status, refused.body.error]).toEqual([503, "temporarily_unavailable"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("redirects, large responses and broken keys give 503, and a hanging issuer delays no other tenant", async () => {
    const broken = new ForgedProvider(testCertificate());
    const trust = await trustOf({ issuer: broken.url });
    const attempt = async () => (await exchangeAt(trust, await broken.sign({ ...claimsOf(), iss: broken.url }))).status;
    broken.answers.set("/jwks", () => new Response("", { status: 302, headers: { location: `${issuer.url}/jwks` } }));
    expect(await attempt()).toBe(503);
    const hanging = new ForgedProvider(testCertificate());
    hanging.answers.set("/jwks", () => new Promise(() => undefined));
    const ofHanging = await trustOf({ issuer: hanging.url });
    const waiting = exchangeAt(ofHanging, await hanging.sign({ ...claimsOf(), iss: hanging.url }));
    const other = await trustOf();
    const since = performance.now();
    expect((await exchangeAt(other, await sign())).status).toBe(200);
    expect(performance.now() - since).toBeLessThan(2_000);
    expect((await waiting).status).toBe(503);
  }, 60_000);
});

describe("an event stream of a trust (G522)", () => {
  test("is pushed while a trust with a scope of streams is enabled, and ends with the trust", async () => {
    const receiver = startPushReceiver(() => new Response(null, { status: 202 }));
    try {
      const trust = await trustOf({ scopes: ["ssf.manage"] });
      const { access_token: bearer } = (await exchangeAt(trust, await sign())).body;
      const delivery = { method: "urn:ietf:rfc:8935", endpoint_url: `${receiver.url}/trust` };
      const made = await new Client(at.one.url).request("POST", "/v1/ssf/stream", { bearer, body: { delivery } });
      expect(made.status).toBe(201);
      await endedSessionIn(at, owner.organizationId);
      expect(await receiver.received("/trust", 1)).toHaveLength(1);
      expect((await owner.client.patch(trust.path, { disabled: true })).status).toBe(200);
      const live = await openStream(at, await receiverKeyOf(owner), {
        delivery: { ...delivery, endpoint_url: `${receiver.url}/key` },
      });
      await endedSessionIn(at, owner.organizationId);
      await receiver.received("/key", 1);
      expect(receiver.at("/trust")).toHaveLength(1);
      await at.sql`delete from webhooks where id in (${made.body.stream_id}, ${live.id})`;
    } finally {
      await receiver.stop();
    }
  });
});
