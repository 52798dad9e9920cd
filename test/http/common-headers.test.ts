import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { sendRaw } from "../support/raw.ts";
import { type Replica, startReplica } from "../support/replica.ts";

const ORIGIN = "https://app.example.test";
let at: Deployment;
let secure: Replica;
beforeAll(async () => {
  at = await deployment();
  secure = await startReplica({
    DATABASE_URL: at.databaseUrl,
    SERVICE_PUBLIC_BASE_URL: "https://auth.example.test",
    SERVICE_CORS_ORIGINS: ORIGIN,
    SERVICE_RATE_LIMITS: "on",
    SERVICE_RATE_LIMIT_OAUTH: "2/60",
    SERVICE_TRUSTED_PROXIES: "127.0.0.1",
  });
});
afterAll(() => secure.kill());

const PREFLIGHT = { origin: ORIGIN, "access-control-request-method": "POST" };
const JSON_TYPE = { "content-type": "application/json" };

function expectCommon(headers: Headers): void {
  expect(
    Object.fromEntries(["x-content-type-options", "referrer-policy"].map((name) => [name, headers.get(name)])),
  ).toEqual({
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(headers.get("cache-control")).toBeString();
  expect(headers.get("strict-transport-security")).toStartWith("max-age=");
}

describe("every response has a request id, nosniff, no-referrer, a caching rule and, behind https, HSTS:", () => {
  test.each<[number, string, string, Record<string, string>, string | undefined]>([
    [200, "GET", "/openapi.json", {}, undefined],
    [200, "GET", "/docs", {}, undefined],
    [200, "GET", "/healthz", {}, undefined],
    [200, "GET", "/metrics", {}, undefined],
    [200, "GET", "/.well-known/jwks.json", {}, undefined],
    [204, "OPTIONS", "/v1/auth/login", PREFLIGHT, undefined],
    [404, "OPTIONS", "/v1/auth/login", {}, undefined],
    [404, "GET", "/nothing", {}, undefined],
    [404, "PUT", "/docs", {}, undefined],
    [404, "GET", "/avatars/nothing.webp", {}, undefined],
    [401, "GET", "/v1/auth/session", {}, undefined],
    [401, "POST", "/v1/auth/refresh", {}, undefined],
    [400, "POST", "/v1/auth/login", JSON_TYPE, "{"],
    [400, "POST", "/v1/auth/login", { "content-type": "text/plain" }, "{}"],
    [400, "POST", "/v1/auth/login", JSON_TYPE, "x".repeat(70_000)],
    [204, "POST", "/v1/auth/password/forgot", JSON_TYPE, "{}"],
    [400, "GET", "/v1/auth/oauth/oauth_idp_a/start?redirect_to=//evil", {}, undefined],
    [302, "GET", "/v1/auth/oauth/oauth_idp_a/callback", {}, undefined],
  ])("%d %s %s", async (status, method, path, headers, raw) => {
    const described = method !== "OPTIONS" && path !== "/nothing" && method !== "PUT";
    const options = { headers, ...(raw ? { raw } : {}), ...(described ? {} : { documented: false as const }) };
    const response = await new Client(secure.url).request(method, path, options);
    expect(response.status).toBe(status);
    expectCommon(response.headers);
  });

  // The size is 99 TiB: Bun's own 413 response would have no error envelope.
  test("400 for a body of any announced size, and for a malformed Host", async () => {
    const large = [
      "POST /v1/auth/login HTTP/1.1\r\nHost: x\r\n",
      "Content-Type: application/json\r\nContent-Length: 108851651149824\r\n\r\n{",
    ].join("");
    for (const text of [large, "GET /healthz HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n"]) {
      const response = await sendRaw(secure.url, text);
      expect([response.status, JSON.parse(response.body).error.code]).toEqual([400, "invalid_input"]);
      expectCommon(response.headers);
    }
  });

  test("X-Request-Id of documents and preflights is the caller's", async () => {
    const given = crypto.randomUUID();
    for (const [method, path] of [
      ["GET", "/openapi.json"],
      ["GET", "/docs"],
      ["OPTIONS", "/v1/auth/login"],
    ] as const) {
      const headers = { ...(method === "OPTIONS" ? PREFLIGHT : {}), "x-request-id": given };
      const response = await new Client(secure.url).request(method, path, { headers, documented: false });
      expect(response.headers.get("x-request-id")).toBe(given);
    }
  });
});

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const FOREIGN = "https://spa.elsewhere.test";
const PUBLIC_PATHS: readonly [path: string, methods: string][] = [
  ["/.well-known/openid-configuration", "GET, HEAD"],
  ["/.well-known/oauth-authorization-server", "GET, HEAD"],
  ["/.well-known/jwks.json", "GET, HEAD"],
  ["/oauth2/token", "POST"],
  ["/oauth2/revoke", "POST"],
  ["/oauth2/userinfo", "GET, HEAD, POST"],
  ["/oauth2/par", "POST"],
  ["/oauth2/device_authorization", "POST"],
  ["/oauth2/register", "POST"],
];
let addresses = 0;

/** Sends a request of a page, from a new client address unless `headers` contain an address. */
function fromPage(origin: string, method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  addresses += 1;
  const init = {
    method,
    headers: { "x-forwarded-for": `203.0.113.${addresses}`, origin, ...headers },
    redirect: "manual",
  };
  return fetch(`${secure.url}${path}`, { ...init, body } as RequestInit);
}

function expectReadableByAnyOrigin({ headers }: Response): void {
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("access-control-allow-credentials")).toBeNull();
  expect(headers.get("access-control-expose-headers")?.split(", ")).toContainValues([
    "WWW-Authenticate",
    "DPoP-Nonce",
    "Retry-After",
  ]);
  expect(headers.get("vary") ?? "").not.toMatch(/origin/i);
  expect(headers.getSetCookie()).toEqual([]);
}

describe("for pages of every origin, configured origins included, without credentials (G109)", () => {
  const preflight = { "access-control-request-method": "POST", "access-control-request-headers": "authorization,dpop" };

  test.each(PUBLIC_PATHS)("%s returns 204 to preflights", async (path, methods) => {
    for (const origin of [FOREIGN, ORIGIN, "null"]) {
      const response = await fromPage(origin, "OPTIONS", path, preflight);
      expect([response.status, await response.text()]).toEqual([204, ""]);
      expectReadableByAnyOrigin(response);
      expect(response.headers.get("access-control-allow-methods")).toBe(methods);
      expect(response.headers.get("access-control-allow-headers")).toBe(
        "Authorization, Content-Type, DPoP, MCP-Protocol-Version",
      );
      expect(Number(response.headers.get("access-control-max-age"))).toBeGreaterThan(0);
      expect(response.headers.get("allow")).toBe(`${methods}, OPTIONS`);
      expectCommon(response.headers);
    }
  });

  test.each<[number, string, string, Record<string, string>, string | undefined]>([
    [200, "GET", "/.well-known/openid-configuration", {}, undefined],
    [200, "HEAD", "/.well-known/oauth-authorization-server", {}, undefined],
    [200, "GET", "/.well-known/jwks.json", {}, undefined],
    [400, "POST", "/oauth2/token", FORM, "grant_type=a&grant_type=b"],
    [400, "POST", "/oauth2/token", FORM, `code=${"x".repeat(70_000)}`],
    [401, "POST", "/oauth2/token", FORM, "grant_type=authorization_code&client_id=unknown&code=x"],
    [405, "GET", "/oauth2/token", {}, undefined],
    [401, "POST", "/oauth2/revoke", FORM, "client_id=unknown&token=x"],
    [405, "DELETE", "/oauth2/revoke", {}, undefined],
    [401, "GET", "/oauth2/userinfo", {}, undefined],
    [401, "HEAD", "/oauth2/userinfo", {}, undefined],
    [401, "POST", "/oauth2/userinfo", { authorization: "Bearer x.y.z" }, ""],
    [405, "PUT", "/oauth2/userinfo", {}, undefined],
    [401, "POST", "/oauth2/par", FORM, "client_id=unknown"],
    [405, "GET", "/oauth2/par", {}, undefined],
    [401, "POST", "/oauth2/device_authorization", FORM, "client_id=unknown"],
    [404, "POST", "/oauth2/register", { "content-type": "application/json" }, "{}"],
  ])("%d %s %s", async (status, method, path, headers, body) => {
    for (const origin of [FOREIGN, ORIGIN]) {
      const response = await fromPage(origin, method, path, headers, body);
      expect(response.status).toBe(status);
      expectReadableByAnyOrigin(response);
    }
  });

  test("429 POST /oauth2/token", async () => {
    const headers = { ...FORM, "x-forwarded-for": "203.0.114.1" };
    const refused = async () => {
      const response = await fromPage(FOREIGN, "POST", "/oauth2/token", headers, "grant_type=x");
      return response.status === 429 ? response : undefined;
    };
    const response = (await refused()) ?? (await refused()) ?? (await refused());
    if (!response) throw new Error("the limit refuses no request");
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expectReadableByAnyOrigin(response);
  });

  test("a configured origin reads further endpoints with credentials, and these paths without", async () => {
    const response = await fromPage(ORIGIN, "OPTIONS", "/oauth2/introspect", preflight);
    const names = ["access-control-allow-origin", "access-control-allow-credentials", "vary"];
    expect(names.map((name) => response.headers.get(name))).toEqual([ORIGIN, "true", "Origin"]);
  });

  test("no further endpoint is readable by an origin without configuration", async () => {
    const paths = ["/v1/auth/session", "/v1/auth/refresh", "/oauth2/introspect", "/oauth2/authorize", "/oauth2/logout"];
    for (const path of [...paths, "/oauth2/nothing", "/.well-known/service-revocations.json"]) {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const response = await fromPage(FOREIGN, method, path, { ...preflight, ...FORM });
        const { headers } = response;
        expect([headers.get("access-control-allow-origin"), headers.get("access-control-allow-methods")]).toEqual([
          null,
          null,
        ]);
      }
    }
  });
});

describe("below /oauth2", () => {
  test.each([
    ["GET", "/oauth2/token", "POST, OPTIONS"],
    ["HEAD", "/oauth2/token", "POST, OPTIONS"],
    ["PUT", "/oauth2/introspect", "POST, OPTIONS"],
    ["GET", "/oauth2/revoke", "POST, OPTIONS"],
    ["DELETE", "/oauth2/userinfo", "GET, HEAD, POST, OPTIONS"],
    ["PUT", "/oauth2/authorize", "GET, HEAD, POST, OPTIONS"],
    ["PATCH", "/oauth2/consent", "GET, HEAD, POST, OPTIONS"],
    ["DELETE", "/oauth2/logout", "GET, HEAD, POST, OPTIONS"],
  ])("%s %s is 405 with Allow in the form of OAuth, for browsers too", async (method, path, allow) => {
    for (const accept of ["application/json", "text/html"]) {
      const response = await fromPage(FOREIGN, method, path, { accept });
      expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
      expectCommon(response.headers);
      const text = await response.text();
      if (method === "HEAD") expect(text).toBe("");
      else expect(JSON.parse(text)).toEqual({ error: "invalid_request", error_description: expect.any(String) });
    }
  });

  test("OPTIONS lists the methods, HEAD returns the headers of GET, an unknown path is 404", async () => {
    const options = await fromPage(FOREIGN, "OPTIONS", "/oauth2/introspect");
    expect([options.status, options.headers.get("allow")]).toEqual([204, "POST, OPTIONS"]);
    const [head, get] = [
      await fromPage(FOREIGN, "HEAD", "/oauth2/userinfo"),
      await fromPage(FOREIGN, "GET", "/oauth2/userinfo"),
    ];
    for (const name of ["content-type", "www-authenticate"]) expect(head.headers.get(name)).toBe(get.headers.get(name));
    expect([head.status, await head.text()]).toEqual([get.status, ""]);
    for (const path of ["/oauth2/nothing", "/oauth2", "/oauth2/token/", "/oauth2/x"]) {
      const response = await fromPage(FOREIGN, "PUT", path);
      expect([response.status, (await response.json()).error.code]).toEqual([404, "not_found"]);
    }
  });
});
