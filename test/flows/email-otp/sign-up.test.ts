/** Pending sign-ups in time, and refusals that consume nothing (docs/contract.md, section 37.3). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { register } from "../../../src/flows/auth/register.ts";
import { requestEmailCode } from "../../../src/flows/email-otp/request.ts";
import { verifyEmailCode } from "../../../src/flows/email-otp/verify.ts";
import { registrationOf } from "../../../src/vocabulary/registration.ts";
import { clientAt, codeOf, MINUTE_MS, unwrap } from "../../support/accounts.ts";
import { newEmail, PASSWORD } from "../../support/client.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { otherCode } from "../../support/mail.ts";

let flows: Flows;
let deps: Flows["deps"];
beforeAll(async () => {
  flows = await openFlows();
  const registration = { ...flows.deps.registration, settings: () => registrationOf({ mode: "personal" }) };
  deps = { ...flows.deps, registration };
});
afterAll(() => flows.close());

const verify = (email: string, code: string, using = deps) =>
  verifyEmailCode(using, { email, code, trustToken: undefined, client: clientAt() });
async function codeFor(email: string): Promise<string> {
  unwrap(await requestEmailCode(deps, { email, signUp: true, client: clientAt() }));
  await deps.background.idle();
  return (await flows.newestEmail(email, "sign_up_code")).code;
}

/** An account of the address that comes to exist without a proof of the mailbox. */
async function registerMeanwhile(email: string): Promise<void> {
  const names = { organizationName: undefined, organizationSlug: undefined, displayName: undefined };
  unwrap(await register(deps, { organization: { ...names, email, password: PASSWORD }, client: clientAt() }));
}
/** The code of the account, which is not the code of the sign-up. */
async function accountCodeFor(email: string): Promise<string> {
  unwrap(await requestEmailCode(deps, { email, client: clientAt() }));
  await deps.background.idle();
  return (await flows.newestEmail(email, "email_code")).code;
}

describe("a pending sign-up (G612)", () => {
  test("locked by wrong codes, refuses no code of the account that came to exist meanwhile", async () => {
    const email = newEmail();
    const code = await codeFor(email);
    for (let miss = 0; miss < 5; miss += 1) await verify(email, otherCode(code));
    await registerMeanwhile(email);
    expect(codeOf(await verify(email, code))).toBe("authentication_required");
    expect(codeOf(await verify(email, await accountCodeFor(email)))).toBe("ok");
  });

  test("ends with the first proof of the account that came to exist meanwhile", async () => {
    const email = newEmail();
    await codeFor(email);
    await registerMeanwhile(email);
    expect(codeOf(await verify(email, await accountCodeFor(email)))).toBe("ok");
    expect(await flows.sql`select 1 from sign_ups where email = ${email}`).toHaveLength(0);
  });

  test("lives ten minutes, to the millisecond", async () => {
    const [inTime, late] = [newEmail(), newEmail()];
    const [code, lateCode] = [await codeFor(inTime), await codeFor(late)];
    flows.clock.advance(10 * MINUTE_MS - 1);
    expect(unwrap(await verify(inTime, code))).toMatchObject({ status: "success", created: true });
    flows.clock.advance(1);
    expect(codeOf(await verify(late, lateCode))).toBe("authentication_required");
  });

  test("outlasts a full signing pool, and a registration that is closed meanwhile", async () => {
    const email = newEmail();
    const code = await codeFor(email);
    const full = { ...deps, signing: { ...deps.signing, admit: () => undefined } };
    expect(codeOf(await verify(email, code, full))).toBe("rate_limited");
    const settings = () => registrationOf({ mode: "invitation" });
    const closed = { ...deps, registration: { ...deps.registration, settings } };
    expect(codeOf(await verify(email, code, closed))).toBe("authentication_required");
    expect(codeOf(await verify(email, code))).toBe("ok");
  });

  test("twenty wrong codes in an hour of one address refuse every code, the right code included", async () => {
    const email = newEmail();
    for (let round = 0; round < 4; round += 1) {
      const code = await codeFor(email);
      for (let miss = 0; miss < 5; miss += 1) await verify(email, otherCode(code));
    }
    flows.clock.advance(20 * MINUTE_MS);
    const code = await codeFor(email);
    expect(codeOf(await verify(email, code))).toBe("authentication_required");
    flows.clock.advance(40 * MINUTE_MS);
    expect(codeOf(await verify(email, await codeFor(email)))).toBe("ok");
  });
});
