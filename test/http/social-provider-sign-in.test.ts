/** Sign-in at providers by configuration (docs/contract.md, section 16.8). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { newEmail } from "../support/client.ts";
import { race } from "../support/deployment.ts";
import {
  APP,
  type ConfiguredDeployment,
  configuredDeployment,
  PROVIDERS_PATH,
  REAL,
} from "../support/identity/configured.ts";
import { OAuthBrowser } from "../support/identity/oauth-browser.ts";
import { eventually, stopwatch } from "../support/waiting.ts";

let social: ConfiguredDeployment;
let sql: ConfiguredDeployment["at"]["sql"];
beforeAll(async () => {
  social = await configuredDeployment();
  ({ sql } = social.at);
  await social.provider({ issuer: social.openid.issuer, name: "Corporate" }, REAL);
});
afterAll(() => social.removeProviders());
afterEach(() => {
  social.forged.reset();
  social.api.reset();
});

const browser = (url = social.at.one.url) => new OAuthBrowser(url);
const identitiesOf = (key: string) => sql`select issuer, subject, user_id from user_identities where provider = ${key}`;
const verifiedOf = async (email: string) =>
  (await sql`select email_verified_at is not null as verified from users where email = ${email}`)[0]?.verified;

describe("a real OpenID provider (oidc-provider)", () => {
  test("a user signs up, signs in again on the other replica, and the audit trail has the key", async () => {
    const [login, email] = [crypto.randomUUID(), newEmail()];
    const statusOnOther = async () => (await browser(social.at.other.url).client.get(startOf(REAL))).status;
    social.openid.people.set(login, { email, email_verified: true, name: "Ada Lovelace" });
    await eventually("the other replica knows the provider", 10_000, async () => (await statusOnOther()) === 302);
    const first = await browser().signIn(REAL, login);
    expect([first.status, first.body.status]).toEqual([200, "success"]);
    const { user_id: userId } = first.body.user;
    expect(await verifiedOf(email)).toBe(true);
    expect(await identitiesOf(REAL)).toContainEqual({ issuer: social.openid.issuer, subject: login, user_id: userId });
    const again = await browser(social.at.other.url).signIn(REAL, login);
    expect([again.status, again.body.user.user_id]).toEqual([200, userId]);
    const records = await sql`
      select metadata from audit_logs
      where action = 'auth.oauth.login' and actor_id = ${userId} and outcome = 'success'`;
    expect(records.map(({ metadata }) => metadata.provider)).toEqual([REAL, REAL]);
  });

  test("a user links the provider in the account; the list has the name of the provider", async () => {
    const login = crypto.randomUUID();
    social.openid.people.set(login, { email: newEmail(), email_verified: true });
    const owner = await social.verifiedUser();
    const linking = browser();
    Object.assign(linking, { client: owner.client });
    const begun = await owner.client.post("/v1/users/me/identities", { provider: REAL });
    expect(begun.status).toBe(200);
    expect((await linking.finish(await linking.visit(begun.body.authorization_url, login))).status).toBe(204);
    const { body } = await owner.client.get("/v1/users/me/identities");
    expect(body.items.map((each: Record<string, unknown>) => [each.provider, each.provider_name])).toEqual([
      [REAL, "Corporate"],
    ]);
  });

  test("sign_up false: a known user signs in, and a stranger gets no account", async () => {
    const key = await social.provider({ ...social.apiSettings, sign_up: false, email_trust: "claim" });
    social.api.profile = { id: 1, email: newEmail(), email_verified: true };
    expect((await browser().signIn(key)).status).toBe(401);
    expect(await identitiesOf(key)).toHaveLength(0);
    const { email } = await social.verifiedUser();
    social.api.profile = { id: 2, email, email_verified: true };
    expect((await browser().signIn(key)).status).toBe(200);
  });
});

const startOf = (key: string) => `/v1/auth/oauth/${key}/start`;

describe("OpenID Connect: one verification for every provider (P11)", () => {
  let key: string;
  beforeAll(async () => {
    key = await social.provider({ issuer: social.forged.url });
  });
  const now = () => Math.floor(Date.now() / 1000);
  const flaws: [string, () => Record<string, unknown>][] = [
    ["an expired token", () => ({ iat: now() - 7200, exp: now() - 3600 })],
    ["a token of two hours ago", () => ({ iat: now() - 7200 })],
    ["a token of an hour ahead", () => ({ iat: now() + 3600, exp: now() + 7200 })],
    ["another issuer", () => ({ iss: "https://accounts.google.com" })],
    ["another audience", () => ({ aud: "another-app" })],
    ["a token for another authorized party", () => ({ azp: "another-app" })],
    ["a token of another access token", () => ({ at_hash: "x".repeat(22) })],
    ["another nonce", () => ({ nonce: "of another sign-in" })],
    ["no subject", () => ({ sub: undefined })],
    ["an empty subject", () => ({ sub: "" })],
    ["a subject of 256 characters", () => ({ sub: "x".repeat(256) })],
  ];
  for (const [what, claims] of flaws) {
    test(`401: ${what}; no identity is linked`, async () => {
      social.forged.claims = { email: newEmail(), email_verified: true, sub: crypto.randomUUID(), ...claims() };
      const response = await browser().signIn(key);
      expect([response.status, response.body.error.code]).toEqual([401, "authentication_required"]);
    });
  }

  test("401: the signature of a foreign key, no signature, another issuer in the response (RFC 9207)", async () => {
    social.forged.claims = { email: newEmail(), email_verified: true, sub: crypto.randomUUID() };
    for (const forge of [{ foreignKey: true }, { unsigned: true }, { redirectParameters: { iss: "https://a.test" } }]) {
      Object.assign(social.forged, { foreignKey: false, unsigned: false, redirectParameters: {} }, forge);
      expect((await browser().signIn(key)).status).toBe(401);
    }
    expect(await identitiesOf(key)).toHaveLength(0);
  });

  test("a token of one provider serves no other provider (P11)", async () => {
    const other = await social.provider({ issuer: social.forged.url, client_id: "another-app" });
    social.forged.claims = { email: newEmail(), email_verified: true, sub: crypto.randomUUID(), aud: APP.client_id };
    expect((await browser().signIn(other)).status).toBe(401);
    expect((await browser().signIn(key)).status).toBe(200);
  });

  test("a callback of one provider completes no sign-in of another provider", async () => {
    const other = await social.provider({ issuer: social.forged.url });
    social.forged.claims = { email: newEmail(), email_verified: true, sub: crypto.randomUUID() };
    const visitor = browser();
    const callback = await visitor.visit(await visitor.start(key));
    callback.pathname = callback.pathname.replace(key, () => other);
    expect((await visitor.finish(callback)).status).toBe(401);
  });

  test("without nonce and PKCE the request has neither; with them it has both", async () => {
    const plain = await social.provider({ issuer: social.forged.url, nonce: false, pkce: "off" });
    const request = new URL(await browser().start(plain)).searchParams;
    expect([request.get("nonce"), request.get("code_challenge")]).toEqual([null, null]);
    const usual = new URL(await browser().start(key)).searchParams;
    expect([usual.get("nonce"), usual.get("code_challenge_method")]).toEqual([expect.any(String), "S256"]);
  });
});

/** A profile is trusted by `email_trust`, `email_domains` and the claim; the local address decides the rest. */
describe("trust in addresses: email_trust x claim x domain x local address", () => {
  const expected = (trust: string, claim: unknown, isListed: boolean | undefined): boolean => {
    if (isListed === false) return false;
    if (trust === "never") return false;
    return trust === "always" || claim === true || claim === "true";
  };
  const claims = [true, "true", false, "false", 1, undefined];
  for (const trust of ["claim", "always", "never"]) {
    for (const isListed of trust === "always" ? [true, false] : [undefined, true, false]) {
      const list = isListed === undefined ? "no list" : isListed ? "a listed domain" : "another domain";
      test(`${trust}, ${list}`, async () => {
        const domain = `${crypto.randomUUID()}.test`;
        const domains = isListed === undefined ? [] : [isListed ? domain : "other.test"];
        const key = await social.provider({ ...social.apiSettings, email_trust: trust, email_domains: domains });
        for (const claim of claims) {
          const isTrusted = expected(trust, claim, isListed);
          const subject = crypto.randomUUID();
          const fresh = `a-${subject}@${domain}`;
          social.api.profile = { id: subject, email: fresh, email_verified: claim };
          expect((await browser().signIn(key)).status).toBe(200);
          expect([trust, claim, await verifiedOf(fresh)]).toEqual([trust, claim, isTrusted]);
          const verified = await social.verifiedUser(`b-${subject}@${domain}`);
          social.api.profile = { id: `${subject}-b`, email: verified.email, email_verified: claim };
          const matched = await browser().signIn(key);
          expect([trust, claim, matched.status]).toEqual([trust, claim, isTrusted ? 200 : 409]);
          if (isTrusted) expect(matched.body.user.user_id).toBe(verified.userId);
        }
        const squatter = await social.verifiedUser(`c-${crypto.randomUUID()}@${domain}`);
        await sql`update users set email_verified_at = null, controlled_at = null where id = ${squatter.userId}`;
        social.api.profile = { id: crypto.randomUUID(), email: squatter.email, email_verified: true };
        expect((await browser().signIn(key)).status).toBe(409);
      });
    }
  }

  test("the domain is compared without case, as A-labels, and never as a suffix", async () => {
    const key = await social.provider({
      ...social.apiSettings,
      email_trust: "always",
      email_domains: ["bücher.example"],
    });
    const local = crypto.randomUUID();
    const cases: [string, boolean][] = [
      [`a-${local}@BüCHER.example`, true],
      [`b-${local}@xn--bcher-kva.example`, true],
      [`c-${local}@evil-bücher.example`, false],
      [`d-${local}@bücher.example.evil.test`, false],
      [`e-${local}@sub.bücher.example`, false],
    ];
    for (const [email, isTrusted] of cases) {
      social.api.profile = { id: email, email };
      const response = await browser().signIn(key);
      const [row] = await sql`
        select u.email_verified_at is not null as verified from users u
        join user_identities i on i.user_id = u.id where i.provider = ${key} and i.subject = ${email}`;
      expect([email, response.status, row?.verified]).toEqual([email, 200, isTrusted]);
    }
  });

  test("trust of one provider gives no trust to another provider (P11)", async () => {
    const [domain, subject] = [`${crypto.randomUUID()}.test`, crypto.randomUUID()];
    await social.provider({ ...social.apiSettings, email_trust: "always", email_domains: [domain] });
    const other = await social.provider({ ...social.apiSettings, email_trust: "never" });
    const victim = await social.verifiedUser(`${subject}@${domain}`);
    social.api.profile = { id: subject, email: victim.email, email_verified: true };
    expect((await browser().signIn(other)).status).toBe(409);
  });
});

describe("flaws of providers", () => {
  test("numeric ids: a safe integer is a subject; a rounded, negative zero, boolean or nested id is none", async () => {
    const key = await social.provider({ ...social.apiSettings });
    for (const [id, status] of [
      [42, 200],
      ["42x", 200],
      [2 ** 53, 401],
      [1.5, 401],
      [true, 401],
      [{}, 401],
      [null, 401],
    ]) {
      social.api.profile = { id, email: newEmail() };
      expect([id, (await browser().signIn(key)).status]).toEqual([id, status]);
    }
  });

  test("a nested profile is read by pointers, and inherited members are no claims", async () => {
    const nested = { subject_from: "/data/0/user~1id", email_from: "/data/0/mail", name_from: "/constructor/name" };
    const key = await social.provider({ ...social.apiSettings, ...nested });
    const email = newEmail();
    social.api.profile = { data: [{ "user/id": "nested", mail: email }] };
    expect((await browser().signIn(key)).status).toBe(200);
    const [user] = await sql`select display_name from users where email = ${email}`;
    expect([(await identitiesOf(key))[0]?.subject, user?.display_name]).toEqual(["nested", null]);
  });

  test("odd token responses: scope as a list or with commas, expires_in as a text, null members, no type", async () => {
    const key = await social.provider({ ...social.apiSettings });
    const odd = [
      { scope: ["a", "b"] },
      { scope: "a,b", expires_in: "3600" },
      { refresh_token: null, id_token: null },
      { id_token: "no token" },
      { token_type: null },
    ];
    for (const tokenMembers of odd) {
      social.api.profile = { id: crypto.randomUUID(), email: newEmail() };
      social.api.tokenMembers = tokenMembers;
      expect([tokenMembers, (await browser().signIn(key)).status]).toEqual([tokenMembers, 200]);
    }
    social.api.tokenMembers = { token_type: "mac" };
    expect((await browser().signIn(key)).status).toBe(401);
  });

  test("an error with status 200, and a provider that returns no state, are refused", async () => {
    const key = await social.provider({ ...social.apiSettings });
    social.api.profile = { id: 1, email: newEmail() };
    social.api.answers.set("/token", () => Response.json({ error: "bad_verification_code" }));
    expect((await browser().signIn(key)).status).toBe(401);
    social.api.answers.clear();
    social.api.redirectParameters = { state: undefined };
    expect((await browser().signIn(key)).status).toBe(401);
    expect(await identitiesOf(key)).toHaveLength(0);
  });

  test("form_post: the POST of the provider continues at the GET", async () => {
    const key = await social.provider({ ...social.apiSettings, response_mode: "form_post" });
    social.api.profile = { id: crypto.randomUUID(), email: newEmail() };
    const visitor = browser();
    const page = await fetch(await visitor.start(key), { tls: { rejectUnauthorized: false } } as RequestInit);
    const fields = new URLSearchParams(
      [...(await page.text()).matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
        name,
        value,
      ]),
    );
    const posted = await fetch(`${social.at.one.url}/v1/auth/oauth/${key}/callback`, {
      ...{ method: "POST", body: fields, redirect: "manual" },
    });
    expect(posted.status).toBe(303);
    const callback = new URL(posted.headers.get("location") ?? "", social.at.one.url);
    expect((await visitor.finish(callback)).status).toBe(200);
  });

  test("the secret goes into the header or the body as set, and a public client has none", async () => {
    const secretIn = async (auth: string) => {
      const key = await social.provider({ ...social.apiSettings, token_auth: auth });
      social.api.profile = { id: crypto.randomUUID(), email: newEmail() };
      expect((await browser().signIn(key)).status).toBe(200);
      const { headers, form } = social.api.requests.findLast(({ path }) => path === "/token") ?? {};
      return [headers?.get("authorization")?.slice(0, 5) ?? null, form?.get("client_secret") ?? null];
    };
    expect(await secretIn("client_secret_basic")).toEqual(["Basic", null]);
    expect(await secretIn("client_secret_post")).toEqual([null, APP.secret]);
    expect(await secretIn("none")).toEqual([null, null]);
  });

  test("OAuth 2.0: the issuer in a response is compared if the settings name the issuer", async () => {
    social.api.redirectParameters = { iss: "https://api.test/oauth" };
    social.api.profile = { id: crypto.randomUUID(), email: newEmail() };
    expect((await browser().signIn(await social.provider({ ...social.apiSettings }))).status).toBe(200);
    const named = await social.provider({ ...social.apiSettings, issuer: "https://other.test" });
    expect((await browser().signIn(named)).status).toBe(401);
  });

  test("401: a sign-up without an address, or with a blank address, creates no user", async () => {
    const key = await social.provider({ ...social.apiSettings });
    for (const email of [undefined, null, "", "  ", 7, "no address"]) {
      social.api.profile = { id: crypto.randomUUID(), email };
      expect([email, (await browser().signIn(key)).status]).toEqual([email, 401]);
    }
    expect(await identitiesOf(key)).toHaveLength(0);
  });

  test("UserInfo of another subject is refused", async () => {
    const key = await social.provider({ issuer: social.forged.url, claims_from: "userinfo", ...userinfo() });
    social.forged.claims = { sub: "one" };
    social.forged.answers.set("/userinfo", () =>
      Response.json({ sub: "two", email: newEmail(), email_verified: true }),
    );
    expect((await browser().signIn(key)).status).toBe(401);
    social.forged.answers.set("/userinfo", () =>
      Response.json({ sub: "one", email: newEmail(), email_verified: true }),
    );
    expect((await browser().signIn(key)).status).toBe(200);
  });

  test("an address that UserInfo omits is the address of the ID token", async () => {
    const key = await social.provider({ issuer: social.forged.url, claims_from: "userinfo", ...userinfo() });
    const email = newEmail();
    social.forged.claims = { sub: "signed", email, email_verified: true };
    social.forged.answers.set("/userinfo", () => Response.json({ sub: "signed", name: "Ada" }));
    expect((await browser().signIn(key)).status).toBe(200);
    expect(await verifiedOf(email)).toBe(true);
  });

  test("an address that the ID token denies is unverified, whatever UserInfo says", async () => {
    const key = await social.provider({ issuer: social.forged.url, claims_from: "userinfo", ...userinfo() });
    const email = newEmail();
    social.forged.claims = { sub: "denied", email_verified: false };
    social.forged.answers.set("/userinfo", () => Response.json({ sub: "denied", email, email_verified: true }));
    expect((await browser().signIn(key)).status).toBe(200);
    expect(await verifiedOf(email)).toBe(false);
  });
});

const userinfo = () => ({ userinfo_endpoint: `${social.forged.url}/userinfo` });

describe("calls to providers (P12)", () => {
  test("dead, slow, endless, redirecting, broken or deep responses end within bounds, without an account", async () => {
    const key = await social.provider({ ...social.apiSettings });
    const deep = `${"[".repeat(40)}${"]".repeat(40)}`;
    const bad: [string, () => Response | Promise<Response>, number][] = [
      ["redirects", () => Response.redirect(`${social.api.url}/me`), 401],
      ["is no JSON", () => new Response("<html>"), 401],
      ["is a list", () => Response.json([]), 401],
      ["is nested too deeply", () => new Response(`{"id":1,"x":${deep}}`), 401],
      ["is too large", () => new Response("x".repeat(300 * 1024)), 500],
      ["fails", () => new Response("down", { status: 500 }), 500],
      ["is slow", () => Bun.sleep(20_000).then(() => Response.json({})), 500],
    ];
    for (const [what, response, status] of bad) {
      social.api.answers.set("/me", response);
      const elapsed = stopwatch();
      expect([what, (await browser().signIn(key)).status]).toEqual([what, status]);
      expect(elapsed()).toBeLessThan(8_000);
    }
    expect(await identitiesOf(key)).toHaveLength(0);
  }, 60_000);

  test("a host with a private address is not called, also by a name", async () => {
    for (const host of ["10.0.0.1", "169.254.169.254", "[::1]", "[fd00::1]"]) {
      const settings = { provider: "private_host", ...social.apiSettings, token_endpoint: `https://${host}/token` };
      expect([host, (await social.admin.post(PROVIDERS_PATH, settings)).status]).toEqual([host, 400]);
    }
    const key = await social.provider({ issuer: "https://unknown.invalid" });
    expect((await browser().client.get(startOf(key), { headers: { accept: "application/json" } })).status).toBe(500);
  });

  test("beyond 16 sign-ins that wait for a provider, further sign-ins end at once; other providers go on", async () => {
    const [slow, quick] = [
      await social.provider({ ...social.apiSettings }),
      await social.provider({ ...social.apiSettings }),
    ];
    const visitors = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const visitor = browser();
        return { visitor, callback: await visitor.visit(await visitor.start(slow)) };
      }),
    );
    let release: (() => void) | undefined;
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    social.api.answers.set("/token", () =>
      waiting.then(() => Response.json({ error: "invalid_grant" }, { status: 400 })),
    );
    let ended = 0;
    const all = visitors.map(async ({ visitor, callback }) => {
      const { status } = await visitor.finish(callback);
      ended += 1;
      return status;
    });
    await eventually("four sign-ins end", 10_000, async () => ended === 4);
    release?.();
    expect((await Promise.all(all)).toSorted()).toEqual([...Array(16).fill(401), ...Array(4).fill(500)]);
    social.api.answers.clear();
    social.api.profile = { id: crypto.randomUUID(), email: newEmail() };
    expect((await browser().signIn(quick)).status).toBe(200);
  });

  test("a state is consumed once: of twenty callbacks at once one signs in", async () => {
    const key = await social.provider({ ...social.apiSettings });
    social.api.profile = { id: crypto.randomUUID(), email: newEmail() };
    const visitor = browser();
    const callback = await visitor.visit(await visitor.start(key));
    const statuses = (await race(() => visitor.finish(callback))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  test("no secret, code, token or claim is in a response, log or audit record", async () => {
    const key = await social.provider({ ...social.apiSettings, secret: "the-secret-of-this-test" });
    social.api.profile = { id: "subject-of-this-test", email: newEmail(), note: "claim-of-this-test" };
    social.api.tokenMembers = { access_token: "token-of-this-test" };
    expect((await browser().signIn(key)).status).toBe(200);
    social.api.answers.set("/token", () =>
      Response.json({ error: "e", error_description: "token-of-this-test" }, { status: 400 }),
    );
    expect((await browser().signIn(key)).status).toBe(401);
    const records = await sql`select metadata::text as text from audit_logs`;
    const texts = [social.at.one.output(), ...records.map(({ text }) => text)].join("\n");
    for (const hidden of ["the-secret-of-this-test", "claim-of-this-test", "token-of-this-test"]) {
      expect([hidden, texts.includes(hidden)]).toEqual([hidden, false]);
    }
  });
});
