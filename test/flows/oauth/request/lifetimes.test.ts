/** Time rules of the OpenID provider (docs/contract.md, sections 23.4 to 23.6), with a clock that the test moves. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { LRUCache } from "lru-cache";
import type { TransactionSql } from "postgres";
import { sweep } from "../../../../src/actors/sweeper.ts";
import { describeIssuer } from "../../../../src/flows/discovery/describe-issuer.ts";
import { changeClient } from "../../../../src/flows/oauth/clients/administer-clients.ts";
import { findDeviceByCode } from "../../../../src/flows/oauth/device/find-request.ts";
import { findLiveToken } from "../../../../src/flows/oauth/request/live-token.ts";
import type { IssuedTokens } from "../../../../src/flows/oauth/token/issue-tokens.ts";
import { USER_CODE_MISSES_MAX, USER_CODE_MISSES_WINDOW_MS } from "../../../../src/limits/oauth-limits.ts";
import { SESSION_VIEW_TTL_MS } from "../../../../src/limits/session-limits.ts";
import {
  type Account,
  callerOf,
  clientAt,
  codeOf,
  DAY_MS,
  MINUTE_MS,
  registerAccount,
  SECOND_MS,
  unwrap,
} from "../../../support/accounts.ts";
import { race } from "../../../support/deployment.ts";
import { type Flows, openFlows } from "../../../support/flows.ts";
import {
  exchangeIn,
  type FlowClient,
  flowClient,
  flowCode,
  REDIRECT_URI,
  refreshIn,
  requestTokens,
} from "../../../support/oauth-flows.ts";
import { suspendOrganization } from "../../../support/states.ts";
import { eventually } from "../../../support/waiting.ts";

let flows: Flows;
let client: FlowClient;
beforeAll(async () => {
  flows = await openFlows();
  client = await flowClient(flows, await registerAccount(flows));
});
afterAll(() => flows.close());

async function tokensOf(account: Account, scope?: string): Promise<IssuedTokens> {
  const issued = await exchangeIn(flows, client, await flowCode(flows, client, account, scope));
  if (typeof issued === "string") throw new Error(issued);
  return issued;
}
const outcomeOf = (issued: IssuedTokens | string) => (typeof issued === "string" ? issued : "tokens");
const isLive = async (tokens: IssuedTokens) => (await findLiveToken(flows.deps, tokens.accessToken)) !== undefined;

function sweepOnce(): Promise<boolean> {
  const { database, clock } = flows.deps;
  return sweep({ database, clock, auditRetentionMs: undefined, decisionRetentionMs: DAY_MS });
}

describe("codes", () => {
  test("are valid for a minute", async () => {
    const account = await registerAccount(flows);
    for (const [waitMs, outcome] of [
      [59 * SECOND_MS, "tokens"],
      [60 * SECOND_MS, "invalid_grant"],
    ] as const) {
      const code = await flowCode(flows, client, account);
      flows.clock.advance(waitMs);
      expect([waitMs, outcomeOf(await exchangeIn(flows, client, code))]).toEqual([waitMs, outcome]);
    }
  });
});

describe("what ends while a code is exchanged", () => {
  type Ending = (sql: TransactionSql, account: Account, application: FlowClient) => Promise<unknown>;
  const endings: [string, Ending][] = [
    ["the membership", (sql, { userId }) => sql`delete from members where user_id = ${userId}`],
    ["the user", (sql, { userId }) => sql`update users set disabled_at = now() where id = ${userId}`],
    [
      "the application",
      async (sql, _, { client: { id } }) => {
        await sql`select 1 from oauth_clients where id = ${id} for update`;
        await sql`update oauth_clients set disabled_at = now() where id = ${id}`;
      },
    ],
  ];
  /** Returns the result of `request` beside a transaction that has ended a credential and has not committed yet. */
  async function meeting(
    end: (sql: TransactionSql) => Promise<unknown>,
    request: () => Promise<IssuedTokens | string>,
  ) {
    let outcome: IssuedTokens | string | undefined;
    const asked = await flows.sql.begin(async (sql) => {
      await end(sql);
      const pending = request().then((response) => {
        outcome = response;
      });
      await eventually("the request waits, or is answered", 10_000, async () => {
        const waiting = await flows.sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return waiting.length > 0 || outcome !== undefined;
      });
      return { pending };
    });
    await asked.pending;
    return outcomeOf(outcome ?? "nothing");
  }

  test.each(endings)("%s: no tokens come of the code, and none is live later", async (_, end) => {
    const account = await registerAccount(flows);
    const application = await flowClient(flows, account);
    const code = await flowCode(flows, application, account);
    const exchange = () => exchangeIn(flows, application, code);
    expect(await meeting((sql) => end(sql, account, application), exchange)).toBe("invalid_grant");
    expect(await flows.sql`select 1 from oauth_token_families where user_id = ${account.userId}`).toHaveLength(0);
  });

  test("the membership, at a refresh: no tokens come of it", async () => {
    const account = await registerAccount(flows);
    const { refreshToken } = await tokensOf(account, "openid offline_access");
    const end = (sql: TransactionSql) => sql`delete from members where user_id = ${account.userId}`;
    expect(await meeting(end, () => refreshIn(flows, client, refreshToken))).toBe("invalid_grant");
  });
});

describe("an application that is enabled again", () => {
  test("has no token of before, also after a crash of the replica before the end of the tokens (G61)", async () => {
    const account = await registerAccount(flows);
    const application = await flowClient(flows, account);
    const code = await flowCode(flows, application, account);
    const issued = await exchangeIn(flows, application, await flowCode(flows, application, account));
    const { id } = application.client;
    await flows.sql`update oauth_clients set disabled_at = now() where id = ${id}`;
    const session = { ...account.signedIn.session, userId: account.userId, organizationId: account.organizationId };
    const caller = { session, role: "admin" } as never;
    unwrap(await changeClient(flows.deps, { id, change: { disabled: false }, caller, client: clientAt() }));
    expect(await isLive(issued as IssuedTokens)).toBe(false);
    expect(await refreshIn(flows, application, (issued as IssuedTokens).refreshToken)).toBe("invalid_grant");
    expect(await exchangeIn(flows, application, code)).toBe("invalid_grant");
  });
});

describe("refresh tokens", () => {
  test("the one before the current gives the same tokens for ten seconds, then ends the family", async () => {
    const first = await tokensOf(await registerAccount(flows));
    const second = await refreshIn(flows, client, first.refreshToken);
    flows.clock.advance(10 * SECOND_MS);
    const left = { ...(second as IssuedTokens), expiresInSeconds: (second as IssuedTokens).expiresInSeconds - 10 };
    expect(await refreshIn(flows, client, first.refreshToken)).toEqual(left);
    flows.clock.advance(1);
    expect(await refreshIn(flows, client, first.refreshToken)).toBe("invalid_grant");
    expect(await isLive(second as IssuedTokens)).toBe(false);
  });

  test("a lost response is repeated for refresh_repeat_seconds, then the family ends (G409)", async () => {
    const account = await registerAccount(flows);
    const patient = await flowClient(flows, account, { refreshRepeatSeconds: 600 });
    const first = (await exchangeIn(flows, patient, await flowCode(flows, patient, account))) as IssuedTokens;
    const second = (await refreshIn(flows, patient, first.refreshToken)) as IssuedTokens;
    flows.clock.advance(600 * SECOND_MS);
    const repeated = (await refreshIn(flows, patient, first.refreshToken)) as IssuedTokens;
    expect([repeated.refreshToken, repeated.accessToken]).toEqual([second.refreshToken ?? "", second.accessToken]);
    flows.clock.advance(1);
    expect(await refreshIn(flows, patient, first.refreshToken)).toBe("invalid_grant");
    expect(await refreshIn(flows, patient, second.refreshToken)).toBe("invalid_grant");
  });

  test("without authentication and a bound key the repetition ends after ten seconds (G432)", async () => {
    const account = await registerAccount(flows);
    const unbound = await flowClient(flows, account, { tokenAuthMethod: "none" });
    // A client with a longer repetition from the time when the client authenticated or used DPoP.
    await flows.sql`update oauth_clients set refresh_repeat_seconds = 600 where id = ${unbound.client.id}`;
    const { deps } = flows;
    const client = { ...unbound.client, refreshRepeatSeconds: 600 };
    const oauthClients = { ...deps.oauthClients, find: () => client, load: async () => client };
    const capped = { ...flows, deps: { ...deps, oauthClients } };
    const refreshed = async (refresh_token: string | undefined) => {
      const fields = { grant_type: "refresh_token", refresh_token: refresh_token ?? "", client_id: client.id };
      return await requestTokens(capped, { client, secret: "" }, fields);
    };
    const { code, pkce } = await flowCode(flows, unbound, account);
    const exchanged = { code, redirect_uri: REDIRECT_URI, code_verifier: pkce.verifier, client_id: client.id };
    const grant = { grant_type: "authorization_code", ...exchanged };
    const first = (await requestTokens(capped, { client, secret: "" }, grant)) as IssuedTokens;
    const second = (await refreshed(first.refreshToken)) as IssuedTokens;
    flows.clock.advance(10 * SECOND_MS);
    expect(((await refreshed(first.refreshToken)) as IssuedTokens).refreshToken).toBe(second.refreshToken ?? "");
    flows.clock.advance(1);
    expect(await refreshed(first.refreshToken)).toBe("invalid_grant");
    expect(await isLive(second)).toBe(false);
  });

  test("a reused token ends the family, also in a request with a refused scope (G409)", async () => {
    const account = await registerAccount(flows);
    const first = await tokensOf(account);
    const second = (await refreshIn(flows, client, first.refreshToken)) as IssuedTokens;
    flows.clock.advance(10 * SECOND_MS + 1);
    const fields = { grant_type: "refresh_token", refresh_token: first.refreshToken ?? "", scope: "openid email" };
    expect(await requestTokens(flows, client, fields)).toBe("invalid_grant");
    expect(await isLive(second)).toBe(false);
  });

  test("live as long as their session, those of offline access as long as their own limit", async () => {
    const account = await registerAccount(flows);
    const [online, offline] = [await tokensOf(account), await tokensOf(account, "openid offline_access")];
    flows.clock.advance(29 * DAY_MS);
    const still = (await refreshIn(flows, client, offline.refreshToken)) as IssuedTokens;
    expect(await isLive(still)).toBe(true);
    // The session was not refreshed for 30 days: the session has expired, and the clients are notified.
    flows.clock.advance(1 * DAY_MS + MINUTE_MS);
    expect(outcomeOf(await refreshIn(flows, client, online.refreshToken))).toBe("invalid_grant");
    expect(outcomeOf(await refreshIn(flows, client, still.refreshToken))).toBe("tokens");
    await sweepOnce();
    const queued = await flows.sql`select 1 from oauth_logouts where subject = ${account.userId}`;
    expect(queued).toHaveLength(2);
    await sweepOnce();
    flows.clock.advance(2 * DAY_MS);
    await sweepOnce();
    expect(await flows.sql`select 1 from oauth_logouts where subject = ${account.userId}`).toHaveLength(0);
  });

  test("of offline access end after the longest life of a session", async () => {
    let { refreshToken } = await tokensOf(await registerAccount(flows), "openid offline_access");
    for (let days = 0; days < 80; days += 20) {
      flows.clock.advance(20 * DAY_MS);
      ({ refreshToken } = (await refreshIn(flows, client, refreshToken)) as IssuedTokens);
    }
    flows.clock.advance(10 * DAY_MS);
    expect(await refreshIn(flows, client, refreshToken)).toBe("invalid_grant");
  });
});

describe("access tokens", () => {
  test("expire after a quarter of an hour, and earlier with their session or grant", async () => {
    const account = await registerAccount(flows);
    const tokens = await tokensOf(account, "openid offline_access");
    flows.clock.advance(15 * MINUTE_MS - SECOND_MS);
    expect(await isLive(tokens)).toBe(true);
    flows.clock.advance(SECOND_MS);
    expect(await isLive(tokens)).toBe(false);
    const next = (await refreshIn(flows, client, tokens.refreshToken)) as IssuedTokens;
    await suspendOrganization(flows.sql, account.organizationId);
    expect(await isLive(next)).toBe(false);
    expect(await refreshIn(flows, client, next.refreshToken)).toBe("invalid_grant");
  });
});

describe("the memory of live token families", () => {
  test("a token in constant use is inactive soon after its organization was suspended", async () => {
    const real = { ...flows.deps.revocations, current: () => true };
    // The TTL equals the production TTL, on the clock of the test.
    const tokenFamilies: typeof flows.deps.tokenFamilies = new LRUCache({
      max: 10,
      ttl: SESSION_VIEW_TTL_MS,
      ttlResolution: 0,
      perf: { now: () => flows.clock.now() },
    });
    const deps = { ...flows.deps, revocations: real, tokenFamilies };
    const account = await registerAccount(flows);
    const { accessToken } = await tokensOf(account, "openid offline_access");
    expect(await findLiveToken(deps, accessToken)).toBeDefined();
    await suspendOrganization(flows.sql, account.organizationId);
    for (let seconds = 0; seconds < 60; seconds += 10) {
      flows.clock.advance(10 * SECOND_MS);
      await findLiveToken(deps, accessToken);
    }
    expect(await findLiveToken(deps, accessToken)).toBeUndefined();
  });
});

describe("without pages", () => {
  test("no endpoint is offered that people pass through; refresh tokens of before go on", async () => {
    const { refreshToken } = await tokensOf(await registerAccount(flows));
    const { config } = flows.deps;
    const deps = { ...flows.deps, config: { ...config, pages: { ...config.pages, enabled: false } } };
    const without = describeIssuer(deps);
    expect(without).toMatchObject({
      grant_types_supported: [
        "refresh_token",
        "client_credentials",
        "urn:ietf:params:oauth:grant-type:token-exchange",
        "urn:ietf:params:oauth:grant-type:jwt-bearer",
      ],
      response_types_supported: [],
      request_uri_parameter_supported: false,
    });
    expect("authorization_endpoint" in without || "end_session_endpoint" in without).toBe(false);
    expect(outcomeOf(await refreshIn({ ...flows, deps }, client, refreshToken))).toBe("tokens");
    expect(describeIssuer(flows.deps)).toMatchObject({ response_types_supported: ["code"] });
  });
});

describe("guesses of user codes (G210)", () => {
  const WRONG = "BBBB-BBBB";

  /** Forty parallel wrong codes; returns how many were compared. */
  async function compared(guess: (index: number) => { readonly account: Account; readonly network: string }) {
    const outcomes = await race(async (index) => {
      const { account, network } = guess(index);
      const session = await callerOf(flows, account.signedIn);
      return codeOf(await findDeviceByCode(flows.deps, { session, userCode: WRONG, client: clientAt(network) }));
    }, 40);
    expect(new Set(outcomes)).toEqual(new Set(["not_found", "rate_limited"]));
    return outcomes.filter((outcome) => outcome === "not_found").length;
  }

  test("of 40 parallel guesses of a user from forty networks ten are compared, then none for ten minutes", async () => {
    const account = await registerAccount(flows);
    const fromAnywhere = (index: number) => ({ account, network: `198.51.100.${index}` });
    expect(await compared(fromAnywhere)).toBe(USER_CODE_MISSES_MAX);
    flows.clock.advance(USER_CODE_MISSES_WINDOW_MS - SECOND_MS);
    const session = await callerOf(flows, account.signedIn);
    const later = () => findDeviceByCode(flows.deps, { session, userCode: WRONG, client: clientAt("203.0.113.7") });
    expect(codeOf(await later())).toBe("rate_limited");
    flows.clock.advance(2 * SECOND_MS);
    expect(codeOf(await later())).toBe("not_found");
  });

  test("of 40 parallel guesses of four users from one network ten are compared", async () => {
    const accounts: Account[] = [];
    for (let count = 0; count < 4; count += 1) accounts.push(await registerAccount(flows));
    const fromOneNetwork = (index: number) => ({ account: accounts[index % 4] as Account, network: "203.0.113.99" });
    expect(await compared(fromOneNetwork)).toBe(USER_CODE_MISSES_MAX);
  });
});
