import { beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { Client, registered } from "../support/client.ts";
import { type Deployment, deployment, eventually } from "../support/deployment.ts";
import { makeProof, makeProofKey } from "../support/dpop.ts";
import {
  authorizePath,
  type Browser,
  makePkce,
  personWithBrowser,
  registerClient,
  sendForm,
  type TestClient,
} from "../support/oauth.ts";
import { ISSUER } from "../support/replica.ts";
import { attempts } from "../support/waiting.ts";

const FEED = "/.well-known/service-revocations.json";
let at: Deployment;
let client: Client;
beforeAll(async () => {
  at = await deployment();
  client = new Client(at.one.url);
});

describe("GET /.well-known/jwks.json", () => {
  test("publishes the active and the next key, public halves alone, alike on both replicas", async () => {
    const { status, body, headers } = await client.get("/.well-known/jwks.json");
    expect(status).toBe(200);
    const rsa = body.keys.filter(({ kty }: { kty: string }) => kty === "RSA");
    expect(rsa.length).toBeGreaterThanOrEqual(2);
    for (const key of rsa) {
      expect(Object.keys(key).sort()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
      expect(key).toMatchObject({ alg: "RS256", use: "sig" });
    }
    expect(headers.get("cache-control")).toStartWith("public, max-age=");
    expect((await new Client(at.other.url).get("/.well-known/jwks.json")).body).toEqual(body);
    // Some clients take the first key of a set (G407).
    const [active] = await at.sql`select kid from signing_keys where state = 'active'`;
    expect(body.keys[0].kid).toBe(active?.kid);
  });
});

describe("GET /.well-known/openid-configuration", () => {
  test("says what is true of this issuer", async () => {
    const { body } = await client.get("/.well-known/openid-configuration");
    expect(body).toMatchObject({
      issuer: ISSUER,
      jwks_uri: `${ISSUER}/.well-known/jwks.json`,
      id_token_signing_alg_values_supported: ["RS256", "ES256", "EdDSA"],
      service_revocations_uri: `${ISSUER}${FEED}`,
    });
    const protocol = ["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "at_hash", "sid"];
    const ofUsers = ["name", "preferred_username", "picture", "locale", "updated_at", "email", "email_verified"];
    expect(body.claims_supported.toSorted()).toEqual([...protocol, ...ofUsers, "organization"].toSorted());
  });
});

describe(`GET ${FEED}`, () => {
  const feed = async (since?: string, url = at.one.url) =>
    (await new Client(url).get(since === undefined ? FEED : `${FEED}?since=${since}`)).body;
  const idsOf = (body: { revocations: { sid: string }[] }) => body.revocations.map((entry) => entry.sid);

  test("has the shape and the caching that were decided", async () => {
    const { client: user, sessionId } = await registered(at.one.url);
    await user.post("/v1/auth/logout");
    const response = await client.get(FEED);
    expect(response.headers.get("cache-control")).toBe("public, max-age=2");
    expect(response.body).toMatchObject({
      issuer: ISSUER,
      age_ms: expect.any(Number),
      max_age_secs: 5,
      cursor: expect.any(String),
    });
    const entry = response.body.revocations.find((each: { sid: string }) => each.sid === sessionId);
    expect(entry).toEqual({
      sid: sessionId,
      revoked_at: expect.any(String),
      expires_at: expect.any(String),
      reason: "logout",
    });
    expect(Date.parse(entry.expires_at) - Date.parse(entry.revoked_at)).toBe(905_000);
  });

  test("gives only what came after a cursor, also when the next question goes to the other replica", async () => {
    const [before, after] = [await registered(at.one.url), await registered(at.one.url)];
    await before.client.post("/v1/auth/logout");
    const { cursor } = await feed();
    // The feed repeats revocations of the time during which the log could not be read; the next reading ends the
    // repetition.
    await eventually("nothing came after it", 1000, async () => idsOf(await feed(cursor)).length === 0);
    await after.client.post("/v1/auth/logout");
    await eventually("the other replica has it", 1000, async () => {
      return idsOf(await feed(cursor, at.other.url)).includes(after.sessionId);
    });
    expect(idsOf(await feed(cursor, at.other.url))).toEqual([after.sessionId]);
  });

  test("returns 304 for an ETag until the next revocation", async () => {
    // A replica that stood still for most of a second has no complete log up to now, and returns 200, as designed.
    const etag = await attempts(async () => {
      const { headers } = await client.get(FEED);
      const etag = headers.get("etag") ?? "";
      const same = await client.get(FEED, { headers: { "if-none-match": etag } });
      expect([same.status, same.text, same.headers.get("etag")]).toEqual([304, "", etag]);
      return etag;
    });
    await (await registered(at.one.url)).client.post("/v1/auth/logout");
    expect((await client.get(FEED, { headers: { "if-none-match": etag } })).status).toBe(200);
  });

  test.each(["x", "-1", "1.5", "99999999999999999999999", "1;drop"])("refuses since=%s with 400", async (since) => {
    expect((await client.get(`${FEED}?since=${since}`)).status).toBe(400);
  });

  test("returns everything for a cursor from the future, as after a restore of the database", async () => {
    const { client: user, sessionId } = await registered(at.one.url);
    await user.post("/v1/auth/logout");
    expect(idsOf(await feed("999999999999999"))).toContain(sessionId);
  });
});

/**
 * The scenarios for authorization servers of `@modelcontextprotocol/conformance`, with the requests as the suite sends
 * the requests: without `scope` and `nonce`, and with a public client on loopback. `npm run test:mcp` runs the suite.
 */
describe("scenarios of MCP for authorization servers", () => {
  const SERVER_METADATA = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];
  const redirectUri = "http://127.0.0.1:3999/callback";
  let application: TestClient;
  let browser: Browser;
  beforeAll(async () => {
    const settings = { application_type: "native", token_endpoint_auth_method: "none", redirect_uris: [redirectUri] };
    application = await registerClient(settings);
    ({ browser } = await personWithBrowser());
  });

  /** The authorization response, and the token response of an exchange with further headers. */
  async function grant(headers: Record<string, string> = {}) {
    const query = { scope: undefined, nonce: undefined, state: "a state" };
    const pkce = makePkce();
    const { location } = await browser.follow(authorizePath(application, pkce.challenge, query));
    const fields = {
      grant_type: "authorization_code",
      code: location?.searchParams.get("code") ?? undefined,
      redirect_uri: redirectUri,
      code_verifier: pkce.verifier,
      client_id: application.id,
    };
    return { location, tokens: await sendForm(at.one.url, "/oauth2/token", fields, headers) };
  }

  test.each(SERVER_METADATA)("'authorization-server-metadata-endpoint': %s", async (path) => {
    const { status, headers, body } = await client.get(path);
    expect([status, headers.get("content-type")]).toEqual([200, expect.stringContaining("application/json")]);
    expect(body).toMatchObject({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/oauth2/authorize`,
      token_endpoint: `${ISSUER}/oauth2/token`,
      response_types_supported: expect.arrayContaining(["code"]),
      code_challenge_methods_supported: expect.arrayContaining(["S256"]),
    });
  });

  test("'authorization-code-grant': one code, state and iss, no error, and tokens that are not stored", async () => {
    const { location, tokens } = await grant();
    expect(`${location?.origin}${location?.pathname}`).toBe(redirectUri);
    expect([...(location?.searchParams ?? [])].toSorted()).toEqual([
      ["code", expect.stringMatching(/./)],
      ["iss", ISSUER],
      ["state", "a state"],
    ]);
    expect([tokens.status, tokens.headers.get("cache-control")]).toEqual([200, expect.stringContaining("no-store")]);
    expect(tokens.headers.get("content-type")).toContain("application/json");
    expect(tokens.body).toMatchObject({ access_token: expect.any(String), token_type: "Bearer" });
  });

  test("'dpop': asymmetric algorithms alone in the metadata, and a token bound to the key of the proof", async () => {
    const { dpop_signing_alg_values_supported: algorithms } = (await client.get(SERVER_METADATA[0] ?? "")).body;
    expect(algorithms.length).toBeGreaterThan(0);
    expect(algorithms.filter((alg: string) => /^(none|HS)/i.test(alg))).toEqual([]);
    const key = await makeProofKey(algorithms[0]);
    const { body } = (await grant({ dpop: await makeProof(key) })).tokens;
    expect([body.token_type, decodeJwt(body.access_token).cnf]).toEqual(["DPoP", { jkt: key.thumbprint }]);
  });
});
