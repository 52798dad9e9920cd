/**
 * FAPI 2.0 Security Profile and Message Signing (docs/contract.md, sections 23.19 to 23.21). Titles in quotes are
 * modules of `fapi2-security-profile-final-test-plan`, variant private_key_jwt, DPoP, OpenID Connect.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair } from "jose";
import { type Answer, Client } from "../support/client.ts";
import { type Deployment, deployment, raceWithoutRedis } from "../support/deployment.ts";
import { makeProof, makeProofKey, type ProofParts } from "../support/dpop.ts";
import {
  assertionOf,
  authorizeAs,
  authorizePathOf,
  type Difference,
  exchangeAs,
  type FapiClient,
  type FapiCode,
  fapiClient,
  PAR,
  pushAs,
  refreshAs,
  TOKEN,
} from "../support/fapi.ts";
import { Browser, CALLBACK, makePkce, oauthAdmin, personWithBrowser } from "../support/oauth.ts";
import { ISSUER } from "../support/replica.ts";

const USERINFO = "/oauth2/userinfo";

let at: Deployment;
let first: FapiClient;
let second: FapiClient;
let browser: Browser;
beforeAll(async () => {
  at = await deployment();
  [first, second] = [await fapiClient(), await fapiClient()];
  ({ browser } = await personWithBrowser());
});

const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset;
const errorOf = ({ status, body }: Answer) => [status, body.error];
const code = (difference: Difference = {}, by = first) => authorizeAs(by, browser, difference);

async function tokensOf(by: FapiClient, difference: Difference = {}) {
  const response = await exchangeAs(by, await code({}, by), difference);
  if (response.status !== 200) throw new Error(response.text);
  return response.body;
}

async function resource(by: FapiClient, token: string, parts: ProofParts = {}, scheme = "DPoP", key = by.proofKey) {
  const claims = { htm: "GET", ...parts.claims };
  const proof = await makeProof(key, { path: USERINFO, accessToken: token, ...parts, claims });
  const headers = { authorization: `${scheme} ${token}`, dpop: proof };
  return await new Client(at.one.url).request("GET", USERINFO, { headers });
}

describe("discovery and the whole flow (G230)", () => {
  test("'fapi2-security-profile-final-discovery-end-point-verification'", async () => {
    const { body } = await new Client(at.one.url).get("/.well-known/openid-configuration");
    expect(body).toMatchObject({
      pushed_authorization_request_endpoint: `${ISSUER}/oauth2/par`,
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    });
    expect(body.token_endpoint_auth_methods_supported).toContain("private_key_jwt");
    for (const name of ["token_endpoint_auth_signing_alg_values_supported", "dpop_signing_alg_values_supported"]) {
      expect(body[name]).toContain("ES256");
    }
    expect(body.id_token_signing_alg_values_supported).toContain("ES256");
  });

  test.each(["ES256", "PS256", "EdDSA"])("'fapi2-security-profile-final-happy-flow' with %s", async (alg) => {
    const client = alg === "ES256" ? first : await fapiClient({}, alg);
    const authorized = await code({}, client);
    expect([authorized.response.get("iss"), authorized.response.get("state")]).toEqual([ISSUER, "the state"]);
    const { status, body } = await exchangeAs(client, authorized);
    expect([status, body.token_type]).toEqual([200, "DPoP"]);
    expect([body.access_token, body.id_token].map((token) => decodeProtectedHeader(token).alg)).toEqual([
      "ES256",
      "ES256",
    ]);
    expect(decodeJwt(body.id_token)).toMatchObject({ iss: ISSUER, aud: client.id, nonce: "the nonce" });
    expect((await resource(client, body.access_token)).status).toBe(200);
    expect((await resource(client, body.access_token, {}, "DPoP", second.proofKey)).status).toBe(401);
  });

  test.each([
    ["without-state-success", { state: undefined }],
    ["without-nonce-success", { nonce: undefined }],
    ["with-64-char-nonce-success", { nonce: "n".repeat(64) }],
    ["with-long-nonce", { nonce: "n".repeat(384) }],
    ["with-long-state", { state: "s".repeat(1000) }],
  ])("'fapi2-security-profile-final-ensure-authorization-request-%s'", async (_name, fields) => {
    const authorized = await code({ fields });
    const expected = { state: "the state", nonce: "the nonce", ...fields };
    expect(authorized.response.get("state")).toBe(expected.state ?? null);
    const { body } = await exchangeAs(first, authorized);
    expect(decodeJwt(body.id_token).nonce).toBe(expected.nonce);
  });

  test("'fapi2-security-profile-final-ensure-other-scope-order-succeeds'", async () => {
    expect((await exchangeAs(first, await code({ fields: { scope: "offline_access openid" } }))).status).toBe(200);
  });

  test("'fapi2-security-profile-final-access-token-type-header-case-sensitivity'", async () => {
    const { access_token } = await tokensOf(first);
    for (const scheme of ["dpop", "DPOP"]) expect((await resource(first, access_token, {}, scheme)).status).toBe(200);
  });

  test("'fapi2-security-profile-final-user-rejects-authentication'", async () => {
    const client = await fapiClient({ first_party: false });
    const pushed = await pushAs(client, makePkce());
    const landing = await browser.follow(authorizePathOf(client, pushed.body.request_uri));
    const request = new URLSearchParams(landing.path.split("?")[1]).get("request") ?? "";
    const { location } = await browser.submit(landing.path, { request, decision: "deny" });
    expect([location?.searchParams.get("error"), location?.searchParams.get("iss")]).toEqual(["access_denied", ISSUER]);
  });
});

describe("pushed requests (G230)", () => {
  test.each<[string, Difference, string]>([
    [
      "par-ensure-pkce-required",
      { fields: { code_challenge: undefined, code_challenge_method: undefined } },
      "invalid_request",
    ],
    ["par-plain-pkce-rejected", { fields: { code_challenge_method: "plain" } }, "invalid_request"],
    [
      "par-authorization-request-containing-request_uri-form-param",
      { fields: { request_uri: "urn:ietf:params:oauth:request_uri:x" } },
      "invalid_request",
    ],
    [
      "plain-fapi-tolerate-unregistered-redirect-uri",
      { fields: { redirect_uri: "https://unregistered.example.test/callback" } },
      "invalid_redirect_uri",
    ],
    ["ensure-registered-redirect-uri", { fields: { redirect_uri: `${CALLBACK}/other` } }, "invalid_redirect_uri"],
    ["ensure-redirect-uri-in-authorization-request", { fields: { redirect_uri: undefined } }, "invalid_request"],
    [
      "ensure-response-type-code-idtoken-fails",
      { fields: { response_type: "code id_token" } },
      "unsupported_response_type",
    ],
    ["ensure-response-type-token-fails", { fields: { response_type: "token" } }, "unsupported_response_type"],
  ])("'fapi2-security-profile-final-%s'", async (_name, difference, error) => {
    expect(errorOf(await pushAs(first, makePkce(), difference))).toEqual([400, error]);
  });

  test("'fapi2-security-profile-final-ensure-unsigned-authorization-request-without-using-par-fails'", async () => {
    const { challenge } = makePkce();
    const plain = { redirect_uri: CALLBACK, response_type: "code", scope: "openid", code_challenge: challenge };
    const query = new URLSearchParams({ client_id: first.id, ...plain, code_challenge_method: "S256" });
    const { location, answer } = await browser.follow(`/oauth2/authorize?${query}`);
    expect([location, answer.status]).toEqual([undefined, 400]);
  });

  test("'fapi2-security-profile-final-par-attempt-reuse-request_uri'", async () => {
    const { request_uri } = (await pushAs(first, makePkce())).body;
    expect((await browser.follow(authorizePathOf(first, request_uri))).location?.searchParams.has("code")).toBe(true);
    const again = await browser.follow(authorizePathOf(first, request_uri));
    expect([again.location, again.answer.status]).toEqual([undefined, 400]);
  });

  // The module ends with a warning: the reference works for one visit.
  test("'fapi2-security-profile-final-par-ensure-reused-request-uri-prior-to-auth-completion-succeeds'", async () => {
    const { request_uri } = (await pushAs(first, makePkce())).body;
    const visitor = new Browser(at.one.url);
    const visits = [
      await visitor.get(authorizePathOf(first, request_uri)),
      await visitor.get(authorizePathOf(first, request_uri)),
    ];
    expect(visits.map(({ status }) => status)).toEqual([303, 400]);
  });

  // The module ends with a warning: claims follow the scopes.
  test("'fapi2-security-profile-final-test-claims-parameter-identity-claims'", async () => {
    const claims = JSON.stringify({ id_token: { email: { essential: true } }, userinfo: { name: null } });
    const { status, body } = await exchangeAs(first, await code({ fields: { claims } }));
    expect([status, "email" in decodeJwt(body.id_token)]).toEqual([200, false]);
  });

  test("'fapi2-security-profile-final-par-attempt-to-use-expired-request_uri'", async () => {
    const { request_uri } = (await pushAs(first, makePkce())).body;
    await at.sql`
      update oauth_requests set expires_at = now() - interval '1 second'
      where client_id = ${first.id} and browser_hash is null`;
    const late = await browser.follow(authorizePathOf(first, request_uri));
    expect([late.location, late.answer.status]).toEqual([undefined, 400]);
  });

  test("'fapi2-security-profile-final-par-attempt-to-use-request_uri-for-different-client'", async () => {
    const { request_uri } = (await pushAs(first, makePkce())).body;
    const { location, answer } = await browser.follow(authorizePathOf(second, request_uri));
    expect([location, answer.status]).toEqual([undefined, 400]);
  });

  test("'fapi2-security-profile-final-par-attempt-invalid-http-method'", async () => {
    expect((await fetch(`${at.one.url}${PAR}`, { method: "PUT" })).status).toBe(405);
  });

  test("'fapi2-security-profile-final-par-without-duplicate-parameters': the query changes no parameter", async () => {
    const { request_uri } = (await pushAs(first, makePkce())).body;
    const more = { state: "other", nonce: "other", redirect_uri: "https://evil.example.test/" };
    const { location } = await browser.follow(authorizePathOf(first, request_uri, more));
    expect([location?.href.startsWith(CALLBACK), location?.searchParams.get("state")]).toEqual([true, "the state"]);
  });
});

describe("the token endpoint (G230)", () => {
  test.each([
    ["ensure-pkce-code-verifier-required", { code_verifier: undefined }],
    ["incorrect-pkce-code-verifier-rejected", { code_verifier: makePkce().verifier }],
  ])("'fapi2-security-profile-final-%s'", async (_name, fields) => {
    expect(errorOf(await exchangeAs(first, await code(), { fields }))).toEqual([400, "invalid_grant"]);
  });

  test("a code with another redirect URI is refused", async () => {
    const fields = { redirect_uri: `${CALLBACK}/other` };
    expect(errorOf(await exchangeAs(first, await code(), { fields }))).toEqual([400, "invalid_grant"]);
  });

  test("'fapi2-security-profile-final-ensure-client-id-in-token-endpoint'", async () => {
    const refused = await exchangeAs(first, await code(), { fields: { client_id: second.id } });
    expect(errorOf(refused)).toEqual([401, "invalid_client"]);
  });

  test("'fapi2-security-profile-final-ensure-authorization-code-is-bound-to-client'", async () => {
    expect(errorOf(await exchangeAs(second, await code()))).toEqual([400, "invalid_grant"]);
  });

  test.each(["1 second", "30 seconds"])(
    "'fapi2-security-profile-final-attempt-reuse-authorization-code-after-one-second': %s",
    async (age) => {
      const authorized = await code();
      const { body } = await exchangeAs(first, authorized);
      await at.sql`
        update oauth_token_families set created_at = created_at - ${age}::interval where client_id = ${first.id}`;
      expect(errorOf(await exchangeAs(first, authorized))).toEqual([400, "invalid_grant"]);
      expect((await resource(first, body.access_token)).status).toBe(401);
    },
  );

  test("'fapi2-security-profile-final-ensure-token-endpoint-fails-with-expired-auth-code'", async () => {
    const authorized = await code();
    await at.sql`update oauth_codes set expires_at = now() - interval '2 seconds' where client_id = ${first.id}`;
    expect(errorOf(await exchangeAs(first, authorized))).toEqual([400, "invalid_grant"]);
  });

  test("'fapi2-security-profile-final-refresh-token': the refresh token stays, bound to client and proof", async () => {
    const { refresh_token } = await tokensOf(first);
    expect(errorOf(await refreshAs(first, refresh_token, { assertion: null }))).toEqual([401, "invalid_client"]);
    expect(errorOf(await refreshAs(first, refresh_token, { proof: "none" }))).toEqual([400, "invalid_dpop_proof"]);
    expect(errorOf(await refreshAs(second, refresh_token))).toEqual([400, "invalid_grant"]);
    for (let round = 0; round < 3; round += 1) {
      const { status, body } = await refreshAs(first, refresh_token);
      expect([status, body.refresh_token]).toEqual([200, refresh_token]);
      expect((await resource(first, body.access_token)).status).toBe(200);
    }
  });

  test("a client that allows rotation gets a new refresh token", async () => {
    const rotating = await fapiClient({ refresh_token_rotation: true });
    const { refresh_token } = await tokensOf(rotating);
    const { body } = await refreshAs(rotating, refresh_token);
    expect(body.refresh_token).not.toBe(refresh_token);
  });
});

describe("client assertions (G230)", () => {
  const wrong: [string, Record<string, unknown>][] = [
    [
      "'fapi2-security-profile-final-ensure-client-assertion-with-exp-is-5-minutes-in-past-fails'",
      { exp: seconds(-300) },
    ],
    [
      "'fapi2-security-profile-final-ensure-client-assertion-with-wrong-aud-fails'",
      { aud: "https://wrong.example.test" },
    ],
    ["'fapi2-security-profile-final-ensure-client-assertion-with-no-sub-fails'", { sub: undefined }],
    ["'fapi2-security-profile-final-par-test-par-endpoint-url-as-audience-fails'", { aud: `${ISSUER}${PAR}` }],
    ["'fapi2-security-profile-final-par-test-token-endpoint-url-as-audience-fails'", { aud: `${ISSUER}${TOKEN}` }],
    [
      "'fapi2-security-profile-final-par-test-array-as-audience-fails'",
      { aud: [ISSUER, "https://other1.example.test/invalid"] },
    ],
    ["a list of the issuer alone as audience", { aud: [ISSUER] }],
    [
      "'fapi2-security-profile-final-par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails'",
      { iat: seconds(70), nbf: seconds(70), exp: seconds(130) },
    ],
    ["'fapi2-security-profile-final-ensure-invalid-client-assertions-fail': iss", { iss: "other" }],
    ["'fapi2-security-profile-final-ensure-invalid-client-assertions-fail': no exp", { exp: undefined }],
    ["'fapi2-security-profile-final-ensure-invalid-client-assertions-fail': no jti", { jti: undefined }],
  ];
  test.each(wrong)("%s is invalid_client", async (_name, claims) => {
    const assertion = await assertionOf(first, claims);
    expect(errorOf(await pushAs(first, makePkce(), { assertion }))).toEqual([401, "invalid_client"]);
  });

  test.each(["nbf-8-seconds-in-the-future-is-accepted"])(
    "'fapi2-security-profile-final-par-ensure-jwt-client-assertions-%s'",
    async () => {
      const assertion = await assertionOf(first, { iat: seconds(8), nbf: seconds(8) });
      expect((await pushAs(first, makePkce(), { assertion })).status).toBe(201);
    },
  );

  test("'fapi2-security-profile-final-ensure-signed-client-assertion-with-RS256-fails'", async () => {
    const client = await fapiClient({}, "RS256");
    expect(errorOf(await pushAs(client, makePkce()))).toEqual([401, "invalid_client"]);
  });

  test("'fapi2-security-profile-final-ensure-client-assertion-in-token-endpoint'", async () => {
    expect(errorOf(await exchangeAs(first, await code(), { assertion: null }))).toEqual([401, "invalid_client"]);
  });

  test("a key of another client is refused", async () => {
    const { privateKey } = await generateKeyPair("ES256");
    const assertion = await assertionOf(first, {}, { key: privateKey });
    expect(errorOf(await pushAs(first, makePkce(), { assertion }))).toEqual([401, "invalid_client"]);
  });
});

describe("proofs of possession (G230)", () => {
  test("'fapi2-security-profile-final-ensure-holder-of-key-required'", async () => {
    expect(errorOf(await exchangeAs(first, await code(), { proof: "none" }))).toEqual([400, "invalid_dpop_proof"]);
  });

  test.each<[string, ProofParts]>([
    ["check-dpop-proof-nbf-exp", { claims: { nbf: seconds(-5), exp: seconds(60) } }],
    ["ensure-dpopproof-with-iat-10seconds-before-succeeds", { claims: { iat: seconds(-10) } }],
    ["ensure-dpopproof-with-iat-10seconds-after-succeeds", { claims: { iat: seconds(10) } }],
  ])("'fapi2-security-profile-final-%s'", async (_name, proof) => {
    const { status, body } = await exchangeAs(first, await code({ proof }), { proof });
    expect(status).toBe(200);
    expect((await resource(first, body.access_token, proof)).status).toBe(200);
  });

  test("'fapi2-security-profile-final-ensure-dpopproof-at-par-endpoint-binding-success'", async () => {
    expect((await exchangeAs(first, await code({ proof: {} }))).status).toBe(200);
  });

  test("'fapi2-security-profile-final-ensure-dpop-auth-code-binding-success'", async () => {
    const authorized = await code({ fields: { dpop_jkt: first.proofKey.thumbprint } });
    expect((await exchangeAs(first, authorized)).status).toBe(200);
  });

  test.each<[string, () => Difference]>([
    ["ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt", () => ({ proof: {}, proofKey: second.proofKey })],
    [
      "ensure-token-endpoint-fails-with-mismatched-dpop-jkt",
      () => ({ fields: { dpop_jkt: second.proofKey.thumbprint } }),
    ],
  ])("'fapi2-security-profile-final-%s'", async (_name, difference) => {
    expect(errorOf(await exchangeAs(first, await code(difference())))).toEqual([400, "invalid_grant"]);
  });

  test("'fapi2-security-profile-final-ensure-mismatched-dpop-jkt-fails'", async () => {
    const difference = { proof: {}, fields: { dpop_jkt: second.proofKey.thumbprint } };
    expect(errorOf(await pushAs(first, makePkce(), difference))).toEqual([400, "invalid_dpop_proof"]);
  });

  test.each<[string, ProofParts]>([
    ["typ", { header: { typ: "jwt" } }],
    ["htm", { claims: { htm: "GET" } }],
    ["htu", { claims: { htu: `${ISSUER}/other` } }],
    ["an old iat", { claims: { iat: seconds(-120) } }],
    ["no jti", { claims: { jti: undefined } }],
  ])("'fapi2-security-profile-final-dpop-negative-tests': %s", async (_name, proof) => {
    expect(errorOf(await exchangeAs(first, await code(), { proof }))).toEqual([400, "invalid_dpop_proof"]);
  });

  test("'fapi2-security-profile-final-dpop-negative-tests': every wrong proof at the resource", async () => {
    const { access_token } = await tokensOf(first);
    const present = async (dpop: string | readonly string[], scheme = "DPoP") => {
      const headers = new Headers({ authorization: `${scheme} ${access_token}` });
      for (const each of [dpop].flat()) headers.append("dpop", each);
      return (await fetch(`${at.one.url}${USERINFO}`, { headers })).status;
    };
    const proof = ({ claims, ...parts }: ProofParts = {}, key = first.proofKey) =>
      makeProof(key, { path: USERINFO, accessToken: access_token, ...parts, claims: { htm: "GET", ...claims } });
    const { privateKey, publicKey, jwk } = first.proofKey;
    const made = await proof();
    const [head = "", payload = "", signature = ""] = made.split(".");
    const withHeader = (header: object) => `${Buffer.from(JSON.stringify(header)).toString("base64url")}.${payload}`;
    const htu = `${ISSUER}${USERINFO}`;
    const wrong: [string, string | readonly string[]][] = [
      ["two proofs", [await proof(), await proof()]],
      ["not well-formed", `${head}.${payload}`],
      ["no typ", await proof({ header: { typ: undefined } })],
      ["no alg", `${withHeader({ typ: "dpop+jwt", jwk })}.${signature}`],
      ["no jwk", await proof({ header: { jwk: undefined } })],
      ...(await Promise.all(
        ["jti", "htm", "htu", "iat", "ath"].map(
          async (name): Promise<[string, string]> => [`no ${name}`, await proof({ claims: { [name]: undefined } })],
        ),
      )),
      ["another typ", await proof({ header: { typ: "dpop_jwt" } })],
      ["alg none", `${withHeader({ typ: "dpop+jwt", alg: "none", jwk })}.`],
      ["a wrong signature", `${head}.${payload}.${"A".repeat(86)}`],
      ["a private key", await proof({ header: { jwk: await exportJWK(privateKey) } })],
      ["htm PUT", await proof({ claims: { htm: "PUT" } })],
      ["another htu", await proof({ claims: { htu: `${ISSUER}/other` } })],
      ["iat in an hour", await proof({ claims: { iat: seconds(3600) } })],
      ["iat an hour ago", await proof({ claims: { iat: seconds(-3600) } })],
      ["another ath", await proof({ claims: { ath: "x".repeat(43) } })],
      ["another key", await proof({}, second.proofKey)],
    ];
    for (const [name, each] of wrong) expect([name, await present(each)]).toEqual([name, 401]);
    const right: [string, string][] = [
      ["htu with query and fragment", await proof({ claims: { htu: `${htu}?a=1#b` } })],
      ["htu in another case of scheme and host", await proof({ claims: { htu: htu.replace("http", "HTTP") } })],
      ["unknown members", await proof({ claims: { x: 1 }, header: { x: 1 } })],
      ["the key with further public members", await proof({ header: { jwk: await exportJWK(publicKey) } })],
    ];
    for (const [name, each] of right) expect([name, await present(each)]).toEqual([name, 200]);
    expect(await present(await proof(), "Bearer")).toBe(401);
  });

  test("'fapi2-security-profile-final-dpop-negative-tests': a replayed jti, RS256, and the scheme Bearer", async () => {
    const proof = { claims: { jti: crypto.randomUUID() } };
    expect((await exchangeAs(first, await code(), { proof })).status).toBe(200);
    expect(errorOf(await exchangeAs(first, await code(), { proof }))).toEqual([400, "invalid_dpop_proof"]);
    const proofKey = await makeProofKey("RS256");
    expect(errorOf(await exchangeAs(first, await code(), { proofKey }))).toEqual([400, "invalid_dpop_proof"]);
    const { access_token } = await tokensOf(first);
    expect((await resource(first, access_token, {}, "Bearer")).status).toBe(401);
  });
});

describe("settings of the profile (G230)", () => {
  test.each<[string, Record<string, unknown>]>([
    ["a secret", { token_endpoint_auth_method: "client_secret_basic", keys: [] }],
    ["RS256 for ID tokens", { id_token_signed_response_alg: "RS256" }],
    ["optional PKCE", { require_pkce: false }],
  ])("%s is invalid_input", async (_name, settings) => {
    await expect(fapiClient(settings)).rejects.toThrow("400");
  });

  test("a client gets the profile later, with ES256 for ID tokens", async () => {
    const client = await fapiClient({ profile: "none" });
    const admin = await oauthAdmin();
    const { status, body } = await admin.patch(`/v1/admin/oauth-clients/${client.id}`, { profile: "fapi2" });
    const { profile, id_token_signed_response_alg: algorithm, refresh_token_rotation: rotates } = body;
    expect([status, profile, algorithm, rotates]).toEqual([200, "fapi2", "ES256", false]);
  });
});

/** A request object with the parameters of the plan. */
async function objectOf(by: FapiClient, pkce: ReturnType<typeof makePkce>, claims: Record<string, unknown> = {}) {
  const parameters = {
    client_id: by.id,
    response_type: "code",
    redirect_uri: CALLBACK,
    scope: "openid",
    state: "inside",
    nonce: "inside",
    code_challenge: pkce.challenge,
    code_challenge_method: "S256",
  };
  return await assertionOf(by, { sub: undefined, nbf: seconds(0), exp: seconds(300), ...parameters, ...claims });
}

describe("signed request objects (G231)", () => {
  let signing: FapiClient;
  let plain: FapiClient;
  beforeAll(async () => {
    signing = await fapiClient({ require_signed_request_object: true });
    plain = await fapiClient({ profile: "none", require_signed_request_object: true });
  });

  const outside = (request: string) => ({ fields: { request, state: "outside", nonce: "outside" } });

  async function pushObject(claims: Record<string, unknown>): Promise<Answer> {
    const pkce = makePkce();
    return await pushAs(signing, pkce, outside(await objectOf(signing, pkce, claims)));
  }

  test.each(["state", "nonce"])(
    "'fapi2-security-profile-final-ensure-different-%s-inside-and-outside-request-object': the object alone counts",
    async (name) => {
      const pkce = makePkce();
      const pushed = await pushAs(signing, pkce, outside(await objectOf(signing, pkce)));
      const { location } = await browser.follow(authorizePathOf(signing, pushed.body.request_uri));
      const response = location?.searchParams ?? new URLSearchParams();
      const authorized: FapiCode = { code: response.get("code") ?? "", pkce, response };
      const { body } = await exchangeAs(signing, authorized);
      const inside = { state: response.get("state"), nonce: decodeJwt(body.id_token).nonce };
      expect(inside[name as keyof typeof inside]).toBe("inside");
    },
  );

  test("'fapi2-security-profile-final-state-only-outside-request-object-not-used'", async () => {
    const pushed = await pushObject({ state: undefined });
    const { location } = await browser.follow(authorizePathOf(signing, pushed.body.request_uri));
    expect([location?.searchParams.has("code"), location?.searchParams.has("state")]).toEqual([true, false]);
  });

  test("'fapi2-security-profile-final-ensure-request-object-without-redirect-uri-fails'", async () => {
    expect(errorOf(await pushObject({ redirect_uri: undefined }))).toEqual([400, "invalid_request"]);
  });

  test.each<[string, Record<string, unknown>]>([
    ["ensure-request-object-with-multiple-aud-succeeds", { aud: [ISSUER, "https://other.example.test"] }],
    ["ensure-request-object-with-nbf-8-seconds-in-the-future-is-accepted", { nbf: seconds(8) }],
  ])("'fapi2-security-profile-final-%s'", async (_name, claims) => {
    expect((await pushObject(claims)).status).toBe(201);
  });

  test("of 40 parallel uses of an object with a jti at two replicas with Redis emptied one works", async () => {
    const request = await objectOf(signing, makePkce());
    const answers = await raceWithoutRedis((index) =>
      pushAs(signing, makePkce(), { ...outside(request), url: (index % 2 === 0 ? at.one : at.other).url }),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect([refused.length, new Set(refused.map(({ body }) => body.error))]).toEqual([
      39,
      new Set(["invalid_request_object"]),
    ]);
    expect(
      (await browser.get(`/oauth2/authorize?${new URLSearchParams({ client_id: plain.id, request })}`)).status,
    ).toBe(400);
  });

  test("a refused push does not use the object: the request is repeated with the nonce of a refusal", async () => {
    const request = await objectOf(signing, makePkce());
    const stale = { ...outside(request), proof: { claims: { nonce: "of another" } } };
    expect(errorOf(await pushAs(signing, makePkce(), stale))).toEqual([400, "use_dpop_nonce"]);
    expect((await pushAs(signing, makePkce(), outside(request))).status).toBe(201);
  });

  test("'fapi2-security-profile-final-ensure-signed-request-object-with-RS256-fails'", async () => {
    const { privateKey } = await generateKeyPair("RS256");
    const request = await objectOf({ ...signing, privateKey, alg: "RS256" }, makePkce());
    expect(errorOf(await pushAs(signing, makePkce(), outside(request)))).toEqual([400, "invalid_request_object"]);
  });

  test.each<[string, Record<string, unknown>]>([
    ["'fapi2-security-profile-final-ensure-request-object-with-exp-over-60-fails'", { exp: seconds(3700) }],
    ["'fapi2-security-profile-final-ensure-request-object-without-exp-fails'", { exp: undefined }],
    ["'fapi2-security-profile-final-ensure-request-object-without-nbf-fails'", { nbf: undefined }],
    [
      "'fapi2-security-profile-final-ensure-request-object-with-nbf-over-60-fails'",
      { nbf: seconds(-4000), exp: seconds(60) },
    ],
    ["'fapi2-security-profile-final-ensure-expired-request-object-fails'", { nbf: seconds(-600), exp: seconds(-300) }],
    ["'fapi2-security-profile-final-ensure-request-object-with-bad-aud-fails'", { aud: "https://other.example.test" }],
    ["another issuer", { iss: "other" }],
    ["another client_id", { client_id: "other" }],
    ["the sub of a client assertion", { sub: "itself" }],
    ["a request inside", { request: "x" }],
    [
      "'fapi2-security-profile-final-par-authorization-request-containing-request_uri'",
      { request_uri: "urn:ietf:params:oauth:request_uri:x" },
    ],
  ])("%s: the request object is invalid_request_object", async (_name, claims) => {
    const own = claims.sub === "itself" ? { sub: signing.id } : claims;
    expect(errorOf(await pushObject(own))).toEqual([400, "invalid_request_object"]);
  });

  test("'fapi2-security-profile-final-ensure-request-object-signature-algorithm-is-not-none'", async () => {
    const [, payload] = (await objectOf(signing, makePkce())).split(".");
    const header = Buffer.from('{"alg":"none"}').toString("base64url");
    const refused = await pushAs(signing, makePkce(), outside(`${header}.${payload}.`));
    expect(errorOf(refused)).toEqual([400, "invalid_request_object"]);
  });

  test("'fapi2-security-profile-final-ensure-matching-key-in-authorization-request'", async () => {
    const forged = await objectOf({ ...signing, privateKey: second.privateKey }, makePkce());
    expect(errorOf(await pushAs(signing, makePkce(), outside(forged)))).toEqual([400, "invalid_request_object"]);
  });

  test("'fapi2-security-profile-final-ensure-request-object-with-invalid-signature-fails'", async () => {
    const [header, payload] = (await objectOf(signing, makePkce())).split(".");
    const forged = `${header}.${payload}.${"A".repeat(86)}`;
    expect(errorOf(await pushAs(signing, makePkce(), outside(forged)))).toEqual([400, "invalid_request_object"]);
  });

  test("'fapi2-security-profile-final-ensure-unsigned-request-at-par-endpoint-fails': nor in the browser", async () => {
    expect(errorOf(await pushAs(signing, makePkce()))).toEqual([400, "invalid_request"]);
    const { challenge } = makePkce();
    const query = new URLSearchParams({ client_id: plain.id, redirect_uri: CALLBACK, code_challenge: challenge });
    const { location, answer } = await browser.follow(`/oauth2/authorize?${query}`);
    expect([location, answer.status]).toEqual([undefined, 400]);
  });

  test("an object in the browser is read without a push, and a forged object has no redirect", async () => {
    const request = await objectOf(plain, makePkce());
    const query = (object: string) => new URLSearchParams({ client_id: plain.id, request: object, state: "outside" });
    const { location } = await browser.follow(`/oauth2/authorize?${query(request)}`);
    expect([location?.searchParams.has("code"), location?.searchParams.get("state")]).toEqual([true, "inside"]);
    const refused = await browser.follow(`/oauth2/authorize?${query(`${request.slice(0, -4)}AAAA`)}`);
    expect([refused.location, refused.answer.status]).toEqual([undefined, 400]);
  });
});

describe("signed responses (JARM, G231)", () => {
  test.each([
    ["jwt", "ES256"],
    ["query.jwt", "EdDSA"],
  ])("response_mode %s returns one JWT for the client, by %s", async (responseMode, algorithm) => {
    const client = await fapiClient({ id_token_signed_response_alg: algorithm });
    const { response, ...authorized } = await code({ fields: { response_mode: responseMode } }, client);
    expect([...response.keys()]).toEqual(["response"]);
    const jwt = response.get("response") ?? "";
    expect(decodeProtectedHeader(jwt)).toMatchObject({ alg: algorithm, typ: "authorization-response+jwt" });
    const claims = decodeJwt(jwt);
    expect(claims).toMatchObject({ iss: ISSUER, aud: client.id, state: "the state" });
    expect((claims.exp ?? 0) - seconds(0)).toBeWithin(590, 601);
    expect((await exchangeAs(client, { ...authorized, response, code: String(claims.code) })).status).toBe(200);
  });

  test("form_post.jwt posts the JWT, and an error is signed too", async () => {
    const [pushed, silent] = [
      await pushAs(first, makePkce(), { fields: { response_mode: "form_post.jwt" } }),
      await pushAs(first, makePkce(), {
        fields: { response_mode: "jwt", prompt: "none", max_age: "0", id_token_hint: undefined },
      }),
    ];
    const { answer } = await browser.follow(authorizePathOf(first, pushed.body.request_uri));
    const names = [...answer.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
    expect(names.map(([, name]) => name)).toEqual(["response"]);
    expect(decodeJwt(names[0]?.[2] ?? "")).toMatchObject({ aud: first.id, state: "the state" });
    await at.sql`update sessions set auth_time = now() - interval '1 hour'`;
    const { location } = await browser.follow(authorizePathOf(first, silent.body.request_uri));
    const refused = decodeJwt(location?.searchParams.get("response") ?? "");
    expect(refused).toMatchObject({ error: "login_required", aud: first.id, iss: ISSUER });
  });
});
