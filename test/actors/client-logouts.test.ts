/**
 * Logout tokens to the clients of the OpenID provider: an unresponsive receiver delays no client beyond the receiver's
 * share.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { clientLogouts } from "../../src/actors/client-logouts.ts";
import { ok } from "../../src/base/result.ts";
import { OAUTH_LOGOUT_BATCH } from "../../src/limits/oauth-limits.ts";
import type { GuardedRequest } from "../../src/providers/guarded-post.ts";
import { type Account, registerAccount } from "../support/accounts.ts";
import { type Flows, openFlows } from "../support/flows.ts";
import { flowClient } from "../support/oauth-flows.ts";
import { eventually } from "../support/waiting.ts";

let flows: Flows;
let account: Account;
beforeAll(async () => {
  flows = await openFlows();
  account = await registerAccount(flows);
});
afterAll(() => flows.close());

/**
 * Creates an application with a logout URI at `host` and `count` logout tokens that are due since `since`. Returns the
 * id.
 */
async function told(host: string, count: number, since: number): Promise<string> {
  const { client } = await flowClient(flows, account);
  const [due, ends] = [new Date(since), new Date(since + 86_400_000)];
  await flows.sql`update oauth_clients set backchannel_logout_uri = ${`https://${host}/`} where id = ${client.id}`;
  await flows.sql`
    insert into oauth_logouts (family_id, client_id, subject, next_attempt_at, expires_at)
    select gen_random_uuid(), ${client.id}, 'someone', ${due}, ${ends} from generate_series(1, ${count}::int)`;
  return client.id;
}

test("a client that does not answer delays no other beyond its share, and a disabled one gets nothing", async () => {
  const now = flows.clock.now();
  await told("silent.test", 100, now - 60_000);
  await told("well.test", 20, now);
  const disabled = await told("disabled.test", 1, now - 60_000);
  await flows.sql`update oauth_clients set disabled_at = now() where id = ${disabled}`;
  const sent: string[] = [];
  const response = Promise.withResolvers<void>();
  const post = async ({ url }: GuardedRequest) => {
    const { host } = new URL(url);
    sent.push(host);
    if (host === "silent.test") await response.promise;
    return ok({ status: 200, body: Buffer.alloc(0) });
  };
  const { deps } = flows;
  const actor = clientLogouts({ ...deps, activeKey: () => deps.keyRing.active(), issuer: "https://id.test", post });
  const sentTo = (host: string) => sent.filter((each) => each === host).length;
  actor.start();
  await eventually("the other client has all of its logout tokens", 30_000, async () => sentTo("well.test") === 20);
  expect(sentTo("silent.test")).toBe(OAUTH_LOGOUT_BATCH);
  response.resolve();
  await eventually("the first one goes on when it answers", 30_000, async () => sentTo("silent.test") === 100);
  await actor.stop();
  expect(sentTo("disabled.test")).toBe(0);
  const left = await flows.sql`select client_id from oauth_logouts`;
  expect(left.map(({ client_id }) => client_id)).toEqual([disabled]);
});
