import { beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { Client, newEmail, PASSWORD, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { startReplica } from "../support/replica.ts";

let at: Deployment;
let client: Client;
beforeAll(async () => {
  at = await deployment();
  client = new Client(at.one.url);
});

const login = (raw: string | Uint8Array | ReadableStream, type = "application/json") =>
  client.request("POST", "/v1/auth/login", { raw, headers: { "content-type": type } });

describe("errors", () => {
  test.each([
    ["GET", "/nothing"],
    ["GET", "/v1/auth/login"],
    ["PUT", "/v1/auth/session"],
    ["PATCH", "/healthz"],
    ["GET", "/v1//auth/session"],
    ["GET", "/v1/auth/session/"],
    ["GET", "/..%2f..%2fetc/passwd"],
    ["OPTIONS", "/v1/auth/login"],
  ])("%s %s is 404 in the envelope", async (method, path) => {
    const response = await client.request(method, path, { documented: false });
    expect(response.status).toBe(404);
    expect(response.body).toEqual({ error: { code: "not_found", type: "not_found", message: expect.any(String) } });
    expect(response.headers.get("x-request-id")).toBeString();
  });

  test.each([
    ["GET", "/v1"],
    ["GET", "/v1/nothing"],
    ["DELETE", "/v1/auth/continue"],
    ["PUT", "/v1/auth/oauth/oauth_idp_a/start"],
    ["GET", "/.well-known/nothing"],
    ["POST", "/.well-known/jwks.json"],
    ["PATCH", "/healthz"],
    ["DELETE", "/avatars/x.webp"],
  ])("%s %s is in the envelope for a browser too", async (method, path) => {
    const headers = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
    const response = await client.request(method, path, { documented: false, headers });
    expect([response.status, response.body?.error.code]).toEqual([404, "not_found"]);
    expect(response.headers.get("content-type")).toStartWith("application/json");
  });
});

describe("headers", () => {
  test("every response has nosniff, no-referrer and a request id", async () => {
    for (const path of ["/v1/auth/session", "/healthz", "/nothing", "/.well-known/jwks.json", "/docs"]) {
      const { headers } = await client.get(path, path === "/nothing" ? { documented: false } : {});
      expect([headers.get("x-content-type-options"), headers.get("referrer-policy")]).toEqual([
        "nosniff",
        "no-referrer",
      ]);
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test("X-Request-Id is the caller's when it is a UUID, and a new one otherwise", async () => {
    const given = crypto.randomUUID();
    const same = await client.get("/healthz", { headers: { "x-request-id": given } });
    const other = await client.get("/healthz", { headers: { "x-request-id": "x\tforged" } });
    expect(same.headers.get("x-request-id")).toBe(given);
    expect(other.headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });

  test("cookies are as in docs/contract.md, section 3.2, Secure and HSTS behind https", async () => {
    const replica = await startReplica({
      DATABASE_URL: at.databaseUrl,
      SERVICE_PUBLIC_BASE_URL: "https://auth.example.test",
      SERVICE_ROUTE_PREFIX: "/api/v9",
      SERVICE_ACCESS_EXPIRY_SECS: "300",
    });
    // The document for the validation of responses comes from replicas with the default prefix.
    const documented = false;
    const body = { organization_name: "Acme", email: newEmail(), password: PASSWORD };
    const response = await new Client(replica.url).post("/api/v9/auth/register", body, { documented });
    const shape = (cookie: string) =>
      cookie
        .replace(/=[^;]*/, "")
        .split("; ")
        .sort();
    expect(response.setCookies.map(shape)).toEqual([
      ["HttpOnly", "Max-Age=300", "Path=/", "SameSite=Lax", "Secure", "service_at"].sort(),
      ["HttpOnly", "Max-Age=2592000", "Path=/api/v9", "SameSite=Lax", "Secure", "service_rt"].sort(),
      ["Max-Age=300", "Path=/", "SameSite=Lax", "Secure", "service_csrf"].sort(),
    ]);
    expect(response.headers.get("strict-transport-security")).toStartWith("max-age=");
    expect((await new Client(replica.url).get("/v1/auth/session", { documented })).status).toBe(404);
    await replica.kill();
  });

  test("Host and X-Forwarded-Host change no address in a response (G18a)", async () => {
    const response = await client.get("/.well-known/openid-configuration", {
      headers: { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
    });
    expect(response.text).not.toContain("evil");
  });
});

describe("bodies: 400 invalid_input, never 500 (G18a, G21)", () => {
  const good = JSON.stringify({ email: "a@example.test", password: PASSWORD });
  test.each([
    ["empty", ""],
    ["not JSON", "email=a@example.test"],
    ["an array", "[]"],
    ["a text", '"x"'],
    ["null", "null"],
    ["cut off", '{"email":'],
    ["a trailing comma", '{"email":"a@example.test",}'],
    ["a comment", `${good}//x`],
    ["single quotes", "{'email':'x'}"],
    ["NaN", '{"email":NaN}'],
    ["a byte order mark", `\ufeff${good}`],
    ["a member twice", '{"email":"a@example.test","email":"b@example.test","password":"x"}'],
    ["a member twice, once escaped", '{"email":"a@example.test","\\u0065mail":"b@example.test","password":"x"}'],
    ["__proto__", '{"__proto__":{"email":"a@example.test"},"password":"x"}'],
    ["deep nesting", `{"email":${"[".repeat(20_000)}${"]".repeat(20_000)}}`],
    ["a huge number", '{"email":1e999,"password":"x"}'],
  ])("%s", async (_, raw) => {
    const response = await login(raw);
    expect([response.status, response.body.error.code]).toEqual([400, "invalid_input"]);
  });

  test("bytes that are not UTF-8", async () => {
    expect((await login(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]))).status).toBe(400);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp", ""])(
    "content type %p",
    async (type) => {
      expect((await login(good, type)).status).toBe(400);
    },
  );

  test("application/json with a charset is accepted", async () => {
    expect((await login(good, "application/json; charset=utf-8")).status).toBe(401);
  });

  test("more than 64 KiB, announced or streamed, 1 MiB too", async () => {
    const large = JSON.stringify({ email: "a@example.test", password: "x".repeat(65_536) });
    const stream = new ReadableStream({
      async pull(controller) {
        controller.enqueue(new TextEncoder().encode("x".repeat(32_768)));
      },
    });
    expect((await login(large)).status).toBe(400);
    expect((await login("x".repeat(1_048_576))).status).toBe(400);
    expect((await login(stream)).status).toBe(400);
    expect((await client.get("/healthz")).status).toBe(200);
  });

  test("the announced size alone is enough: the body is not waited for", async () => {
    const { hostname, port } = new URL(at.one.url);
    const response = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          [
            "POST /v1/auth/login HTTP/1.1\r\nHost: x\r\n",
            "Content-Type: application/json\r\nContent-Length: 900000000\r\n\r\n{",
          ].join(""),
        );
      });
      socket.once("data", (data) => {
        resolve(String(data));
        socket.destroy();
      });
      socket.once("error", reject);
    });
    expect(response).toStartWith("HTTP/1.1 400");
  });

  test("an endpoint without a body takes no offence at one", async () => {
    const { client } = await registered(at.one.url);
    expect((await client.post("/v1/auth/refresh", { any: "thing" })).status).toBe(200);
  });
});

describe("cross-origin use", () => {
  test("is permitted for a named origin alone, with credentials", async () => {
    const replica = await startReplica({
      DATABASE_URL: at.databaseUrl,
      SERVICE_CORS_ORIGINS: "https://app.example.test",
    });
    const ask = (origin: string) =>
      new Client(replica.url).request("OPTIONS", "/v1/auth/login", {
        documented: false,
        headers: { origin, "access-control-request-method": "POST" },
      });
    const named = await ask("https://app.example.test");
    expect(named.status).toBe(204);
    expect(named.headers.get("access-control-allow-origin")).toBe("https://app.example.test");
    expect(named.headers.get("access-control-allow-credentials")).toBe("true");
    const other = await ask("https://app.example.test.evil.example");
    expect([other.status, other.headers.get("access-control-allow-origin")]).toEqual([404, null]);
    const simple = await new Client(replica.url).get("/healthz", { headers: { origin: "https://app.example.test" } });
    expect(simple.headers.get("access-control-allow-origin")).toBe("https://app.example.test");
    // Caches must not return the response for an origin to a different origin, whatever the remaining headers of the
    // response.
    const page = await fetch(`${replica.url}/sign-in`, { headers: { origin: "https://app.example.test" } });
    expect(page.headers.get("vary")?.toLowerCase()).toBe("origin, accept-language, cookie, accept-encoding");
    await replica.kill();
  });
});
