import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { requestEmailCode } from "../../../src/flows/email-otp/request.ts";
import { verifyEmailCode } from "../../../src/flows/email-otp/verify.ts";
import { clientAt, codeOf, enrolledAccount, MINUTE_MS, registerAccount, unwrap } from "../../support/accounts.ts";
import { newEmail } from "../../support/client.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { otherCode } from "../../support/mail.ts";
import { disableUser } from "../../support/states.ts";

let flows: Flows;

beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

const verify = (email: string, code: string) =>
  verifyEmailCode(flows.deps, { email, code, trustToken: undefined, client: clientAt() });
/** Returns after the email is in the outbox, which the response does not wait for. */
async function request(email: unknown): Promise<void> {
  await requestEmailCode(flows.deps, { email, client: clientAt() });
  await flows.deps.background.idle();
}
/** Requests a code and reads the code in the outbox. */
async function requestedCode(email: string): Promise<string> {
  await request(email);
  return (await flows.newestEmail(email, "email_code")).code;
}
const codesTo = async (email: string) =>
  (await flows.emailsTo(email)).filter(({ mail }) => mail.kind === "email_code").length;

describe("an emailed code", () => {
  test("signs in once", async () => {
    const { email } = await registerAccount(flows);
    const code = await requestedCode(email);
    expect(unwrap(await verify(email, code))).toMatchObject({ status: "success" });
    expect(codeOf(await verify(email, code))).toBe("authentication_required");
  });

  test("signs in once of twenty times at once", async () => {
    const { email } = await registerAccount(flows);
    const code = await requestedCode(email);
    const responses = await Promise.all(Array.from({ length: 20 }, () => verify(email, code)));
    expect(responses.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test("lives ten minutes, to the millisecond", async () => {
    const [{ email: inTime }, { email: late }] = [await registerAccount(flows), await registerAccount(flows)];
    const [code, lateCode] = [await requestedCode(inTime), await requestedCode(late)];
    flows.clock.advance(10 * MINUTE_MS - 1);
    expect(codeOf(await verify(inTime, code))).toBe("ok");
    flows.clock.advance(1);
    expect(codeOf(await verify(late, lateCode))).toBe("authentication_required");
  });

  test("is locked by five wrong codes, the right code included", async () => {
    const { email } = await registerAccount(flows);
    const code = await requestedCode(email);
    for (let index = 0; index < 5; index += 1) {
      expect(codeOf(await verify(email, otherCode(code)))).toBe("authentication_required");
    }
    expect(codeOf(await verify(email, code))).toBe("authentication_required");
  });

  test("is still good after four wrong ones", async () => {
    const { email } = await registerAccount(flows);
    const code = await requestedCode(email);
    for (let index = 0; index < 4; index += 1) await verify(email, otherCode(code));
    expect(codeOf(await verify(email, code))).toBe("ok");
  });

  test("is ended by the next code, with five attempts of its own", async () => {
    const { email } = await registerAccount(flows);
    // The scripted bytes give two different codes of an account.
    flows.random.script(Buffer.from([0, 0, 0, 1]));
    const first = await requestedCode(email);
    for (let index = 0; index < 5; index += 1) await verify(email, otherCode(first));
    const second = await requestedCode(email);
    expect(second).not.toBe(first);
    expect(codeOf(await verify(email, first))).toBe("authentication_required");
    expect(codeOf(await verify(email, second))).toBe("ok");
  });

  test("is invalid for a further account", async () => {
    const [one, other] = [await registerAccount(flows), await registerAccount(flows)];
    const code = await requestedCode(one.email);
    expect(codeOf(await verify(other.email, code))).toBe("authentication_required");
  });

  test("does not pass by an enrolled second factor", async () => {
    const { email } = await enrolledAccount(flows);
    expect(unwrap(await verify(email, await requestedCode(email)))).toMatchObject({ status: "mfa_required" });
  });
});

describe("asking for a code", () => {
  test("sends five in fifteen minutes to an address, and again after that", async () => {
    const { email } = await registerAccount(flows);
    for (let index = 0; index < 7; index += 1) await request(email);
    expect(await codesTo(email)).toBe(5);
    flows.clock.advance(15 * MINUTE_MS - 1);
    await request(email);
    expect(await codesTo(email)).toBe(5);
    flows.clock.advance(1);
    await request(email);
    expect(await codesTo(email)).toBe(6);
  });

  test("waits for the same moment for a known, an unknown and a malformed address", async () => {
    const { email } = await registerAccount(flows);
    const before = flows.clock.sleeps.length;
    for (const asked of [email, newEmail(), "nobody", 17]) await request(asked);
    expect(flows.clock.sleeps.slice(before)).toEqual([40, 40, 40, 40]);
  });

  test("sends nothing to a disabled account", async () => {
    const { email, userId } = await registerAccount(flows);
    await disableUser(flows.sql, userId);
    await request(email);
    expect(await codesTo(email)).toBe(0);
  });
});

test("refusing a code waits for the same moment for an unknown address as for a wrong code", async () => {
  const { email } = await registerAccount(flows);
  const code = await requestedCode(email);
  const before = flows.clock.sleeps.length;
  const [wrong, unknown] = [await verify(email, otherCode(code)), await verify(newEmail(), code)];
  expect(flows.clock.sleeps.slice(before)).toEqual([40, 40]);
  expect(codeOf(wrong)).toBe("authentication_required");
  expect(unknown).toMatchObject({ error: { message: wrong.ok ? "" : wrong.error.message } });
});
