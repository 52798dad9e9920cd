/** `webhooks listen` with a receiver on this machine, from the database and by an API key. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { type Deployment, deployment } from "../support/deployment.ts";
import { runService } from "../support/replica.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";
import { until } from "../support/waiting.ts";

interface Received {
  readonly headers: Record<string, string>;
  readonly text: string;
}

let at: Deployment;
let owner: Awaited<ReturnType<typeof steppedUpOwner>>;
let received: Received[] = [];
let server: ReturnType<typeof Bun.serve>;
beforeAll(async () => {
  at = await deployment();
  owner = await steppedUpOwner(at);
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const headers = Object.fromEntries(request.headers);
      received.push({ headers, text: await request.text() });
      return new Response(null, { status: received.length === 1 ? 500 : 204 });
    },
  });
});
afterAll(() => server.stop(true));

/** Runs the command, and writes audit records of the owner's organization until the command has ended. */
async function listen(...args: string[]) {
  received = [];
  let ended = false;
  const running = runService(["webhooks", "listen", ...args], { DATABASE_URL: at.databaseUrl }).finally(() => {
    ended = true;
  });
  await until("the command ends", async () => {
    await owner.client.post(accountsOf(owner.organizationId), { name: "Listened" });
    return ended;
  });
  return await running;
}

function expectForwarded(output: string): void {
  const secret = /^Signing secret: (whsec_\S+)$/m.exec(output)?.[1] ?? "";
  expect(received).toHaveLength(2);
  for (const { headers, text } of received) {
    expect(new Webhook(secret).verify(text, headers)).toMatchObject({ type: "service_account.created" });
    expect(JSON.parse(text).data.organization_id).toBe(owner.organizationId);
  }
  const lines = received.map(({ headers }, index) => {
    return new RegExp(`^service_account.created ${headers["webhook-id"]} -> ${index === 0 ? 500 : 204} `, "m");
  });
  for (const line of lines) expect(output).toMatch(line);
}

describe("webhooks listen", () => {
  test("forwards the events of the local service with valid signatures, and prints each response", async () => {
    const { code, output } = await listen(
      ...["--forward-to", `localhost:${server.port}/hooks`, "--events", "service_account.*", "--count", "2"],
      ...["--organization", owner.organizationId],
    );
    expect(code).toBe(0);
    expectForwarded(output);
  }, 60_000);

  test("forwards the events of a webhook with an API key alone", async () => {
    const base = `/v1/orgs/${owner.organizationId}/webhooks`;
    const types = { event_types: ["service_account.created"], enabled: false };
    const webhook = await owner.client.post(base, { url: "https://app.example.com/", ...types });
    const { key } = await keyOf(owner.client, accountsOf(owner.organizationId), ["audit.read"]);
    const source = ["--service", `${at.one.url}/v1`, "--organization", owner.organizationId];
    const { code, output } = await listen(
      ...["--forward-to", String(server.port), "--count", "2", "--webhook", webhook.body.id, "--api-key", key],
      ...source,
    );
    expect(code).toBe(0);
    expectForwarded(output);
    const refused = await listen(
      ...["--forward-to", String(server.port), "--webhook", webhook.body.id, "--api-key", `${key}x`, ...source],
    );
    expect(refused.code).toBe(1);
    expect(refused.output).toContain("The service refused the key or the webhook: 401.");
  }, 60_000);

  test.each([
    [["--forward-to", "https://app.example.com/"]],
    [["--forward-to", "10.0.0.1:80"]],
    [["--forward-to", "4000", "--count", "0"]],
    [["--forward-to", "4000", "--secret", "whsec_x"]],
    [["--forward-to", "4000", "--webhook", "x"]],
    [["--forward-to", "4000", "--organization", "x"]],
    [["--forward-to", "4000", "--service", "http://localhost:1/v1"]],
    [[]],
  ])("%p is a usage error: exit code 2", async (args) => {
    expect((await runService(["webhooks", "listen", ...args], { DATABASE_URL: at.databaseUrl })).code).toBe(2);
  });
});
