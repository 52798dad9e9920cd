import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { DatabaseUnavailable } from "../../../src/base/unavailable.ts";
import { logout } from "../../../src/flows/auth/logout.ts";
import { refresh } from "../../../src/flows/auth/refresh.ts";
import type { TokenPair } from "../../../src/flows/steps/tokens/issue-session-tokens.ts";
import { DEFAULT_POLICY } from "../../../src/vocabulary/policy-settings.ts";
import {
  callerOf,
  clientAt,
  codeOf,
  DAY_MS,
  MINUTE_MS,
  registerAccount,
  SECOND_MS,
  signIn,
  unwrap,
} from "../../support/accounts.ts";
import { type Flows, openFlows } from "../../support/flows.ts";

let flows: Flows;

beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

const present = ({ refreshToken }: Pick<TokenPair, "refreshToken">) =>
  refresh(flows.deps, { refreshToken, admissionOf: () => undefined, client: clientAt() });
const refreshed = async (tokens: TokenPair) => unwrap(await present(tokens)).tokens;
const lives = async (tokens: TokenPair) =>
  await callerOf(flows, { tokens }).then(
    () => true,
    () => false,
  );
const tokensOfNewAccount = async () => (await registerAccount(flows)).signedIn.tokens;

describe("a refresh token", () => {
  test("presented a second time within ten seconds gives the same pair again", async () => {
    const first = await tokensOfNewAccount();
    const second = await refreshed(first);
    flows.clock.advance(10 * SECOND_MS);
    expect(await refreshed(first)).toEqual(second);
    expect(await lives(second)).toBe(true);
  });

  test("that was presented again after ten seconds ends the family, of which the audit trail tells", async () => {
    const { signedIn, userId } = await registerAccount(flows);
    const second = await refreshed(signedIn.tokens);
    flows.clock.advance(10 * SECOND_MS + 1);
    expect(codeOf(await present(signedIn.tokens))).toBe("authentication_required");
    expect(await lives(second)).toBe(false);
    expect(codeOf(await present(second))).toBe("authentication_required");
    const entries = await flows.sql`
      select 1 from audit_logs where actor_id = ${userId} and action = 'auth.refresh.reuse_detected'`;
    expect(entries).toHaveLength(1);
  });

  test("older than the predecessor of the current token ends the family, at any age", async () => {
    const first = await tokensOfNewAccount();
    const third = await refreshed(await refreshed(first));
    expect(codeOf(await present(first))).toBe("authentication_required");
    expect(await lives(third)).toBe(false);
  });

  test("after the end of one family leaves the further sessions of the user alone", async () => {
    const { email, signedIn } = await registerAccount(flows);
    const { tokens: other } = await signIn(flows, email);
    await refreshed(await refreshed(signedIn.tokens));
    await present(signedIn.tokens);
    expect(await lives(other)).toBe(true);
  });

  test("presented twenty times at once rotates once, and all get the same pair", async () => {
    const first = await tokensOfNewAccount();
    const pairs = await Promise.all(Array.from({ length: 20 }, () => refreshed(first)));
    expect(new Set(pairs.map(({ refreshToken }) => refreshToken)).size).toBe(1);
    expect(new Set(pairs.map(({ accessToken }) => accessToken)).size).toBe(1);
  });

  test("gives a pair with the claim enrolment_only while it is unknown whether a factor is missing", async () => {
    const { refreshToken } = await tokensOfNewAccount();
    const { database, ssoDirectory } = flows.deps;
    const failing: typeof database.run = (statement, work) =>
      statement === "session.find_factor_missing"
        ? Promise.reject(new DatabaseUnavailable("no response"))
        : database.run(statement, work);
    const rulesOf = () => ({ ...DEFAULT_POLICY, mfa: "required" as const, mfaSince: "2030-01-01T00:00:00Z" });
    const deps = {
      ...flows.deps,
      database: { ...database, run: failing },
      ssoDirectory: { ...ssoDirectory, rulesOf },
    };
    const { tokens } = unwrap(await refresh(deps, { refreshToken, admissionOf: () => undefined, client: clientAt() }));
    expect(decodeJwt(tokens.accessToken).enrolment_only).toBe(true);
  });

  test("lives thirty days, to the millisecond", async () => {
    flows.clock.alignTo(SECOND_MS);
    const [inTime, late] = [await tokensOfNewAccount(), await tokensOfNewAccount()];
    flows.clock.advance(30 * DAY_MS - 1);
    expect(codeOf(await present(inTime))).toBe("ok");
    flows.clock.advance(1);
    expect(codeOf(await present(late))).toBe("authentication_required");
  });

  test("is no access token, and an access token refreshes nothing", async () => {
    const tokens = await tokensOfNewAccount();
    expect(await lives({ ...tokens, accessToken: tokens.refreshToken })).toBe(false);
    expect(codeOf(await present({ refreshToken: tokens.accessToken }))).toBe("authentication_required");
  });
});

test("a session ends ninety days after its begin, after any number of refreshes", async () => {
  flows.clock.alignTo(SECOND_MS);
  const endsAt = flows.clock.now() + 90 * DAY_MS;
  let tokens = await tokensOfNewAccount();
  for (let refreshes = 0; refreshes < 4; refreshes += 1) {
    flows.clock.advance(20 * DAY_MS);
    tokens = await refreshed(tokens);
  }
  flows.clock.advance(endsAt - flows.clock.now() - 10 * MINUTE_MS);
  tokens = await refreshed(tokens);
  // No token outlives the session.
  expect(tokens.expiresInSeconds).toBe(10 * 60);
  flows.clock.advance(10 * MINUTE_MS - 1);
  expect(await lives(tokens)).toBe(true);
  flows.clock.advance(1);
  expect(await lives(tokens)).toBe(false);
  expect(codeOf(await present(tokens))).toBe("authentication_required");
});

describe("an access token", () => {
  test("lives fifteen minutes", async () => {
    flows.clock.alignTo(SECOND_MS);
    const tokens = await tokensOfNewAccount();
    flows.clock.advance(15 * MINUTE_MS - 1);
    expect(await lives(tokens)).toBe(true);
    flows.clock.advance(1);
    expect(await lives(tokens)).toBe(false);
  });

  test("from the future is none, but for five seconds between the clocks of replicas", async () => {
    const issuedLater = async (seconds: number) => {
      const clock = { ...flows.clock, now: () => flows.clock.now() + seconds * SECOND_MS };
      return (await registerAccount({ deps: { ...flows.deps, clock } })).signedIn.tokens;
    };
    expect(await lives(await issuedLater(5))).toBe(true);
    expect(await lives(await issuedLater(6))).toBe(false);
  });
});

test("signing out with an expired access token ends the session by its refresh token", async () => {
  const tokens = await tokensOfNewAccount();
  flows.clock.advance(DAY_MS);
  await logout(flows.deps, { caller: undefined, refreshToken: tokens.refreshToken, client: clientAt() });
  expect(codeOf(await present(tokens))).toBe("authentication_required");
});
