import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { login } from "../../../src/flows/auth/login.ts";
import { createTrustedBrowser } from "../../../src/flows/trusted-browsers/create.ts";
import { passwordAttemptScopes } from "../../../src/models/sign-in-attempt/sign-in-attempt.ts";
import { hashAddress } from "../../../src/models/user/email-address.ts";
import {
  callerOf,
  clientAt,
  codeOf,
  credentialChange,
  MINUTE_MS,
  registerAccount,
  signInWith,
  unwrap,
} from "../../support/accounts.ts";
import { newEmail, PASSWORD } from "../../support/client.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { disableUser, suspendOrganization } from "../../support/states.ts";

const WINDOW_MS = 15 * MINUTE_MS;
const WRONG = { password: "not the password at all" };
let flows: Flows;

beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

/** Presents wrong passwords of an account sequentially, each from the network of the attempt's number. */
async function guess(email: string, count: number, network: (index: number) => string): Promise<string[]> {
  const codes: string[] = [];
  for (let index = 0; index < count; index += 1) {
    codes.push(codeOf(await signInWith(flows, email, { ...WRONG, network: network(index) })));
  }
  return codes;
}

const refusedTimes = (count: number) => Array.from({ length: count }, () => "authentication_required");

describe("a password sign-in", () => {
  test("refuses an unknown address and a wrong password with equal refusals", async () => {
    const { email } = await registerAccount(flows);
    const wrong = await signInWith(flows, email, WRONG);
    const unknown = await signInWith(flows, newEmail());
    expect(codeOf(wrong)).toBe("authentication_required");
    expect(wrong).toEqual(unknown);
  });

  test("refuses what is no email address with invalid_input", async () => {
    expect(codeOf(await signInWith(flows, "nobody"))).toBe("invalid_input");
  });

  test("refuses a disabled account and a suspended organization as if the password were wrong", async () => {
    const { email, userId, organizationId } = await registerAccount(flows);
    const wrong = await signInWith(flows, email, WRONG);
    await suspendOrganization(flows.sql, organizationId);
    expect(await signInWith(flows, email)).toEqual(wrong);
    await flows.sql`update organizations set suspended_at = null where id = ${organizationId}`;
    await disableUser(flows.sql, userId);
    expect(await signInWith(flows, email)).toEqual(wrong);
  });
});

describe("wrong passwords from one address", () => {
  test("lock the account for that address after ten, the right password included", async () => {
    const { email } = await registerAccount(flows);
    expect(await guess(email, 10, () => "192.0.2.1")).toEqual(refusedTimes(10));
    const locked = await signInWith(flows, email);
    expect(locked).toMatchObject({ ok: false, error: { code: "rate_limited", retryAfterSeconds: 15 * 60 } });
    expect(codeOf(await signInWith(flows, email, { network: "192.0.2.2" }))).toBe("ok");
  });

  test("lock the address until the window ends, fifteen minutes after the first, to the millisecond", async () => {
    const { email } = await registerAccount(flows);
    await guess(email, 9, () => "192.0.2.1");
    flows.clock.advance(WINDOW_MS - 1);
    await guess(email, 1, () => "192.0.2.1");
    expect(await signInWith(flows, email)).toMatchObject({ error: { code: "rate_limited", retryAfterSeconds: 1 } });
    flows.clock.advance(1);
    expect(codeOf(await signInWith(flows, email))).toBe("ok");
  });

  test("count for an address without an account, so a lock reveals nothing", async () => {
    const email = newEmail();
    expect(await guess(email, 11, () => "192.0.2.1")).toEqual([...refusedTimes(10), "rate_limited"]);
  });

  test("count for every spelling of an address alike", async () => {
    const { email } = await registerAccount(flows);
    await guess(email, 5, () => "192.0.2.1");
    await guess(email.toUpperCase(), 5, () => "192.0.2.1");
    expect(codeOf(await signInWith(flows, email))).toBe("rate_limited");
  });
});

test("right passwords are not counted", async () => {
  const { email } = await registerAccount(flows);
  await guess(email, 9, () => "192.0.2.1");
  for (let index = 0; index < 3; index += 1) expect(codeOf(await signInWith(flows, email))).toBe("ok");
  expect(await guess(email, 2, () => "192.0.2.1")).toEqual(["authentication_required", "rate_limited"]);
});

describe("a hundred wrong passwords from many addresses", () => {
  const network = (index: number) => `198.51.100.${Math.floor(index / 9)}`;

  test("lock the account for every address, until the window ends", async () => {
    const { email } = await registerAccount(flows);
    expect(await guess(email, 100, network)).toEqual(refusedTimes(100));
    expect(codeOf(await signInWith(flows, email, { network: "203.0.113.1" }))).toBe("rate_limited");
    flows.clock.advance(WINDOW_MS);
    expect(codeOf(await signInWith(flows, email, { network: "203.0.113.1" }))).toBe("ok");
  });

  test("do not lock out a trusted browser of the account, with ten guesses of its own", async () => {
    const account = await registerAccount(flows);
    const { email } = account;
    const change = await credentialChange(flows, await callerOf(flows, account.signedIn));
    const input = { ...change, name: null, trustToken: undefined };
    const { token: trustToken } = unwrap(await createTrustedBrowser(flows.deps, input));
    await guess(email, 100, network);
    const trusted = { network: "203.0.113.1", trustToken };
    expect(codeOf(await signInWith(flows, email, trusted))).toBe("ok");
    for (let index = 0; index < 10; index += 1) await signInWith(flows, email, { ...WRONG, ...trusted });
    expect(codeOf(await signInWith(flows, email, trusted))).toBe("rate_limited");
  });
});

describe("guesses that are being compared", () => {
  const claimAll = async (email: string) => {
    const account = hashAddress(flows.deps.addressKey, email);
    const scopes = passwordAttemptScopes(account, "192.0.2.1", flows.deps.config.limits, false);
    for (let index = 0; index < 10; index += 1) await flows.deps.state.claim(scopes);
    return scopes;
  };

  test("delay the next guess until their end", async () => {
    const { email } = await registerAccount(flows);
    const scopes = await claimAll(email);
    const held = flows.clock.nextSleep();
    const waiting = signInWith(flows, email);
    await held;
    await flows.deps.state.endClaim(scopes, false);
    expect(codeOf(await waiting)).toBe("ok");
  });

  test("hold it up for two seconds at most", async () => {
    const { email } = await registerAccount(flows);
    await claimAll(email);
    const held = flows.clock.nextSleep();
    const waiting = signInWith(flows, email);
    await held;
    flows.clock.advance(1_999);
    expect(await Promise.race([waiting, flows.clock.nextSleep()])).toBeUndefined();
    flows.clock.advance(1);
    expect(await waiting).toMatchObject({ error: { code: "rate_limited", retryAfterSeconds: 1 } });
  });

  test("of forty at once ten learn of a wrong password, the rest nothing", async () => {
    const { email } = await registerAccount(flows);
    const responses = await Promise.all(Array.from({ length: 40 }, () => signInWith(flows, email, WRONG)));
    const codes = responses.map(codeOf);
    expect(codes.filter((code) => code === "authentication_required")).toHaveLength(10);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(30);
  });
});

test("without limits nothing is counted", async () => {
  const { email } = await registerAccount(flows);
  const config = { ...flows.deps.config, limits: { ...flows.deps.config.limits, enabled: false } };
  const none = { organizationId: undefined, trustToken: undefined, admission: undefined };
  const wrong = { email, ...WRONG, ...none, client: clientAt() };
  for (let index = 0; index < 12; index += 1) {
    expect(codeOf(await login({ ...flows.deps, config }, wrong))).toBe("authentication_required");
  }
  expect(codeOf(await login({ ...flows.deps, config }, { ...wrong, password: PASSWORD }))).toBe("ok");
});
