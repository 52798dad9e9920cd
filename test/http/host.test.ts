import { beforeAll, describe, expect, test } from "bun:test";
import { clientAddress } from "../../src/http/client-address.ts";
import { Client } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { sendRaw } from "../support/raw.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const MALFORMED = [
  "a b",
  "[::1",
  "a@b",
  "a/b",
  "a?b",
  "a#b",
  "%zz",
  "a\\b",
  "a:b:c",
  "a,b",
  "<script>",
  "a:123456",
  "ä",
];
const PATHS = [
  "GET /v1/auth/oauth/oauth_idp_a/callback?state=x&code=y",
  "GET /v1/auth/oauth/oauth_idp_a/start",
  "POST /v1/auth/oauth/oauth_idp_d/callback",
  "GET /healthz",
  "GET /v1/auth/session",
  "GET /openapi.json",
  "GET /docs",
];
const FORM = "state=x&code=y";

function head(target: string, hosts: readonly string[]): string {
  const [method] = target.split(" ");
  const form = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${FORM.length}\r\n`;
  const lines = hosts.map((host) => `Host: ${host}\r\n`).join("");
  const [headers, body] = method === "POST" ? [form, FORM] : ["", ""];
  return `${target} HTTP/1.1\r\n${lines}Connection: close\r\n${headers}\r\n${body}`;
}

describe("the Host header", () => {
  test.each(PATHS)("that is malformed gives 400 in the envelope, never 500: %s", async (target) => {
    for (const host of MALFORMED) {
      const { status, body, headers } = await sendRaw(at.one.url, head(target, [host]));
      expect([host, status, JSON.parse(body).error.code]).toEqual([host, 400, "invalid_input"]);
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(at.one.output()).not.toContain('"msg":"request failed');
  });

  // Several Host headers are invalid (RFC 9112, section 3.2). Bun joins the values by commas.
  test.each([[["localhost", "evil.example"]], [["localhost", "localhost"]]])(
    "given twice is 400: %p",
    async (hosts) => {
      for (const target of PATHS) expect((await sendRaw(at.one.url, head(target, hosts))).status).toBe(400);
    },
  );

  test.each([
    "localhost",
    "auth.example.test:8443",
    "my_service:3000",
    "127.0.0.1",
    "[::1]:3000",
    "[2001:db8::1]",
    "A.b.",
  ])("that is well formed is accepted: %s", async (host) => {
    expect((await sendRaw(at.one.url, head("GET /healthz", [host]))).status).toBe(200);
  });

  test("changes no path, at any length: no second host reaches a path refused by a proxy", async () => {
    for (const host of ["x", "ab", "abc", "abcd", "auth.example.com"]) {
      expect((await sendRaw(at.one.url, head("GET /healthz", [host]))).status).toBe(200);
      for (const path of ["/xx/metrics", "/x/../metrics", "/x/%2e%2e/healthz", "/x\\..\\healthz", "/./v1/auth/session"])
        expect([host, path, (await sendRaw(at.one.url, head(`GET ${path}`, [host]))).status]).toEqual([
          host,
          path,
          404,
        ]);
    }
  });

  test("changes no link: the callback by form leads to the path of this service", async () => {
    const response = await sendRaw(at.one.url, head("POST /v1/auth/oauth/oauth_idp_d/callback", ["evil.example"]));
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      "/v1/auth/oauth/oauth_idp_d/callback?state=x&code=y",
    ]);
  });

  test("nor does an absolute request target or a provider of odd characters", async () => {
    const absolute = head("POST http://evil.example/v1/auth/oauth/oauth_idp_d/callback", ["localhost"]);
    expect((await sendRaw(at.one.url, absolute)).headers.get("location")).toStartWith(
      "/v1/auth/oauth/oauth_idp_d/callback?",
    );
    const odd = await new Client(at.one.url).request("POST", "/v1/auth/oauth/%2F%2Fevil.example%2F/callback", {
      raw: FORM,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([odd.status, odd.headers.get("location")]).toEqual([
      303,
      "/v1/auth/oauth/%2F%2Fevil.example%2F/callback?state=x&code=y",
    ]);
  });
});

describe("a hop of X-Forwarded-For with a port", () => {
  const proxies = { contains: (address: string) => address === "127.0.0.1" || address === "2001:db8::ffff" };
  test.each([
    ["203.0.113.7:5678", "203.0.113.7"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["[::ffff:203.0.113.7]:1", "203.0.113.7"],
    ["198.51.100.1:1, 203.0.113.7:5678, [2001:db8::ffff]:9", "203.0.113.7"],
  ])("is the client's address: %s", (forwarded, expected) => {
    expect(clientAddress("127.0.0.1", forwarded, proxies)).toBe(expected);
  });

  test.each(["203.0.113.7:", "203.0.113.7:x", "[203.0.113.7", "2001:db8::1:", "unknown", "[unknown]:1", "_hidden"])(
    "and what is no address ends the search: %s",
    (forwarded) => expect(clientAddress("127.0.0.1", `198.51.100.1, ${forwarded}`, proxies)).toBe("127.0.0.1"),
  );
});
