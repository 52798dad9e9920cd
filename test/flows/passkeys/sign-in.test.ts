import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deleteOwnPasskey } from "../../../src/flows/passkeys/delete.ts";
import { beginRegistration, completeRegistration } from "../../../src/flows/passkeys/register.ts";
import { beginPasskeySignIn, completePasskeySignIn } from "../../../src/flows/passkeys/sign-in.ts";
import { authorizeCredentialChange } from "../../../src/flows/steps/credentials/change-credentials.ts";
import type { SessionView } from "../../../src/models/session/session.ts";
import {
  type Account,
  callerOf,
  clientAt,
  codeOf,
  credentialChange,
  enrol,
  MINUTE_MS,
  registerAccount,
  signInWith,
  unwrap,
} from "../../support/accounts.ts";
import { Authenticator } from "../../support/authenticator.ts";
import { type Flows, openFlows } from "../../support/flows.ts";

let flows: Flows;

beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

const begin = async (caller: SessionView) =>
  unwrap(await beginRegistration(flows.deps, (await credentialChange(flows, caller)).authorized));
const complete = async (caller: SessionView, credential: Readonly<Record<string, unknown>>) =>
  completeRegistration(flows.deps, { ...(await credentialChange(flows, caller)), credential, name: undefined });
const signIn = (credential: Readonly<Record<string, unknown>>) =>
  completePasskeySignIn(flows.deps, { credential, client: clientAt() });

/** Registers a passkey for an account without a second factor. */
async function registerPasskey({ signedIn }: Account) {
  const caller = await callerOf(flows, signedIn);
  const authenticator = new Authenticator();
  const options = await begin(caller);
  const passkey = unwrap(await complete(caller, authenticator.create(options)));
  return { caller, authenticator, passkey };
}

describe("a challenge of registration", () => {
  test("lives five minutes, to the millisecond", async () => {
    const caller = await callerOf(flows, (await registerAccount(flows)).signedIn);
    const [inTime, late] = [await begin(caller), await begin(caller)];
    flows.clock.advance(5 * MINUTE_MS - 1);
    expect(codeOf(await complete(caller, new Authenticator().create(inTime)))).toBe("ok");
    flows.clock.advance(1);
    const refused = await complete(caller, new Authenticator().create(late));
    expect(refused).toMatchObject({ error: { code: "invalid_input", cause: "no pending challenge" } });
  });

  test("is used once, and by no other user", async () => {
    const [one, other] = [await registerAccount(flows), await registerAccount(flows)];
    const [caller, stranger] = [await callerOf(flows, one.signedIn), await callerOf(flows, other.signedIn)];
    const options = await begin(caller);
    expect(codeOf(await complete(stranger, new Authenticator().create(options)))).toBe("invalid_input");
    expect(codeOf(await complete(caller, new Authenticator().create(options)))).toBe("ok");
    expect(codeOf(await complete(caller, new Authenticator().create(options)))).toBe("invalid_input");
  });

  test("is not made in a session that has not seen the second factor of its account", async () => {
    const account = await registerAccount(flows);
    const other = unwrap(await signInWith(flows, account.email));
    if (other.status !== "success") throw new Error("a second factor was asked for");
    const unaware = await callerOf(flows, other.signedIn);
    await enrol(flows, account);
    expect(codeOf(await authorizeCredentialChange(flows.deps, unaware))).toBe("mfa_required");
  });
});

describe("a passkey", () => {
  test("is both factors: the session is aal2", async () => {
    const account = await registerAccount(flows);
    const { authenticator } = await registerPasskey(account);
    const signedIn = unwrap(await signIn(authenticator.get(await beginPasskeySignIn(flows.deps))));
    expect(await callerOf(flows, signedIn)).toMatchObject({
      userId: account.userId,
      aal: "aal2",
      authMethod: "passkey",
      mfaVerifiedAt: flows.clock.now(),
    });
  });

  test("answers a challenge for five minutes, to the millisecond, and once", async () => {
    const { authenticator } = await registerPasskey(await registerAccount(flows));
    const [inTime, late] = [await beginPasskeySignIn(flows.deps), await beginPasskeySignIn(flows.deps)];
    flows.clock.advance(5 * MINUTE_MS - 1);
    expect(codeOf(await signIn(authenticator.get(inTime)))).toBe("ok");
    expect(await signIn(authenticator.get(inTime))).toMatchObject({ error: { cause: "no_pending_challenge" } });
    flows.clock.advance(1);
    expect(await signIn(authenticator.get(late))).toMatchObject({
      error: { code: "authentication_required", cause: "no_pending_challenge" },
    });
  });

  test("with a decreased counter is refused, as a copy of the key would have", async () => {
    const { authenticator } = await registerPasskey(await registerAccount(flows));
    unwrap(await signIn(authenticator.get(await beginPasskeySignIn(flows.deps))));
    authenticator.counter = 0;
    const refused = await signIn(authenticator.get(await beginPasskeySignIn(flows.deps)));
    expect(refused).toMatchObject({ error: { code: "authentication_required", cause: "counter_regressed" } });
  });

  test("that is unknown, deleted or of a challenge of registration is refused alike", async () => {
    const account = await registerAccount(flows);
    const { authenticator, caller, passkey } = await registerPasskey(account);
    const unknown = await signIn(new Authenticator().get(await beginPasskeySignIn(flows.deps)));
    const registration = await begin(caller);
    const wrongCeremony = await signIn(authenticator.get(registration));
    unwrap(await deleteOwnPasskey(flows.deps, { caller, id: passkey.id, client: clientAt() }));
    const deleted = await signIn(authenticator.get(await beginPasskeySignIn(flows.deps)));
    const shown = [unknown, wrongCeremony, deleted].map((refused) => (refused.ok ? "ok" : refused.error.message));
    expect(new Set(shown)).toEqual(new Set(["The passkey was not accepted."]));
  });

  test("is registered once", async () => {
    const { authenticator, caller } = await registerPasskey(await registerAccount(flows));
    await flows.sql`update sessions set mfa_verified_at = ${new Date(flows.clock.now())} where id = ${caller.id}`;
    const again = await begin(caller);
    expect(codeOf(await complete(caller, authenticator.create(again)))).toBe("conflict");
  });
});
