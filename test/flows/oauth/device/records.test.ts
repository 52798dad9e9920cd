/** The audit records of devices (docs/contract.md, section 23.15): a third party cannot fill the trail. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { requestDeviceCodes } from "../../../../src/flows/oauth/device/request-codes.ts";
import { readParameters } from "../../../../src/flows/oauth/request/parameters.ts";
import {
  ANONYMOUS_RECORDS_MAX,
  ANONYMOUS_RECORDS_PER_NETWORK_MAX,
  ANONYMOUS_RECORDS_PER_SUBJECT_MAX,
  ANONYMOUS_RECORDS_WINDOW_MS,
} from "../../../../src/limits/oauth-limits.ts";
import { DEVICE_GRANT } from "../../../../src/vocabulary/grant-type.ts";
import { type Account, clientAt, registerAccount } from "../../../support/accounts.ts";
import { type Flows, openFlows } from "../../../support/flows.ts";
import { type FlowClient, flowClient } from "../../../support/oauth-flows.ts";

let flows: Flows;
let account: Account;
beforeAll(async () => {
  flows = await openFlows();
  account = await registerAccount(flows);
});
afterAll(() => flows.close());

const deviceClient = (tokenAuthMethod: "client_secret_basic" | "none") =>
  flowClient(flows, account, {
    grantTypes: [DEVICE_GRANT],
    redirectUris: [],
    backchannelLogoutUri: null,
    tokenAuthMethod,
  });

/** Requests codes once from each network; returns the number of new records. */
async function recordsOf({ client, secret }: FlowClient, networks: readonly string[]): Promise<number> {
  const isPublic = client.tokenAuthMethod === "none";
  const authorization = isPublic ? null : `Basic ${Buffer.from(`${client.id}:${secret}`).toString("base64")}`;
  const parameters = readParameters(new URLSearchParams(isPublic ? { client_id: client.id } : {}));
  if (!parameters.ok) throw new Error(parameters.error.description);
  const before = await recorded();
  for (const network of networks) {
    const presented = { authorization, parameters: parameters.value, requestContext: clientAt(network) };
    expect((await requestDeviceCodes(flows.deps, presented)).ok).toBe(true);
  }
  return (await recorded()) - before;
}

async function recorded(): Promise<number> {
  const [row] = await flows.sql`
    select count(*)::int as count from audit_logs where action = 'oauth.device.requested'`;
  return row?.count as number;
}

const networks = (count: number, prefix = "198.51.100") =>
  Array.from({ length: count }, (_, index) => `${prefix}.${index % 250}`);

test("Devices of a public client write a bounded number of audit records in an hour (G381).", async () => {
  const client = await deviceClient("none");
  const requests = networks(ANONYMOUS_RECORDS_PER_SUBJECT_MAX + 5);
  expect(await recordsOf(client, requests)).toBe(ANONYMOUS_RECORDS_PER_SUBJECT_MAX);
  flows.clock.advance(ANONYMOUS_RECORDS_WINDOW_MS);
  expect(await recordsOf(client, requests)).toBe(ANONYMOUS_RECORDS_PER_SUBJECT_MAX);
});

test("A network, and all networks, cause a bounded number of records of any number of clients (G381).", async () => {
  flows.clock.advance(ANONYMOUS_RECORDS_WINDOW_MS);
  const clients: FlowClient[] = [];
  for (let count = 0; count < 25; count += 1) clients.push(await deviceClient("none"));
  let ofNetwork = 0;
  for (const client of clients) ofNetwork += await recordsOf(client, ["203.0.113.1"]);
  expect(ofNetwork).toBe(ANONYMOUS_RECORDS_PER_NETWORK_MAX);
  let altogether = ofNetwork;
  for (const [index, client] of clients.entries()) {
    altogether += await recordsOf(client, networks(ANONYMOUS_RECORDS_PER_SUBJECT_MAX, `192.0.${index}`));
  }
  expect(altogether).toBe(ANONYMOUS_RECORDS_MAX);
});

test("Every request of a registered client with a secret is recorded.", async () => {
  const client = await deviceClient("client_secret_basic");
  const requests = networks(ANONYMOUS_RECORDS_PER_SUBJECT_MAX + 5);
  expect(await recordsOf(client, requests)).toBe(requests.length);
});
