import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sendVerification } from "../../../src/flows/email/send-verification.ts";
import { verifyEmail } from "../../../src/flows/email/verify.ts";
import { resetPassword } from "../../../src/flows/password/reset.ts";
import { callerOf, clientAt, codeOf, DAY_MS, registerAccount, tokenIn } from "../../support/accounts.ts";
import { PASSWORD } from "../../support/client.ts";
import { type Flows, openFlows } from "../../support/flows.ts";

let flows: Flows;

beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

const verify = (token: string) => verifyEmail(flows.deps, { token, caller: undefined, client: clientAt() });
const newestToken = async (email: string) => tokenIn(await flows.newestEmail(email, "email_verification"));

describe("a verification link", () => {
  test("verifies the address of a registration, once", async () => {
    const { email, userId } = await registerAccount(flows);
    const token = await newestToken(email);
    expect(codeOf(await verify(token))).toBe("ok");
    const [user] = await flows.sql`select email_verified_at as at from users where id = ${userId}`;
    expect(user?.at).toEqual(new Date(flows.clock.now()));
    expect(codeOf(await verify(token))).toBe("authentication_required");
  });

  test("lives twenty-four hours, to the millisecond", async () => {
    const [inTime, late] = [await registerAccount(flows), await registerAccount(flows)];
    const [token, lateToken] = [await newestToken(inTime.email), await newestToken(late.email)];
    flows.clock.advance(DAY_MS - 1);
    expect(codeOf(await verify(token))).toBe("ok");
    flows.clock.advance(1);
    expect(codeOf(await verify(lateToken))).toBe("authentication_required");
  });

  test("is ended by the next link, with twenty-four hours of its own", async () => {
    const { email, signedIn } = await registerAccount(flows);
    const first = await newestToken(email);
    const caller = await callerOf(flows, signedIn);
    flows.clock.advance(DAY_MS / 2);
    await sendVerification(flows.deps, caller, clientAt());
    const second = await newestToken(email);
    expect(codeOf(await verify(first))).toBe("authentication_required");
    flows.clock.advance(DAY_MS - 1);
    expect(codeOf(await verify(second))).toBe("ok");
  });

  test("resets no password", async () => {
    const { email } = await registerAccount(flows);
    const token = await newestToken(email);
    const reset = await resetPassword(flows.deps, { token, newPassword: `${PASSWORD} anew`, client: clientAt() });
    expect(codeOf(reset)).toBe("authentication_required");
  });

  test("of another shape is invalid_input", async () => {
    expect(codeOf(await verify("no token"))).toBe("invalid_input");
  });
});
