import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { err, ok } from "../../../src/base/result.ts";
import { completeSocialSignIn } from "../../../src/flows/social-sign-in/callback.ts";
import { requestAuthorization, startSocialSignIn } from "../../../src/flows/social-sign-in/start.ts";
import type { Identity, IdentityProvider } from "../../../src/providers/identity/identity-provider.ts";
import { DEFAULT_POLICY } from "../../../src/vocabulary/policy-settings.ts";
import { clientAt, codeOf, MINUTE_MS, registerAccount, unwrap } from "../../support/accounts.ts";
import { newEmail } from "../../support/client.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { verifyAddress } from "../../support/states.ts";

let flows: Flows;

beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

/** A provider that returns the identity of a fixed user for every code. */
function vouchingFor(identity: Identity): Pick<Flows["deps"], "identityProviders"> {
  const provider: IdentityProvider = {
    authorizationUrl: async ({ state }) => ok(new URL(`https://provider.test/authorize?state=${state}`)),
    identify: async () => ok(identity),
  };
  return {
    identityProviders: { ...flows.deps.identityProviders, find: (key) => (key === "off" ? undefined : provider) },
  };
}

function personAt(fields: Partial<Identity> = {}): Identity {
  const email = newEmail();
  return { issuer: "https://provider.test", subject: email, email, emailVerified: true, name: undefined, ...fields };
}

interface StartedSignIn {
  readonly state: string;
  readonly browserToken: string;
}

async function begin(identity: Identity, provider = "oauth_idp_a"): Promise<StartedSignIn> {
  const deps = { ...flows.deps, ...vouchingFor(identity) };
  const { location, browserToken } = unwrap(await startSocialSignIn(deps, { provider, redirectTo: "/home" }));
  return { state: new URL(location).searchParams.get("state") ?? "", browserToken };
}

function comeBack(identity: Identity, { state, browserToken }: StartedSignIn, provider = "oauth_idp_a") {
  const deps = { ...flows.deps, ...vouchingFor(identity) };
  const parameters = new URLSearchParams({ state, code: "code" });
  return completeSocialSignIn(deps, { provider, parameters, browserToken, client: clientAt() });
}

describe("the state of a social sign-in", () => {
  test("is used once", async () => {
    const person = personAt();
    const begun = await begin(person);
    expect(unwrap(await comeBack(person, begun))).toMatchObject({
      redirectTo: "/home",
      outcome: { status: "success", signedIn: { email: person.email } },
    });
    expect(codeOf(await comeBack(person, begun))).toBe("authentication_required");
  });

  test("lives ten minutes, to the millisecond", async () => {
    const person = personAt();
    const [inTime, late] = [await begin(person), await begin(person)];
    flows.clock.advance(10 * MINUTE_MS - 1);
    expect(codeOf(await comeBack(person, inTime))).toBe("ok");
    flows.clock.advance(1);
    expect(codeOf(await comeBack(person, late))).toBe("authentication_required");
  });

  test("is worthless at a second provider or in a second browser, and stays usable after both", async () => {
    const person = personAt();
    const [begun, other] = [await begin(person), await begin(person)];
    expect(codeOf(await comeBack(person, begun, "oauth_idp_b"))).toBe("authentication_required");
    const inOtherBrowser = { state: begun.state, browserToken: other.browserToken };
    expect(codeOf(await comeBack(person, inOtherBrowser))).toBe("authentication_required");
    expect(codeOf(await comeBack(person, begun))).toBe("ok");
  });

  test("is not made for a redirect to another site, nor at a provider that is off", async () => {
    const deps = { ...flows.deps, ...vouchingFor(personAt()) };
    const away = await startSocialSignIn(deps, { provider: "oauth_idp_a", redirectTo: "//evil.test" });
    const off = await startSocialSignIn(deps, { provider: "off", redirectTo: "/" });
    expect([codeOf(away), codeOf(off)]).toEqual(["invalid_input", "not_found"]);
  });
});

describe("a link", () => {
  test("is completed from no address outside of the ranges of the session's organization (G214)", async () => {
    const { organizationId, signedIn } = await registerAccount(flows);
    const person = personAt();
    const deps = { ...flows.deps, ...vouchingFor(person) };
    const request = { provider: "oauth_idp_a", redirectTo: "/home", linkSessionId: signedIn.session.id };
    const settings = flows.sql.json({ ...DEFAULT_POLICY, allowedIps: ["192.0.2.0/24"] } as never);
    await flows.sql`
      insert into organization_policies (organization_id, settings, policies_at, revision, updated_at)
      values (${organizationId}, ${settings}, 'epoch', 1, now())`;
    const link = async (address: string) => {
      const { location, browserToken } = unwrap(await requestAuthorization(deps, request));
      const parameters = new URLSearchParams({
        state: new URL(location).searchParams.get("state") ?? "",
        code: "code",
      });
      const input = { provider: "oauth_idp_a", parameters, browserToken, accessToken: signedIn.tokens.accessToken };
      return codeOf(await completeSocialSignIn(deps, { ...input, client: clientAt(address) }));
    };
    expect([await link("198.51.100.9"), await link("192.0.2.1")]).toEqual(["forbidden", "ok"]);
  });
});

describe("a provider that does not respond", () => {
  test("is counted as unavailable, at the start and at the return, and not as a failed sign-in", async () => {
    const countOf = async (outcome: string) => {
      const sample = new RegExp(`^service_sign_in_attempts_total\\{.*social_oauth.*"${outcome}".*\\} (\\d+)`, "m");
      return Number(sample.exec(await flows.deps.telemetry.prometheus())?.[1] ?? 0);
    };
    const failures = await countOf("failure");
    const begun = await begin(personAt());
    const away: IdentityProvider = {
      authorizationUrl: async () => err({ kind: "unavailable", cause: "no response" }),
      identify: async () => err({ kind: "unavailable", cause: "no response" }),
    };
    const deps = { ...flows.deps, identityProviders: { ...flows.deps.identityProviders, find: () => away } };
    const parameters = new URLSearchParams({ state: begun.state, code: "code" });
    const { browserToken } = begun;
    const input = { provider: "oauth_idp_a", parameters, browserToken, client: clientAt() };
    const outcomes = [
      await startSocialSignIn(deps, { provider: "oauth_idp_a", redirectTo: "/" }),
      await completeSocialSignIn(deps, input),
    ];
    expect(outcomes.map((outcome) => codeOf(outcome as never))).toEqual(["internal_error", "internal_error"]);
    expect([await countOf("unavailable"), await countOf("failure")]).toEqual([2, failures]);
  });
});

describe("the account of an identity", () => {
  test("a sign-up makes the initial platform owner with the account, or neither", async () => {
    const email = newEmail();
    const person = personAt({ email });
    const config = { ...flows.deps.config, initialOwnerEmail: email };
    const deps = { ...flows.deps, ...vouchingFor(person), config };
    const signUp = async () => {
      const { state, browserToken } = await begin(person);
      const parameters = new URLSearchParams({ state, code: "code" });
      return await completeSocialSignIn(deps, {
        provider: "oauth_idp_a",
        parameters,
        browserToken,
        client: clientAt(),
      });
    };
    await flows.sql`
      create function refuse_role() returns trigger language plpgsql as 'begin raise exception ''no role''; end'`;
    await flows.sql`
      create trigger refuse_role before update of platform_role on users execute function refuse_role()`;
    await expect(signUp()).rejects.toThrow("no role");
    await flows.sql`drop trigger refuse_role on users`;
    const roles = () => flows.sql`select platform_role from users where email = ${email}`;
    expect(await roles()).toHaveLength(0);
    unwrap(await signUp());
    expect(await roles()).toMatchObject([{ platform_role: "owner" }]);
  });

  test("is known by provider and subject from the second sign-in on, whatever the address is then", async () => {
    const person = personAt();
    const first = unwrap(await comeBack(person, await begin(person)));
    const moved = { ...person, email: newEmail() };
    const second = unwrap(await comeBack(moved, await begin(moved)));
    if (first.outcome.status !== "success" || second.outcome.status !== "success") throw new Error("not signed in");
    expect(second.outcome.signedIn.session.userId).toBe(first.outcome.signedIn.session.userId);
  });

  test("does not follow from an address without verification on both sides: conflict", async () => {
    const { email, userId } = await registerAccount(flows);
    const unverifiedHere = personAt({ email });
    expect(codeOf(await comeBack(unverifiedHere, await begin(unverifiedHere)))).toBe("conflict");
    await verifyAddress(flows.sql, userId);
    const unverifiedThere = personAt({ email, emailVerified: false });
    expect(codeOf(await comeBack(unverifiedThere, await begin(unverifiedThere)))).toBe("conflict");
  });
});
