/** Passwords that programs set, beside passwords of people (docs/contract.md, section 35.12). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Deps } from "../../../src/deps.ts";
import { buildServer } from "../../../src/http/server.ts";
import { hashKey, makeKeyText } from "../../../src/models/service-account/key-format.ts";
import { DAY_MS, registerAccount } from "../../support/accounts.ts";
import { newEmail, PASSWORD } from "../../support/client.ts";
import { type Flows, openFlows } from "../../support/flows.ts";

let flows: Flows;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

/** Creates a program of the platform; returns its service account and its key. */
async function platformProgram(scopes: readonly string[]): Promise<{ accountId: string; key: string }> {
  const { random, clock, config } = flows.deps;
  const [accountId, now] = [random.uuid(), new Date(clock.now())];
  const { key, keyId } = makeKeyText(random, config.keyPrefix);
  const endsAt = new Date(now.getTime() + DAY_MS);
  await flows.sql`insert into service_accounts (id, name, created_at) values (${accountId}, 'Import', ${now})`;
  await flows.sql`
    insert into api_keys (id, service_account_id, key_id, key_hash, scopes, permissions, allowed_ips,
                          allowed_referrers, expires_at, created_at)
    values (${random.uuid()}, ${accountId}, ${keyId}, ${hashKey(key)}, '{}', ${[...scopes]}, '{}', '{}', ${endsAt},
            ${now})`;
  return { accountId, key };
}

test("passwords of a program are hashed in the lane of the program, passwords of people are not (G521)", async () => {
  const lanes: string[] = [];
  const { hashing } = flows.deps;
  const recorded: Deps["hashing"] = {
    ...hashing,
    run: (job, lane) => {
      lanes.push("people");
      return hashing.run(job, lane);
    },
    runBehind: (job, lane) => {
      lanes.push(lane);
      return hashing.runBehind(job, lane);
    },
  };
  const app = buildServer({ ...flows.deps, hashing: recorded, ready: () => true } as never, undefined);
  const { accountId, key } = await platformProgram(["users.write", "users.credentials", "organizations.write"]);
  async function send(method: string, path: string, body: object): Promise<{ user_id: string }> {
    lanes.length = 0;
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const request = new Request(`http://localhost/v1${path}`, { method, headers, body: JSON.stringify(body) });
    const response = await app.handle(request);
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return response.status === 204 ? { user_id: "" } : ((await response.json()) as { user_id: string });
  }
  const password = `${PASSWORD} of a program`;
  const user = await send("POST", "/admin/users", { email: newEmail(), password });
  expect(lanes).toEqual([accountId]);
  await send("PUT", "/admin/users/by-external-id/7", { email: newEmail(), password });
  expect(lanes).toEqual([accountId]);
  await send("PUT", `/admin/users/${user.user_id}/password`, { password });
  expect(lanes).toEqual([accountId]);
  await send("POST", "/admin/orgs", { organization_name: "Acme", owner_email: newEmail(), owner_password: password });
  expect(lanes).toEqual([accountId]);
  const { email } = await registerAccount(flows);
  await send("POST", "/auth/login", { email, password: PASSWORD });
  expect(lanes).toEqual(["people"]);
});
