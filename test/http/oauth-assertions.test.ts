/** Access granted by the identity provider of an organization, ID-JAG (docs/contract.md, section 23.18). */
import { beforeAll, describe, expect, test } from "bun:test";
import Redis from "ioredis";
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from "jose";
import { testCertificate } from "../support/certificate.ts";
import type { Answer, Client } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import { makeProof, makeProofKey } from "../support/dpop.ts";
import { ID_JAG, startAssertionProvider, TOKEN_EXCHANGE } from "../support/identity/assertion-provider.ts";
import { ForgedProvider } from "../support/identity/forged-provider.ts";
import { basic, introspectAt, makePkce, registerClient, sendForm, type TestClient } from "../support/oauth.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { ISSUER } from "../support/replica.ts";
import {
  type Company,
  changeConnection,
  clientOf,
  company,
  routable,
  SsoBrowser,
  type SsoDeployment,
  setPolicy,
  ssoDeployment,
} from "../support/sso.ts";
import { assignResponsibility, presentFactor } from "../support/states.ts";
import { memberWith } from "../support/team.ts";
import { eventually, until } from "../support/waiting.ts";

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const API = "https://tools.example.test/";
/** Replicas learn of the end of a token within this time. */
const END_MS = 2_000;

let sso: SsoDeployment;
let admin: Client;
let agent: TestClient;
let other: TestClient;
const SETTINGS = {
  name: "Agent",
  grant_types: [JWT_BEARER],
  redirect_uris: [],
  scopes: ["tools:read", "tools:write"],
  resources: [API],
  first_party: false,
};

beforeAll(async () => {
  sso = await ssoDeployment();
  sso.forged.provider.reset();
  await setPolicy(sso.at, sso.forged.organizationId, {});
  ({ client: admin } = await steppedUpAdmin(sso.at, "owner"));
  const scopes = ["tools:read", "tools:write"].map((name) => ({ name, description_en: name, description_de: null }));
  expect((await admin.post("/v1/admin/resources", { identifier: API, name: "Tools", scopes })).status).toBe(201);
  agent = await registerClient(SETTINGS, admin);
  other = await registerClient(SETTINGS, admin);
  await changeConnection(sso.at, sso.forged.connectionId, { config: { id_jag: [agent.id] } });
  await until("the replicas know client, API and connection", async () => {
    const statuses = [sso.at.one.url, sso.at.other.url].map(async (url) => (await present({}, agent, { url })).status);
    return (await Promise.all(statuses)).every((status) => status === 200);
  });
});

const now = (offset = 0) => Math.floor(Date.now() / 1000) + offset;

/** An assertion of the forged identity provider about a new employee. A claim of undefined is left out. */
async function assertionOf(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) {
  const { domain, provider } = sso.forged;
  const subject = `agent-${crypto.randomUUID()}`;
  const base = { iss: provider.url, sub: subject, aud: ISSUER, client_id: agent.id, jti: crypto.randomUUID() };
  const user = { email: `${subject}@${domain}`, email_verified: true };
  const access = { resource: API, scope: "tools:read tools:write", iat: now(), exp: now(120) };
  return await provider.sign({ ...base, ...user, ...access, ...claims }, { typ: "oauth-id-jag+jwt", ...header });
}

interface Presentation {
  readonly url?: string;
  readonly fields?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly assertion?: string;
  readonly header?: Record<string, unknown>;
}

async function present(claims: Record<string, unknown>, by = agent, more: Presentation = {}): Promise<Answer> {
  const assertion = more.assertion ?? (await assertionOf(claims, more.header));
  const fields = { grant_type: JWT_BEARER, assertion, ...more.fields };
  return await sendForm(more.url ?? sso.at.one.url, "/oauth2/token", fields, { ...basic(by), ...more.headers });
}

const errorOf = ({ status, body }: Answer) => [status, body.error];
const isActive = async (token: string, by = agent) => (await introspectAt(sso.at.other.url, by, token)).body.active;

describe("POST /oauth2/token, jwt-bearer: 200 (G232)", () => {
  test("a new employee gets an access token for one API in the organization, and no other token", async () => {
    const { status, body } = await present({});
    expect([status, body.refresh_token, body.id_token]).toEqual([200, undefined, undefined]);
    expect(body.scope.split(" ").toSorted()).toEqual(["tools:read", "tools:write"]);
    const claims = decodeJwt(body.access_token);
    expect(claims).toMatchObject({ aud: API, client_id: agent.id, org: sso.forged.organizationId, acr: "aal1" });
    expect(await isActive(body.access_token)).toBe(true);
    const [member] = await sso.at.sql`
      select 1 from members where user_id = ${claims.sub ?? ""} and organization_id = ${sso.forged.organizationId}`;
    expect(member).toBeDefined();
    const [record] = await sso.at.sql`
      select organization_id, outcome from audit_logs
      where action = 'oauth.assertion.accepted' and resource_id = ${agent.id} order by timestamp desc limit 1`;
    expect(record).toEqual({ organization_id: sso.forged.organizationId, outcome: "success" });
  });

  test("scopes are those of assertion, request and client; a proof binds the token", async () => {
    expect((await present({ scope: "tools:read root openid" })).body.scope).toBe("tools:read");
    expect((await present({}, agent, { fields: { scope: "tools:write root" } })).body.scope).toBe("tools:write");
    const key = await makeProofKey();
    const { body } = await present({}, agent, { headers: { dpop: await makeProof(key) } });
    expect([body.token_type, decodeJwt(body.access_token).cnf]).toEqual(["DPoP", { jkt: key.thumbprint }]);
  });

  test.each(["now", 1e20, -8e12, now(7200)])("auth_time %p is a sign-in of now, or of the past", async (auth_time) => {
    const { status, body } = await present({ auth_time });
    expect(status).toBe(200);
    expect(decodeJwt(body.access_token).auth_time).toBeLessThanOrEqual(now());
  });

  test("a sign-in of antiquity counts from 1970", async () => {
    expect(decodeJwt((await present({ auth_time: -1e11 })).body.access_token).auth_time).toBe(0);
  });

  test("a linked identity needs no address, and the user reads the grant as given by the organization", async () => {
    const sub = `employee-${crypto.randomUUID()}`;
    sso.forged.provider.claims = { sub, email: `${sub}@${sso.forged.domain}`, email_verified: true };
    const browser = new SsoBrowser(sso.at.one.url);
    expect((await browser.enter(sso.forged.connectionId)).status).toBe(200);
    expect((await present({ sub, email: undefined })).status).toBe(200);
    const { body } = await browser.client.get("/v1/users/me/grants");
    expect(body.items.map((item: { by_organization: boolean }) => item.by_organization)).toEqual([true]);
  });
});

describe("a promoted member and the provider of a weaker person (G281)", () => {
  test("400: a link by the domain gives no access to the power of the member; a link in person does.", async () => {
    const { at, forged } = sso;
    const sub = `promoted-${crypto.randomUUID()}`;
    const userId = String(decodeJwt((await present({ sub })).body.access_token).sub);
    const manager = await memberWith(at, forged.organizationId, "member");
    const activate = async (by: string) => await assignResponsibility(at.sql, forged.connectionId, by);
    await activate(manager.userId);
    expect((await present({ sub })).status).toBe(200);
    await at.sql`update members set role = 'owner' where user_id = ${userId}`;
    expect(errorOf(await present({ sub }))).toEqual([400, "invalid_grant"]);
    await activate(forged.ownerId);
    expect((await present({ sub })).status).toBe(200);
    await activate(manager.userId);
    await at.sql`update sso_identities set linked_by = 'user' where user_id = ${userId}`;
    expect((await present({ sub })).status).toBe(200);
    await activate(forged.ownerId);
  });
});

describe("POST /oauth2/token, jwt-bearer: refusals (G232)", () => {
  const wrong: [string, Record<string, unknown>][] = [
    ["another audience", { aud: "https://other.example.test" }],
    ["a list of audiences", { aud: [ISSUER, "https://other.example.test"] }],
    ["another client", { client_id: crypto.randomUUID() }],
    ["no client", { client_id: undefined }],
    ["no jti", { jti: undefined }],
    ["a past exp", { iat: now(-600), exp: now(-400) }],
    ["a life of more than five minutes", { exp: now(400) }],
    ["no exp", { exp: undefined }],
    ["an address outside of the organization", { email: "agent@elsewhere.example.test" }],
    ["an unknown subject without an address", { email: undefined }],
    ["another issuer", { iss: "https://idp.example.test" }],
  ];
  test.each(wrong)("%s is invalid_grant", async (_name, claims) => {
    expect(errorOf(await present(claims))).toEqual([400, "invalid_grant"]);
  });

  test.each([
    ["an ID token", { typ: "JWT" }],
    ["no type", { typ: undefined }],
  ])("%s is invalid_grant", async (_name, header) => {
    expect(errorOf(await present({}, agent, { header }))).toEqual([400, "invalid_grant"]);
  });

  test("a foreign key, no signature and no JWT are invalid_grant", async () => {
    sso.forged.provider.foreignKey = true;
    const forged = await assertionOf();
    sso.forged.provider.foreignKey = false;
    const [, payload] = (await assertionOf()).split(".");
    const none = `${Buffer.from('{"alg":"none","typ":"oauth-id-jag+jwt"}').toString("base64url")}.${payload}.`;
    for (const assertion of [forged, none, "x"]) {
      expect(errorOf(await present({}, agent, { assertion }))).toEqual([400, "invalid_grant"]);
    }
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["no resource", { resource: undefined }, "invalid_target"],
    ["an unregistered resource", { resource: "https://unknown.example.test/" }, "invalid_target"],
    ["no scope in common", { scope: "root" }, "invalid_scope"],
  ])("%s", async (_name, claims, error) => {
    expect(errorOf(await present(claims))).toEqual([400, error]);
  });

  test("a client that the connection does not name is unauthorized_client", async () => {
    expect(errorOf(await present({ client_id: other.id }, other))).toEqual([400, "unauthorized_client"]);
  });

  test("of 40 parallel uses over two replicas with Redis emptied one gets a token, and a later use none", async () => {
    const assertion = await assertionOf();
    const redis = new Redis(sso.at.redis.url);
    const answers = await race(async (index) => {
      if (index % 10 === 5) await redis.flushall();
      return await present({}, agent, { assertion, url: index % 2 === 0 ? sso.at.one.url : sso.at.other.url });
    }, 40);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(errorOf(await present({}, agent, { assertion }))).toEqual([400, "invalid_grant"]);
    redis.disconnect();
  });
});

describe("organizations do not mix (G232)", () => {
  let forgery: Company & { readonly provider: ForgedProvider };
  beforeAll(async () => {
    const provider = new ForgedProvider(testCertificate());
    forgery = { ...(await company(sso.at, crypto.randomUUID(), provider.url, { id_jag: [other.id] })), provider };
    await routable(sso.at, [forgery.connectionId]);
  });

  /** Claims of the identity provider of the second organization. */
  const theirs = (claims: Record<string, unknown> = {}) => {
    const sub = `agent-${crypto.randomUUID()}`;
    const user = { sub, email: `${sub}@${forgery.domain}`, email_verified: true };
    const base = { iss: forgery.provider.url, aud: ISSUER, client_id: other.id, jti: crypto.randomUUID() };
    return { ...base, ...user, resource: API, scope: "tools:read", iat: now(), exp: now(120), ...claims };
  };
  const signed = (claims: Record<string, unknown>) => forgery.provider.sign(claims, { typ: "oauth-id-jag+jwt" });
  const presentTheirs = async (claims: Record<string, unknown>, by = other) =>
    await present({}, by, { assertion: await signed(theirs(claims)) });

  test("an assertion gives access in the organization of its issuer, to the clients of this organization", async () => {
    const { status, body } = await presentTheirs({});
    expect([status, decodeJwt(body.access_token).org]).toEqual([200, forgery.organizationId]);
    expect(errorOf(await presentTheirs({ client_id: agent.id }, agent))).toEqual([400, "unauthorized_client"]);
    expect(errorOf(await presentTheirs({ client_id: agent.id }))).toEqual([400, "invalid_grant"]);
  });

  test("an identity provider speaks for no other issuer and for no user of another organization", async () => {
    const member = (await present({})).body;
    const { sub } = decodeJwt(member.access_token);
    const [user] = await sso.at.sql`select email from users where id = ${sub ?? ""}`;
    expect(errorOf(await presentTheirs({ iss: sso.forged.provider.url }))).toEqual([400, "unauthorized_client"]);
    const asTheFirst = { iss: sso.forged.provider.url, client_id: agent.id };
    expect(errorOf(await presentTheirs(asTheFirst, agent))).toEqual([400, "invalid_grant"]);
    expect(errorOf(await presentTheirs({ email: user?.email }))).toEqual([400, "invalid_grant"]);
    const members = await sso.at.sql`
      select 1 from members where user_id = ${sub ?? ""} and organization_id = ${forgery.organizationId}`;
    expect(members).toHaveLength(0);
  });

  test("a second tenant of the issuer neither gets nor ends the access of the first (G303)", async () => {
    const twin = await company(sso.at, crypto.randomUUID(), forgery.provider.url, { id_jag: [other.id] });
    await routable(sso.at, [twin.connectionId]);
    const organizationOf = ({ body }: Answer) => decodeJwt(body.access_token).org;
    const sub = `agent-${crypto.randomUUID()}`;
    expect(organizationOf(await presentTheirs({ sub, email: `${sub}@${forgery.domain}` }))).toBe(
      forgery.organizationId,
    );
    expect(organizationOf(await presentTheirs({ email: `x-${sub}@${twin.domain}` }))).toBe(twin.organizationId);
    // The linked subject decides, also without an address, or with the address of the other tenant.
    for (const email of [undefined, `y-${sub}@${twin.domain}`]) {
      expect(organizationOf(await presentTheirs({ sub, email }))).toBe(forgery.organizationId);
    }
    // A link in person at a second tenant diverts no new employee of the holder of the domain.
    const employee = await memberWith(sso.at, twin.organizationId, "member");
    const link = { sub: `linked-${sub}`, email: `linked-${sub}@${forgery.domain}` };
    await sso.at.sql`
      insert into sso_identities (id, connection_id, subject_hash, subject, user_id, linked_by, created_at,
                                  last_used_at)
      values (gen_random_uuid(), ${twin.connectionId}, sha256(${link.sub}::text::bytea), ${link.sub},
              ${employee.userId}, 'user', now(), now())`;
    expect(organizationOf(await presentTheirs(link))).toBe(forgery.organizationId);
    const guest = { ...link, sub: `guest-${sub}`, email: `guest-${sub}@elsewhere.example.test` };
    await sso.at.sql`
      update sso_identities set subject = ${guest.sub}, subject_hash = sha256(${guest.sub}::text::bytea)
      where connection_id = ${twin.connectionId} and subject = ${link.sub}`;
    expect(organizationOf(await presentTheirs(guest))).toBe(twin.organizationId);
    const undecided = [{ email: undefined }, { email: `${sub}@elsewhere.example.test` }];
    for (const claims of undecided) expect(errorOf(await presentTheirs(claims))).toEqual([400, "invalid_grant"]);
    await changeConnection(sso.at, twin.connectionId, { config: { id_jag: "off" } });
  });

  test("a symmetric signature by the public key, and a key in the header, are invalid_grant", async () => {
    const [jwk] = (await (await fetch(`${forgery.provider.url}/jwks`, { tls: { ca: testCertificate().cert } })).json())
      .keys;
    const secret = new TextEncoder().encode(JSON.stringify(jwk));
    const own = await generateKeyPair("RS256");
    const header = { typ: "oauth-id-jag+jwt", kid: "k" };
    const forged = await Promise.all([
      new SignJWT(theirs()).setProtectedHeader({ ...header, alg: "HS256" }).sign(secret),
      new SignJWT(theirs())
        .setProtectedHeader({ ...header, alg: "RS256", jwk: await exportJWK(own.publicKey) })
        .sign(own.privateKey),
    ]);
    for (const assertion of forged) {
      expect(errorOf(await present({}, other, { assertion }))).toEqual([400, "invalid_grant"]);
    }
  });

  test("no assertion passes the policies of its organization, and a refusal leaves no grant", async () => {
    const { client: owner, userId: ownerId } = await memberWith(sso.at, forgery.organizationId, "owner");
    await presentFactor(sso.at.sql, ownerId);
    const set = async (policies: Record<string, unknown>) =>
      expect((await owner.put(`/v1/orgs/${forgery.organizationId}/policies`, policies)).status).toBe(200);
    const sub = `agent-${crypto.randomUUID()}`;
    const email = `${sub}@${forgery.domain}`;
    const member = { sub, email, auth_time: now(-7200) };
    for (const policies of [{ mfa: "required" }, { third_party_clients: "none" }, { session_max_hours: 1 }]) {
      await set(policies);
      expect([policies, ...errorOf(await presentTheirs(member))]).toEqual([policies, 400, "invalid_grant"]);
    }
    await set({ third_party_clients: "approved", approved_clients: [other.id], session_max_hours: 24 });
    const grants = () => sso.at.sql`
      select 1 from oauth_grants g join users u on u.id = g.user_id where u.email = ${email}`;
    expect(await grants()).toHaveLength(0);
    await setPolicy(sso.at, forgery.organizationId, { requireOwnFactor: true });
    expect(errorOf(await presentTheirs(member))).toEqual([400, "invalid_grant"]);
    await setPolicy(sso.at, forgery.organizationId, {});
    expect((await presentTheirs(member)).status).toBe(200);
    await set({});
  });

  test("the token ends with the linked identity, with the connection, and with the client", async () => {
    const path = `/v1/orgs/${forgery.organizationId}/sso`;
    const { client: owner, userId: ownerId } = await memberWith(sso.at, forgery.organizationId, "owner");
    await presentFactor(sso.at.sql, ownerId);
    const ending = async (end: (userId: string) => Promise<Answer>) => {
      const { access_token } = (await presentTheirs({})).body;
      expect(await isActive(access_token, other)).toBe(true);
      const { status } = await end(String(decodeJwt(access_token).sub));
      expect(status).toBeLessThan(300);
      await eventually("the token ends", END_MS, async () => !(await isActive(access_token, other)));
    };
    await ending(async (userId) => {
      const [identity] = await sso.at.sql`select id from sso_identities where user_id = ${userId}`;
      return await owner.delete(`${path}/identities/${identity?.id}`);
    });
    await ending(async () => await owner.post(`${path}/connections/${forgery.connectionId}/deactivate`));
    expect(errorOf(await presentTheirs({}))).toEqual([400, "unauthorized_client"]);
    const ended = await present({});
    expect(await isActive(ended.body.access_token)).toBe(true);
    const disabled = await admin.patch(`/v1/admin/oauth-clients/${agent.id}`, { disabled: true });
    expect(disabled.status).toBe(200);
    await eventually("the client ends", END_MS, async () => (await present({})).status === 401);
    await admin.patch(`/v1/admin/oauth-clients/${agent.id}`, { disabled: false });
    await eventually("the client is back", END_MS, async () => (await present({})).status === 200);
    expect(await isActive(ended.body.access_token)).toBe(false);
  });
});

describe("the end of the access (G232)", () => {
  const endings: [string, (token: string) => Promise<unknown>][] = [
    ["membership", (token) => sso.at.sql`delete from members where user_id = ${decodeJwt(token).sub ?? ""}`],
    ["user", (token) => sso.at.sql`update users set disabled_at = now() where id = ${decodeJwt(token).sub ?? ""}`],
    ["revocation", (token) => sendForm(sso.at.one.url, "/oauth2/revoke", { token }, basic(agent))],
  ];
  test.each(endings)("ends the token with the end of: %s", async (_name, end) => {
    const { access_token } = (await present({})).body;
    expect(await isActive(access_token)).toBe(true);
    await end(access_token);
    await eventually("the token ends", END_MS, async () => !(await isActive(access_token)));
  });
});

describe("an identity provider built with oidc-provider (G232)", () => {
  const AGENT = { id: "agent-of-the-company", secret: "a secret of the agent at its identity provider" };
  const CALLBACK = `${ISSUER}/agent-callback`;

  test("an agent exchanges the employee's ID token for an assertion, and this for one access token", async () => {
    const connectionId = crypto.randomUUID();
    const [login, tls] = [`employee-${crypto.randomUUID()}`, testCertificate()];
    let domain = "";
    const agentClient = {
      client_id: AGENT.id,
      client_secret: AGENT.secret,
      redirect_uris: [CALLBACK],
      grant_types: ["authorization_code", TOKEN_EXCHANGE],
    };
    const { issuer } = await startAssertionProvider({
      clients: [agentClient, clientOf(connectionId)],
      tls,
      emailOf: (name) => `${name}@${domain}`,
      idAtService: { [AGENT.id]: agent.id },
    });
    const employer = await company(sso.at, connectionId, issuer, { id_jag: [agent.id] });
    domain = employer.domain;
    await routable(sso.at, [connectionId]);
    const atProvider = async (fields: Record<string, string>) => {
      const response = await fetch(`${issuer}/token`, {
        method: "POST",
        headers: basic(AGENT),
        body: new URLSearchParams(fields),
        tls: { ca: tls.cert },
      });
      return (await response.json()) as Record<string, string>;
    };
    const { verifier, challenge } = makePkce();
    const request = new URLSearchParams({
      client_id: AGENT.id,
      response_type: "code",
      redirect_uri: CALLBACK,
      scope: "openid email",
      code_challenge: challenge,
      code_challenge_method: "S256",
    });
    const visitor = new SsoBrowser(sso.at.one.url);
    const code = (await visitor.visit(`${issuer}/auth?${request}`, login)).searchParams.get("code") ?? "";
    const grant = { grant_type: "authorization_code", code, redirect_uri: CALLBACK, code_verifier: verifier };
    const { id_token: idToken = "" } = await atProvider(grant);
    const exchange = (subject: string) =>
      atProvider({
        grant_type: TOKEN_EXCHANGE,
        requested_token_type: ID_JAG,
        subject_token: subject,
        subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
        audience: ISSUER,
        resource: API,
        scope: "tools:read",
      });
    const [{ access_token: assertion = "" }, refused] = [await exchange(idToken), await exchange("forged")];
    expect([decodeProtectedHeader(assertion).typ, refused.access_token]).toEqual(["oauth-id-jag+jwt", undefined]);
    const { status, body } = await present({}, agent, { assertion });
    expect([status, body.scope, decodeJwt(body.access_token)]).toEqual([
      200,
      "tools:read",
      expect.objectContaining({ aud: API, org: employer.organizationId, client_id: agent.id }),
    ]);
    expect(errorOf(await present({}, agent, { assertion }))).toEqual([400, "invalid_grant"]);
    // The ID token is no assertion, and the assertion serves no other client.
    expect(errorOf(await present({}, agent, { assertion: idToken }))).toEqual([400, "invalid_grant"]);
    const { access_token: fresh = "" } = await exchange(idToken);
    expect(errorOf(await present({}, other, { assertion: fresh }))).toEqual([400, "unauthorized_client"]);
    // The employee signs in by the connection to the account that the assertion made.
    expect((await new SsoBrowser(sso.at.one.url).enter(connectionId, login)).body.user.user_id).toBe(
      decodeJwt(body.access_token).sub,
    );
    const [api] = (await admin.get("/v1/admin/resources")).body.items.filter(
      ({ identifier }: { identifier: string }) => identifier === API,
    );
    expect((await admin.patch(`/v1/admin/resources/${api.id}`, { disabled: true })).status).toBe(200);
    await eventually("the API ends the token", END_MS, async () => !(await isActive(body.access_token)));
    expect((await admin.patch(`/v1/admin/resources/${api.id}`, { disabled: false })).status).toBe(200);
  });
});
