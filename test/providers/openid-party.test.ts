/** The relying party of OpenID Connect: new keys of an identity provider, and causes of refusals (G151, P9, P12). */
import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { systemClock } from "../../src/base/clock.ts";
import type { Result } from "../../src/base/result.ts";
import type { GuardedInit } from "../../src/providers/guarded-fetch.ts";
import { type OpenidParty, openidParty } from "../../src/providers/sso/openid-party.ts";

const ISSUER = "https://idp.acme.example";
const CLIENT_ID = "service-1.a_b";
const EXCHANGE = { state: "state", nonce: "nonce", codeVerifier: "v".repeat(43) };
const CALLBACK = () => new URLSearchParams({ code: "code", state: EXCHANGE.state });
const MINUTE_MS = 60_000;
/** Text of an identity provider, which no cause may repeat. */
const WORDS = "<b>words of the provider</b>";

afterEach(() => void setSystemTime());

/** An identity provider at the far end of the wire. */
async function provider() {
  const keys = new Map<string, { readonly privateKey: CryptoKey; readonly jwk: JWK }>();
  const state = {
    current: "first",
    metadata: {} as Record<string, unknown>,
    claims: {} as Record<string, unknown>,
    header: {} as Record<string, unknown>,
    token: undefined as (() => Response) | undefined,
    keyReadings: 0,
    authorization: "",
  };
  const addKey = async (kid: string) => {
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    keys.set(kid, { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" } });
  };
  await addKey(state.current);
  const idToken = async () => {
    const now = Math.floor(Date.now() / 1000);
    const { nonce } = EXCHANGE;
    const claims = {
      iss: ISSUER,
      aud: CLIENT_ID,
      sub: "ada",
      email: "ada@acme.example",
      nonce,
      iat: now,
      exp: now + 60,
    };
    const { privateKey } = keys.get(state.current) ?? {};
    if (!privateKey) throw new Error("no such key");
    return await new SignJWT({ ...claims, ...state.claims })
      .setProtectedHeader({ alg: "ES256", kid: state.current, ...state.header })
      .sign(privateKey);
  };
  const fetch = async (url: string, { headers }: GuardedInit) => {
    const { pathname } = new URL(url);
    if (pathname === "/.well-known/openid-configuration") {
      const endpoints = {
        authorization_endpoint: `${ISSUER}/authorize`,
        token_endpoint: `${ISSUER}/token`,
        jwks_uri: `${ISSUER}/jwks`,
      };
      return Response.json({ issuer: ISSUER, ...endpoints, ...state.metadata });
    }
    if (pathname === "/jwks") {
      state.keyReadings += 1;
      return Response.json({ keys: [...keys.values()].map(({ jwk }) => jwk) });
    }
    state.authorization = headers?.authorization ?? "";
    if (state.token) return state.token();
    return Response.json({ access_token: "a", token_type: "Bearer", id_token: await idToken() });
  };
  const party = () =>
    openidParty({
      issuer: ISSUER,
      clientId: CLIENT_ID,
      redirectUri: "https://id.example.com/callback",
      scope: "openid email",
      extraParameters: {},
      claimsFrom: "id_token",
      requiredClaims: ["sub", "email"],
      clockSkewSeconds: 60,
      credential: async () => ({ kind: "secret", secret: "secret:-~ é" }),
      fetch,
      clock: systemClock,
    });
  return { state, addKey, idToken, party };
}

/** The reason of a refused sign-in; null: accepted. */
async function signIn(party: OpenidParty): Promise<string | null> {
  const redeemed = await party.redeem(CALLBACK(), EXCHANGE, {});
  return redeemed.ok ? null : redeemed.error.reason;
}

test("The client id reaches providers without decoding; the secret is encoded (RFC 6749, 2.3.1).", async () => {
  const { state, party } = await provider();
  expect(await signIn(party())).toBeNull();
  const [scheme = "", credentials = ""] = state.authorization.split(" ");
  const sent = Buffer.from(credentials, "base64").toString();
  expect([scheme, sent]).toEqual(["Basic", "service-1.a_b:secret%3A-%7E+%C3%A9"]);
});

describe("a new key of the identity provider", () => {
  test("counts with one reading of the keys in a minute; the former key counts while it is published.", async () => {
    const { state, addKey, party } = await provider();
    const acme = party();
    expect([await signIn(acme), state.keyReadings]).toEqual([null, 1]);
    await addKey("second");
    state.current = "second";
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await signIn(acme)).toBe("id_token");
    expect(state.keyReadings).toBe(1);
    setSystemTime(new Date(Date.now() + MINUTE_MS));
    expect([await signIn(acme), state.keyReadings]).toEqual([null, 2]);
    state.current = "first";
    expect([await signIn(acme), state.keyReadings]).toEqual([null, 2]);
  });

  test("is known before its first use, if the provider publishes the key five minutes before.", async () => {
    const { state, addKey, party } = await provider();
    const acme = party();
    expect(await signIn(acme)).toBeNull();
    await addKey("second");
    setSystemTime(new Date(Date.now() + 5 * MINUTE_MS));
    expect([await signIn(acme), state.keyReadings]).toEqual([null, 2]);
    state.current = "second";
    expect([await signIn(acme), state.keyReadings]).toEqual([null, 2]);
  });
});

describe("the cause of a refusal repeats no text of the identity provider", () => {
  async function refusal(outcome: Promise<Result<unknown, { readonly reason: string; readonly cause: string }>>) {
    const refused = await outcome;
    if (refused.ok) throw new Error("the response was accepted");
    expect(refused.error.cause).not.toContain("words");
    return refused.error.reason;
  }

  test("of its metadata", async () => {
    const { state, party } = await provider();
    const members = ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"];
    for (const member of members) {
      for (const value of [WORDS, `javascript:${WORDS}`, `http://plain.example/${WORDS}`, [WORDS], { [WORDS]: 1 }]) {
        state.metadata = { [member]: value };
        expect([member, await refusal(party().authorizationUrl(EXCHANGE, {}))]).toEqual([member, "discovery"]);
        expect([member, await refusal(party().redeem(CALLBACK(), EXCHANGE, {}))]).toEqual([member, "discovery"]);
      }
    }
  });

  test("of its responses", async () => {
    const { state, idToken, party } = await provider();
    const acme = party();
    const redeem = (callback = CALLBACK()) => refusal(acme.redeem(callback, EXCHANGE, {}));
    const denied = new URLSearchParams({ state: EXCHANGE.state, error: WORDS, error_description: WORDS });
    expect(await redeem(denied)).toBe("provider_error");
    expect(await redeem(new URLSearchParams({ ...Object.fromEntries(CALLBACK()), iss: WORDS }))).toBe("issuer");
    for (const token of [
      () => Response.json({ error: WORDS, error_description: WORDS }, { status: 400 }),
      () => new Response(WORDS, { headers: { "content-type": "application/json" } }),
      () => Response.json({ access_token: "a", token_type: WORDS, id_token: `${WORDS}.e30.${WORDS}` }),
      () => new Response(null, { status: 401, headers: { "www-authenticate": `Basic realm="${WORDS}"` } }),
      () => new Response(null, { status: 302, headers: { location: WORDS } }),
    ]) {
      state.token = token;
      expect(["token_request", "id_token"]).toContain(await redeem());
    }
    for (const [response, reason] of [
      [{ access_token: "a", token_type: "MAC", id_token: await idToken() }, "token_request"],
      [{ access_token: "a", token_type: "DPoP", id_token: await idToken() }, "token_request"],
      [{ access_token: "a", id_token: await idToken() }, "token_request"],
      [{ token_type: "Bearer", id_token: await idToken() }, "token_request"],
      [{ access_token: "a", token_type: "Bearer" }, "id_token"],
    ] as const) {
      state.token = () => Response.json(response);
      expect([response.token_type, await redeem()]).toEqual([response.token_type, reason]);
    }
    state.token = undefined;
    for (const claims of [
      { iss: WORDS },
      { aud: WORDS },
      { nonce: WORDS },
      { exp: WORDS },
      { azp: WORDS },
      { sub: 7 },
    ]) {
      state.claims = claims;
      expect(["id_token", "issuer", "nonce"]).toContain(await redeem());
    }
    state.claims = {};
    state.header = { kid: WORDS };
    expect(await redeem()).toBe("id_token");
  });
});
