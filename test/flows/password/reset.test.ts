import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { refresh } from "../../../src/flows/auth/refresh.ts";
import { verifyEmail } from "../../../src/flows/email/verify.ts";
import { forgotPassword } from "../../../src/flows/password/forgot.ts";
import { resetPassword } from "../../../src/flows/password/reset.ts";
import {
  callerOf,
  clientAt,
  codeOf,
  HOUR_MS,
  MINUTE_MS,
  registerAccount,
  signInWith,
  tokenIn,
} from "../../support/accounts.ts";
import { newEmail } from "../../support/client.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { deletePassword } from "../../support/states.ts";

const NEW_PASSWORD = "another horse, another battery";
let flows: Flows;

beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

/** Returns after the email is in the outbox, which the response does not wait for. */
async function forgot(email: unknown): Promise<void> {
  await forgotPassword(flows.deps, { email, client: clientAt() });
  await flows.deps.background.idle();
}
const reset = (token: string, newPassword = NEW_PASSWORD) =>
  resetPassword(flows.deps, { token, newPassword, client: clientAt() });
/** Requests a link and reads the token in the outbox. */
async function requestedToken(email: string): Promise<string> {
  await forgot(email);
  return tokenIn(await flows.newestEmail(email, "password_reset"));
}

describe("a reset link", () => {
  test("replaces the password, once", async () => {
    const { email } = await registerAccount(flows);
    const token = await requestedToken(email);
    expect(codeOf(await reset(token))).toBe("ok");
    expect(codeOf(await signInWith(flows, email))).toBe("authentication_required");
    expect(codeOf(await signInWith(flows, email, { password: NEW_PASSWORD }))).toBe("ok");
    expect(codeOf(await reset(token))).toBe("authentication_required");
  });

  test("is recorded as the first password of an account without a password", async () => {
    const [known, without] = [await registerAccount(flows), await registerAccount(flows)];
    await deletePassword(flows.sql, without.userId);
    for (const { email } of [known, without]) expect(codeOf(await reset(await requestedToken(email)))).toBe("ok");
    const records = await flows.sql`
      select actor_id, metadata from audit_logs where action = 'auth.password_reset.consumed'
        and actor_id in (${known.userId}, ${without.userId}) order by id`;
    expect([...records]).toEqual([
      { actor_id: known.userId, metadata: {} },
      { actor_id: without.userId, metadata: { first_password: true } },
    ]);
  });

  test("replaces it once of ten times at once", async () => {
    const { email } = await registerAccount(flows);
    const token = await requestedToken(email);
    const responses = await Promise.all(Array.from({ length: 10 }, () => reset(token)));
    expect(responses.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test("lives an hour, to the millisecond", async () => {
    const [inTime, late] = [await registerAccount(flows), await registerAccount(flows)];
    const [token, lateToken] = [await requestedToken(inTime.email), await requestedToken(late.email)];
    flows.clock.advance(HOUR_MS - 1);
    expect(codeOf(await reset(token))).toBe("ok");
    flows.clock.advance(1);
    expect(codeOf(await reset(lateToken))).toBe("authentication_required");
  });

  test("is ended by the next one", async () => {
    const { email } = await registerAccount(flows);
    const [first, second] = [await requestedToken(email), await requestedToken(email)];
    expect(codeOf(await reset(first))).toBe("authentication_required");
    expect(codeOf(await reset(second))).toBe("ok");
  });

  test("is not used up by a password that is refused", async () => {
    const { email } = await registerAccount(flows);
    const token = await requestedToken(email);
    expect(codeOf(await reset(token, "short"))).toBe("invalid_input");
    expect(codeOf(await reset(token))).toBe("ok");
  });

  test("verifies no address", async () => {
    const { email } = await registerAccount(flows);
    const token = await requestedToken(email);
    const verified = await verifyEmail(flows.deps, { token, caller: undefined, client: clientAt() });
    expect(codeOf(verified)).toBe("authentication_required");
  });

  test("ends all sessions of the user at once", async () => {
    const { email, signedIn } = await registerAccount(flows);
    await callerOf(flows, signedIn);
    await reset(await requestedToken(email));
    await expect(callerOf(flows, signedIn)).rejects.toThrow("authentication_required");
    const { refreshToken } = signedIn.tokens;
    const refreshing = { refreshToken, admissionOf: () => undefined, client: clientAt() };
    expect(codeOf(await refresh(flows.deps, refreshing))).toBe("authentication_required");
  });

  test("is sent five times in fifteen minutes, never to an unknown address, which is waited for alike", async () => {
    const { email } = await registerAccount(flows);
    const before = flows.clock.sleeps.length;
    const unknown = newEmail();
    for (let index = 0; index < 6; index += 1) await forgot(email);
    await forgot(unknown);
    const resets = async () =>
      (await flows.emailsTo(email)).filter(({ mail }) => mail.kind === "password_reset").length;
    expect(await resets()).toBe(5);
    expect(await flows.emailsTo(unknown)).toEqual([]);
    expect(flows.clock.sleeps.slice(before)).toEqual([40, 40, 40, 40, 40, 40, 40]);
    flows.clock.advance(15 * MINUTE_MS);
    await forgot(email);
    expect(await resets()).toBe(6);
  });
});
