/** Tokens of the classes of G7 that a verifier must refuse, by name. */
import { createHmac, createPublicKey, generateKeyPairSync } from "node:crypto";
import { decodeClaims, encode, type RealKey, signEd25519Token, signToken } from "../support/forge.ts";
import { ISSUER } from "../support/replica.ts";

/** `genuine` is a live token with the signing key `key`. */
export function forgeries(genuine: string, key: RealKey): Record<string, string> {
  const claims = decodeClaims(genuine);
  const now = Math.floor(Date.now() / 1000);
  const [header = "", payload = "", signature = ""] = genuine.split(".");
  const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jwk = stranger.publicKey.export({ format: "jwk" });
  const pem = createPublicKey(key.privateKey).export({ type: "spki", format: "pem" });
  const hs256 = `${encode({ alg: "HS256", kid: key.kid, typ: "JWT" })}.${payload}`;
  const withHeader = (change: object) => signToken(key, claims, change);
  const withClaims = (change: object) => signToken(key, { ...claims, ...change });
  const unsigned = (alg: string) => `${encode({ alg, kid: key.kid, typ: "JWT" })}.${payload}`;
  return {
    "alg none": `${unsigned("none")}.`,
    "alg nOnE with a signature": `${unsigned("nOnE")}.${signature}`,
    "HS256 with the public key as secret": `${hs256}.${createHmac("sha256", pem).update(hs256).digest("base64url")}`,
    "another key under the real kid": signToken({ kid: key.kid, privateKey: stranger.privateKey }, claims),
    "another key under a kid of its own": signToken({ kid: "a".repeat(43), privateKey: stranger.privateKey }, claims),
    "another key, embedded as jwk": signToken({ kid: key.kid, privateKey: stranger.privateKey }, claims, { jwk }),
    "a header with jwk": withHeader({ jwk }),
    "a header with jku": withHeader({ jku: "http://127.0.0.1:1/jwks.json" }),
    "a header with x5u": withHeader({ x5u: "http://127.0.0.1:1/cert" }),
    "a header with crit": withHeader({ crit: ["exp"], exp: 1 }),
    "a header without kid": withHeader({ kid: undefined }),
    "a path as kid": withHeader({ kid: "../../../../dev/null" }),
    "another typ in the header": withHeader({ typ: "at+jwt" }),
    RS512: withHeader({ alg: "RS512" }),
    PS256: withHeader({ alg: "PS256" }),
    "the Ed25519 key of refresh tokens": signEd25519Token(key, claims),
    "another issuer": withClaims({ iss: "https://evil.example" }),
    "the issuer with a slash": withClaims({ iss: `${ISSUER}/` }),
    "no issuer": withClaims({ iss: undefined }),
    expired: withClaims({ exp: now }),
    "exp as text": withClaims({ exp: String(now + 60) }),
    "no exp": withClaims({ exp: undefined }),
    "issued in the future": withClaims({ iat: now + 60 }),
    "not yet valid": withClaims({ nbf: now + 60 }),
    "no sid": withClaims({ sid: undefined }),
    "no sub": withClaims({ sub: null }),
    "typ refresh": withClaims({ typ: "refresh" }),
    "typ mfa": withClaims({ typ: "mfa" }),
    "no typ": withClaims({ typ: undefined }),
    padding: `${genuine}=`,
    "padding in the payload": `${header}.${payload}==.${signature}`,
    "a fourth segment": `${genuine}.x`,
    "a missing segment": `${header}.${payload}`,
    "stray trailing bits": genuine.slice(0, -1) + nextCharacter(genuine.at(-1) ?? ""),
    "a signature of one character": `${header}.${payload}.A`,
    "a signature without its last character": genuine.slice(0, -1),
    "white space": `${header}.${payload}.${signature}\n`,
    "a changed payload": `${header}.${nextCharacter(payload.charAt(0))}${payload.slice(1)}.${signature}`,
    "an empty payload": `${header}..${signature}`,
    "a text of megabytes": `${header}.${"A".repeat(2_000_000)}.${signature}`,
    nothing: "x",
  };
}

function nextCharacter(character: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return alphabet[(alphabet.indexOf(character) + 1) % alphabet.length] ?? "A";
}
