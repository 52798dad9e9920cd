import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildServer } from "../../src/http/server.ts";
import { type Flows, openFlows } from "../support/flows.ts";

let flows: Flows;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

describe("a drain (G25)", () => {
  let seen = 0;
  async function isWaitedFor(method: string, path: string): Promise<boolean> {
    const before = seen;
    const app = buildServer({ ...flows.deps, ready: () => true } as never, undefined, () => {
      seen += 1;
    });
    await app.handle(new Request(`http://localhost${path}`, { method }));
    return seen > before;
  }

  test.each([
    ["POST", "/v1/auth/login"],
    ["POST", "/oauth2/token"],
    ["GET", "/oauth2/userinfo"],
    ["GET", "/.well-known/jwks.json"],
  ])("waits for requests such as %s %s", async (method, path) => {
    expect(await isWaitedFor(method, path)).toBe(true);
  });

  test.each(["/healthz", "/readyz", "/metrics", "/openapi.json", "/nothing"])("does not wait for %s", async (path) => {
    expect(await isWaitedFor("GET", path)).toBe(false);
  });
});
