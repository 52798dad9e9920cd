import { beforeAll, describe, expect, test } from "bun:test";
import { createHmac, createPublicKey, generateKeyPairSync } from "node:crypto";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { Client, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import {
  decodeClaims,
  encode,
  headerOf,
  type RealKey,
  realKey,
  signEd25519Token,
  signToken,
} from "../support/forge.ts";
import { ISSUER } from "../support/replica.ts";

let at: Deployment;
let key: RealKey;
let claims: Record<string, unknown>;
let genuine: string;

beforeAll(async () => {
  at = await deployment();
  key = await realKey(at.sql);
  genuine = (await registered(at.one.url)).accessToken;
  claims = decodeClaims(genuine);
});

const status = async (bearer: string) => (await new Client(at.one.url).get("/v1/auth/session", { bearer })).status;
const nowSeconds = () => Math.floor(Date.now() / 1000);

describe("access tokens", () => {
  test("verify with the published keys, by a library that is not ours", async () => {
    const jwks = createRemoteJWKSet(new URL(`${at.other.url}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(genuine, jwks, { issuer: ISSUER, algorithms: ["RS256"] });
    expect(payload.sub).toBe(String(claims.sub));
    expect(protectedHeader).toEqual({ alg: "RS256", kid: key.kid, typ: "JWT" });
  });

  test("are accepted if the deployment's key signs the same claims: forgeries fail for their own reason", async () => {
    expect(await status(signToken(key, claims))).toBe(200);
  });

  describe("refused with 401 (G7)", () => {
    test.each(["none", "None", "NONE", "nOnE"])("alg %s, with and without a signature", async (alg) => {
      const input = `${encode({ alg, kid: key.kid, typ: "JWT" })}.${encode(claims)}`;
      expect(await status(`${input}.`)).toBe(401);
      expect(await status(`${input}.${genuine.split(".")[2]}`)).toBe(401);
    });

    test("HS256 with the public key as secret", async () => {
      const publicKey = createPublicKey(key.privateKey);
      for (const secret of [
        publicKey.export({ type: "spki", format: "pem" }),
        publicKey.export({ type: "pkcs1", format: "pem" }),
      ]) {
        const input = `${encode({ alg: "HS256", kid: key.kid, typ: "JWT" })}.${encode(claims)}`;
        expect(await status(`${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`)).toBe(401);
      }
    });

    test("a foreign key, under the real kid, under a foreign kid, and embedded as jwk", async () => {
      const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
      const jwk = publicKey.export({ format: "jwk" });
      expect(await status(signToken({ kid: key.kid, privateKey }, claims))).toBe(401);
      expect(await status(signToken({ kid: "a".repeat(43), privateKey }, claims))).toBe(401);
      expect(await status(signToken({ kid: key.kid, privateKey }, claims, { jwk }))).toBe(401);
    });

    test.each([
      ["jwk", { jwk: { kty: "RSA" } }],
      ["jku", { jku: "http://127.0.0.1:1/jwks.json" }],
      ["x5u", { x5u: "http://127.0.0.1:1/cert" }],
      ["crit", { crit: ["exp"], exp: 1 }],
      ["a path as kid", { kid: "../../../../dev/null" }],
      ["SQL as kid", { kid: "' or 1=1 --" }],
      ["no kid", { kid: undefined }],
      ["another typ", { typ: "at+jwt" }],
      ["RS512", { alg: "RS512" }],
      ["PS256", { alg: "PS256" }],
    ])("a header with %s, although the real key signed it", async (_, header) => {
      expect(await status(signToken(key, claims, header))).toBe(401);
    });

    test.each([
      ["another issuer", () => ({ iss: "https://evil.example" })],
      ["the issuer with a slash", () => ({ iss: `${ISSUER}/` })],
      ["no issuer", () => ({ iss: undefined })],
      ["expired", () => ({ exp: nowSeconds() })],
      ["exp as text", () => ({ exp: String(nowSeconds() + 60) })],
      ["no exp", () => ({ exp: undefined })],
      ["issued more than 5 s in the future", () => ({ iat: nowSeconds() + 8 })],
      ["not yet valid", () => ({ nbf: nowSeconds() + 8 })],
      ["no sid", () => ({ sid: undefined })],
      ["no sub", () => ({ sub: null })],
      ["sid of no session", () => ({ sid: Bun.randomUUIDv7() })],
      ["sub of another user", () => ({ sub: Bun.randomUUIDv7() })],
      ["typ refresh", () => ({ typ: "refresh" })],
      ["typ mfa", () => ({ typ: "mfa" })],
      ["no typ", () => ({ typ: undefined })],
    ])("claims with %s, although the real key signed them", async (_, change) => {
      expect(await status(signToken(key, { ...claims, ...change() }))).toBe(401);
    });

    test("an iat within the skew of 5 s is still good", async () => {
      expect(await status(signToken(key, { ...claims, iat: nowSeconds() + 3 }))).toBe(200);
    });

    test.each([
      ["padding", (token: string) => `${token}=`],
      ["padding in the payload", (token: string) => token.replace(/\.([^.]+)\./, ".$1==.")],
      ["a fourth segment", (token: string) => `${token}.x`],
      ["a missing segment", (token: string) => token.slice(0, token.lastIndexOf("."))],
      ["stray trailing bits", (token: string) => token.slice(0, -1) + nextCharacter(token.at(-1) ?? "")],
      ["base64 instead of base64url", (token: string) => token.replaceAll("-", "+").replaceAll("_", "/")],
      ["a changed payload", (token: string) => token.replace(/\.(.)/, (_, first) => `.${nextCharacter(first)}`)],
      ["an empty payload", (token: string) => token.replace(/\.[^.]+\./, "..")],
    ])("a genuine token with %s", async (_, spoil) => {
      expect(spoil(genuine)).not.toBe(genuine);
      expect(await status(spoil(genuine))).toBe(401);
    });
  });

  test("do not change when a verifier asks again: the genuine one still holds after all forgeries", async () => {
    expect(await status(genuine)).toBe(200);
  });
});

describe("refresh tokens", () => {
  /** Returns a new session at aal1 with the refresh token and the claims. */
  async function newSession() {
    const { client } = await registered(at.one.url);
    const token = client.cookie("service_rt") ?? "";
    return { token, claims: decodeClaims(token) };
  }

  async function refreshed(token: string) {
    const client = new Client(at.one.url);
    client.setCookie("service_rt", token, "/v1");
    return { status: (await client.post("/v1/auth/refresh")).status, next: client.cookie("service_rt") ?? "" };
  }

  test("are Ed25519, by a key of the ring that the JWKS does not publish", async () => {
    const { token } = await newSession();
    expect(headerOf(token)).toEqual({ alg: "Ed25519", kid: key.kid, typ: "JWT" });
    const { keys } = (await new Client(at.one.url).get("/.well-known/jwks.json")).body;
    expect(keys.filter(({ alg }: { alg: string }) => alg === "Ed25519")).toEqual([]);
    const { x } = createPublicKey(key.refreshKey).export({ format: "jwk" });
    expect(keys.map((published: { x?: string }) => published.x)).not.toContain(x);
  });

  test("with equal claims are equal texts: two tabs get one token", async () => {
    const { token, claims } = await newSession();
    expect(signEd25519Token(key, claims)).toBe(token);
  });

  test("that version 0.1.0 signed with RS256 are accepted until they expire, and replaced by Ed25519", async () => {
    const { claims } = await newSession();
    const { status, next } = await refreshed(signToken(key, claims));
    expect([status, headerOf(next).alg]).toEqual([200, "Ed25519"]);
    const other = await newSession();
    expect((await refreshed(signToken(key, { ...other.claims, exp: nowSeconds() }))).status).toBe(401);
  });

  test.each<[string, (claims: object) => string]>([
    ["another Ed25519 key under the real kid", (of) => signEd25519Token({ ...key, refreshKey: foreignKey() }, of)],
    ["an Ed25519 signature under the header of RS256", (of) => signEd25519Token(key, of, { alg: "RS256" })],
    ["an RS256 signature under the header of Ed25519", (of) => signToken(key, of, { alg: "Ed25519" })],
    ["the older name of the algorithm", (of) => signEd25519Token(key, of, { alg: "EdDSA" })],
    ["alg none and no signature", (of) => `${encode({ alg: "none", kid: key.kid, typ: "JWT" })}.${encode(of)}.`],
    ["a jwk", (of) => signEd25519Token(key, of, { jwk: { kty: "OKP" } })],
    ["typ access", (of) => signEd25519Token(key, { ...of, typ: "access" })],
    ["typ mfa", (of) => signEd25519Token(key, { ...of, typ: "mfa" })],
  ])("are refused with 401 for %s, and the session lives on (G7)", async (_, forge) => {
    const session = await newSession();
    expect((await refreshed(forge(session.claims))).status).toBe(401);
    expect((await refreshed(session.token)).status).toBe(200);
  });

  test("have a key that signs no access token (G7)", async () => {
    expect(await status(signEd25519Token(key, claims))).toBe(401);
    const { token } = await newSession();
    expect(await status(token)).toBe(401);
  });
});

const foreignKey = () => generateKeyPairSync("ed25519").privateKey;

/**
 * Returns the next character of the base64url alphabet. In the last character of a signature, the change affects only
 * bits that the decoder ignores.
 */
function nextCharacter(character: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return alphabet[(alphabet.indexOf(character) + 1) % 64] ?? "A";
}
