/**
 * Logout tokens to the clients of the OpenID provider: an unresponsive receiver delays no client beyond the receiver's
 * share.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { clientLogouts } from "../../src/actors/client-logouts.ts";
import { ok } from "../../src/base/result.ts";
import { OAUTH_LOGOUT_BATCH } from "../../src/limits/oauth-limits.ts";
import type { GuardedRequest } from "../../src/providers/guarded-post.ts";
import { PROVIDER_ALGORITHMS } from "../../src/vocabulary/provider-algorithm.ts";
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

test("a silent client delays further clients by a share at most, and a disabled client gets no token", async () => {
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
  const actor = clientLogouts({ ...deps, issuer: "https://id.test", post });
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

test("a logout token has the algorithm of the client's ID tokens, and verifies by the JWKS", async () => {
  const algorithms = new Map<string, string>();
  for (const algorithm of PROVIDER_ALGORITHMS) {
    const id = await told(`${algorithm.toLowerCase()}.test`, 1, flows.clock.now());
    await flows.sql`update oauth_clients set id_token_signed_response_alg = ${algorithm} where id = ${id}`;
    algorithms.set(id, algorithm);
  }
  const tokens: string[] = [];
  const post = async ({ body }: GuardedRequest) => {
    tokens.push(new URLSearchParams(String(body)).get("logout_token") ?? "");
    return ok({ status: 200, body: Buffer.alloc(0) });
  };
  const actor = clientLogouts({ ...flows.deps, issuer: "https://id.test", post });
  actor.start();
  await eventually("all tokens are sent", 30_000, async () => tokens.length === algorithms.size);
  await actor.stop();
  const jwks = createLocalJWKSet(flows.deps.keyRing.jwks() as JSONWebKeySet);
  const currentDate = new Date(flows.clock.now());
  for (const token of tokens) {
    const { payload, protectedHeader } = await jwtVerify(token, jwks, { typ: "logout+jwt", currentDate });
    expect(protectedHeader.alg).toBe(algorithms.get(String(payload.aud)) ?? "");
  }
});
