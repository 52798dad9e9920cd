import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { challenge } from "../../../src/flows/mfa/challenge.ts";
import { disableMfa } from "../../../src/flows/mfa/disable.ts";
import {
  callerOf,
  clientAt,
  codeOf,
  credentialChange,
  type EnrolledAccount,
  enrolledAccount,
  HOUR_MS,
  MINUTE_MS,
  passwordShown,
  SECOND_MS,
  STEP_MS,
  totpAt,
  unwrap,
  wrongTotpAt,
} from "../../support/accounts.ts";
import { PASSWORD } from "../../support/client.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { deleteMemberships } from "../../support/states.ts";

let flows: Flows;

beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

const response = (mfaToken: string, code: string) =>
  challenge(flows.deps, { admission: undefined, mfaToken, factors: { code }, client: clientAt() });
const answerWithRecoveryCode = (mfaToken: string, recoveryCode: string) =>
  challenge(flows.deps, {
    admission: undefined,
    mfaToken,
    factors: { recovery_code: recoveryCode },
    client: clientAt(),
  });
const miss = ({ secret }: EnrolledAccount, mfaToken: string) => response(mfaToken, wrongTotpAt(flows, secret));

/** Makes five failed attempts on each of `tokens` tokens while the clock stands still. */
async function failOnTokens(account: EnrolledAccount, tokens: number): Promise<void> {
  for (let token = 0; token < tokens; token += 1) {
    const mfaToken = await passwordShown(flows, account.email);
    for (let index = 0; index < 5; index += 1) await miss(account, mfaToken);
  }
}

describe("an mfa_token", () => {
  test("with the code of the moment becomes a session of aal2", async () => {
    const account = await enrolledAccount(flows);
    const mfaToken = await passwordShown(flows, account.email);
    const signedIn = unwrap(await response(mfaToken, totpAt(flows, account.secret)));
    expect(await callerOf(flows, signedIn)).toMatchObject({
      userId: account.userId,
      aal: "aal2",
      authMethod: "password",
      mfaVerifiedAt: flows.clock.now(),
    });
  });

  test("opens the challenge for five minutes, to the second", async () => {
    const account = await enrolledAccount(flows);
    flows.clock.alignTo(SECOND_MS);
    const lasting = await passwordShown(flows, account.email);
    const late = await passwordShown(flows, account.email);
    flows.clock.advance(5 * MINUTE_MS - 1);
    expect(codeOf(await response(lasting, totpAt(flows, account.secret)))).toBe("ok");
    flows.clock.advance(1);
    const refused = await response(late, totpAt(flows, account.secret));
    expect(refused).toMatchObject({ error: { code: "authentication_required", cause: "token_invalid" } });
  });

  test("is used once", async () => {
    const account = await enrolledAccount(flows);
    const mfaToken = await passwordShown(flows, account.email);
    expect(codeOf(await response(mfaToken, totpAt(flows, account.secret)))).toBe("ok");
    flows.clock.advance(STEP_MS);
    const again = await response(mfaToken, totpAt(flows, account.secret));
    expect(again).toMatchObject({ error: { code: "authentication_required", cause: "token_used" } });
  });

  test("is used once also without the memory of the state port", async () => {
    const account = await enrolledAccount(flows);
    const mfaToken = await passwordShown(flows, account.email);
    expect(codeOf(await response(mfaToken, totpAt(flows, account.secret)))).toBe("ok");
    flows.clock.advance(STEP_MS);
    const state = { ...flows.deps.state, recordAttempt: async () => ({ outcome: "matched" as const }) };
    const input = { admission: undefined, mfaToken, client: clientAt() };
    const again = await challenge(
      { ...flows.deps, state },
      { ...input, factors: { code: totpAt(flows, account.secret) } },
    );
    expect(codeOf(again)).toBe("authentication_required");
    const records = await flows.sql`
      select metadata from audit_logs where actor_id = ${account.userId} and action = 'auth.mfa.challenge.failed'`;
    expect(records).toMatchObject([{ metadata: { reason: "token_used" } }]);
  });

  test("uses up no recovery code, and counts no miss, when the membership ended after it was issued", async () => {
    const account = await enrolledAccount(flows);
    const mfaToken = await passwordShown(flows, account.email);
    await deleteMemberships(flows.sql, account.userId);
    expect(codeOf(await answerWithRecoveryCode(mfaToken, account.recoveryCodes[0] ?? ""))).toBe(
      "authentication_required",
    );
    expect(
      await flows.sql`select 1 from recovery_codes where user_id = ${account.userId} and used_at is null`,
    ).toHaveLength(10);
    const missed = await flows.sql`select 1 from failed_attempts where user_id = ${account.userId} and hour_count > 0`;
    expect(missed).toHaveLength(0);
    const records = await flows.sql`
      select metadata from audit_logs where actor_id = ${account.userId} and action = 'auth.mfa.challenge.failed'`;
    expect(records).toMatchObject([{ metadata: { reason: "changed_meanwhile" } }]);
  });

  test("locks at the fifth miss, the right code included; another token of the account does not", async () => {
    const account = await enrolledAccount(flows);
    const mfaToken = await passwordShown(flows, account.email);
    for (let index = 0; index < 5; index += 1) {
      expect(codeOf(await miss(account, mfaToken))).toBe("authentication_required");
    }
    expect(codeOf(await response(mfaToken, totpAt(flows, account.secret)))).toBe("rate_limited");
    const another = await passwordShown(flows, account.email);
    expect(codeOf(await response(another, totpAt(flows, account.secret)))).toBe("ok");
  });

  test("still takes the right code after four misses", async () => {
    const account = await enrolledAccount(flows);
    const mfaToken = await passwordShown(flows, account.email);
    for (let index = 0; index < 4; index += 1) await miss(account, mfaToken);
    expect(codeOf(await response(mfaToken, totpAt(flows, account.secret)))).toBe("ok");
  });

  test("of forty parallel guesses five learn of a wrong code", async () => {
    const account = await enrolledAccount(flows);
    const mfaToken = await passwordShown(flows, account.email);
    const responses = await Promise.all(Array.from({ length: 40 }, () => miss(account, mfaToken)));
    const codes = responses.map(codeOf);
    expect(codes.filter((code) => code === "authentication_required")).toHaveLength(5);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(35);
  });

  test("ends when the second factor is disabled after it was issued", async () => {
    const account = await enrolledAccount(flows);
    const mfaToken = await passwordShown(flows, account.email);
    const change = await credentialChange(flows, await callerOf(flows, account.signedIn));
    unwrap(await disableMfa(flows.deps, { ...change, password: PASSWORD }));
    const refused = await response(mfaToken, totpAt(flows, account.secret));
    expect(codeOf(refused)).toBe("authentication_required");
  });

  test("is no access token, and an access token is no mfa_token", async () => {
    const account = await enrolledAccount(flows);
    const { accessToken } = account.signedIn.tokens;
    expect(codeOf(await response(accessToken, totpAt(flows, account.secret)))).toBe("authentication_required");
    const mfaToken = await passwordShown(flows, account.email);
    const tokens = { accessToken: mfaToken, refreshToken: "", expiresInSeconds: 0 };
    await expect(callerOf(flows, { tokens })).rejects.toThrow("authentication_required");
  });
});

describe("thirty misses of an account", () => {
  test("lock its second factor on every token, for an hour to the millisecond", async () => {
    const account = await enrolledAccount(flows);
    await failOnTokens(account, 6);
    const locked = await response(await passwordShown(flows, account.email), totpAt(flows, account.secret));
    expect(locked).toMatchObject({ error: { code: "rate_limited", retryAfterSeconds: 3600 } });
    flows.clock.advance(HOUR_MS - 1);
    const stillLocked = await response(await passwordShown(flows, account.email), totpAt(flows, account.secret));
    expect(stillLocked).toMatchObject({ error: { code: "rate_limited", retryAfterSeconds: 1 } });
    flows.clock.advance(1);
    expect(codeOf(await response(await passwordShown(flows, account.email), totpAt(flows, account.secret)))).toBe("ok");
  });

  test("do not lock at twenty-nine", async () => {
    const account = await enrolledAccount(flows);
    await failOnTokens(account, 5);
    const mfaToken = await passwordShown(flows, account.email);
    for (let index = 0; index < 4; index += 1) await miss(account, mfaToken);
    expect(codeOf(await response(mfaToken, totpAt(flows, account.secret)))).toBe("ok");
  });
});

describe("a code of the authenticator app", () => {
  test.each([-1, 0, 1])("is accepted %p time steps away", async (steps) => {
    const account = await enrolledAccount(flows);
    flows.clock.advance(STEP_MS);
    const mfaToken = await passwordShown(flows, account.email);
    expect(codeOf(await response(mfaToken, totpAt(flows, account.secret, steps)))).toBe("ok");
  });

  test.each([-2, 2])("is refused %p time steps away", async (steps) => {
    const account = await enrolledAccount(flows);
    flows.clock.advance(2 * STEP_MS);
    const mfaToken = await passwordShown(flows, account.email);
    expect(codeOf(await response(mfaToken, totpAt(flows, account.secret, steps)))).toBe("authentication_required");
  });

  test("is used once, by any mfa_token, and so is every code before it", async () => {
    const account = await enrolledAccount(flows);
    flows.clock.advance(STEP_MS);
    const show = async (code: string) => codeOf(await response(await passwordShown(flows, account.email), code));
    const [before, now, after] = [-1, 0, 1].map((steps) => totpAt(flows, account.secret, steps)) as [
      string,
      string,
      string,
    ];
    expect(await show(now)).toBe("ok");
    expect(await show(now)).toBe("authentication_required");
    expect(await show(before)).toBe("authentication_required");
    expect(await show(after)).toBe("ok");
    flows.clock.advance(STEP_MS);
    expect(await show(after)).toBe("authentication_required");
    flows.clock.advance(STEP_MS);
    expect(await show(totpAt(flows, account.secret))).toBe("ok");
  });

  test("that enabled the second factor is used already", async () => {
    const account = await enrolledAccount(flows);
    const mfaToken = await passwordShown(flows, account.email);
    expect(codeOf(await response(mfaToken, totpAt(flows, account.secret, -1)))).toBe("authentication_required");
  });
});

describe("a recovery code", () => {
  test("stands for the second factor once, in any case and spacing", async () => {
    const account = await enrolledAccount(flows);
    const [code = ""] = account.recoveryCodes;
    const typed = ` ${code.toUpperCase().replace("-", " ")} `;
    expect(codeOf(await answerWithRecoveryCode(await passwordShown(flows, account.email), typed))).toBe("ok");
    const again = await answerWithRecoveryCode(await passwordShown(flows, account.email), code);
    expect(codeOf(again)).toBe("authentication_required");
  });

  test("does not age, and each of the ten is used once", async () => {
    const account = await enrolledAccount(flows);
    flows.clock.advance(30 * 24 * HOUR_MS);
    expect(account.recoveryCodes).toHaveLength(10);
    for (const code of account.recoveryCodes) {
      expect(codeOf(await answerWithRecoveryCode(await passwordShown(flows, account.email), code))).toBe("ok");
    }
  });

  test("is invalid for a further account", async () => {
    const [account, other] = [await enrolledAccount(flows), await enrolledAccount(flows)];
    const [code = ""] = other.recoveryCodes;
    const refused = await answerWithRecoveryCode(await passwordShown(flows, account.email), code);
    expect(codeOf(refused)).toBe("authentication_required");
  });

  test("together with a code, or neither, is invalid_input", async () => {
    const input = { admission: undefined, mfaToken: "any", client: clientAt() };
    const both = await challenge(flows.deps, { ...input, factors: { code: "123456", recovery_code: "abcde-fghjk" } });
    const neither = await challenge(flows.deps, { ...input, factors: {} });
    expect([codeOf(both), codeOf(neither)]).toEqual(["invalid_input", "invalid_input"]);
  });
});
