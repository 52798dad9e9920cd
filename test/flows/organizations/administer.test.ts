import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { challenge } from "../../../src/flows/mfa/challenge.ts";
import { administerOrganization } from "../../../src/flows/organizations/administer.ts";
import { authorizePlatformRole, type PlatformCaller } from "../../../src/flows/steps/authorize-platform-role.ts";
import {
  callerOf,
  clientAt,
  codeOf,
  enrolledAccount,
  passwordShown,
  registerAccount,
  SECOND_MS,
  STEP_MS,
  signInWith,
  totpAt,
  unwrap,
} from "../../support/accounts.ts";
import { type Flows, openFlows } from "../../support/flows.ts";

let flows: Flows;
let admin: PlatformCaller;

beforeAll(async () => {
  flows = await openFlows();
  const { signedIn, userId } = await registerAccount(flows);
  await flows.sql`update users set platform_role = 'admin' where id = ${userId}`;
  admin = unwrap(await authorizePlatformRole(flows.deps, await callerOf(flows, signedIn), "admin"));
});
afterAll(() => flows.close());

async function setSuspended(organizationId: string, suspended: boolean): Promise<void> {
  const input = { caller: admin, organizationId, name: undefined, tier: undefined, suspended, client: clientAt() };
  unwrap(await administerOrganization(flows.deps, input));
}

describe("a suspended organization", () => {
  test("has no sessions, and gets none of them back when it is restored", async () => {
    const { email, organizationId, signedIn } = await registerAccount(flows);
    await setSuspended(organizationId, true);
    await expect(callerOf(flows, signedIn)).rejects.toThrow("authentication_required");
    expect(codeOf(await signInWith(flows, email))).toBe("authentication_required");
    await setSuspended(organizationId, false);
    await expect(callerOf(flows, signedIn)).rejects.toThrow("authentication_required");
    expect(codeOf(await signInWith(flows, email))).toBe("ok");
  });

  test("ends the mfa_tokens that were issued before it, also when it is restored a second later", async () => {
    const { email, organizationId, secret } = await enrolledAccount(flows);
    flows.clock.alignTo(SECOND_MS);
    const mfaToken = await passwordShown(flows, email);
    await setSuspended(organizationId, true);
    flows.clock.advance(SECOND_MS);
    await setSuspended(organizationId, false);
    flows.clock.advance(1);
    const answer = async (token: string) =>
      await challenge(flows.deps, {
        admission: undefined,
        mfaToken: token,
        code: totpAt(flows, secret),
        recoveryCode: undefined,
        client: clientAt(),
      });
    expect(codeOf(await answer(mfaToken))).toBe("authentication_required");
    // The refused challenge used the code of this time step up.
    flows.clock.advance(STEP_MS);
    expect(codeOf(await answer(await passwordShown(flows, email)))).toBe("ok");
  });
});
