import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { verifySecondFactor } from "../../../src/flows/mfa/verify.ts";
import { authorizeIntegration } from "../../../src/flows/steps/authorization/authorize-integration.ts";
import type { SessionView } from "../../../src/models/session/session.ts";
import {
  callerOf,
  clientAt,
  codeOf,
  enrolledAccount,
  MINUTE_MS,
  registerAccount,
  SECOND_MS,
  totpAt,
  unwrap,
  wrongTotpAt,
} from "../../support/accounts.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { assignPlatformRole } from "../../support/states.ts";

let flows: Flows;

beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

const show = (caller: SessionView, code: string) =>
  verifySecondFactor(flows.deps, { caller, factors: { code }, client: clientAt() });

/** A change of the settings of an external service requires a platform Admin and step-up. */
async function stepUpHolds(tokens: { readonly accessToken: string }): Promise<boolean> {
  const caller = await callerOf(flows, { tokens: { ...tokens, refreshToken: "", expiresInSeconds: 0 } });
  await assignPlatformRole(flows.sql, caller.userId, "admin");
  return codeOf(await authorizeIntegration(flows.deps, { session: caller }, "email_transport")) === "ok";
}

describe("step-up", () => {
  test("lasts five minutes, to the millisecond", async () => {
    const { signedIn, secret } = await enrolledAccount(flows);
    const steppedUp = unwrap(await show(await callerOf(flows, signedIn), totpAt(flows, secret)));
    expect(steppedUp).toMatchObject({
      mfaVerifiedAt: flows.clock.now(),
      stepUpExpiresAt: flows.clock.now() + 5 * MINUTE_MS,
    });
    flows.clock.advance(5 * MINUTE_MS - 1);
    expect(await stepUpHolds(steppedUp.token)).toBe(true);
    flows.clock.advance(1);
    expect(await stepUpHolds(steppedUp.token)).toBe(false);
    expect(await stepUpHolds(signedIn.tokens)).toBe(false);
  });

  test("begins anew with each code", async () => {
    const { signedIn, secret } = await enrolledAccount(flows);
    const caller = await callerOf(flows, signedIn);
    unwrap(await show(caller, totpAt(flows, secret)));
    flows.clock.advance(4 * MINUTE_MS);
    unwrap(await show(caller, totpAt(flows, secret)));
    flows.clock.advance(4 * MINUTE_MS);
    expect(await stepUpHolds(signedIn.tokens)).toBe(true);
  });

  test("takes a code once", async () => {
    const { signedIn, secret } = await enrolledAccount(flows);
    const caller = await callerOf(flows, signedIn);
    const code = totpAt(flows, secret);
    const responses = await Promise.all([show(caller, code), show(caller, code), show(caller, code)]);
    expect(responses.map(codeOf).sort()).toEqual(["authentication_required", "authentication_required", "ok"]);
  });

  test("takes a recovery code once", async () => {
    const { signedIn, recoveryCodes } = await enrolledAccount(flows);
    const caller = await callerOf(flows, signedIn);
    const input = { caller, factors: { recovery_code: recoveryCodes[0] }, client: clientAt() };
    expect(codeOf(await verifySecondFactor(flows.deps, input))).toBe("ok");
    expect(codeOf(await verifySecondFactor(flows.deps, input))).toBe("authentication_required");
  });

  test("uses up no code and counts no miss in a session that has ended; the record says why", async () => {
    const { signedIn, userId, recoveryCodes } = await enrolledAccount(flows);
    const caller = await callerOf(flows, signedIn);
    await flows.sql`update sessions set revoked_at = now(), revoked_reason = 'logout' where id = ${caller.id}`;
    const input = { caller, factors: { recovery_code: recoveryCodes[0] }, client: clientAt() };
    const refused = await verifySecondFactor(flows.deps, input);
    expect(refused).toMatchObject({ error: { code: "authentication_required", cause: "session_ended" } });
    expect(await flows.sql`select 1 from recovery_codes where user_id = ${userId} and used_at is null`).toHaveLength(
      10,
    );
    expect(await flows.sql`select 1 from failed_attempts where user_id = ${userId} and hour_count > 0`).toHaveLength(0);
    const records = await flows.sql`
      select outcome, metadata from audit_logs where actor_id = ${userId} and action = 'auth.mfa.step_up'`;
    expect(records).toMatchObject([{ outcome: "failure", metadata: { reason: "session_ended" } }]);
  });

  test("is refused to an account without a second factor", async () => {
    const { signedIn } = await registerAccount(flows);
    expect(codeOf(await show(await callerOf(flows, signedIn), "123456"))).toBe("authentication_required");
  });

  test("locks after five misses in a session, until five minutes after the first one", async () => {
    const { signedIn, secret } = await enrolledAccount(flows);
    const caller = await callerOf(flows, signedIn);
    for (let index = 0; index < 5; index += 1) {
      expect(codeOf(await show(caller, wrongTotpAt(flows, secret)))).toBe("authentication_required");
      flows.clock.advance(SECOND_MS);
    }
    const locked = await show(caller, totpAt(flows, secret));
    expect(locked).toMatchObject({ error: { code: "rate_limited", retryAfterSeconds: 5 * 60 - 5 } });
    flows.clock.advance(5 * MINUTE_MS - 5 * SECOND_MS - 1);
    expect(codeOf(await show(caller, totpAt(flows, secret)))).toBe("rate_limited");
    flows.clock.advance(1);
    expect(codeOf(await show(caller, totpAt(flows, secret)))).toBe("ok");
  });
});
