/** What no provider by configuration may do, also one of a platform admin (docs/contract.md, section 16.8). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ok } from "../../../src/base/result.ts";
import { completeSocialSignIn } from "../../../src/flows/social-sign-in/callback.ts";
import { startSocialSignIn } from "../../../src/flows/social-sign-in/start.ts";
import type { Identity, IdentityProvider } from "../../../src/providers/identity/identity-provider.ts";
import { clientAt, codeOf, registerAccount, unwrap } from "../../support/accounts.ts";
import { newEmail } from "../../support/client.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { verifyAddress } from "../../support/states.ts";

const PROVIDER = "corporate";
let flows: Flows;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

function providerOf(identity: Identity, during: () => void = () => undefined): IdentityProvider {
  return {
    authorizationUrl: async ({ state }) => ok(new URL(`https://provider.test/authorize?state=${state}`)),
    identify: async () => {
      during();
      return ok(identity);
    },
  };
}

interface Attempt {
  readonly provider?: string;
  readonly config?: Partial<Flows["deps"]["config"]>;
  /** The provider in memory; by default `providerOf(identity)`. */
  readonly find?: () => IdentityProvider | undefined;
}

async function signIn(identity: Identity, { provider = PROVIDER, config = {}, find }: Attempt = {}) {
  const kept = providerOf(identity);
  const identityProviders = { ...flows.deps.identityProviders, find: find ?? (() => kept) };
  const deps = { ...flows.deps, identityProviders, config: { ...flows.deps.config, ...config } };
  const { location, browserToken } = unwrap(await startSocialSignIn(deps, { provider, redirectTo: "/home" }));
  const parameters = new URLSearchParams({ state: new URL(location).searchParams.get("state") ?? "", code: "code" });
  return await completeSocialSignIn(deps, { provider, parameters, browserToken, client: clientAt() });
}

function identityAt(fields: Partial<Identity> = {}): Identity {
  const email = newEmail();
  return { issuer: "https://provider.test", subject: email, email, emailVerified: true, name: undefined, ...fields };
}

const userOf = async (email: string) =>
  (
    await flows.sql`
    select platform_role as role, email_verified_at is not null as verified, controlled_at is not null as controlled
    from users where email = ${email}`
  )[0];
const identitiesAt = (subject: string) =>
  flows.sql`select 1 from user_identities where provider = ${PROVIDER} and subject = ${subject}`;

describe("the address of SERVICE_INITIAL_OWNER_EMAIL, asserted as verified by a provider by configuration", () => {
  test("A sign-up has an unverified address and no platform role, also at the second sign-in (G660).", async () => {
    const person = identityAt();
    const config = { initialOwnerEmail: person.email };
    expect(codeOf(await signIn(person, { config }))).toBe("ok");
    expect(codeOf(await signIn(person, { config }))).toBe("ok");
    expect(await userOf(person.subject)).toEqual({ role: null, verified: false, controlled: false });
  });

  test("An account of the address is not linked, verified or not, and no role is granted (G660).", async () => {
    for (const isVerified of [true, false]) {
      const { email, userId } = await registerAccount(flows);
      if (isVerified) await verifyAddress(flows.sql, userId);
      const person = identityAt({ email });
      expect(codeOf(await signIn(person, { config: { initialOwnerEmail: email } }))).toBe("conflict");
      expect((await userOf(email))?.role).toBeNull();
      expect(await identitiesAt(person.subject)).toHaveLength(0);
    }
  });
});

test("A user with a platform role is not linked by the address; another user is (G661).", async () => {
  for (const [role, code] of [
    ["viewer", "conflict"],
    ["owner", "conflict"],
    [null, "ok"],
  ] as const) {
    const { email, userId } = await registerAccount(flows);
    await verifyAddress(flows.sql, userId);
    await flows.sql`update users set platform_role = ${role} where id = ${userId}`;
    const person = identityAt({ email });
    expect([role, codeOf(await signIn(person))]).toEqual([role, code]);
    expect(await identitiesAt(person.subject)).toHaveLength(code === "ok" ? 1 : 0);
  }
});

test("A provider of section 15.1 links a user with a platform role by the address, as before.", async () => {
  const { email, userId } = await registerAccount(flows);
  await verifyAddress(flows.sql, userId);
  await flows.sql`update users set platform_role = 'viewer' where id = ${userId}`;
  expect(codeOf(await signIn(identityAt({ email }), { provider: "oauth_idp_a" }))).toBe("ok");
});

test("Settings that change or end during the exchange vouch for no identity (G662).", async () => {
  for (const [next, code] of [
    ["changed", "authentication_required"],
    ["deleted", "not_found"],
  ]) {
    const person = identityAt();
    let present: IdentityProvider | undefined;
    const change = () => {
      present = next === "changed" ? providerOf(person) : undefined;
    };
    present = providerOf(person, change);
    expect([next, codeOf(await signIn(person, { find: () => present }))]).toEqual([next, code]);
    expect(await userOf(person.subject)).toBeUndefined();
  }
});
