/** Sender-constrained tokens by DPoP, RFC 9449 (docs/contract.md, section 23.14). */
import { beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import * as openid from "openid-client";
import { type Answer, Client } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { makeProof, makeProofKey, type ProofKey, type ProofParts } from "../support/dpop.ts";
import {
  API,
  authorizePath,
  type Browser,
  basic,
  type Code,
  codeFor,
  discovered,
  introspectAt,
  makePkce,
  oauthAdmin,
  personWithBrowser,
  registerClient,
  sendForm,
  type TestClient,
} from "../support/oauth.ts";
import { ISSUER, startReplica } from "../support/replica.ts";

const TOKEN = "/oauth2/token";
const USERINFO = "/oauth2/userinfo";
const PAR = "/oauth2/par";

let at: Deployment;
let client: TestClient;
let publicClient: TestClient;
let browser: Browser;
let key: ProofKey;
beforeAll(async () => {
  at = await deployment();
  client = await registerClient({ grant_types: ["authorization_code", "refresh_token", "client_credentials"] });
  publicClient = await registerClient({ token_endpoint_auth_method: "none" });
  ({ browser } = await personWithBrowser());
  key = await makeProofKey();
});

type Fields = Record<string, string>;

/** A token request; `proof` undefined: without a proof. */
function tokenRequest(of: TestClient, fields: Fields, proof: string | undefined, url = at.one.url): Promise<Answer> {
  return sendForm(url, TOKEN, fields, { ...basic(of), ...(proof === undefined ? {} : { dpop: proof }) });
}

const codeFields = ({ code, pkce }: Code, of: TestClient): Fields => ({
  grant_type: "authorization_code",
  code,
  redirect_uri: of.redirectUri,
  code_verifier: pkce.verifier,
});

const refreshFields = (token: string): Fields => ({ grant_type: "refresh_token", refresh_token: token });

/** Tokens bound to `by`. */
async function boundTokens(of: TestClient, by: ProofKey, more: Record<string, string> = {}) {
  const code = await codeFor(of, browser, more);
  const response = await tokenRequest(of, codeFields(code, of), await makeProof(by));
  if (response.status !== 200) throw new Error(`the exchange returned ${response.status}: ${response.text}`);
  return response.body;
}

async function userInfo(token: string, scheme: string, parts: ProofParts | undefined, by = key): Promise<Answer> {
  const proof = parts && (await makeProof(by, { path: USERINFO, ...parts, claims: { htm: "GET", ...parts.claims } }));
  const headers = { authorization: `${scheme} ${token}`, ...(proof ? { dpop: proof } : {}) };
  return await new Client(at.one.url).request("GET", USERINFO, { headers });
}

/** The request is refused without a nonce, and accepted with the nonce of the refusal. */
async function nonceChallenge(send: (claims: Fields) => Promise<Answer>, status = 400) {
  const refused = await send({});
  expect([refused.status, refused.body.error]).toEqual([status, "use_dpop_nonce"]);
  const accepted = await send({ nonce: refused.headers.get("dpop-nonce") ?? "" });
  expect([200, 201]).toContain(accepted.status);
  return accepted.body;
}

function pushed(of: TestClient, proof: string): Promise<Answer> {
  const path = authorizePath(of, makePkce().challenge);
  const fields = Object.fromEntries(new URLSearchParams(path.slice(path.indexOf("?"))));
  return sendForm(at.one.url, PAR, fields, { ...basic(of), dpop: proof });
}

describe("POST /oauth2/token with a proof: 200 (G207)", () => {
  test("the access token is bound to the key, and introspection names the key", async () => {
    const tokens = await boundTokens(client, key);
    expect([tokens.token_type, decodeJwt(tokens.access_token).cnf]).toEqual(["DPoP", { jkt: key.thumbprint }]);
    const { body } = await introspectAt(at.other.url, client, tokens.access_token);
    expect([body.active, body.token_type, body.cnf]).toEqual([true, "DPoP", { jkt: key.thumbprint }]);
  });

  test("without a proof the token is a Bearer token without cnf, also beside bound tokens of the client", async () => {
    const response = await tokenRequest(client, codeFields(await codeFor(client, browser), client), undefined);
    expect([response.body.token_type, decodeJwt(response.body.access_token).cnf]).toEqual(["Bearer", undefined]);
    expect(response.headers.has("dpop-nonce")).toBe(false);
  });

  test("a client's own token is bound to the key", async () => {
    const fields = { grant_type: "client_credentials", scope: "api:read" };
    const { body } = await tokenRequest(client, fields, await makeProof(key));
    expect([body.token_type, decodeJwt(body.access_token).cnf]).toEqual(["DPoP", { jkt: key.thumbprint }]);
  });

  test("a confidential client refreshes with another key, and the new access token has that key", async () => {
    const tokens = await boundTokens(client, key);
    const other = await makeProofKey("EdDSA");
    const { body } = await tokenRequest(client, refreshFields(tokens.refresh_token), await makeProof(other));
    expect(decodeJwt(body.access_token).cnf).toEqual({ jkt: other.thumbprint });
  });

  test("openid-client signs in, refreshes and reads UserInfo with its own proofs, nonce included", async () => {
    const strict = await registerClient({ dpop_bound_access_tokens: true });
    const replica = await startReplica({ DATABASE_URL: at.databaseUrl, SERVICE_OAUTH_DPOP_NONCE: "required" });
    const config = await discovered(strict, replica.url);
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair("ES256"));
    const pkce = makePkce();
    const { location } = await browser.follow(authorizePath(strict, pkce.challenge));
    const checks = { pkceCodeVerifier: pkce.verifier, expectedState: "the state", expectedNonce: "the nonce" };
    const tokens = await openid.authorizationCodeGrant(config, location as URL, checks, undefined, { DPoP });
    expect(tokens.token_type).toBe("dpop");
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "", undefined, { DPoP });
    const sub = tokens.claims()?.sub ?? "";
    expect((await openid.fetchUserInfo(config, refreshed.access_token, sub, { DPoP })).sub).toBe(sub);
    await replica.stop();
  });
});

describe("POST /oauth2/token with a proof: 400 (G207)", () => {
  const fields = { grant_type: "client_credentials", scope: "api:read" };
  const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset;

  test("an invalid proof is invalid_dpop_proof with the rule, and the code stays unused", async () => {
    const code = await codeFor(client, browser);
    const refused = await tokenRequest(client, codeFields(code, client), await makeProof(key, { path: "/oauth2/par" }));
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_dpop_proof"]);
    expect(refused.body.error_description).toContain("htu");
    expect((await tokenRequest(client, codeFields(code, client), await makeProof(key))).status).toBe(200);
  });

  test.each([
    ["older", -62],
    ["newer", 62],
  ])(
    "a proof more than 60 s %s than the clock needs the nonce, and works with the nonce (G405)",
    async (_name, offset) => {
      const iat = seconds(offset);
      const refused = await tokenRequest(client, fields, await makeProof(key, { claims: { iat } }));
      expect([refused.status, refused.body.error]).toEqual([400, "use_dpop_nonce"]);
      const nonce = refused.headers.get("dpop-nonce");
      expect((await tokenRequest(client, fields, await makeProof(key, { claims: { iat, nonce } }))).status).toBe(200);
    },
  );

  test("of 40 parallel requests with one proof on two replicas one gets a token; ten replays are audited", async () => {
    const proof = await makeProof(key);
    const answers = await race(
      (index) => tokenRequest(client, fields, proof, index % 2 === 0 ? at.one.url : at.other.url),
      40,
    );
    const statuses = answers.map(({ status, body }) => (status === 200 ? 200 : body.error));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([200, "invalid_dpop_proof"]));
    const [row] = await at.sql`
      select count(*)::int as replays from audit_logs
      where action = 'oauth.dpop.replayed' and resource_id = ${client.id} and outcome = 'failure'`;
    expect(row?.replays).toBe(10);
  });

  test("an equal jti under a second key is a new proof", async () => {
    const claims = { jti: crypto.randomUUID() };
    const proofs = await Promise.all([key, await makeProofKey()].map((each) => makeProof(each, { claims })));
    const answers = await Promise.all(proofs.map((proof) => tokenRequest(client, fields, proof)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test("a refused request has the nonce for the next proof, and a proof with the nonce has any iat", async () => {
    const refused = await tokenRequest(client, fields, await makeProof(key, { claims: { nonce: "of another" } }));
    expect([refused.status, refused.body.error]).toEqual([400, "use_dpop_nonce"]);
    const nonce = refused.headers.get("dpop-nonce");
    const proof = await makeProof(key, { claims: { nonce, iat: seconds(-86_400) } });
    const accepted = await tokenRequest(client, fields, proof, at.other.url);
    expect([accepted.status, accepted.headers.get("dpop-nonce")]).toEqual([200, nonce]);
  });
});

describe("keys of codes and refresh tokens (G208)", () => {
  test("a code with dpop_jkt gives tokens to this key alone, and a wrong key consumes the code", async () => {
    const more = { dpop_jkt: key.thumbprint };
    const other = await makeProof(await makeProofKey());
    for (const proof of [undefined, other]) {
      const code = await codeFor(publicClient, browser, more);
      const refused = await tokenRequest(publicClient, codeFields(code, publicClient), proof);
      expect([refused.status, refused.body.error]).toEqual([400, "invalid_grant"]);
    }
    expect((await boundTokens(publicClient, key, more)).token_type).toBe("DPoP");
  });

  test("a malformed dpop_jkt is invalid_request at the redirect URI", async () => {
    const { location } = await browser.follow(authorizePath(client, makePkce().challenge, { dpop_jkt: "short" }));
    expect(location?.searchParams.get("error")).toBe("invalid_request");
  });

  test("a pushed request with a proof binds the code to the key of the proof", async () => {
    const { challenge, ...pkce } = makePkce();
    const path = authorizePath(client, challenge);
    const parameters = Object.fromEntries(new URLSearchParams(path.slice(path.indexOf("?"))));
    const headers = { ...basic(client), dpop: await makeProof(key, { path: "/oauth2/par" }) };
    const mismatch = { ...parameters, dpop_jkt: (await makeProofKey()).thumbprint };
    const refused = await sendForm(at.one.url, "/oauth2/par", mismatch, headers);
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_dpop_proof"]);
    const fresh = { ...headers, dpop: await makeProof(key, { path: "/oauth2/par" }) };
    // An empty parameter counts as absent (RFC 6749, section 3.1).
    const { body } = await sendForm(at.one.url, "/oauth2/par", { ...parameters, dpop_jkt: "" }, fresh);
    const query = new URLSearchParams({ client_id: client.id, request_uri: body.request_uri });
    const { location } = await browser.follow(`/oauth2/authorize?${query}`);
    const code = { code: location?.searchParams.get("code") ?? "", pkce: { ...pkce, challenge } };
    expect((await tokenRequest(client, codeFields(code, client), undefined)).body.error).toBe("invalid_grant");
  });

  test("a refresh token of a public client needs the key; a thief without it does not end the family", async () => {
    const tokens = await boundTokens(publicClient, key);
    const rotate = async (token: string, by: ProofKey | undefined) =>
      await tokenRequest(publicClient, refreshFields(token), by && (await makeProof(by)));
    const next = await rotate(tokens.refresh_token, key);
    expect(next.body.token_type).toBe("DPoP");
    await at.sql`update oauth_token_families set rotated_at = rotated_at - interval '1 minute'
                 where id = ${decodeJwt(tokens.access_token).sid as string}`;
    const thief = await makeProofKey();
    const stolen = [await rotate(tokens.refresh_token, thief), await rotate(next.body.refresh_token, thief)];
    expect(stolen.map(({ body }) => body.error)).toEqual(["invalid_grant", "invalid_grant"]);
    expect((await rotate(next.body.refresh_token, undefined)).body.error).toBe("invalid_dpop_proof");
    expect((await rotate(next.body.refresh_token, key)).status).toBe(200);
  });
});

describe("clients and APIs that need proofs (G208)", () => {
  test("dpop_bound_access_tokens: a request without a proof is refused before the code is consumed", async () => {
    const strict = await registerClient({ dpop_bound_access_tokens: true });
    const code = await codeFor(strict, browser);
    const refused = await tokenRequest(strict, codeFields(code, strict), undefined);
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_dpop_proof"]);
    expect((await tokenRequest(strict, codeFields(code, strict), await makeProof(key))).status).toBe(200);
  });

  test("require_dpop_nonce: every proof of the client needs a nonce, and no other request does", async () => {
    const strict = await registerClient({ require_dpop_nonce: true });
    const code = await codeFor(strict, browser);
    const first = await nonceChallenge(async (claims) =>
      tokenRequest(strict, codeFields(code, strict), await makeProof(key, { claims })),
    );
    const next = await nonceChallenge(async (claims) =>
      tokenRequest(strict, refreshFields(first.refresh_token), await makeProof(key, { claims })),
    );
    await nonceChallenge(async (claims) => pushed(strict, await makeProof(key, { path: PAR, claims })));
    const accessToken = next.access_token;
    await nonceChallenge((claims) => userInfo(accessToken, "DPoP", { accessToken, claims }), 401);
    const plain = await codeFor(strict, browser);
    expect((await tokenRequest(strict, codeFields(plain, strict), undefined)).body.token_type).toBe("Bearer");
    expect((await boundTokens(client, key)).token_type).toBe("DPoP");
  });

  test("an API with dpop required gives no Bearer token by code, refresh or client credentials", async () => {
    const admin = await oauthAdmin();
    const identifier = "https://bound.example.test/";
    const api = await admin.post("/v1/admin/resources", { identifier, name: "Bound", dpop: "required" });
    expect([api.status, api.body.dpop]).toEqual([201, "required"]);
    const settings = { resources: [API, identifier], grant_types: ["authorization_code", "refresh_token"] };
    const caller = await registerClient(settings);
    const named = await codeFor(caller, browser, { resource: identifier });
    expect((await tokenRequest(caller, codeFields(named, caller), undefined)).body.error).toBe("invalid_grant");
    const own = await registerClient({ ...settings, grant_types: ["client_credentials"], redirect_uris: [] });
    const credentials = { grant_type: "client_credentials", resource: identifier, scope: "api:read" };
    expect((await tokenRequest(own, credentials, undefined)).body.error).toBe("invalid_dpop_proof");
    expect((await tokenRequest(own, credentials, await makeProof(key))).body.token_type).toBe("DPoP");
    const bound = await boundTokens(caller, key, { resource: identifier });
    const refresh = refreshFields(bound.refresh_token);
    expect((await tokenRequest(caller, refresh, undefined)).body.error).toBe("invalid_dpop_proof");
    expect((await tokenRequest(caller, refresh, await makeProof(key))).status).toBe(200);
    const changed = await admin.patch(`/v1/admin/resources/${api.body.id}`, { dpop: "allowed" });
    expect([changed.status, changed.body.dpop]).toEqual([200, "allowed"]);
    expect((await tokenRequest(own, credentials, undefined)).body.token_type).toBe("Bearer");
  });
});

describe("GET /oauth2/userinfo with a bound token (G207)", () => {
  let token: string;
  beforeAll(async () => {
    token = (await boundTokens(client, key)).access_token;
  });

  test("200 with a proof of the key over the token", async () => {
    const response = await userInfo(token, "DPoP", { accessToken: token });
    expect([response.status, response.headers.has("dpop-nonce")]).toEqual([200, true]);
  });

  test("401 invalid_token as Bearer, with another key, and for a Bearer token with a proof", async () => {
    const response = await tokenRequest(client, codeFields(await codeFor(client, browser), client), undefined);
    const unbound = response.body.access_token;
    const refused = await Promise.all([
      userInfo(token, "Bearer", undefined),
      userInfo(token, "Bearer", { accessToken: token }),
      userInfo(token, "DPoP", { accessToken: token }, await makeProofKey()),
      userInfo(unbound, "DPoP", { accessToken: unbound }),
      userInfo(unbound, "Bearer", { accessToken: unbound }),
    ]);
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual(refused.map(() => [401, "invalid_token"]));
  });

  test("401 invalid_dpop_proof without a proof, without ath, and for another token or method", async () => {
    const refused = await Promise.all([
      userInfo(token, "DPoP", undefined),
      userInfo(token, "DPoP", {}),
      userInfo(token, "DPoP", { accessToken: "another" }),
      userInfo(token, "DPoP", { accessToken: token, claims: { htm: "POST" } }),
    ]);
    for (const { status, body, headers } of refused) {
      expect([status, body.error]).toEqual([401, "invalid_dpop_proof"]);
      expect(headers.get("www-authenticate")).toMatch(
        /^DPoP error="invalid_dpop_proof", error_description="[^"]+", algs="ES256 EdDSA PS256 RS256", resource_meta/,
      );
    }
  });
});

describe("metadata", () => {
  test("both discovery documents name the algorithms of proofs", async () => {
    const documents = await Promise.all(
      ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"].map((path) =>
        new Client(at.one.url).get(path),
      ),
    );
    for (const { body } of documents) {
      expect([body.issuer, body.dpop_signing_alg_values_supported]).toEqual([
        ISSUER,
        ["ES256", "EdDSA", "PS256", "RS256"],
      ]);
    }
  });
});
