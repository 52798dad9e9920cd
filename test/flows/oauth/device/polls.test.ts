/** The polls of a waiting device (docs/contract.md, section 23.15), with a clock that the test moves. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { revocations } from "../../../../src/actors/revocations.ts";
import { requestDeviceCodes } from "../../../../src/flows/oauth/device/request-codes.ts";
import { readParameters } from "../../../../src/flows/oauth/request/parameters.ts";
import { DEVICE_GRANT } from "../../../../src/vocabulary/grant-type.ts";
import { clientAt, registerAccount, SECOND_MS } from "../../../support/accounts.ts";
import { type Flows, openFlows } from "../../../support/flows.ts";
import { type FlowClient, flowClient, requestTokens } from "../../../support/oauth-flows.ts";
import { eventually } from "../../../support/waiting.ts";

let flows: Flows;
let client: FlowClient;
beforeAll(async () => {
  flows = await openFlows();
  const account = await registerAccount(flows);
  client = await flowClient(flows, account, {
    grantTypes: [DEVICE_GRANT],
    redirectUris: [],
    backchannelLogoutUri: null,
  });
});
afterAll(() => flows.close());

async function deviceCode(): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${client.client.id}:${client.secret}`).toString("base64")}`;
  const parameters = readParameters(new URLSearchParams({ scope: "openid" }));
  if (!parameters.ok) throw new Error(parameters.error.description);
  const presented = { authorization, parameters: parameters.value, requestContext: clientAt() };
  const codes = await requestDeviceCodes(flows.deps, presented);
  if (!codes.ok) throw new Error(codes.error.description);
  return codes.value.deviceCode;
}

const poll = (device_code: string, deps = flows.deps) =>
  requestTokens({ ...flows, deps }, client, { grant_type: DEVICE_GRANT, device_code });

test("a poll within the interval makes the interval five seconds longer for good, up to a minute", async () => {
  const code = await deviceCode();
  const outcomes: unknown[] = [];
  for (const pauseSeconds of [0, 5, 4, 9, 15, 16, 14, 20]) {
    flows.clock.advance(pauseSeconds * SECOND_MS);
    outcomes.push(await poll(code));
  }
  const [waiting, early] = ["authorization_pending", "slow_down"];
  // The interval: 5, 5, then 10, 15, 15, 15, 20, 20 seconds.
  expect(outcomes).toEqual([waiting, waiting, early, early, waiting, waiting, early, waiting]);
  for (let polls = 0; polls < 20; polls += 1) await poll(code);
  flows.clock.advance(60 * SECOND_MS);
  expect(await poll(code)).toBe("authorization_pending");
  const rows = await flows.sql`select interval_seconds from oauth_device_codes order by created_at desc limit 1`;
  expect(rows[0]?.interval_seconds).toBe(60);
});

test("a replica that follows the log answers a waiting device from memory", async () => {
  const { database, state, clock, log, telemetry } = flows.deps;
  const statements: string[] = [];
  const counting: typeof database = {
    ...database,
    run(statement, work) {
      if (statement.startsWith("oauth_device")) statements.push(statement);
      return database.run(statement, work);
    },
  };
  const following = revocations({ database: counting, state, clock, log, telemetry });
  await following.start();
  await eventually("the log is followed", 10_000, () => Promise.resolve(following.current()));
  const deps = { ...flows.deps, database: counting, revocations: following };
  const code = await deviceCode();
  for (let polls = 0; polls < 40; polls += 1) await poll(code, deps);
  const written = statements.filter((statement) => statement === "oauth_device.lengthen_interval");
  expect([statements.length - written.length, written.length]).toEqual([1, 11]);
  await following.stop();
});
