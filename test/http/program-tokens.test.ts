/** Access tokens of service accounts by `client_credentials` (docs/contract.md, section 35.10). */
import { beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt, decodeProtectedHeader } from "jose";
import * as oauth from "oauth4webapi";
import { type Answer, Client } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { makeProof, makeProofKey } from "../support/dpop.ts";
import { basic, personWithBrowser, registerClient, sendForm, tokensFor } from "../support/oauth.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { ISSUER } from "../support/replica.ts";
import { accountsOf, keyOf, type MadeKey, steppedUpOwner } from "../support/service-accounts.ts";
import { eventually } from "../support/waiting.ts";

const RESOURCE = `${ISSUER}/v1`;
const REFUSED_WITHIN_MS = 1_000;

let at: Deployment;
let owner: Awaited<ReturnType<typeof steppedUpOwner>>;
let accounts: string;
beforeAll(async () => {
  at = await deployment();
  owner = await steppedUpOwner(at);
  accounts = accountsOf(owner.organizationId);
});

const SCOPES = ["members.list", "audit.read"];
const makeKey = (scopes: readonly string[] = SCOPES, fields = {}) => keyOf(owner.client, accounts, scopes, fields);
const credentialsOf = ({ accountId, key }: MadeKey) => basic({ id: accountId, secret: key });

function tokenAt(made: MadeKey, more: Record<string, string> = {}, url = at.one.url, headers = credentialsOf(made)) {
  return sendForm(url, "/oauth2/token", { grant_type: "client_credentials", ...more }, headers);
}
async function tokenOf(made: MadeKey, more: Record<string, string> = {}): Promise<string> {
  const { status, body, text } = await tokenAt(made, more);
  if (status !== 200) throw new Error(`the token endpoint returned ${status}: ${text}`);
  return body.access_token;
}
const members = (token: string, url = at.one.url) =>
  new Client(url).request("GET", `/v1/orgs/${owner.organizationId}/members`, { bearer: token });
const errorOf = ({ status, body }: Answer) => [status, body.error];

async function refusedEverywhere(token: string, path = `/v1/orgs/${owner.organizationId}/members`): Promise<void> {
  await eventually("both replicas refuse the token", REFUSED_WITHIN_MS, async () => {
    const get = (url: string) => new Client(url).request("GET", path, { bearer: token });
    return (await Promise.all([at.one.url, at.other.url].map(get))).every(({ status }) => status === 401);
  });
}

describe("POST /oauth2/token with an API key as secret (G510)", () => {
  test("a service account receives a token for this API, accepted as Bearer on both replicas", async () => {
    const made = await makeKey();
    const { status, body, headers } = await tokenAt(made);
    expect([status, body.token_type, body.expires_in, body.scope]).toEqual([
      200,
      "Bearer",
      900,
      "audit.read members.list",
    ]);
    expect([body.refresh_token, headers.get("cache-control")]).toEqual([undefined, "no-store"]);
    expect(decodeProtectedHeader(body.access_token)).toMatchObject({ alg: "RS256", typ: "at+jwt" });
    const { accountId, id } = made;
    expect(decodeJwt(body.access_token)).toMatchObject({
      iss: ISSUER,
      aud: RESOURCE,
      sub: accountId,
      client_id: accountId,
      sid: id,
      org: owner.organizationId,
    });
    for (const { url } of [at.one, at.other]) expect((await members(body.access_token, url)).status).toBe(200);
    const [record] = await at.sql`
      select actor_type, actor_id, organization_id, metadata->>'credential' as credential, metadata->>'scopes' as scopes
      from audit_logs where action = 'service_account.token_issued' and resource_id = ${accountId}`;
    const organization_id = owner.organizationId;
    const credential = `key:${id}`;
    expect(record).toEqual({
      actor_type: "service_account",
      actor_id: accountId,
      organization_id,
      credential,
      scopes: "audit.read members.list",
    });
  });

  test("the secret is accepted in the form too, and with the resource of this API", async () => {
    const made = await makeKey();
    const form = { client_id: made.accountId, client_secret: made.key, resource: RESOURCE };
    expect((await tokenAt(made, form, at.other.url, {} as never)).status).toBe(200);
    expect(errorOf(await tokenAt(made, { resource: "https://api.example.test/" }))).toEqual([400, "invalid_target"]);
    expect(errorOf(await tokenAt(made, { resource: ISSUER }))).toEqual([400, "invalid_target"]);
  });

  test("an OAuth library obtains a token by discovery alone", async () => {
    const made = await makeKey();
    const insecure = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: toReplica };
    const as = await oauth.processDiscoveryResponse(
      new URL(ISSUER),
      await oauth.discoveryRequest(new URL(ISSUER), insecure),
    );
    const client = { client_id: made.accountId };
    const secret = oauth.ClientSecretBasic(made.key);
    const response = await oauth.clientCredentialsGrantRequest(as, client, secret, { scope: "members.list" }, insecure);
    const { access_token, scope } = await oauth.processClientCredentialsResponse(as, client, response);
    expect([scope, (await members(access_token)).status]).toEqual(["members.list", 200]);
  });

  test("a token has the requested scopes of the key, and no further scope", async () => {
    const made = await makeKey();
    const narrow = await tokenAt(made, { scope: "members.list members.invite users.write" });
    expect(narrow.body.scope).toBe("members.list");
    expect(errorOf(await tokenAt(made, { scope: "members.invite" }))).toEqual([400, "invalid_scope"]);
    const path = `/v1/orgs/${owner.organizationId}/audit-logs`;
    const refused = await new Client(at.one.url).request("GET", path, { bearer: narrow.body.access_token });
    expect([refused.status, refused.headers.get("www-authenticate")?.includes("insufficient_scope")]).toEqual([
      403,
      true,
    ]);
  });

  test("a token never outlives the key", async () => {
    const made = await makeKey();
    await at.sql`update api_keys set expires_at = now() + interval '5 minutes' where id = ${made.id}`;
    const { body } = await tokenAt(made, {}, at.other.url);
    expect(body.expires_in).toBeLessThanOrEqual(300);
    expect(body.expires_in).toBeGreaterThan(280);
  });

  test("wrong keys, keys of another account, keys of a site and foreign addresses are one refusal", async () => {
    const [made, other] = [await makeKey(), await makeKey()];
    const ofSite = await makeKey(SCOPES, { allowed_referrers: ["https://app.example.test"] });
    const elsewhere = await makeKey(SCOPES, { allowed_ips: ["192.0.2.0/24"] });
    const attempts = [
      { ...made, key: `${made.key.slice(0, -1)}${made.key.endsWith("a") ? "b" : "a"}` },
      { ...made, key: other.key },
      { ...made, accountId: crypto.randomUUID() },
      ofSite,
      elsewhere,
    ];
    const texts = new Set<string>();
    for (const attempt of attempts) {
      const refused = await tokenAt(attempt);
      expect(errorOf(refused)).toEqual([401, "invalid_client"]);
      texts.add(refused.text);
    }
    expect(texts.size).toBe(1);
  });

  test("a service account uses the grant client_credentials alone", async () => {
    const made = await makeKey();
    for (const grant_type of ["refresh_token", "authorization_code", "urn:ietf:params:oauth:grant-type:jwt-bearer"]) {
      expect(errorOf(await tokenAt(made, { grant_type }))).toEqual([400, "unauthorized_client"]);
    }
  });
});

function toReplica(url: string, { method, headers, body }: oauth.CustomFetchOptions<string, BodyInit | undefined>) {
  return fetch(url.replace(ISSUER, at.one.url), { method, headers, ...(body === undefined ? {} : { body }) });
}

describe("the end of a token (G511)", () => {
  test("a token ends with its key on both replicas within a second, and the feed has the key", async () => {
    const made = await makeKey();
    const token = await tokenOf(made);
    for (const { url } of [at.one, at.other]) expect((await members(token, url)).status).toBe(200);
    expect((await owner.client.delete(`${accounts}/${made.accountId}/keys/${made.id}`)).status).toBe(204);
    await refusedEverywhere(token);
    const feed = await new Client(at.other.url).get("/.well-known/service-revocations.json");
    const entry = feed.body.revocations.find(({ sid }: { sid: string }) => sid === made.id);
    expect(Date.parse(entry.expires_at ?? entry.exp) || entry.exp * 1000).toBeGreaterThan(Date.now() + 900_000);
  });

  test("a token ends with its account", async () => {
    const made = await makeKey();
    const token = await tokenOf(made);
    expect((await members(token, at.other.url)).status).toBe(200);
    expect((await owner.client.delete(`${accounts}/${made.accountId}`)).status).toBe(204);
    await refusedEverywhere(token);
  });

  test("a token ends with the suspension of its organization, and no token is issued", async () => {
    const person = await steppedUpOwner(at);
    const made = await keyOf(person.client, accountsOf(person.organizationId), SCOPES);
    const token = await tokenOf(made);
    const path = `/v1/orgs/${person.organizationId}/members`;
    const { client: admin } = await steppedUpAdmin(at);
    const suspended = await admin.patch(`/v1/admin/orgs/${person.organizationId}`, { suspended: true });
    expect(suspended.status).toBeLessThan(300);
    await refusedEverywhere(token, path);
    expect(errorOf(await tokenAt(made))).toEqual([401, "invalid_client"]);
  });

  test("POST /oauth2/revoke ends one token of the account, and no token of another account", async () => {
    const [made, other] = [await makeKey(), await makeKey()];
    const [first, second] = [await tokenOf(made), await tokenOf(made)];
    const revoke = (by: MadeKey, token: string) => sendForm(at.one.url, "/oauth2/revoke", { token }, credentialsOf(by));
    expect((await revoke(other, first)).status).toBe(200);
    expect((await members(first)).status).toBe(200);
    expect((await revoke(made, first)).status).toBe(200);
    await refusedEverywhere(first);
    expect((await members(second)).status).toBe(200);
    const feed = await new Client(at.other.url).get("/.well-known/service-revocations.json");
    expect(feed.text).toContain(String(decodeJwt(first).jti));
  });
});

describe("the kinds of tokens are never confused (G512)", () => {
  test("a token of a program is no token of a user, an application or an API", async () => {
    const token = await tokenOf(await makeKey());
    const client = new Client(at.one.url);
    expect((await client.request("GET", "/oauth2/userinfo", { bearer: token })).status).toBe(401);
    expect((await client.request("GET", "/v1/users/me", { bearer: token })).status).toBe(403);
    const cookie = { headers: { cookie: `service_access=${token}; __Host-service_access=${token}` } };
    expect((await client.request("GET", "/v1/auth/session", cookie)).status).toBe(401);
    const app = await registerClient({ audiences: [RESOURCE] });
    const state = await sendForm(at.one.url, "/oauth2/introspect", { token }, basic(app));
    expect(state.body).toEqual({ active: false });
  });

  test("tokens of applications stay refused at this API, whatever their audience", async () => {
    const app = await registerClient({
      resources: [RESOURCE, "https://api.example.test/"],
      grant_types: ["authorization_code", "client_credentials", "refresh_token"],
    });
    const { browser } = await personWithBrowser(at);
    const user = await tokensFor(app, browser, { resource: "https://api.example.test/" });
    expect((await members(user.access_token)).status).toBe(401);
    const own = await sendForm(
      at.one.url,
      "/oauth2/token",
      { grant_type: "client_credentials", resource: RESOURCE, scope: "api:read" },
      basic(app),
    );
    expect(errorOf(own)).toEqual([400, "invalid_target"]);
  });

  test("a changed token is refused", async () => {
    const token = await tokenOf(await makeKey());
    const [header = "", payload = "", signature = ""] = token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const forged = [
      [header, encode({ ...claims, scope: "members.invite" }), signature],
      [encode({ alg: "none", typ: "at+jwt" }), payload, ""],
      [encode({ ...JSON.parse(Buffer.from(header, "base64url").toString()), typ: "JWT" }), payload, signature],
    ].map((parts) => parts.join("."));
    for (const each of forged) expect((await members(each)).status).toBe(401);
  });

  test("GET /v1/auth/session describes the account and the scopes of the token", async () => {
    const made = await makeKey();
    const token = await tokenOf(made, { scope: "members.list" });
    const { status, body } = await new Client(at.other.url).request("GET", "/v1/auth/session", { bearer: token });
    expect(status).toBe(200);
    expect(body.user).toMatchObject({ user_id: made.accountId, auth_method: "api_key", scopes: ["members.list"] });
    expect(body.session.id).toBe(made.id);
    expect(Date.parse(body.session.expires_at)).toBe((decodeJwt(token).exp ?? 0) * 1000);
  });
});

describe("a proof of possession binds the token (G513)", () => {
  test("a bound token is accepted with a proof of the key alone", async () => {
    const made = await makeKey();
    const key = await makeProofKey();
    const proof = await makeProof(key);
    const issued = await tokenAt(made, {}, at.one.url, { ...credentialsOf(made), dpop: proof });
    expect([issued.status, issued.body.token_type]).toEqual([200, "DPoP"]);
    const token = issued.body.access_token;
    const path = `/v1/orgs/${owner.organizationId}/members`;
    const get = (headers: Record<string, string>) => new Client(at.other.url).request("GET", path, { headers });
    const proofFor = async (by: typeof key) =>
      await makeProof(by, { path, accessToken: token, claims: { htm: "GET" } });
    const authorization = `DPoP ${token}`;
    const used = await proofFor(key);
    expect((await get({ authorization, dpop: used })).status).toBe(200);
    const replayed = await get({ authorization, dpop: used });
    expect([replayed.status, replayed.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringMatching(/^DPoP error=/),
    ]);
    expect((await get({ authorization })).status).toBe(401);
    expect((await get({ authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await get({ authorization, dpop: await proofFor(await makeProofKey()) })).status).toBe(401);
    const unbound = await tokenOf(made);
    expect((await get({ authorization: `DPoP ${unbound}`, dpop: await proofFor(key) })).status).toBe(401);
  });
});

test("Metrics count the requests of programs by kind of credential and class of status.", async () => {
  const made = await makeKey(["members.list"]);
  const token = await tokenOf(made);
  const counted = async (credential: string) => {
    const { text } = await new Client(at.one.url).get("/metrics");
    const line = text
      .split("\n")
      .find(
        (each) =>
          each.startsWith("service_program_requests_total") &&
          each.includes(`"${credential}"`) &&
          each.includes('"2xx"'),
      );
    return Number(line?.split(" ").at(-1) ?? 0);
  };
  const before = [await counted("key"), await counted("token")];
  expect([(await members(made.key)).status, (await members(token)).status]).toEqual([200, 200]);
  const after = [await counted("key"), await counted("token")];
  expect(after.map((count, index) => count - (before[index] ?? 0) >= 1)).toEqual([true, true]);
});
