/** ES256 and EdDSA for applications and APIs (docs/contract.md, sections 23.2, 23.6 and 23.12). */
import { beforeAll, describe, expect, test } from "bun:test";
import { createHash, createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import * as openid from "openid-client";
import { createResourceVerifier } from "../../clients/js/src/verifier.ts";
import { PROVIDER_ALGORITHMS } from "../../src/vocabulary/provider-algorithm.ts";
import { Client } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import {
  authorizePath,
  type Browser,
  basic,
  CALLBACK,
  discovered,
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
import { ISSUER, runService } from "../support/replica.ts";
import { until } from "../support/waiting.ts";

const SCOPE = "openid email offline_access";
const RESOURCES = "/v1/admin/resources";

let at: Deployment;
let admin: Client;
beforeAll(async () => {
  at = await deployment();
  admin = await oauthAdmin();
});

let apis = 0;
async function registerApi(settings: Record<string, unknown>): Promise<string> {
  apis += 1;
  const identifier = `https://api-${apis}.algorithms.example.test/`;
  const response = await admin.post(RESOURCES, { name: "Billing", identifier, ...settings });
  expect([response.status, response.body.signing_alg]).toEqual([201, settings.signing_alg ?? "RS256"]);
  return identifier;
}

/** Verifies a token as an application does: by the JWKS and with one permitted algorithm. */
async function verified(token: string, algorithm: string, url = at.one.url) {
  const jwks = createLocalJWKSet((await new Client(url).get("/.well-known/jwks.json")).body);
  return (await jwtVerify(token, jwks, { issuer: ISSUER, algorithms: [algorithm] })).payload;
}

/** A replica knows a new client within a moment. */
async function untilActive(url: string, client: TestClient, token: string): Promise<void> {
  await until("the token is active", async () => (await introspectAt(url, client, token)).body.active === true);
}

test("The JWKS has an ES256 and an EdDSA key for each RSA key, after the RSA keys, on both replicas.", async () => {
  const { body } = await new Client(at.one.url).get("/.well-known/jwks.json");
  const algorithms = body.keys.map(({ alg }: { alg: string }) => alg);
  const count = algorithms.filter((alg: string) => alg === "RS256").length;
  expect(count).toBeGreaterThanOrEqual(2);
  expect(algorithms).toEqual([
    ...Array(count).fill("RS256"),
    ...Array.from({ length: count }, () => ["ES256", "EdDSA"]).flat(),
  ]);
  for (const key of body.keys.slice(count)) {
    const { kid, alg, use, ...members } = key;
    const ordered = Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)));
    // RFC 7638, section 3.
    expect(kid).toBe(createHash("sha256").update(JSON.stringify(ordered)).digest("base64url"));
    const form = { ES256: { kty: "EC", crv: "P-256" }, EdDSA: { kty: "OKP", crv: "Ed25519" } };
    expect([members, use]).toMatchObject([form[alg as keyof typeof form], "sig"]);
    expect(members).not.toHaveProperty("d");
  }
  expect((await new Client(at.other.url).get("/.well-known/jwks.json")).body).toEqual(body);
});

test("Discovery lists the algorithms.", async () => {
  const { body } = await new Client(at.one.url).get("/.well-known/openid-configuration");
  expect(body.id_token_signing_alg_values_supported).toEqual(["RS256", "ES256", "EdDSA"]);
});

describe.each(PROVIDER_ALGORITHMS)("id_token_signed_response_alg %s", (algorithm) => {
  test("openid-client, which accepts this algorithm only, signs a user in and refreshes", async () => {
    const client = await registerClient({ id_token_signed_response_alg: algorithm });
    const config = await discovered(client, at.one.url, { id_token_signed_response_alg: algorithm });
    openid.enableNonRepudiationChecks(config);
    const user = await personWithBrowser();
    const { verifier, challenge } = makePkce();
    const { location } = await user.browser.follow(authorizePath(client, challenge, { scope: SCOPE }));
    const checks = { pkceCodeVerifier: verifier, expectedState: "the state", expectedNonce: "the nonce" };
    const tokens = await openid.authorizationCodeGrant(config, location ?? new URL(CALLBACK), checks);
    expect(decodeProtectedHeader(tokens.id_token ?? "").alg).toBe(algorithm);
    // The algorithm of access tokens is a setting of the API.
    expect(decodeProtectedHeader(tokens.access_token).alg).toBe("RS256");
    expect(tokens.claims()).toMatchObject({ sub: user.userId, email: user.email });
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
    expect((await verified(refreshed.id_token ?? "", algorithm, at.other.url)).sub).toBe(user.userId);
  });

  test("at_hash has the hash function of the algorithm", async () => {
    const client = await registerClient({ id_token_signed_response_alg: algorithm });
    const { browser } = await personWithBrowser();
    const { id_token, access_token } = await tokensFor(client, browser);
    const digest = createHash(algorithm === "EdDSA" ? "sha512" : "sha256")
      .update(access_token)
      .digest();
    expect(decodeJwt(id_token).at_hash).toBe(digest.subarray(0, digest.length / 2).toString("base64url"));
  });

  test("an ID token with this algorithm is a hint for the logout", async () => {
    const client = await registerClient({
      id_token_signed_response_alg: algorithm,
      post_logout_redirect_uris: ["https://app.example.test/bye"],
    });
    const { browser } = await personWithBrowser();
    const { id_token } = await tokensFor(client, browser);
    const query = new URLSearchParams({ id_token_hint: id_token, state: "s" });
    query.set("post_logout_redirect_uri", "https://app.example.test/bye");
    const { location } = await browser.follow(`/oauth2/logout?${query}`);
    expect(location?.href).toBe("https://app.example.test/bye?state=s");
  });
});

describe.each(PROVIDER_ALGORITHMS)("signing_alg %s of an API", (algorithm) => {
  test("signs the access tokens; UserInfo and introspection accept the tokens on both replicas", async () => {
    const api = await registerApi({ signing_alg: algorithm });
    const client = await registerClient({ resources: [api], audiences: [api] });
    const user = await personWithBrowser();
    const tokens = await tokensFor(client, user.browser, { resource: api, scope: SCOPE });
    expect(await verified(tokens.access_token, algorithm)).toMatchObject({ sub: user.userId, aud: [api, ISSUER] });
    expect(decodeProtectedHeader(tokens.id_token).alg).toBe("RS256");
    const bearer = { bearer: tokens.access_token };
    expect((await new Client(at.one.url).get("/oauth2/userinfo", bearer)).body.email).toBe(user.email);
    for (const { url } of [at.one, at.other]) await untilActive(url, client, tokens.access_token);
    const refreshed = await refreshAt(at.one.url, client, tokens.refresh_token);
    expect((await verified(refreshed.body.access_token, algorithm)).sub).toBe(user.userId);
    // Within the grace, the second tab receives tokens with the same claims.
    const again = await refreshAt(at.one.url, client, tokens.refresh_token);
    expect(decodeJwt(again.body.access_token)).toEqual(decodeJwt(refreshed.body.access_token));
  });

  test("signs client-credentials tokens", async () => {
    const api = await registerApi({ signing_alg: algorithm });
    const client = await registerClient({
      grant_types: ["client_credentials"],
      resources: [api],
      audiences: [api],
      redirect_uris: [],
    });
    const fields = { grant_type: "client_credentials", resource: api, scope: "api:read" };
    const { body } = await sendForm(at.one.url, "/oauth2/token", fields, basic(client));
    expect((await verified(body.access_token, algorithm)).sub).toBe(client.id);
    await untilActive(at.other.url, client, body.access_token);
  });
});

test("A token for several APIs has their common algorithm, else RS256.", async () => {
  const [one, two, other] = [
    await registerApi({ signing_alg: "ES256" }),
    await registerApi({ signing_alg: "ES256" }),
    await registerApi({}),
  ];
  const settings = { grant_types: ["client_credentials"], redirect_uris: [] };
  const client = await registerClient({ ...settings, resources: [one, two, other] });
  const algorithmFor = async (resources: readonly string[]) => {
    const query = new URLSearchParams({ grant_type: "client_credentials", scope: "api:read" });
    for (const resource of resources) query.append("resource", resource);
    const { body } = await sendForm(at.one.url, "/oauth2/token", query.toString(), basic(client));
    return decodeProtectedHeader(body.access_token).alg;
  };
  expect(await algorithmFor([one, two])).toBe("ES256");
  expect(await algorithmFor([one, other])).toBe("RS256");
});

describe("a rotation of the keys (G23)", () => {
  const kidOf = (token: string) => decodeProtectedHeader(token).kid;
  const keysAt = async (url: string): Promise<readonly { readonly alg: string; readonly kid: string }[]> =>
    (await new Client(url).get("/.well-known/jwks.json")).body.keys;
  const verifierOf = (resource: string) =>
    createResourceVerifier({ issuer: ISSUER, resource, baseUrl: at.other.url, whenBlind: "deny" });

  /** Tokens of a user with one algorithm, and a verifier of the API that has read the keys. */
  async function holderOf(algorithm: string, browser: Browser) {
    const api = await registerApi({ signing_alg: algorithm });
    const settings = { resources: [api], audiences: [api], id_token_signed_response_alg: algorithm };
    const client = await registerClient(settings);
    const early = verifierOf(api);
    const tokens = await tokensFor(client, browser, { resource: api, scope: SCOPE });
    expect(await early.verify(tokens.access_token)).toMatchObject({ ok: true });
    return { algorithm, api, client, early, tokens };
  }

  test("keeps the tokens of each algorithm valid; verifiers with the old keys accept the next tokens", async () => {
    const { browser } = await personWithBrowser();
    const holders = await Promise.all(PROVIDER_ALGORITHMS.map((algorithm) => holderOf(algorithm, browser)));
    const { code, output } = await runService(["keys", "rotate"], { DATABASE_URL: at.databaseUrl });
    expect(code).toBe(0);
    const created = /^next\s+(\S+)/m.exec(output)?.[1];
    for (const { url } of [at.one, at.other])
      await until("the replica has rotated", async () => (await keysAt(url)).some(({ kid }) => kid === created));
    const published = (await keysAt(at.one.url)).map(({ alg, kid }) => `${alg} ${kid}`);
    for (const { algorithm, api, client, early, tokens } of holders) {
      const { status, body } = await refreshAt(at.one.url, client, tokens.refresh_token);
      expect([algorithm, status]).toEqual([algorithm, 200]);
      expect(kidOf(body.access_token)).not.toBe(kidOf(tokens.access_token));
      expect(kidOf(body.id_token)).not.toBe(kidOf(tokens.id_token));
      const verifiers = [early, verifierOf(api)];
      for (const { access_token, id_token } of [tokens, body]) {
        for (const token of [access_token, id_token]) {
          expect(published).toContain(`${algorithm} ${kidOf(token)}`);
          for (const { url } of [at.one, at.other]) await verified(token, algorithm, url);
        }
        for (const { url } of [at.one, at.other]) await untilActive(url, client, access_token);
        for (const verifier of verifiers) expect(await verifier.verify(access_token)).toMatchObject({ ok: true });
      }
      for (const verifier of verifiers) verifier.close();
    }
  });
});

describe("a change of the algorithm", () => {
  test("200: The next ID token has the new algorithm, and the audit trail names the member.", async () => {
    const client = await registerClient();
    const path = `/v1/admin/oauth-clients/${client.id}`;
    const changed = await admin.patch(path, { id_token_signed_response_alg: "EdDSA" });
    expect([changed.status, changed.body.id_token_signed_response_alg]).toEqual([200, "EdDSA"]);
    const { browser } = await personWithBrowser();
    const { id_token } = await tokensFor(client, browser);
    expect((await verified(id_token, "EdDSA")).aud).toBe(client.id);
    const [record] = await at.sql`
      select metadata from audit_logs where action = 'oauth.client.updated' and resource_id = ${client.id}`;
    expect(JSON.stringify(record?.metadata)).toContain("id_token_signed_response_alg");
  });

  test("200: The API's next access token has the new algorithm.", async () => {
    const api = await registerApi({});
    const { items } = (await admin.get(`${RESOURCES}?page_size=100`)).body;
    const { id } = items.find(({ identifier }: { identifier: string }) => identifier === api);
    const changed = await admin.patch(`${RESOURCES}/${id}`, { signing_alg: "EdDSA" });
    expect([changed.status, changed.body.signing_alg]).toEqual([200, "EdDSA"]);
  });

  test("400: An unknown algorithm is refused, `none` and HS256 included.", async () => {
    const client = await registerClient();
    for (const algorithm of ["none", "HS256", "ES512", "Ed25519", "rs256", ""]) {
      const body = { id_token_signed_response_alg: algorithm };
      const response = await admin.patch(`/v1/admin/oauth-clients/${client.id}`, body);
      expect([algorithm, response.status, response.body.error.code]).toEqual([algorithm, 400, "invalid_input"]);
      const api = { name: "A", identifier: "https://never.example.test/", signing_alg: algorithm };
      expect((await admin.post(RESOURCES, api)).status).toBe(400);
    }
  });
});

describe("a forged token (G7)", () => {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

  test("is inactive: a foreign key, a signature in DER form, the algorithm or kid of another key", async () => {
    const api = await registerApi({ signing_alg: "ES256" });
    const client = await registerClient({ resources: [api], audiences: [api] });
    const { browser } = await personWithBrowser();
    const { access_token: token, id_token } = await tokensFor(client, browser, { resource: api });
    const header = decodeProtectedHeader(token);
    const [encodedHeader = "", payload = "", signature = ""] = token.split(".");
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const input = `${encodedHeader}.${payload}`;
    const own = sign("sha256", Buffer.from(input), { key: privateKey, dsaEncoding: "ieee-p1363" });
    const der = sign(
      "sha256",
      Buffer.from(input),
      createPrivateKey(privateKey.export({ type: "pkcs8", format: "pem" })),
    );
    const { keys } = (await new Client(at.one.url).get("/.well-known/jwks.json")).body;
    const rsa = keys.find(({ alg }: { alg: string }) => alg === "RS256").kid;
    const forged = [
      `${input}.${own.toString("base64url")}`,
      `${input}.${der.toString("base64url")}`,
      `${input}.${Buffer.alloc(64).toString("base64url")}`,
      `${encode({ ...header, alg: "EdDSA" })}.${payload}.${signature}`,
      `${encode({ ...header, alg: "RS256" })}.${payload}.${signature}`,
      `${encode({ ...header, alg: "none" })}.${payload}.${signature}`,
      `${encode({ ...header, kid: rsa })}.${payload}.${signature}`,
      `${id_token.split(".")[0]}.${payload}.${signature}`,
    ];
    expect((await introspectAt(at.one.url, client, token)).body.active).toBe(true);
    for (const text of forged) expect((await introspectAt(at.one.url, client, text)).body).toEqual({ active: false });
  });

  test("is refused: an access token of an application is no session token, whichever the algorithm", async () => {
    for (const algorithm of PROVIDER_ALGORITHMS) {
      const api = await registerApi({ signing_alg: algorithm });
      const client = await registerClient({ resources: [api], id_token_signed_response_alg: algorithm });
      const { browser } = await personWithBrowser();
      const { access_token, id_token } = await tokensFor(client, browser, { resource: api });
      for (const bearer of [access_token, id_token])
        expect((await new Client(at.one.url).get("/v1/users/me", { bearer })).status).toBe(401);
    }
  });
});
