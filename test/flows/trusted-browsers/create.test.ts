import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { requestEmailCode } from "../../../src/flows/email-otp/request.ts";
import { verifyEmailCode } from "../../../src/flows/email-otp/verify.ts";
import { disableMfa } from "../../../src/flows/mfa/disable.ts";
import { authorizeCredentialChange } from "../../../src/flows/steps/credentials/change-credentials.ts";
import { createTrustedBrowser } from "../../../src/flows/trusted-browsers/create.ts";
import { listOwnTrustedBrowsers } from "../../../src/flows/trusted-browsers/list.ts";
import { revokeOwnTrustedBrowser } from "../../../src/flows/trusted-browsers/revoke.ts";
import {
  type Account,
  callerOf,
  clientAt,
  codeOf,
  credentialChange,
  DAY_MS,
  enrolledAccount,
  signInWith,
  unwrap,
} from "../../support/accounts.ts";
import { PASSWORD } from "../../support/client.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { statementsWait } from "../../support/team.ts";

let flows: Flows;

beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

const trust = async (account: Account, trustToken?: string) =>
  unwrap(
    await createTrustedBrowser(flows.deps, {
      ...(await credentialChange(flows, await callerOf(flows, account.signedIn))),
      name: null,
      trustToken,
    }),
  );
const skipsChallenge = async ({ email }: Account, trustToken: string) =>
  unwrap(await signInWith(flows, email, { trustToken })).status === "success";

describe("a trusted browser", () => {
  test("that is revoked while a sign-in is under way skips no challenge, and the password is no guess", async () => {
    const account = await enrolledAccount(flows);
    const { token: trustToken } = await trust(account);
    // Nine failed attempts stay below the lock of the account.
    for (let index = 0; index < 9; index += 1) {
      await signInWith(flows, account.email, { password: "not the password at all", trustToken });
    }
    let signingIn: ReturnType<typeof signInWith> | undefined;
    await flows.sql.begin(async (sql) => {
      await sql`update trusted_browsers set revoked_at = now() where user_id = ${account.userId}`;
      signingIn = signInWith(flows, account.email, { trustToken });
      await statementsWait(flows.sql, 1);
    });
    expect(await signingIn).toMatchObject({ error: { code: "authentication_required" } });
    await flows.deps.background.idle();
    const records = await flows.sql`
      select metadata from audit_logs
      where actor_id = ${account.userId} and outcome = 'failure' and metadata->>'reason' <> 'wrong_password'`;
    expect(records).toMatchObject([{ metadata: { method: "password", reason: "changed_meanwhile" } }]);
    expect(await skipsChallenge(account, trustToken)).toBe(false);
  });

  test("that is revoked while an emailed code signs in leaves the code unused", async () => {
    const account = await enrolledAccount(flows);
    const { token: trustToken } = await trust(account);
    await requestEmailCode(flows.deps, { email: account.email, client: clientAt() });
    await flows.deps.background.idle();
    const { code } = await flows.newestEmail(account.email, "email_code");
    const shown = { email: account.email, code, trustToken, client: clientAt() };
    let signingIn: ReturnType<typeof verifyEmailCode> | undefined;
    await flows.sql.begin(async (sql) => {
      await sql`update trusted_browsers set revoked_at = now() where user_id = ${account.userId}`;
      signingIn = verifyEmailCode(flows.deps, shown);
      await statementsWait(flows.sql, 1);
    });
    expect(await signingIn).toMatchObject({ error: { code: "authentication_required" } });
    expect(unwrap(await verifyEmailCode(flows.deps, shown))).toMatchObject({ status: "mfa_required" });
  });

  test("skips the challenge of its account for thirty days, to the millisecond", async () => {
    const account = await enrolledAccount(flows);
    const { token } = await trust(account);
    flows.clock.advance(30 * DAY_MS - 1);
    expect(await skipsChallenge(account, token)).toBe(true);
    flows.clock.advance(1);
    expect(await skipsChallenge(account, token)).toBe(false);
  });

  test("is not kept longer by being used", async () => {
    const account = await enrolledAccount(flows);
    const { token } = await trust(account);
    flows.clock.advance(20 * DAY_MS);
    expect(await skipsChallenge(account, token)).toBe(true);
    flows.clock.advance(10 * DAY_MS);
    expect(await skipsChallenge(account, token)).toBe(false);
  });

  test("skips the challenge of no other account", async () => {
    const [account, other] = [await enrolledAccount(flows), await enrolledAccount(flows)];
    const { token } = await trust(account);
    expect(await skipsChallenge(other, token)).toBe(false);
  });

  test("is gone from the list after thirty days", async () => {
    const account = await enrolledAccount(flows);
    const { token } = await trust(account);
    const caller = await callerOf(flows, account.signedIn);
    const list = () =>
      listOwnTrustedBrowsers(flows.deps, { caller, trustToken: token, page: { page: 1, pageSize: 25 } });
    expect((await list()).items).toMatchObject([{ current: true }]);
    flows.clock.advance(30 * DAY_MS);
    expect(await list()).toMatchObject({ items: [], total: 0 });
  });

  test("after a second trust has a new token, and the old token is worthless", async () => {
    const account = await enrolledAccount(flows);
    const { token: first } = await trust(account);
    const { token: second } = await trust(account, first);
    expect(await skipsChallenge(account, first)).toBe(false);
    expect(await skipsChallenge(account, second)).toBe(true);
  });

  test("that was revoked is asked for the second factor", async () => {
    const account = await enrolledAccount(flows);
    const { token, browser } = await trust(account);
    const caller = await callerOf(flows, account.signedIn);
    const input = { caller, id: browser.id, trustToken: token, client: clientAt() };
    expect(unwrap(await revokeOwnTrustedBrowser(flows.deps, input))).toEqual({ current: true });
    expect(await skipsChallenge(account, token)).toBe(false);
    expect(codeOf(await revokeOwnTrustedBrowser(flows.deps, input))).toBe("ok");
  });

  test("ends with its second factor", async () => {
    const account = await enrolledAccount(flows);
    await trust(account);
    const change = await credentialChange(flows, await callerOf(flows, account.signedIn));
    unwrap(await disableMfa(flows.deps, { ...change, password: PASSWORD }));
    const rows = await flows.sql`
      select 1 from trusted_browsers where user_id = ${account.userId} and revoked_at is null`;
    expect(rows).toHaveLength(0);
  });

  test("is not made by a session that has not seen the second factor of its account", async () => {
    const account = await enrolledAccount(flows);
    const { token: trustToken } = await trust(account);
    const outcome = unwrap(await signInWith(flows, account.email, { trustToken }));
    if (outcome.status !== "success") throw new Error("the challenge was not skipped");
    const caller = await callerOf(flows, outcome.signedIn);
    expect(codeOf(await authorizeCredentialChange(flows.deps, caller))).toBe("mfa_required");
  });
});
