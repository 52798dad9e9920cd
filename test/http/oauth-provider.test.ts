/** The OpenID provider with real clients of applications. Titles in quotes are titles of the conformance suite. */
import { beforeAll, describe, expect, test } from "bun:test";
import { createHash, createHmac } from "node:crypto";
import { decodeJwt, decodeProtectedHeader } from "jose";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { TOKEN_CHARACTERS_MAX } from "../../src/limits/token-limits.ts";
import { LANGUAGES, tagOf } from "../../src/vocabulary/languages.ts";
import { Client, PASSWORD } from "../support/client.ts";
import { type Deployment, deployment, race, raceWithoutRedis } from "../support/deployment.ts";
import {
  API,
  authorizePath,
  basic,
  CALLBACK,
  codeFor,
  discovered,
  exchange,
  fetchAt,
  introspectAt,
  makePkce,
  oauthAdmin,
  personWithBrowser,
  refreshAt,
  registerClient,
  sendForm,
  type TestClient,
  tokensFor,
} from "../support/oauth.ts";
import { ISSUER } from "../support/replica.ts";
import { deleteMember, verifyAddress } from "../support/states.ts";
import { eventually } from "../support/waiting.ts";

let at: Deployment;
let wiki: TestClient;
beforeAll(async () => {
  at = await deployment();
  wiki = await registerClient();
});

describe("openid-client", () => {
  test("signs a user in, reads UserInfo, refreshes, introspects and revokes, by discovery alone", async () => {
    const config = await discovered(wiki, at.one.url);
    const person = await personWithBrowser();
    const [verifier, state, nonce] = [openid.randomPKCECodeVerifier(), openid.randomState(), openid.randomNonce()];
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: "openid profile email organization offline_access",
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      nonce,
    });
    const { location } = await person.browser.follow(url.href.slice(ISSUER.length));
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
    const tokens = await openid.authorizationCodeGrant(config, location ?? new URL(CALLBACK), checks);
    const claims = tokens.claims();
    expect(claims).toMatchObject({ iss: ISSUER, aud: wiki.id, sub: person.userId, acr: "aal1", amr: ["pwd"], nonce });
    expect(claims?.auth_time).toBeNumber();
    const user = await openid.fetchUserInfo(config, tokens.access_token, person.userId);
    expect(user).toMatchObject({ sub: person.userId, email: person.email, email_verified: false });
    expect(user.organization).toMatchObject({ id: person.organizationId, role: "owner" });
    expect(user.organization).not.toHaveProperty("public_metadata");
    await at.sql`update organizations set public_metadata = '{"plan": "gold"}' where id = ${person.organizationId}`;
    await at.sql`
      update members set public_metadata = '{"team": "blue"}', private_metadata = '{"crm": 8}'
      where user_id = ${person.userId}`;
    const known = await openid.fetchUserInfo(config, tokens.access_token, person.userId);
    expect(known.organization).toEqual({
      id: person.organizationId,
      slug: expect.any(String),
      role: "owner",
      public_metadata: { plan: "gold" },
      member_public_metadata: { team: "blue" },
    });
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
    expect(JSON.stringify(decodeJwt(refreshed.access_token))).not.toContain("gold");
    expect(refreshed.claims()).toMatchObject({ sub: person.userId, sid: claims?.sid });
    expect(await openid.tokenIntrospection(config, refreshed.access_token)).toMatchObject({
      active: true,
      client_id: wiki.id,
      sub: person.userId,
      org: person.organizationId,
    });
    await openid.tokenRevocation(config, refreshed.refresh_token ?? "");
    expect(await openid.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false });
  });
});

describe("oauth4webapi", () => {
  const insecure = { [oauth.allowInsecureRequests]: true };

  test("signs a user in and validates issuer, state, nonce and at_hash itself", async () => {
    const options = { ...insecure, [oauth.customFetch]: fetchAt(at.one.url) as never };
    const issuer = new URL(ISSUER);
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
    const app: oauth.Client = { client_id: wiki.id };
    const { browser, userId } = await personWithBrowser();
    const pkce = makePkce();
    const { location } = await browser.follow(authorizePath(wiki, pkce.challenge));
    const parameters = oauth.validateAuthResponse(as, app, location ?? new URL(CALLBACK), "the state");
    const secret = oauth.ClientSecretBasic(wiki.secret);
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      app,
      secret,
      parameters,
      CALLBACK,
      pkce.verifier,
      options,
    );
    const checks = { expectedNonce: "the nonce", requireIdToken: true };
    const tokens = await oauth.processAuthorizationCodeResponse(as, app, response, checks);
    expect(oauth.getValidatedIdTokenClaims(tokens)?.sub).toBe(userId);
    const mixedUp = new URL(location ?? CALLBACK);
    mixedUp.searchParams.set("iss", "https://attacker.example.test");
    expect(() => oauth.validateAuthResponse(as, app, mixedUp, "the state")).toThrow();
  });

  test("reads the RFC 8414 document with the statements of OpenID discovery", async () => {
    const client = new Client(at.one.url);
    const as = (await client.get("/.well-known/oauth-authorization-server")).body;
    const op = (await client.get("/.well-known/openid-configuration")).body;
    expect(op).toMatchObject(as);
    expect(as.issuer).toBe(ISSUER);
  });
});

describe("oidcc-config", () => {
  test("'oidcc-discovery-endpoint-verification': exactly the existing endpoints are offered", async () => {
    const op = (await new Client(at.one.url).get("/.well-known/openid-configuration")).body;
    const offered = Object.entries<string>(op).filter(([name]) => name.endsWith("_endpoint"));
    expect(offered.length).toBeGreaterThanOrEqual(6);
    for (const [, url] of offered) {
      const response = await fetch(url.replace(ISSUER, at.one.url), { method: "POST", redirect: "manual" });
      expect([url, response.status === 404]).toEqual([url, false]);
    }
    expect(op).toMatchObject({
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      id_token_signing_alg_values_supported: ["RS256", "ES256", "EdDSA"],
      request_parameter_supported: true,
      request_object_signing_alg_values_supported: ["ES256", "PS256", "EdDSA"],
      require_signed_request_object: false,
      authorization_response_iss_parameter_supported: true,
    });
    expect(op.ui_locales_supported.toSorted()).toEqual(LANGUAGES.map(tagOf).toSorted());
    // Each endpoint that accepts a signed assertion lists the algorithms (RFC 8414, section 2).
    for (const [name, methods] of Object.entries<string[]>(op)) {
      if (!name.endsWith("_auth_methods_supported") || !methods.includes("private_key_jwt")) continue;
      const algorithms = op[name.replace("_methods_", "_signing_alg_values_")];
      expect([name, algorithms?.toSorted()]).toEqual([name, ["ES256", "EdDSA", "PS256", "RS256"]]);
    }
  });
});

describe("oidcc-basic", () => {
  test("'oidcc-server': header, claims and expiry of an ID token", async () => {
    const { browser, userId } = await personWithBrowser();
    const { id_token, access_token } = await tokensFor(wiki, browser);
    expect(decodeProtectedHeader(id_token)).toEqual({ alg: "RS256", kid: expect.any(String) });
    const claims = decodeJwt(id_token);
    const hash = createHash("sha256").update(access_token).digest().subarray(0, 16).toString("base64url");
    expect(claims).toMatchObject({ iss: ISSUER, aud: wiki.id, sub: userId, nonce: "the nonce", at_hash: hash });
    expect(decodeProtectedHeader(access_token)).toMatchObject({ typ: "at+jwt", alg: "RS256" });
    expect(decodeJwt(access_token)).toMatchObject({ client_id: wiki.id, aud: ISSUER, scope: "openid", acr: "aal1" });
  });

  test("'oidcc-codereuse': a second use of a code is refused and ends the tokens of the first", async () => {
    const { browser } = await personWithBrowser();
    const code = await codeFor(wiki, browser);
    const first = await exchange(at.one.url, wiki, code);
    expect((await introspectAt(at.other.url, wiki, first.body.access_token)).body.active).toBe(true);
    const second = await exchange(at.other.url, wiki, code);
    expect([second.status, second.body.error]).toEqual([400, "invalid_grant"]);
    expect((await introspectAt(at.other.url, wiki, first.body.access_token)).body).toEqual({ active: false });
    expect((await refreshAt(at.one.url, wiki, first.body.refresh_token)).body.error).toBe("invalid_grant");
    const [audited] = await at.sql`
      select count(*)::int as entries from audit_logs
      where action = 'oauth.code.reuse_detected' and resource_id = ${String(decodeJwt(first.body.id_token).sid)}`;
    expect(audited?.entries).toBe(1);
  });

  test("'oidcc-ensure-other-scope-order-succeeds', 'oidcc-scope-email': UserInfo has what scopes say", async () => {
    const { browser, email } = await personWithBrowser();
    const { access_token } = await tokensFor(wiki, browser, { scope: "email openid unknown" });
    const headers = { authorization: `Bearer ${access_token}` };
    const user = (await new Client(at.one.url).get("/oauth2/userinfo", { headers })).body;
    expect(Object.keys(user).sort()).toEqual(["email", "email_verified", "sub"]);
    expect(user.email).toBe(email);
  });

  test("'oidcc-userinfo-get', 'oidcc-userinfo-post-header' and 'oidcc-userinfo-post-body' answer alike", async () => {
    const { browser, userId } = await personWithBrowser();
    const { access_token } = await tokensFor(wiki, browser);
    const headers = { authorization: `Bearer ${access_token}` };
    const client = new Client(at.one.url);
    const responses = [
      await client.get("/oauth2/userinfo", { headers }),
      await client.request("POST", "/oauth2/userinfo", { headers }),
      await sendForm(at.one.url, "/oauth2/userinfo", { access_token }),
    ];
    expect(responses.map(({ body }) => body.sub)).toEqual([userId, userId, userId]);
    const twice = await sendForm(at.one.url, "/oauth2/userinfo", { access_token }, headers);
    expect(twice.body.error).toBe("invalid_request");
    expect(twice.headers.get("www-authenticate")).toStartWith('Bearer error="invalid_request"');
    // A request without a credential gets no error code (RFC 6750, section 3.1).
    const nothing = [await client.get("/oauth2/userinfo"), await sendForm(at.one.url, "/oauth2/userinfo", {})];
    const challenges = nothing.map(({ status, headers }) => [status, headers.get("www-authenticate")]);
    expect(challenges).toEqual(Array(2).fill([401, expect.stringMatching(/^Bearer resource_metadata="/)]));
  });

  test("'oidcc-refresh-token': the refreshed ID token keeps subject, session and time of the sign-in", async () => {
    const { browser } = await personWithBrowser();
    const first = await tokensFor(wiki, browser);
    const refreshed = (await refreshAt(at.other.url, wiki, first.refresh_token)).body;
    const [before, after] = [decodeJwt(first.id_token), decodeJwt(refreshed.id_token)];
    expect(after).toMatchObject({ sub: before.sub, sid: before.sid, auth_time: before.auth_time, iss: before.iss });
    expect(after.nonce).toBeUndefined();
  });
});

describe("codes (RFC 6749, RFC 7636, RFC 9700)", () => {
  test("of forty parallel exchanges of one code at two replicas with Redis emptied one succeeds", async () => {
    const { browser } = await personWithBrowser();
    const code = await codeFor(wiki, browser);
    const urls = [at.one.url, at.other.url];
    const responses = await raceWithoutRedis((index) => exchange(urls[index % 2] ?? at.one.url, wiki, code));
    const outcomes = responses.map(({ status, body }) => body.error ?? status);
    expect(outcomes.filter((outcome) => outcome === 200)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "invalid_grant")).toHaveLength(39);
  });

  test("beyond 100 live authorizations of an application the oldest end, on every replica", async () => {
    const { browser, userId } = await personWithBrowser();
    const oldest = await tokensFor(wiki, browser);
    await at.sql`
      insert into oauth_token_families
      select (jsonb_populate_record(f, jsonb_build_object(
        'id', gen_random_uuid(), 'code_hash', '\\x' || md5(n::text || f.id), 'refresh_jti', gen_random_uuid(),
        'access_jti', gen_random_uuid(), 'created_at', f.created_at + n * interval '1 millisecond'))).*
      from oauth_token_families f, generate_series(1, 100) n where f.user_id = ${userId}`;
    const codes = [await codeFor(wiki, browser), await codeFor(wiki, browser), await codeFor(wiki, browser)];
    const answers = await Promise.all(
      codes.map((code, index) => exchange(index ? at.one.url : at.other.url, wiki, code)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [row] = await at.sql`
      select count(*)::int as live from oauth_token_families where user_id = ${userId} and revoked_at is null`;
    expect(row?.live).toBe(100);
    const isActive = async (token: string) => (await introspectAt(at.other.url, wiki, token)).body.active;
    await eventually("the oldest tokens end", 5_000, async () => !(await isActive(oldest.access_token)));
    for (const { body } of answers) expect(await isActive(body.access_token)).toBe(true);
  });

  test("code injection and PKCE downgrade: a code has one verifier, one redirect URI and one client", async () => {
    const { browser } = await personWithBrowser();
    const other = await registerClient({ redirect_uris: [CALLBACK, `${CALLBACK}/2`] });
    const wrong: [string, Record<string, string>][] = [
      ["another verifier", { code_verifier: makePkce().verifier }],
      ["the challenge as verifier", { code_verifier: "challenge" }],
      ["another redirect URI", { redirect_uri: `${CALLBACK}/2` }],
      ["a redirect URI with NUL", { redirect_uri: `${CALLBACK}\0` }],
    ];
    for (const [what, more] of wrong) {
      const code = await codeFor(other, browser);
      const replaced = more.code_verifier === "challenge" ? { code_verifier: code.pkce.challenge } : more;
      const refused = await exchange(at.one.url, other, code, replaced);
      expect([what, refused.body.error]).toEqual([what, "invalid_grant"]);
      // The owning client presented the code, so the code is consumed.
      expect((await exchange(at.one.url, other, code)).body.error).toBe("invalid_grant");
    }
    const code = await codeFor(other, browser);
    expect((await exchange(at.one.url, wiki, code)).body.error).toBe("invalid_grant");
    // The attempt of a foreign client has not consumed the code.
    expect((await exchange(at.one.url, other, code)).status).toBe(200);
  });

  test("'oidcc-ensure-request-with-valid-pkce-succeeds': the example of RFC 7636, appendix B", async () => {
    const { browser } = await personWithBrowser();
    const { location } = await browser.follow(authorizePath(wiki, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"));
    const code = location?.searchParams.get("code") ?? "";
    const pkce = { verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", challenge: "" };
    expect((await exchange(at.one.url, wiki, { code, pkce })).status).toBe(200);
  });

  test("expire after a minute, and are stored as a hash", async () => {
    const { browser } = await personWithBrowser();
    const code = await codeFor(wiki, browser);
    const hash = createHash("sha256").update(code.code).digest();
    const aged = await at.sql`
      update oauth_codes set expires_at = expires_at - interval '61 seconds' where code_hash = ${hash} returning 1`;
    expect(aged).toHaveLength(1);
    expect((await exchange(at.one.url, wiki, code)).body.error).toBe("invalid_grant");
  });

  test("are void when the credentials of their user change, or the session ends, before they are used", async () => {
    const changed = await personWithBrowser();
    const stale = await codeFor(wiki, changed.browser);
    const passwords = { current_password: PASSWORD, new_password: "another correct horse battery" };
    expect((await changed.client.post("/v1/users/me/password", passwords)).status).toBe(204);
    expect((await exchange(at.one.url, wiki, stale)).body.error).toBe("invalid_grant");
    const left = await personWithBrowser();
    const orphaned = await codeFor(wiki, left.browser);
    await left.client.post("/v1/auth/logout");
    expect((await exchange(at.one.url, wiki, orphaned)).body.error).toBe("invalid_grant");
  });
});

describe("claims of ID tokens (G107)", () => {
  const SCOPE = "openid profile email organization";
  const userInfo = async (token: string) =>
    (await new Client(at.one.url).get("/oauth2/userinfo", { headers: { authorization: `Bearer ${token}` } })).body;
  /** The claims of a user in an ID token: all that UserInfo can have. */
  const claimsOfUser = (token: string) => {
    const names = ["sub", "name", "preferred_username", "picture", "locale", "updated_at", "email", "email_verified"];
    const ofUser = (name: string) => names.includes(name) || name === "organization";
    return Object.fromEntries(Object.entries(decodeJwt(token)).filter(([name]) => ofUser(name)));
  };
  /** A user with every claim, each as long as this service permits. */
  async function longestPerson() {
    const person = await personWithBrowser();
    const email = `${"e".repeat(64)}@${crypto.randomUUID().replaceAll("-", "")}.${`${"d".repeat(60)}.`.repeat(2)}test`;
    const hash = createHash("sha256").update(email).digest("hex");
    await at.sql`
      update users set display_name = ${"\u{1F600}".repeat(120)}, email = ${email}, locale = 'de-CH-1996',
                       avatar_hash = ${hash} where id = ${person.userId}`;
    const slug = crypto.randomUUID().padEnd(63, "x");
    await at.sql`update organizations set slug = ${slug} where id = ${person.organizationId}`;
    return { ...person, email, slug };
  }

  test("are those of UserInfo, by scope, at the exchange and at each refresh", async () => {
    const { browser, userId, email, slug } = await longestPerson();
    for (const scope of ["openid", "openid profile", "email openid", "openid organization", SCOPE]) {
      const first = await tokensFor(wiki, browser, { scope });
      const second = (await refreshAt(at.other.url, wiki, first.refresh_token)).body;
      for (const { access_token, id_token } of [first, second]) {
        expect([scope, claimsOfUser(id_token)]).toEqual([scope, await userInfo(access_token)]);
      }
    }
    const { id_token, refresh_token } = await tokensFor(wiki, browser, { scope: SCOPE });
    expect(claimsOfUser(id_token)).toMatchObject({ sub: userId, email, email_verified: false, organization: { slug } });
    await at.sql`update users set display_name = 'Ada Lovelace' where id = ${userId}`;
    const narrowed = (await refreshAt(at.one.url, wiki, refresh_token, { scope: "openid profile" })).body;
    expect(claimsOfUser(narrowed.id_token)).toMatchObject({ name: "Ada Lovelace" });
    expect(decodeJwt(narrowed.id_token)).not.toContainAnyKeys(["email", "organization"]);
  });

  test("name a user without a display name by the address, only with the scope email (G470)", async () => {
    const { browser, userId, email } = await personWithBrowser();
    await at.sql`update users set display_name = null where id = ${userId}`;
    const namesIn = async (scope: string) => {
      const { access_token, id_token } = await tokensFor(wiki, browser, { scope });
      const { name, preferred_username } = await userInfo(access_token);
      expect(decodeJwt(id_token)).toMatchObject({
        ...(name ? { name } : {}),
        ...(preferred_username ? { preferred_username } : {}),
      });
      return [name, preferred_username];
    };
    const [local] = email.split("@");
    expect(await namesIn("openid profile")).toEqual([undefined, undefined]);
    expect(await namesIn("openid email")).toEqual([undefined, undefined]);
    expect(await namesIn("openid profile email")).toEqual([local, undefined]);
    await verifyAddress(at.sql, userId);
    expect(await namesIn("openid profile email")).toEqual([local, email]);
    await at.sql`update users set display_name = 'Ada Lovelace' where id = ${userId}`;
    expect(await namesIn("openid profile email")).toEqual(["Ada Lovelace", email]);
    expect(await namesIn("openid profile")).toEqual(["Ada Lovelace", undefined]);
  });

  test("are absent for a client with id_token_claims none; access tokens never have any", async () => {
    const none = await registerClient({ id_token_claims: "none" });
    const { browser } = await personWithBrowser();
    const { access_token, id_token } = await tokensFor(none, browser, { scope: SCOPE });
    const { sub, ...ofUser } = await userInfo(access_token);
    expect(decodeJwt(id_token)).toMatchObject({ sub, nonce: "the nonce" });
    expect(decodeJwt(id_token)).not.toContainAnyKeys(Object.keys(ofUser));
    const { access_token: other, id_token: withClaims } = await tokensFor(wiki, browser, { scope: SCOPE });
    expect(decodeJwt(other)).not.toContainAnyKeys(Object.keys(ofUser));
    const hash = createHash("sha256").update(other).digest().subarray(0, 16).toString("base64url");
    expect(decodeJwt(withClaims)).toMatchObject({ iss: ISSUER, aud: wiki.id, at_hash: hash });
    const created = await (await oauthAdmin()).get("/v1/admin/oauth-clients");
    const settings = created.body.items.find((each: { client_id: string }) => each.client_id === wiki.id);
    expect(settings.id_token_claims).toBe("scope");
  });

  test("keep the longest ID token within the bound of tokens, also as id_token_hint", async () => {
    const { browser } = await longestPerson();
    const nonce = "n".repeat(512);
    const { id_token } = await tokensFor(wiki, browser, { scope: SCOPE, nonce });
    expect(id_token.length).toBeLessThanOrEqual(TOKEN_CHARACTERS_MAX.id);
    const hinted = await codeFor(wiki, browser, { prompt: "none", id_token_hint: id_token });
    expect(hinted.code).toBeString();
    // Metadata of the organization and of the member, each of 4 KiB (G400).
    const { browser: rich, userId, organizationId } = await longestPerson();
    const filled = { plan: "x".repeat(4_000) };
    await at.sql`update organizations set public_metadata = ${at.sql.json(filled)} where id = ${organizationId}`;
    await at.sql`update members set public_metadata = ${at.sql.json(filled)} where user_id = ${userId}`;
    const cut = await tokensFor(wiki, rich, { scope: SCOPE, nonce });
    expect(cut.id_token.length).toBeLessThanOrEqual(TOKEN_CHARACTERS_MAX.id);
    expect(claimsOfUser(cut.id_token)).toMatchObject({ organization: { metadata_truncated: true } });
    expect(await userInfo(cut.access_token)).toMatchObject({ organization: { public_metadata: filled } });
    expect((await codeFor(wiki, rich, { prompt: "none", id_token_hint: cut.id_token })).code).toBeString();
    // In JSON a control character takes 6 bytes.
    for (const long of ["\u20ac".repeat(171), "\u0001".repeat(86)]) {
      const { location } = await browser.follow(authorizePath(wiki, makePkce().challenge, { nonce: long }));
      expect(location?.searchParams.get("error")).toBe("invalid_request");
    }
  });

  test("do not change a pairwise subject", async () => {
    const pairwise = await registerClient({ subject_type: "pairwise", sector: "example.test" });
    const { browser, userId, email } = await personWithBrowser();
    const { access_token, id_token } = await tokensFor(pairwise, browser, { scope: "openid email" });
    expect(claimsOfUser(id_token)).toEqual(await userInfo(access_token));
    expect([decodeJwt(id_token).sub === userId, decodeJwt(id_token).email]).toEqual([false, email]);
  });
});

describe("the parameter scope", () => {
  test("tolerates repeated, leading and trailing spaces at each endpoint", async () => {
    const { browser } = await personWithBrowser();
    const { scope, refresh_token } = await tokensFor(wiki, browser, { scope: "  openid   email openid " });
    expect(scope).toBe("openid email");
    const narrowed = await refreshAt(at.one.url, wiki, refresh_token, { scope: " openid  " });
    expect([narrowed.status, narrowed.body.scope]).toEqual([200, "openid"]);
    const blank = await refreshAt(at.one.url, wiki, narrowed.body.refresh_token, { scope: "  " });
    expect([blank.status, blank.body.scope]).toEqual([200, "openid email"]);
    const robot = await registerClient({ grant_types: ["client_credentials"], redirect_uris: [] });
    const form = { grant_type: "client_credentials", scope: "  api:read  api:read " };
    expect((await sendForm(at.one.url, "/oauth2/token", form, basic(robot))).body.scope).toBe("api:read");
    const tab = await sendForm(at.one.url, "/oauth2/token", { ...form, scope: "api:read\tapi:read" }, basic(robot));
    expect(tab.body.error).toBe("invalid_scope");
  });
});

describe("refresh tokens", () => {
  test("forty parallel refreshes make one lineage; both tabs get equal tokens", async () => {
    const { browser } = await personWithBrowser();
    const { refresh_token } = await tokensFor(wiki, browser);
    const urls = [at.one.url, at.other.url];
    const responses = await race((index) => refreshAt(urls[index % 2] ?? at.one.url, wiki, refresh_token), 40);
    expect(responses.map(({ status }) => status)).toEqual(Array(40).fill(200));
    expect(new Set(responses.map(({ body }) => body.refresh_token)).size).toBe(1);
    expect(new Set(responses.map(({ body }) => body.access_token)).size).toBe(1);
  });

  test("one that was replaced more than ten seconds ago ends the family on every replica", async () => {
    const { browser } = await personWithBrowser();
    const first = await tokensFor(wiki, browser);
    const second = (await refreshAt(at.one.url, wiki, first.refresh_token)).body;
    const sid = String(decodeJwt(first.id_token).sid);
    await at.sql`update oauth_token_families set rotated_at = rotated_at - interval '11 seconds' where id = ${sid}`;
    expect((await refreshAt(at.other.url, wiki, first.refresh_token)).body.error).toBe("invalid_grant");
    expect((await refreshAt(at.one.url, wiki, second.refresh_token)).body.error).toBe("invalid_grant");
    expect((await introspectAt(at.one.url, wiki, second.access_token)).body).toEqual({ active: false });
  });

  test("give fewer scopes and resources on request, never more; a refused request leaves the token", async () => {
    const { browser } = await personWithBrowser();
    const { refresh_token } = await tokensFor(wiki, browser, { scope: "openid email" });
    expect((await refreshAt(at.one.url, wiki, refresh_token, { scope: "openid profile" })).body.error).toBe(
      "invalid_scope",
    );
    expect((await refreshAt(at.one.url, wiki, refresh_token, { resource: API })).body.error).toBe("invalid_target");
    const narrowed = await refreshAt(at.one.url, wiki, refresh_token, { scope: "email" });
    expect([narrowed.body.scope, narrowed.body.id_token]).toEqual(["email", undefined]);
  });

  test("are for all resources of the authorization, if the access token was for fewer (RFC 8707, 2.2)", async () => {
    const [calendar, contacts] = ["https://cal.example.test/", "https://contacts.example.test/"];
    const client = await registerClient({ resources: [calendar, contacts, API] });
    const { browser } = await personWithBrowser();
    const pkce = makePkce();
    const scope = "api:read";
    const path = `${authorizePath(client, pkce.challenge, { scope, resource: calendar })}&resource=${contacts}`;
    const code = (await browser.follow(path)).location?.searchParams.get("code") ?? "";
    const first = (await exchange(at.one.url, client, { code, pkce }, { resource: calendar })).body;
    const second = (await refreshAt(at.one.url, client, first.refresh_token, { resource: contacts })).body;
    const third = (await refreshAt(at.one.url, client, second.refresh_token)).body;
    const audiences = [first, second, third].map(({ access_token }) => decodeJwt(access_token).aud);
    expect(audiences).toEqual([calendar, contacts, [calendar, contacts]]);
    const outside = await refreshAt(at.one.url, client, third.refresh_token, { resource: API });
    expect(outside.body.error).toBe("invalid_target");
  });

  test("give no right after its withdrawal from the application", async () => {
    const client = await registerClient();
    const { browser } = await personWithBrowser();
    const first = await tokensFor(client, browser, { scope: "openid email api:read", resource: API });
    const path = `/v1/admin/oauth-clients/${client.id}`;
    expect((await (await oauthAdmin()).patch(path, { scopes: ["openid", "email"] })).status).toBe(200);
    const second = await refreshAt(at.one.url, client, first.refresh_token);
    expect([second.status, second.body.scope]).toEqual([200, "openid email"]);
    const wide = await refreshAt(at.one.url, client, second.body.refresh_token, { scope: "openid api:read" });
    expect(wide.body.error).toBe("invalid_scope");
    expect((await (await oauthAdmin()).patch(path, { resources: [] })).status).toBe(200);
    const third = await refreshAt(at.one.url, client, second.body.refresh_token);
    expect([third.status, decodeJwt(third.body.access_token).aud]).toEqual([200, ISSUER]);
    expect((await (await oauthAdmin()).patch(path, { scopes: [] })).status).toBe(200);
    expect((await refreshAt(at.one.url, client, third.body.refresh_token)).body.error).toBe("invalid_scope");
  });

  test("belong to one client, and a changed token is invalid", async () => {
    const { browser } = await personWithBrowser();
    const { refresh_token } = await tokensFor(wiki, browser);
    const other = await registerClient();
    expect((await refreshAt(at.one.url, other, refresh_token)).body.error).toBe("invalid_grant");
    const changed = `${refresh_token.slice(0, -2)}AA`;
    expect((await refreshAt(at.one.url, wiki, changed)).body.error).toBe("invalid_grant");
    expect((await refreshAt(at.one.url, wiki, refresh_token)).status).toBe(200);
  });
});

describe("what ends tokens", () => {
  const isActive = async (url: string, token: string) => (await introspectAt(url, wiki, token)).body.active;

  test("the end of the session, on the other replica at once; offline access outlives it", async () => {
    const { browser, client } = await personWithBrowser();
    const online = await tokensFor(wiki, browser);
    const offline = await tokensFor(wiki, browser, { scope: "openid offline_access" });
    expect(await isActive(at.other.url, online.access_token)).toBe(true);
    expect(await isActive(at.other.url, offline.access_token)).toBe(true);
    await client.post("/v1/auth/logout");
    await eventually(
      "the other replica knows",
      1_000,
      async () => !(await isActive(at.other.url, online.access_token)),
    );
    expect((await refreshAt(at.one.url, wiki, online.refresh_token)).body.error).toBe("invalid_grant");
    expect(await isActive(at.other.url, offline.access_token)).toBe(true);
    expect((await refreshAt(at.one.url, wiki, offline.refresh_token)).status).toBe(200);
    const feed = (await new Client(at.other.url).get("/.well-known/service-revocations.json")).body;
    const ended = feed.revocations.map(({ sid }: { sid: string }) => sid);
    expect(ended).toContain(String(decodeJwt(online.id_token).sid));
  });

  test.each(["a changed password", "the disabled user", "the removed member"])(
    "%s, offline access too",
    async (what) => {
      const { browser, client, userId, organizationId } = await personWithBrowser();
      const tokens = await tokensFor(wiki, browser, { scope: "openid offline_access" });
      expect(await isActive(at.other.url, tokens.access_token)).toBe(true);
      if (what === "a changed password") {
        const passwords = { current_password: PASSWORD, new_password: "another correct horse battery" };
        expect((await client.post("/v1/users/me/password", passwords)).status).toBe(204);
      } else if (what === "the disabled user") {
        const disabled = await (await oauthAdmin()).patch(`/v1/admin/users/${userId}`, { disabled: true });
        expect(disabled.status).toBe(200);
      } else {
        await deleteMember(at.sql, organizationId, userId);
      }
      await eventually(
        "the other replica knows",
        2_000,
        async () => !(await isActive(at.other.url, tokens.access_token)),
      );
      expect((await refreshAt(at.one.url, wiki, tokens.refresh_token)).body.error).toBe("invalid_grant");
    },
  );

  test("RFC 7009: a client ends the own tokens, and no token of a further client", async () => {
    const { browser } = await personWithBrowser();
    const { access_token } = await tokensFor(wiki, browser);
    const other = await registerClient();
    const revoke = (client: TestClient, token: string) =>
      sendForm(at.one.url, "/oauth2/revoke", { token }, basic(client));
    expect((await revoke(other, access_token)).status).toBe(200);
    expect(await isActive(at.one.url, access_token)).toBe(true);
    expect((await revoke(wiki, "unknown")).status).toBe(200);
    expect((await revoke(wiki, access_token)).status).toBe(200);
    expect(await isActive(at.one.url, access_token)).toBe(false);
    expect((await sendForm(at.one.url, "/oauth2/revoke", {}, basic(wiki))).body.error).toBe("invalid_request");
  });
});

describe("client_credentials and resource servers (RFC 6749, section 4.4; RFC 8707)", () => {
  test("gives a client a token without a user, and the client can end the token", async () => {
    const robot = await registerClient({ grant_types: ["client_credentials"], redirect_uris: [], audiences: [API] });
    const ask = (more: Record<string, string>) =>
      sendForm(at.one.url, "/oauth2/token", { grant_type: "client_credentials", ...more }, basic(robot));
    const { body } = await ask({ scope: "api:read openid", resource: API });
    expect([body.scope, body.refresh_token, body.id_token]).toEqual(["api:read", undefined, undefined]);
    expect(decodeJwt(body.access_token)).toMatchObject({ sub: robot.id, client_id: robot.id, aud: API });
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect((await new Client(at.one.url).get("/oauth2/userinfo", { headers })).status).toBe(403);
    await eventually("the other replica knows the new client", 5_000, async () => {
      return (await introspectAt(at.other.url, robot, body.access_token)).body.active === true;
    });
    await sendForm(at.one.url, "/oauth2/revoke", { token: body.access_token }, basic(robot));
    await eventually("the other replica knows", 1_000, async () => {
      return !(await introspectAt(at.other.url, robot, body.access_token)).body.active;
    });
    expect((await ask({ scope: "openid" })).body.error).toBe("invalid_scope");
    expect((await ask({ resource: "https://other.example.test/" })).body.error).toBe("invalid_target");
    const { browser } = await personWithBrowser();
    const code = await codeFor(wiki, browser);
    expect((await exchange(at.one.url, robot, code)).body.error).toBe("unauthorized_client");
  });

  test("gives no token that this service would not recognise: scopes that are too many are named", async () => {
    const scopes = Array.from({ length: 20 }, (_, index) => `${"s".repeat(98)}${10 + index}`);
    const robot = await registerClient({ grant_types: ["client_credentials"], redirect_uris: [], scopes });
    const ask = (more: Record<string, string>) =>
      sendForm(at.one.url, "/oauth2/token", { grant_type: "client_credentials", ...more }, basic(robot));
    const all = await ask({});
    expect([all.status, all.body.error]).toEqual([400, "invalid_scope"]);
    const { body } = await ask({ scope: scopes.slice(0, 7).join(" ") });
    expect((await introspectAt(at.one.url, robot, body.access_token)).body.active).toBe(true);
  });

  test("a client's own token ends for good when the client is disabled (G61); its end is recorded once", async () => {
    const robot = await registerClient({ grant_types: ["client_credentials"], redirect_uris: [] });
    const tokenOf = async () =>
      (await sendForm(at.one.url, "/oauth2/token", { grant_type: "client_credentials" }, basic(robot))).body
        .access_token;
    const before = await tokenOf();
    const admin = await oauthAdmin();
    const switchTo = (disabled: boolean) => admin.patch(`/v1/admin/oauth-clients/${robot.id}`, { disabled });
    await switchTo(true);
    await switchTo(false);
    const after = await tokenOf();
    await eventually("both replicas know", 6_000, async () => {
      const responses = await Promise.all(
        [at.one.url, at.other.url].flatMap((url) => [before, after].map((token) => introspectAt(url, robot, token))),
      );
      return responses.map(({ body }) => body.active).join() === "false,true,false,true";
    });
    await race(
      (n) => sendForm([at.one, at.other][n % 2]?.url ?? "", "/oauth2/revoke", { token: after }, basic(robot)),
      16,
    );
    const audited = await at.sql`
      select resource_id, metadata from audit_logs
      where action = 'oauth.token.revoked' and metadata->>'sid' = ${String(decodeJwt(after).jti)}`;
    expect(audited.map((entry) => ({ ...entry }))).toEqual([
      { resource_id: robot.id, metadata: { reason: "token_revoked", sid: String(decodeJwt(after).jti) } },
    ]);
  });

  test("a token for a resource names the resource, is read by the resource, and is accepted at UserInfo", async () => {
    const { browser, userId } = await personWithBrowser();
    const { access_token } = await tokensFor(wiki, browser, { scope: "openid api:read", resource: API });
    expect(decodeJwt(access_token).aud).toEqual([API, ISSUER]);
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await new Client(at.one.url).get("/oauth2/userinfo", { headers })).body.sub).toBe(userId);
    const api = await registerClient({ grant_types: ["client_credentials"], redirect_uris: [], audiences: [API] });
    expect((await introspectAt(at.one.url, api, access_token)).body).toMatchObject({ active: true, sub: userId });
    const stranger = await registerClient();
    expect((await introspectAt(at.one.url, stranger, access_token)).body).toEqual({ active: false });
  });

  test("introspection returns the email address as username, with the scope email alone", async () => {
    const { browser, email } = await personWithBrowser();
    const api = await registerClient({ grant_types: ["client_credentials"], redirect_uris: [], audiences: [API] });
    for (const [scope, username] of [
      ["openid email", email],
      ["email api:read", email],
      ["openid profile", undefined],
    ] as const) {
      const { access_token, refresh_token } = await tokensFor(wiki, browser, { scope, resource: API });
      const states = [
        await introspectAt(at.one.url, wiki, access_token),
        await introspectAt(at.one.url, api, access_token),
        await introspectAt(at.one.url, wiki, refresh_token),
      ];
      expect(states.map(({ body }) => [body.active, body.username])).toEqual(Array(3).fill([true, username]));
    }
    const robot = await registerClient({ grant_types: ["client_credentials"], redirect_uris: [] });
    const own = { grant_type: "client_credentials", scope: "api:read" };
    const { body } = await sendForm(at.one.url, "/oauth2/token", own, basic(robot));
    const state = (await introspectAt(at.one.url, robot, body.access_token)).body;
    expect([state.active, state.username]).toEqual([true, undefined]);
  });
});

describe("kinds of tokens and `alg` games (RFC 8725)", () => {
  test("no token works in another's place", async () => {
    const { browser, accessToken } = await personWithBrowser();
    const tokens = await tokensFor(wiki, browser);
    const client = new Client(at.one.url);
    for (const bearer of [tokens.access_token, tokens.id_token, tokens.refresh_token]) {
      expect((await client.get("/v1/auth/session", { bearer })).status).toBe(401);
    }
    for (const token of [accessToken, tokens.id_token]) {
      const headers = { authorization: `Bearer ${token}` };
      const response = await client.get("/oauth2/userinfo", { headers });
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([
        401,
        expect.stringContaining('error="invalid_token"'),
      ]);
      expect((await introspectAt(at.one.url, wiki, token)).body).toEqual({ active: false });
      expect((await refreshAt(at.one.url, wiki, token)).body.error).toBe("invalid_grant");
    }
  });

  test("a header that this service did not write is not interpreted", async () => {
    const { browser } = await personWithBrowser();
    const { access_token } = await tokensFor(wiki, browser);
    const [, payload = "", signature = ""] = access_token.split(".");
    const jwks = (await new Client(at.one.url).get("/.well-known/jwks.json")).body;
    const { kid } = decodeProtectedHeader(access_token);
    const encode = (header: object) => Buffer.from(JSON.stringify(header)).toString("base64url");
    const hs256 = encode({ alg: "HS256", kid, typ: "at+jwt" });
    const mac = createHmac("sha256", JSON.stringify(jwks.keys[0])).update(`${hs256}.${payload}`).digest("base64url");
    const forged = [
      `${encode({ alg: "none", kid, typ: "at+jwt" })}.${payload}.`,
      `${hs256}.${payload}.${mac}`,
      `${encode({ alg: "RS256", kid, typ: "JWT" })}.${payload}.${signature}`,
      `${encode({ alg: "RS256", kid, typ: "at+jwt", jku: "https://attacker.example.test" })}.${payload}.${signature}`,
    ];
    for (const token of forged) expect((await introspectAt(at.one.url, wiki, token)).body).toEqual({ active: false });
  });
});

describe("subjects", () => {
  test("pairwise subjects: one for each sector, and equal at clients of one sector", async () => {
    const pairwise = { subject_type: "pairwise", sector: "example.test" };
    const [one, two] = [await registerClient(pairwise), await registerClient(pairwise)];
    const { browser, userId } = await personWithBrowser();
    const subjects = [await tokensFor(one, browser), await tokensFor(two, browser)].map(
      ({ id_token }) => decodeJwt(id_token).sub,
    );
    expect(new Set(subjects).size).toBe(1);
    expect(subjects[0]).not.toBe(userId);
    expect(
      (await new Client(at.one.url).get("/.well-known/openid-configuration")).body.subject_types_supported,
    ).toEqual(["public", "pairwise"]);
  });
});
