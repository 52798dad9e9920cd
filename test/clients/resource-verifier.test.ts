/** `createResourceVerifier` and `identity-service-client/mcp`, in the role of an API or MCP server. */
import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { authenticate, createExchange, protectedResource, requireScopes } from "../../clients/js/src/mcp.ts";
import { authOf, requireAuth } from "../../clients/js/src/next.ts";
import {
  createResourceVerifier,
  type ResourceClaims,
  type ResourceRequirements,
  type ResourceVerifierOptions,
} from "../../clients/js/src/verifier.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { makeProof, makeProofKey } from "../support/dpop.ts";
import {
  Browser,
  basic,
  CALLBACK,
  codeFor,
  introspectAt,
  oauthAdmin,
  personWithBrowser,
  registerClient,
  sendForm,
  tokensFor,
} from "../support/oauth.ts";
import { ISSUER } from "../support/replica.ts";
import { founded, memberOf, memberWith } from "../support/team.ts";
import { until } from "../support/waiting.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

let apis = 0;
async function newApi(settings: Record<string, unknown> = {}) {
  apis += 1;
  const resource = `https://verified-${apis}.example.test/mcp`;
  const scopes = [{ name: "notes:read" }, { name: "notes:write" }];
  const admin = await oauthAdmin();
  const created = await admin.post("/v1/admin/resources", { identifier: resource, name: "Notes", scopes, ...settings });
  expect(created.status).toBe(201);
  const application = await registerClient({ scopes: ["openid", "notes:read", "notes:write"], resources: [resource] });
  const tokenOf = async (browser: Browser, scope = "notes:read") =>
    (await tokensFor(application, browser, { scope, resource })).access_token;
  return { resource, application, tokenOf };
}

function verifierOf(resource: string, options: Partial<ResourceVerifierOptions> = {}) {
  const requests: string[] = [];
  const verifier = createResourceVerifier({
    issuer: ISSUER,
    resource,
    baseUrl: at.other.url,
    whenBlind: "deny",
    fetch: async (url, init) => {
      requests.push(new URL(url).pathname);
      return await fetch(url, init);
    },
    ...options,
  });
  opened.push(verifier);
  return { ...verifier, requests };
}

type Verifying = ReturnType<ReturnType<typeof verifierOf>["verify"]>;
const codeOf = async (verifying: Verifying) => {
  const verification = await verifying;
  return verification.ok ? "ok" : verification.refusal.code;
};

describe("a token for an API (G238)", () => {
  test.each(["RS256", "ES256", "EdDSA"])(
    "with %s is accepted for its audience alone, without further requests",
    async (alg) => {
      const api = await newApi({ signing_alg: alg });
      const other = await newApi();
      const { browser, userId, organizationId } = await personWithBrowser(at);
      const token = await api.tokenOf(browser);
      const verifier = verifierOf(api.resource);
      expect(await verifier.verifyHeader(`Bearer ${token}`)).toMatchObject({
        ok: true,
        claims: { sub: userId, org: organizationId, aud: api.resource, scope: "notes:read", acr: "aal1" },
      });
      for (let index = 0; index < 200; index += 1) expect(await codeOf(verifier.verify(token))).toBe("ok");
      expect(verifier.requests.filter((path) => path.endsWith("jwks.json"))).toHaveLength(1);
      expect(await codeOf(verifierOf(other.resource).verify(token))).toBe("invalid_token");
      expect(await codeOf(verifierOf(api.resource, { issuer: "https://other.example.test" }).verify(token))).toBe(
        "invalid_token",
      );
    },
  );

  test("Session tokens, ID tokens, other algorithms and changed signatures are refused.", async () => {
    const api = await newApi({ signing_alg: "ES256" });
    const person = await personWithBrowser(at);
    const more = { scope: "openid notes:read", resource: api.resource };
    const { access_token, id_token } = await tokensFor(api.application, person.browser, more);
    const verifier = verifierOf(api.resource);
    expect(await codeOf(verifier.verify(access_token))).toBe("ok");
    const [header = "", payload = "", signature = ""] = access_token.split(".");
    const unsigned = Buffer.from('{"alg":"none","typ":"at+jwt","kid":"x"}').toString("base64url");
    const renamed = JSON.parse(Buffer.from(header, "base64url").toString());
    const asRsa = Buffer.from(JSON.stringify({ ...renamed, alg: "RS256" })).toString("base64url");
    const flipped = `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
    const forged = [
      person.accessToken,
      id_token,
      `${unsigned}.${payload}.`,
      `${asRsa}.${payload}.${signature}`,
      `${header}.${payload}.${flipped}`,
      "x".repeat(9000),
    ];
    for (const token of forged) expect(await codeOf(verifier.verify(token))).toBe("invalid_token");
  });

  test("The end of the session refuses the token within two seconds.", async () => {
    const api = await newApi();
    const { browser, client } = await personWithBrowser(at);
    const token = await api.tokenOf(browser);
    const verifier = verifierOf(api.resource);
    expect(await codeOf(verifier.verify(token))).toBe("ok");
    expect((await client.post("/v1/auth/logout")).status).toBeLessThan(300);
    const endedAt = performance.now();
    await until("the verifier refuses", async () => (await codeOf(verifier.verify(token))) === "revoked_session");
    expect(performance.now() - endedAt).toBeLessThan(2000);
  });

  test("Without the feed the verifier cannot tell, or allows the token.", async () => {
    const api = await newApi();
    const token = await api.tokenOf((await personWithBrowser(at)).browser);
    const broken = async (url: string, init: RequestInit) => {
      if (url.includes("revocations")) throw new Error("the feed is unavailable");
      return await fetch(url, init);
    };
    const denying = verifierOf(api.resource, { fetch: broken });
    expect([await codeOf(denying.verify(token)), await denying.ready()]).toEqual(["cannot_tell", false]);
    expect(await codeOf(verifierOf(api.resource, { fetch: broken, whenBlind: "allow" }).verify(token))).toBe("ok");
  });

  test("A token that is bound to a key is refused as Bearer.", async () => {
    const api = await newApi();
    const { browser } = await personWithBrowser(at);
    const { application, resource } = api;
    const { code, pkce } = await codeFor(application, browser, { scope: "notes:read", resource });
    const fields = {
      grant_type: "authorization_code",
      code,
      redirect_uri: application.redirectUri,
      code_verifier: pkce.verifier,
    };
    const dpop = await makeProof(await makeProofKey(), { path: "/oauth2/token" });
    const bound = await sendForm(at.one.url, "/oauth2/token", fields, { ...basic(application), dpop });
    expect(decodeJwt(bound.body.access_token).cnf).toBeDefined();
    expect(await codeOf(verifierOf(api.resource).verify(bound.body.access_token))).toBe("invalid_token");
  });
});

describe("one audience, one organization, the scopes of the role, one key (P1, G238)", () => {
  /** An API with a scope of a permission, an application of the API, and a member with the permission by a role. */
  async function approval() {
    const owner = await founded(at);
    const permission = `notes${apis + 1}.approve`;
    const scopes = [{ name: "notes:read" }, { name: "notes:write", permission }];
    const api = await newApi({ scopes });
    const member = await memberWith(at, owner.organizationId, "member");
    await member.client.post("/v1/auth/organization", { organization_id: owner.organizationId });
    const role = { key: "approver", name: "Approver", permissions: [permission] };
    const { body } = await owner.client.post(`/v1/orgs/${owner.organizationId}/roles`, role);
    const place = memberOf(owner.organizationId, member.userId);
    const assign = (ids: readonly string[]) => owner.client.put(`${place}/roles`, { role_ids: ids });
    expect((await assign([String(body.id)])).status).toBe(200);
    const browser = new Browser(at.one.url);
    Object.assign(browser.client, { jar: member.client.jar });
    return { ...api, browser, owner, place, withdraw: () => assign([]) };
  }

  /** What the verifier of an API, and the introspection for the API, say of a token. */
  async function judged(resource: string, token: string) {
    const reader = await registerClient({ audiences: [resource], redirect_uris: [CALLBACK] });
    const verifier = verifierOf(resource);
    expect(await verifier.ready()).toBe(true);
    return async () => {
      const { body } = await introspectAt(at.one.url, reader, token);
      return [await codeOf(verifier.verify(token)), body.active] as const;
    };
  }

  const write = (api: Awaited<ReturnType<typeof approval>>) => api.tokenOf(api.browser, "notes:read notes:write");

  test("A token is refused by verifier and introspection of another API.", async () => {
    const [api, other] = [await approval(), await newApi()];
    const token = await write(api);
    expect(await (await judged(api.resource, token))()).toEqual(["ok", true]);
    expect(await (await judged(other.resource, token))()).toEqual(["invalid_token", false]);
  });

  test.each(["membership", "role", "availability"])(
    "After the loss of the %s verifier and introspection refuse the token; both name one organization.",
    async (lost) => {
      const api = await approval();
      const token = await write(api);
      expect(decodeJwt(token)).toMatchObject({ org: api.owner.organizationId, scope: "notes:read notes:write" });
      const judge = await judged(api.resource, token);
      expect(await judge()).toEqual(["ok", true]);
      if (lost === "membership") expect((await api.owner.client.delete(api.place)).status).toBe(204);
      if (lost === "role") expect((await api.withdraw()).status).toBe(200);
      if (lost === "availability") {
        const [row] = await at.sql`select id from oauth_resources where identifier = ${api.resource}`;
        const organizations = [(await founded(at)).organizationId];
        const changed = await (await oauthAdmin()).patch(`/v1/admin/resources/${row?.id}`, { organizations });
        expect(changed.status).toBe(200);
      }
      await until("both refuse", async () => (await judge()).join(" ") === "revoked_session false");
    },
  );

  test("A token of a key is refused without a proof of the key, and introspection names the key.", async () => {
    const api = await approval();
    const [key, thief] = [await makeProofKey(), await makeProofKey()];
    const { code, pkce } = await codeFor(api.application, api.browser, { scope: "notes:read", resource: api.resource });
    const fields = {
      grant_type: "authorization_code",
      code,
      redirect_uri: api.application.redirectUri,
      code_verifier: pkce.verifier,
    };
    const dpop = await makeProof(key);
    const { body } = await sendForm(at.one.url, "/oauth2/token", fields, { ...basic(api.application), dpop });
    const reader = await registerClient({ audiences: [api.resource] });
    const { cnf, token_type } = (await introspectAt(at.one.url, reader, body.access_token)).body;
    expect([cnf, token_type]).toEqual([{ jkt: key.thumbprint }, "DPoP"]);
    const verifier = verifierOf(api.resource);
    expect(await codeOf(verifier.verify(body.access_token))).toBe("invalid_token");
    const callWith = async (by: typeof key) => {
      const htu = api.resource;
      const proof = await makeProof(by, { accessToken: body.access_token, claims: { htm: "GET", htu } });
      const headers = { authorization: `DPoP ${body.access_token}`, dpop: proof };
      const response = await requireAuth(verifier, {})(() => new Response("ok"))(new Request(htu, { headers }));
      return response.status;
    };
    expect([await callWith(thief), await callWith(key)]).toEqual([401, 200]);
  });
});

describe("challenges (RFC 6750, 9470, 9728)", () => {
  test("Each refusal names the error, all scopes of the operation and the metadata.", async () => {
    const api = await newApi();
    const token = await api.tokenOf((await personWithBrowser(at)).browser);
    const verifier = verifierOf(api.resource, { scopes: ["notes:read"] });
    const host = new URL(api.resource).origin;
    const metadata = `resource_metadata="${host}/.well-known/oauth-protected-resource/mcp"`;
    const call = async (requirements: ResourceRequirements, bearer?: string) => {
      const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
      const guarded = requireAuth(verifier, requirements)((request) => Response.json(authOf<ResourceClaims>(request)));
      const response = await guarded(new Request(api.resource, { headers }));
      return [response.status, response.headers.get("www-authenticate")];
    };
    const scope = 'scope="notes:read"';
    expect(await call({}, token)).toEqual([200, null]);
    expect(await call({})).toEqual([401, `Bearer ${scope}, ${metadata}`]);
    expect(await call({}, "x")).toEqual([401, `Bearer error="invalid_token", ${scope}, ${metadata}`]);
    expect(await call(requireScopes("notes:write"), token)).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="notes:read notes:write", ${metadata}`,
    ]);
    const weak = 'Bearer error="insufficient_user_authentication"';
    expect(await call({ acr: "aal2" }, token)).toEqual([401, `${weak}, acr_values="aal2", ${scope}, ${metadata}`]);
    expect(await call({ maxAge: 0 }, token)).toEqual([401, `${weak}, max_age="0", ${scope}, ${metadata}`]);
  });
});

describe("identity-service-client/mcp", () => {
  test("The module has less than 3 kB compressed, and imports no package.", async () => {
    const entrypoints = [join(import.meta.dir, "../../clients/js/src/mcp.ts")];
    const { outputs } = await Bun.build({ entrypoints, minify: true, external: ["*"] });
    expect(await outputs[0]?.text()).not.toMatch(/from"(?!\.)/);
    const whole = await Bun.build({ entrypoints, minify: true });
    const text = (await whole.outputs[0]?.text()) ?? "";
    expect(text).toContain("authorization_servers");
    expect(Bun.gzipSync(Buffer.from(text)).length).toBeLessThan(3_000);
  });

  test("The metadata is served at both well-known locations, to every origin.", async () => {
    const resource = "https://mcp.example.test/mcp";
    const served = protectedResource({ resource, issuer: ISSUER, scopes: ["notes:read"], name: "Notes" });
    for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"]) {
      const response = served.respond(new Request(`https://mcp.example.test${path}`));
      expect(response?.headers.get("access-control-allow-origin")).toBe("*");
      expect(await response?.json()).toEqual({
        resource,
        authorization_servers: [ISSUER],
        scopes_supported: ["notes:read"],
        bearer_methods_supported: ["header"],
        resource_name: "Notes",
        dpop_signing_alg_values_supported: ["ES256", "EdDSA", "PS256", "RS256"],
      });
    }
    expect(served.respond(new Request("https://mcp.example.test/mcp"))).toBeUndefined();
  });

  test("authenticate gives the authInfo of the SDK, or the response; an exchange calls the next API.", async () => {
    const api = await newApi();
    const next = await newApi();
    const service = await registerClient({
      grant_types: ["urn:ietf:params:oauth:grant-type:token-exchange"],
      redirect_uris: [],
      scopes: [],
      resources: [],
      audiences: [api.resource],
      exchanges: [{ from: api.resource, to: next.resource, scopes: ["notes:read"] }],
    });
    const token = await api.tokenOf((await personWithBrowser(at)).browser);
    const options = { verifier: verifierOf(api.resource), resource: api.resource, ...requireScopes("notes:read") };
    const headers = { authorization: `Bearer ${token}` };
    const accepted = await authenticate(new Request(api.resource, { headers }), options);
    if ("response" in accepted) throw new Error("the token was refused");
    const { authInfo } = accepted;
    expect(authInfo).toMatchObject({ token, clientId: api.application.id, scopes: ["notes:read"] });
    expect([authInfo.resource.href, authInfo.extra.sub]).toEqual([api.resource, decodeJwt(token).sub]);
    const refused = await authenticate(new Request(api.resource), options);
    expect("response" in refused && refused.response.status).toBe(401);
    const exchange = createExchange({
      issuer: ISSUER,
      baseUrl: at.one.url,
      clientId: service.id,
      clientSecret: service.secret,
    });
    const issued = await exchange(token, { resource: next.resource, scopes: ["notes:read"] });
    expect(issued.scopes).toEqual(["notes:read"]);
    expect(await codeOf(verifierOf(next.resource).verify(issued.accessToken))).toBe("ok");
    await expect(exchange(token, { resource: "https://unknown.example.test/" })).rejects.toThrow("400 invalid_target");
  });
});
