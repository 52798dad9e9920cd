import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { newEmail, registered } from "../support/client.ts";
import { CLIENT_SECRET } from "../support/identity/api-providers.ts";
import { OAuthBrowser } from "../support/identity/oauth-browser.ts";
import {
  FACEBOOK,
  GITHUB,
  GOOGLE,
  MICROSOFT,
  type SocialDeployment,
  socialDeployment,
} from "../support/identity/social.ts";
import { tokenTo, VERIFY_LINK } from "../support/mail.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { startReplica } from "../support/replica.ts";
import { proveMailbox } from "../support/states.ts";
import { stopwatch } from "../support/waiting.ts";

let social: SocialDeployment;
let at: SocialDeployment["at"];
beforeAll(async () => {
  social = await socialDeployment();
  ({ at } = social);
});
afterEach(() => social.forged.reset());

describe("OpenID Connect (G11, G351)", () => {
  const email = () => ({ email: newEmail(), email_verified: true, sub: crypto.randomUUID() });

  test("an honest provider is accepted", async () => {
    const hash = createHash("sha256").update("an access token").digest();
    social.forged.claims = { ...email(), at_hash: hash.subarray(0, 16).toString("base64url"), azp: "google-app" };
    expect((await new OAuthBrowser(social.fooled.url).signIn(GOOGLE)).status).toBe(200);
  });

  const now = Math.floor(Date.now() / 1000);
  const flaws: [string, Record<string, unknown>][] = [
    ["an expired token", { iat: now - 7200, exp: now - 3600 }],
    ["another issuer", { iss: "https://accounts.google.com" }],
    ["another audience", { aud: "another-app" }],
    ["several audiences and no authorized party", { aud: ["google-app", "another-app"] }],
    ["another nonce", { nonce: "of another sign-in" }],
    ["no nonce", { nonce: undefined }],
    ["no subject", { sub: undefined }],
    ["a token of another access token (at_hash)", { at_hash: "x".repeat(22) }],
    ["a token for another authorized party", { azp: "another-app" }],
    ["a token of two hours ago that has not expired", { iat: now - 7200 }],
    ["a token of an hour ahead", { iat: now + 3600, exp: now + 7200 }],
    ["a token without a time of issue", { iat: undefined }],
    ["a session at the provider that has ended", { session_expiry: now - 60 }],
    ["a subject with a NUL", { sub: "a\u0000b" }],
    ["a subject without end", { sub: "x".repeat(10_000) }],
  ];
  for (const [what, claims] of flaws) {
    test(`refused: ${what}`, async () => {
      social.forged.claims = { ...email(), ...claims };
      const response = await new OAuthBrowser(social.fooled.url).signIn(GOOGLE);
      expect([response.status, response.body.error.code]).toEqual([401, "authentication_required"]);
      expect(response.setCookies).toEqual([]);
    });
  }

  test("refused: an address that normalisation makes the address of another person (G304)", async () => {
    const { email: address, ...claims } = email();
    const owner = await registered(at.one.url, { email: `kim-${address}` });
    await proveMailbox(at.sql, owner.userId);
    for (const letter of ["\u212A", "ｋ"]) {
      social.forged.claims = { ...claims, email: `${letter}im-${address}` };
      const response = await new OAuthBrowser(social.fooled.url).signIn(GOOGLE);
      expect([response.status, response.body.error.code]).toEqual([401, "authentication_required"]);
    }
    expect(await at.sql`select 1 from user_identities where user_id = ${owner.userId}`).toHaveLength(0);
  });

  test("refused: a token with the signature of a foreign key, or without a signature", async () => {
    social.forged.claims = email();
    social.forged.foreignKey = true;
    expect((await new OAuthBrowser(social.fooled.url).signIn(GOOGLE)).status).toBe(401);
    social.forged.foreignKey = false;
    social.forged.unsigned = true;
    expect((await new OAuthBrowser(social.fooled.url).signIn(GOOGLE)).status).toBe(401);
  });

  test("refused: mix-up, a response with a different issuer (RFC 9207)", async () => {
    social.forged.claims = email();
    social.forged.redirectParameters = { iss: "https://honest.test" };
    expect((await new OAuthBrowser(social.fooled.url).signIn(GOOGLE)).status).toBe(401);
  });

  test("refused within bounds: a token endpoint that is slow, endless, redirects or breaks", async () => {
    const bad: (() => Response | Promise<Response>)[] = [
      () => new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(65_536)) })),
      () => Response.redirect(`${social.openid.issuer}/token`),
      () => new Response("<html>", { headers: { "content-type": "text/html" } }),
      () => Response.json({ access_token: "a", token_type: "bearer" }),
      () => new Response("down", { status: 500 }),
      () => Bun.sleep(20_000).then(() => Response.json({})),
    ];
    for (const response of bad) {
      social.forged.answers.set("/token", response);
      const elapsed = stopwatch();
      const { status } = await new OAuthBrowser(social.fooled.url).signIn(GOOGLE);
      expect([401, 500]).toContain(status);
      expect(elapsed()).toBeLessThan(8_000);
    }
  });

  test("the secret goes into the body, or into the header where the application is registered so", async () => {
    social.forged.claims = email();
    await new OAuthBrowser(social.fooled.url).signIn(GOOGLE);
    expect(social.forged.tokenRequests.at(-1)?.get("client_secret")).toBe(CLIENT_SECRET);
    expect((await new OAuthBrowser(at.one.url).signIn(GOOGLE, social.person().login)).status).toBe(200);
  });

  test("userinfo's address is verified if userinfo says so and the ID token does not deny it", async () => {
    const cases: [string, object, object, number][] = [
      ["the ID token speaks of no address", { email_verified: true }, {}, 409],
      ["userinfo denies it", { email_verified: true }, { email_verified: false }, 409],
      ["the ID token denies it", { email_verified: false }, { email_verified: true }, 409],
      ["userinfo says so", {}, { email_verified: true }, 200],
      ["both say so", { email_verified: true }, { email_verified: true }, 200],
    ];
    social.forged.metadata = { userinfo_endpoint: `${social.forged.url}/userinfo` };
    // The running replicas have cached the earlier metadata.
    const replica = await startReplica({
      DATABASE_URL: at.databaseUrl,
      ...social.settings,
      SERVICE_OAUTH_IDP_A_ISSUER: social.forged.url,
    });
    for (const [what, idToken, userinfo, status] of cases) {
      const { email } = await social.verifiedUser();
      const sub = crypto.randomUUID();
      social.forged.answers.set("/userinfo", () => Response.json({ sub, email, ...userinfo }));
      social.forged.claims = { sub, ...idToken };
      expect([what, (await new OAuthBrowser(replica.url).signIn(GOOGLE)).status]).toEqual([what, status]);
    }
    await replica.kill();
  });

  test("401: a sign-up without an address creates no user", async () => {
    social.forged.claims = { sub: crypto.randomUUID() };
    const response = await new OAuthBrowser(social.fooled.url).signIn(GOOGLE);
    expect([response.status, response.body.error.message]).toEqual([401, expect.stringContaining("email")]);
  });
});

describe("Microsoft", () => {
  const tenant = "11111111-2222-3333-4444-555555555555";
  const personal = "9188040d-6c67-4c5b-b112-36a304b66dad";

  async function signInWith(configured: string, tid: string | undefined, claims: object = {}) {
    const { client } = await steppedUpAdmin(at);
    const body = { enabled: true, public_config: { client_id: "entra-app", tenant: configured } };
    await client.put(`/v1/admin/integrations/${MICROSOFT}`, body);
    social.forged.authority = `/${configured}/v2.0`;
    const many = configured === "common" || configured === "organizations";
    social.forged.metadata = many ? { issuer: `${social.forged.url}/{tenantid}/v2.0` } : {};
    if (configured === "consumers") social.forged.metadata = { issuer: `${social.forged.url}/${personal}/v2.0` };
    const iss = `${social.forged.url}/${tid}/v2.0`;
    social.forged.claims = { tid, iss, email: newEmail(), xms_edov: true, sub: crypto.randomUUID(), ...claims };
    return await new OAuthBrowser(at.one.url).signIn(MICROSOFT);
  }

  test("200: of a permitted tenant, with the issuer checked", async () => {
    expect((await signInWith("common", tenant)).status).toBe(200);
    expect((await signInWith("common", personal)).status).toBe(200);
    expect((await signInWith("organizations", tenant)).status).toBe(200);
    expect((await signInWith("consumers", personal)).status).toBe(200);
    expect((await signInWith(tenant, tenant)).status).toBe(200);
  });

  test("200: the setting may be the whole address of a tenant as well", async () => {
    await signInWith("common", tenant);
    const replica = await startReplica({
      DATABASE_URL: at.databaseUrl,
      ...social.settings,
      SERVICE_OAUTH_IDP_C_ISSUER: `${social.forged.url}/common/v2.0`,
    });
    social.forged.claims = { ...social.forged.claims, email: newEmail(), sub: crypto.randomUUID() };
    expect((await new OAuthBrowser(replica.url).signIn(MICROSOFT)).status).toBe(200);
    await replica.kill();
  });

  test("401: of a foreign tenant, or of a tenant with a foreign issuer", async () => {
    const other = "99999999-2222-3333-4444-555555555555";
    expect((await signInWith("organizations", personal)).status).toBe(401);
    expect((await signInWith("consumers", tenant)).status).toBe(401);
    expect((await signInWith(tenant, other)).status).toBe(401);
    expect((await signInWith("common", tenant, { iss: `${social.forged.url}/${other}/v2.0` })).status).toBe(401);
    expect((await signInWith("common", "../evil")).status).toBe(401);
    expect((await signInWith("common", undefined, { tid: undefined })).status).toBe(401);
  });

  test("409: an address without xms_edov links no account, with any value of email_verified", async () => {
    const user = await social.verifiedUser();
    for (const xms_edov of [false, "false", 0, "0", undefined, null, {}]) {
      const claims = { email: user.email, email_verified: true, xms_edov };
      expect([xms_edov, (await signInWith("common", tenant, claims)).status]).toEqual([xms_edov, 409]);
    }
    for (const xms_edov of [true, "true", 1, "1"]) {
      const claims = { email: user.email, email_verified: false, xms_edov };
      expect([xms_edov, (await signInWith("common", tenant, claims)).status]).toEqual([xms_edov, 200]);
    }
  });
});

describe("GitHub and Facebook", () => {
  test("200: GitHub's primary verified address counts, and no other", async () => {
    const email = newEmail();
    const other = { email: newEmail(), primary: false, verified: true };
    social.github.user = { id: 583231, name: "Octo Cat" };
    social.github.emails = [other, { email, primary: true, verified: true }];
    const response = await new OAuthBrowser(at.one.url).signIn(GITHUB);
    expect(response.body.user).toMatchObject({ email, auth_method: "social_oauth" });
    social.github.user = { id: 583232, name: null };
    social.github.emails = [other, { email: newEmail(), primary: true, verified: false }];
    expect((await new OAuthBrowser(at.one.url).signIn(GITHUB)).status).toBe(401);
  });

  test("401: a code unknown to GitHub, in a response with status 200", async () => {
    const browser = new OAuthBrowser(at.one.url);
    const callback = await browser.visit(await browser.start(GITHUB));
    callback.searchParams.set("code", "made up");
    expect((await browser.finish(callback)).status).toBe(401);
  });

  test("401: Facebook without the email permission is refused, and says why", async () => {
    social.facebook.user = { id: "77", name: "No Mail" };
    const response = await new OAuthBrowser(at.one.url).signIn(FACEBOOK);
    expect([response.status, response.body.error.message]).toEqual([401, expect.stringContaining("email")]);
  });

  test("200: Facebook's address is not proven: a new user verifies it, and no account is linked", async () => {
    const email = newEmail();
    social.facebook.user = { id: "78", name: "Face Book", email };
    const browser = new OAuthBrowser(at.one.url);
    const response = await browser.signIn(FACEBOOK);
    expect(response.status).toBe(200);
    expect((await browser.client.get("/v1/users/me")).body.email_verified).toBe(false);
    expect(await tokenTo(at.mail, email, VERIFY_LINK)).toHaveLength(43);
    social.facebook.user = { id: "79", name: "Thief", email: (await social.verifiedUser()).email };
    expect((await new OAuthBrowser(at.one.url).signIn(FACEBOOK)).status).toBe(409);
  });
});

test("no code, state, token or secret of all this is in the logs (G24)", () => {
  const printed = [at.one, at.other, social.fooled].map((replica) => replica.output()).join("");
  for (const secret of [CLIENT_SECRET, "an access token", "PRIVATE KEY", "code_verifier", "service_oauth="]) {
    expect(printed).not.toContain(secret);
  }
  for (const request of social.forged.tokenRequests) expect(printed).not.toContain(request.get("code") ?? "none");
});
