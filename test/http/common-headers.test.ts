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

describe("every answer has a request id, nosniff, no-referrer, a caching rule and, behind https, HSTS:", () => {
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

  // 99 TiB: Bun's own 413 would have no envelope.
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
