/**
 * Actions of the platform belong to no tenant: an organization reads no such action, by key or by webhook (G56, G57).
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { accountsOf, keyOf } from "../support/service-accounts.ts";
import { enterEnterprise } from "../support/states.ts";
import { until } from "../support/waiting.ts";
import { type Receiver, startReceiver } from "../support/webhook-receiver.ts";

let at: Deployment;
let receiver: Receiver;
beforeAll(async () => {
  at = await deployment();
  receiver = startReceiver();
});
afterAll(() => receiver.stop());

/** Performs administrative actions on foreign users and organizations, but not on the organization of the session. */
async function administer(client: Client): Promise<void> {
  const stranger = await registered(at.one.url);
  const user = `/v1/admin/users/${stranger.userId}`;
  const callback = "https://app.example.com/callback";
  const app = { name: "App", token_endpoint_auth_method: "client_secret_basic", redirect_uris: [callback] };
  const responses = [
    await client.put("/v1/admin/feature-flags", { key: `flag.${stranger.userId}`, enabled: true }),
    await client.post("/v1/admin/oauth-clients", app),
    await client.put("/v1/admin/integrations/oauth_idp_b", { enabled: false, public_config: { client_id: "x" } }),
    await client.post(`${user}/mfa/reset`),
    await client.patch(user, { disabled: true }),
    await client.patch(user, { disabled: false }),
    await client.get("/v1/admin/audit-export"),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 201, 200, 204, 200, 200, 200]);
}

const ACTIONS = [
  "audit.exported",
  "feature_flag.updated",
  "mfa.reset",
  "oauth.client.created",
  "provider.updated",
  "user.disabled",
  "user.enabled",
];

describe("the records of a platform administrator", () => {
  test("are read by no key and sent to no webhook of the organization that the session stands in", async () => {
    const admin = await steppedUpAdmin(at);
    const { organizationId, client } = admin;
    await enterEnterprise(at.sql, organizationId);
    const { key } = await keyOf(client, accountsOf(organizationId), ["audit.read"]);
    const hook = { url: `${receiver.url}/tenant`, event_types: ["*"] };
    const made = await client.post(`/v1/orgs/${organizationId}/webhooks`, hook);
    await administer(client);
    expect((await client.post(`/v1/orgs/${organizationId}/webhooks/${made.body.id}/test`)).status).toBe(202);
    const sent = () => receiver.at("/tenant").map(({ body }) => String(body.type));
    await until("the test event came", async () => sent().includes("webhook.tested"));
    const listed = await client.get("/v1/audit-logs?page_size=100", { bearer: key });
    const read: string[] = listed.body.items.map(({ action }: { action: string }) => action);
    expect(read).toContain("webhook.created");
    expect([...read, ...sent()].filter((action) => ACTIONS.includes(action))).toEqual([]);
    const records = await at.sql`
      select distinct action from audit_logs
      where actor_id = ${admin.userId} and organization_id is null order by action`;
    expect(records.map(({ action }) => action)).toEqual(ACTIONS);
  });
});
