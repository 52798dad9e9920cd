/** Attacks on providers by configuration (docs/contract.md, sections 15.5 and 16.8). */
import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { newEmail } from "../support/client.ts";
import { type ConfiguredDeployment, configuredDeployment, PROVIDERS_PATH } from "../support/identity/configured.ts";
import { OAuthBrowser } from "../support/identity/oauth-browser.ts";

let social: ConfiguredDeployment;
let sql: ConfiguredDeployment["at"]["sql"];
beforeAll(async () => {
  social = await configuredDeployment();
  ({ sql } = social.at);
});
afterEach(async () => {
  social.forged.reset();
  social.api.reset();
  await social.removeProviders();
});

const browser = () => new OAuthBrowser(social.at.one.url);
const patch = (key: string, change: Record<string, unknown>) => social.admin.patch(`${PROVIDERS_PATH}/${key}`, change);
const verifiedOf = async (email: string) =>
  (await sql`select email_verified_at is not null as verified from users where email = ${email}`)[0]?.verified;
const userinfo = () => ({ userinfo_endpoint: `${social.forged.url}/userinfo` });
const respond = (claims: Record<string, unknown>) =>
  social.forged.answers.set("/userinfo", () => Response.json(claims));

describe("the subjects of linked identities (G663)", () => {
  test("PATCH changes neither preset nor protocol, and stores no value of either.", async () => {
    const key = await social.provider({ ...social.apiSettings });
    const wrong = [{ protocol: "oidc" }, { preset: "line" }, { protocol: "none" }, { protocol: 7, preset: {} }];
    for (const change of wrong) {
      const { status, body } = await patch(key, { ...change, name: "Renamed" });
      expect([change, status, body.preset, body.protocol]).toEqual([change, 200, "custom", "oauth2"]);
    }
  });

  test("409: another host of tokens or keys, or another source of the subject, with linked identities.", async () => {
    const settings = { issuer: social.forged.url, subject_from: "/uid", ...userinfo() };
    const key = await social.provider(settings);
    social.forged.claims = { sub: "s", uid: crypto.randomUUID(), email: newEmail(), email_verified: true };
    expect((await browser().signIn(key)).status).toBe(200);
    const other = "https://keys.example.net";
    for (const change of [
      { jwks_uri: `${other}/jwks` },
      { token_endpoint: `${other}/token`, secret: "another secret" },
      { claims_from: "userinfo" },
    ]) {
      const { status, body } = await patch(key, change);
      expect([change, status, body.error?.code]).toEqual([change, 409, "conflict"]);
    }
    const same = await patch(key, { jwks_uri: `${social.forged.url}/jwks`, name: "Same host" });
    expect([same.status, same.body.identities]).toEqual([200, 1]);
    const moved = await patch(key, { jwks_uri: `${other}/jwks`, unlink_identities: true });
    expect([moved.status, moved.body.identities]).toEqual([200, 0]);
  });

  test("With claims of the ID token, UserInfo that is read for an address names no other subject.", async () => {
    const key = await social.provider({ issuer: social.forged.url, subject_from: "/uid", ...userinfo() });
    const [uid, email] = [crypto.randomUUID(), newEmail()];
    social.forged.claims = { sub: "s", uid };
    respond({ sub: "s", uid: "the subject of a victim", email });
    expect((await browser().signIn(key)).status).toBe(200);
    const identities = await sql`select subject from user_identities where provider = ${key}`;
    expect(identities.map(({ subject }) => subject)).toEqual([uid]);
  });
});

describe("addresses of two sources (G664)", () => {
  test("UserInfo that denies the verification wins over the ID token; an empty address is no address.", async () => {
    const settings = { issuer: social.forged.url, claims_from: "userinfo", ...userinfo() };
    const key = await social.provider(settings);
    const cases: [Record<string, unknown>, number][] = [
      [{ email_verified: false }, 200],
      [{ email_verified: "false" }, 200],
      [{ email: "", email_verified: true }, 401],
      [{ email: null }, 401],
      [{ email: ["a@example.test"] }, 401],
    ];
    for (const [claims, status] of cases) {
      const [sub, email] = [crypto.randomUUID(), newEmail()];
      social.forged.claims = { sub, email, email_verified: true };
      respond({ sub, ...claims });
      expect([claims, (await browser().signIn(key)).status]).toEqual([claims, status]);
      expect([claims, await verifiedOf(email)]).toEqual([claims, status === 200 ? false : undefined]);
    }
  });
});

test("400: the key of a provider is no first factor that policies admit or refuse.", async () => {
  for (const provider of ["password", "passkey", "email_otp", "social_oauth", "sso", "ticket"]) {
    const { status } = await social.admin.post(PROVIDERS_PATH, { provider, preset: "gitlab" });
    expect([provider, status]).toEqual([provider, 400]);
  }
});

describe("texts of providers", () => {
  test("A link with a name or an address that PostgreSQL cannot store, or of any length, has no label.", async () => {
    for (const profile of [
      { name: "a\u0000b" },
      { email: "a@example\u0000.test" },
      { email: `a@${"x".repeat(100_000)}.test` },
    ]) {
      const key = await social.provider({ ...social.apiSettings });
      social.api.profile = { id: "1", ...profile };
      const owner = await social.verifiedUser();
      const linking = browser();
      Object.assign(linking, { client: owner.client });
      const begun = await owner.client.post("/v1/users/me/identities", { provider: key });
      expect((await linking.finish(await linking.visit(begun.body.authorization_url))).status).toBe(204);
      const { body } = await owner.client.get("/v1/users/me/identities");
      expect(body.items.map(({ label }: { label: unknown }) => label)).toEqual([null]);
    }
  });

  test("A provider with the key of an inherited member has no mark and no error on pages.", async () => {
    await social.provider({ ...social.apiSettings, name: "Inherited" }, "constructor");
    const page = await fetch(`${social.at.one.url}/sign-in`, { headers: { accept: "text/html" } });
    expect([page.status, (await page.text()).includes("Inherited")]).toEqual([200, true]);
    await social.admin.delete(`${PROVIDERS_PATH}/constructor?confirm=true`);
  });
});
