import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { disableMfa } from "../../../src/flows/mfa/disable.ts";
import { renewRecoveryCodes } from "../../../src/flows/mfa/renew-recovery-codes.ts";
import { readMfaStatus } from "../../../src/flows/mfa/status.ts";
import { verifySecondFactor } from "../../../src/flows/mfa/verify.ts";
import type { SessionView } from "../../../src/models/session/session.ts";
import {
  callerOf,
  clientAt,
  codeOf,
  credentialChange,
  enrolledAccount,
  MINUTE_MS,
  registerAccount,
  signInWith,
  totpAt,
  unwrap,
} from "../../support/accounts.ts";
import { PASSWORD } from "../../support/client.ts";
import { type Flows, openFlows } from "../../support/flows.ts";

let flows: Flows;

beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

const renew = async (caller: SessionView, password = PASSWORD) =>
  renewRecoveryCodes(flows.deps, { ...(await credentialChange(flows, caller)), password });

/** Returns a session in which a second factor has just been presented. */
async function steppedUp() {
  const account = await enrolledAccount(flows);
  const first = await callerOf(flows, account.signedIn);
  const shown = { factors: { code: totpAt(flows, account.secret) }, client: clientAt() };
  unwrap(await verifySecondFactor(flows.deps, { caller: first, ...shown }));
  return { ...account, caller: await callerOf(flows, account.signedIn) };
}

describe("renewing recovery codes", () => {
  test("makes ten new codes and ends the old codes", async () => {
    const { caller, recoveryCodes, userId } = await steppedUp();
    const fresh = unwrap(await renew(caller));
    expect(new Set([...fresh, ...recoveryCodes]).size).toBe(20);
    const show = (recoveryCode: string | undefined) =>
      verifySecondFactor(flows.deps, { caller, factors: { recovery_code: recoveryCode }, client: clientAt() });
    expect(codeOf(await show(recoveryCodes[0]))).toBe("authentication_required");
    expect(codeOf(await show(fresh[0]))).toBe("ok");
    expect((await readMfaStatus(flows.deps, userId)).recoveryCodesRemaining).toBe(9);
  });

  test("needs the password, with misses counted as at a sign-in", async () => {
    const { caller, email } = await steppedUp();
    for (let index = 0; index < 10; index += 1) {
      expect(codeOf(await renew(caller, "not the password at all"))).toBe("authentication_required");
    }
    expect(codeOf(await renew(caller))).toBe("rate_limited");
    expect(codeOf(await signInWith(flows, email))).toBe("rate_limited");
    flows.clock.advance(15 * MINUTE_MS);
    expect(codeOf(await signInWith(flows, email))).toBe("ok");
  });

  test("is a conflict where there is no second factor", async () => {
    const { signedIn } = await registerAccount(flows);
    expect(codeOf(await renew(await callerOf(flows, signedIn)))).toBe("conflict");
  });
});

test("disabling the second factor takes its recovery codes along", async () => {
  const { caller, userId, email } = await steppedUp();
  const input = { ...(await credentialChange(flows, caller)), password: PASSWORD };
  expect(codeOf(await disableMfa(flows.deps, input))).toBe("ok");
  expect(await readMfaStatus(flows.deps, userId)).toEqual({ enabledAt: null, recoveryCodesRemaining: 0 });
  expect(unwrap(await signInWith(flows, email)).status).toBe("success");
});
