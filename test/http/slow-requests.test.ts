import { beforeAll, describe, expect, test } from "bun:test";
import { Client } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { sendRaw } from "../support/raw.ts";

const CONNECTIONS = 200;
const DEADLINE_MS = 10_000;

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const post = (path: string, length = 1_000) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`;

describe("whoever sends a body slowly", () => {
  test(`gets 400 after ten seconds and is disconnected: ${CONNECTIONS} bodies of one byte a second`, async () => {
    const counted = async () => {
      const { text } = await new Client(at.one.url).get("/metrics");
      return Number(/service_bound_refusals_total\{service_bound="body_time"[^}]*\} (\d+)/.exec(text)?.[1]);
    };
    const before = await counted();
    const slow = Array.from({ length: CONNECTIONS }, () =>
      sendRaw(at.one.url, post("/v1/auth/login"), { dribble: " ", waitMs: 2 * DEADLINE_MS }),
    );
    expect((await new Client(at.one.url).get("/healthz")).status).toBe(200);
    const responses = await Promise.all(slow);
    expect(responses.filter(({ status }) => status !== 400)).toEqual([]);
    expect((await counted()) - before).toBe(CONNECTIONS);
    const after = responses.map(({ closedAfterMs = Number.POSITIVE_INFINITY }) => closedAfterMs);
    expect(Math.min(...after)).toBeGreaterThan(DEADLINE_MS - 100);
    expect(Math.max(...after)).toBeLessThan(DEADLINE_MS + 5_000);
  });

  test.each([
    ["an unknown path", "/nothing", 404],
    ["a stranger where a caller is needed", "/v1/auth/organization", 401],
    ["an endpoint that takes no body", "/v1/auth/refresh", 401],
    ["an announced size that is too large", "/v1/auth/login", 400],
  ])("is answered without the body, and loses the connection: %s", async (_, path, status) => {
    const response = await sendRaw(at.one.url, post(path, 900_000_000), { dribble: " ", waitMs: 5_000 });
    expect([response.status, response.headers.get("connection")]).toEqual([status, "close"]);
    expect(response.closedAfterMs).toBeLessThan(2_000);
  });
});

describe("a connection is kept", () => {
  test.each([
    ["a body that was read, refused or not", `${post("/v1/auth/login", 2)}}`],
    ["a request without a body", "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["a POST that announces none", "POST /v1/auth/logout HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"],
  ])("after %s", async (_, text) => {
    const response = await sendRaw(at.one.url, text, { waitMs: 300 });
    const closes = response.headers.get("connection") === "close";
    expect([response.status > 0, closes, response.closedAfterMs]).toEqual([true, false, undefined]);
  });
});
