/** RFC 9449, sections 4.2, 4.3 and 7.1. */
import { describe, expect, setSystemTime, test } from "bun:test";
import { createHmac } from "node:crypto";
import { exportJWK, generateKeyPair } from "jose";
import { proofVerifier, sha256 } from "../../../clients/js/src/verifier/proof.ts";
import { proofKeys as verifierKeys } from "../../../clients/js/src/verifier/proof-key.ts";
import { currentNonce, storeOfNonce } from "../../../src/models/token/dpop-nonce.ts";
import { isThumbprint, readProof } from "../../../src/models/token/dpop-proof.ts";
import { proofKeys } from "../../../src/models/token/proof-keys.ts";
import { makeProof, makeProofKey } from "../../support/dpop.ts";
import { ISSUER } from "../../support/replica.ts";

const TOKEN_REQUEST = { method: "POST", url: `${ISSUER}/oauth2/token` };
const keys = proofKeys(10);
const now = () => Math.floor(Date.now() / 1000);

/** The proofs of RFC 9449, figures 2 and 12. */
const RFC_PROOF = [
  "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0Rs",
  "cEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2",
  "In19.",
  "eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwi",
  "aWF0IjoxNTYyMjYyNjE2fQ.",
  "2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg",
].join("");
const RFC_RESOURCE_PROOF = [
  "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0Rs",
  "cEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2",
  "In19.",
  "eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0",
  "ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9",
  ".",
  "2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA",
].join("");
const RFC_ACCESS_TOKEN = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU";
const RFC_THUMBPRINT = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I";

describe("proofs of RFC 9449", () => {
  test("the proof of a token request names the key of the specification", async () => {
    const read = await readProof(
      keys,
      RFC_PROOF,
      { method: "POST", url: "https://server.example.com/token" },
      1562262616,
    );
    expect(read).toEqual({
      ok: true,
      value: {
        thumbprint: RFC_THUMBPRINT,
        jti: "-BwC3ESc6acc2lTc",
        issuedAt: 1562262616,
        nonce: undefined,
        algorithm: "ES256",
      },
    });
    expect(isThumbprint(RFC_THUMBPRINT)).toBe(true);
  });

  test("the proof at a resource fits its access token, and no further token", async () => {
    const request = { method: "GET", url: "https://resource.example.org/protectedresource" };
    const read = (accessToken: string) => readProof(keys, RFC_RESOURCE_PROOF, { ...request, accessToken }, 1562262618);
    expect((await read(RFC_ACCESS_TOKEN)).ok).toBe(true);
    expect(await read(`${RFC_ACCESS_TOKEN}x`)).toEqual({ ok: false, error: "ath is not the hash of the access token" });
  });

  test("the verifier for APIs accepts the proof at a resource once, for its access token and key", async () => {
    setSystemTime(new Date(1562262618_000));
    const request = { method: "GET", url: "/protectedresource", proof: RFC_RESOURCE_PROOF };
    const token = { hash: await sha256(RFC_ACCESS_TOKEN), thumbprint: RFC_THUMBPRINT };
    const verifier = proofVerifier("https://resource.example.org/", {});
    expect(await verifier.refusalOf(request, { ...token, thumbprint: "another" })).toBe("invalid_token");
    expect(await verifier.refusalOf(request, { ...token, hash: await sha256("x") })).toBe("invalid_dpop_proof");
    expect(await verifier.refusalOf(request, token)).toBeUndefined();
    expect(await verifier.refusalOf(request, token)).toBe("invalid_dpop_proof");
    setSystemTime();
  });
});

describe("proofs that are accepted", () => {
  for (const alg of ["ES256", "EdDSA", "PS256", "RS256"]) {
    test(alg, async () => {
      const key = await makeProofKey(alg);
      const read = await readProof(keys, await makeProof(key), TOKEN_REQUEST, now());
      expect(read.ok && read.value.thumbprint).toBe(key.thumbprint);
    });
  }

  test("query, fragment, case of scheme and host and the default port of the URL do not count", async () => {
    const key = await makeProofKey();
    const claims = { htu: "HTTPS://Auth.Example.com:443/oauth2/token?a=1#b" };
    const request = { method: "POST", url: "https://auth.example.com/oauth2/token" };
    expect((await readProof(keys, await makeProof(key, { claims }), request, now())).ok).toBe(true);
  });
});

describe("proofs that are refused", () => {
  const read = (proof: string) => readProof(keys, proof, TOKEN_REQUEST, now());

  test.each([
    ["another method", { htm: "GET" }, "htm"],
    ["another path", { htu: `${ISSUER}/oauth2/par` }, "htu"],
    ["another host", { htu: "https://evil.test/oauth2/token" }, "htu"],
    ["a user in the URL", { htu: ISSUER.replace("://", "://a@") }, "htu"],
    ["no URL", { htu: "token" }, "htu"],
    ["a list of URLs", { htu: [TOKEN_REQUEST.url] }, "htu"],
    ["no jti", { jti: undefined }, "jti"],
    ["an empty jti", { jti: "" }, "jti"],
    ["a long jti", { jti: "x".repeat(257) }, "jti"],
    ["no iat", { iat: undefined }, "iat"],
    ["a past exp", { exp: now() - 1 }, "exp"],
    ["a future nbf", { nbf: now() + 60 }, "nbf"],
    ["a nonce that is no text", { nonce: 1 }, "nonce"],
  ])("%s", async (_name, claims, named) => {
    const result = await read(await makeProof(await makeProofKey(), { claims }));
    expect(result.ok ? "accepted" : result.error).toContain(named);
  });

  test("a wrong typ, a private key, a symmetric key, no key, `crit`, and the key of another signature", async () => {
    const [key, other] = [await makeProofKey(), await makeProofKey()];
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const headers = [
      { typ: "JWT" },
      { typ: undefined },
      { jwk: await exportJWK(privateKey) },
      { jwk: { kty: "oct", k: "c2VjcmV0" } },
      { jwk: undefined },
      { jwk: other.jwk },
      { jwk: { ...key.jwk, use: "enc" } },
    ];
    const results = await Promise.all(headers.map(async (header) => await read(await makeProof(key, { header }))));
    expect(results.map(({ ok }) => ok)).toEqual(headers.map(() => false));
  });

  test("a symmetric algorithm, `none`, an unlisted algorithm and a short RSA key", async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = part({ jti: "1", htm: "POST", htu: TOKEN_REQUEST.url, iat: now() });
    const hmac = `${part({ typ: "dpop+jwt", alg: "HS256", jwk: { kty: "oct", k: "c2VjcmV0" } })}.${claims}`;
    const signed = `${hmac}.${createHmac("sha256", "secret").update(hmac).digest("base64url")}`;
    const none = `${part({ typ: "dpop+jwt", alg: "none", jwk: {} })}.${claims}.`;
    const es384 = await makeProof(await makeProofKey("ES384"));
    const short = await crypto.subtle.generateKey(
      { name: "RSASSA-PKCS1-v1_5", modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" },
      true,
      ["sign", "verify"],
    );
    const jwk = await exportJWK(short.publicKey);
    const unsigned = `${part({ typ: "dpop+jwt", alg: "RS256", jwk })}.${claims}`;
    const signature = await crypto.subtle.sign("RSASSA-PKCS1-v1_5", short.privateKey, Buffer.from(unsigned));
    const weak = `${unsigned}.${Buffer.from(signature).toString("base64url")}`;
    for (const proof of [signed, none, es384, weak]) expect((await read(proof)).ok).toBe(false);
  });

  test("two proofs in one header, an empty header, and a header above the limit", async () => {
    const key = await makeProofKey();
    const two = `${await makeProof(key)}, ${await makeProof(key)}`;
    for (const proof of [two, "", "x".repeat(8193)]) expect((await read(proof)).ok).toBe(false);
  });
});

describe("nonces", () => {
  const key = Buffer.alloc(32, 7);
  test.each(["redis", "database"] as const)("a nonce of %s names its store in its window and the next", (store) => {
    const nonce = currentNonce(key, 0, store);
    const ages = [0, 119_999, 120_000, 239_999, 240_000];
    expect(ages.map((age) => storeOfNonce(key, age, nonce))).toEqual([store, store, store, store, undefined]);
    expect([storeOfNonce(Buffer.alloc(32, 8), 0, nonce), storeOfNonce(key, 0, "")]).toEqual([undefined, undefined]);
  });
});

describe("keys in memory (G330)", () => {
  test("only a verified signature puts the key of a proof into the memory of the service", async () => {
    const held = proofKeys(10);
    const [key, other] = [await makeProofKey(), await makeProofKey()];
    const read = async (proof: string) => (await readProof(held, proof, TOKEN_REQUEST, now())).ok;
    expect(await read(await makeProof(key, { header: { jwk: other.jwk } }))).toBe(false);
    expect(await read(`${(await makeProof(key)).slice(0, -8)}AAAAAAAA`)).toBe(false);
    expect(held.size).toBe(0);
    expect([await read(await makeProof(key)), await read(await makeProof(key)), held.size]).toEqual([true, true, 1]);
  });

  test("a key with kilobytes of further members is verified, and occupies no memory", async () => {
    const held = proofKeys(10);
    const key = await makeProofKey();
    const proof = await makeProof(key, { header: { jwk: { ...key.jwk, note: "x".repeat(4_000) } } });
    expect((await readProof(held, proof, TOKEN_REQUEST, now())).ok).toBe(true);
    expect(held.size).toBe(0);
    const large = await makeProofKey("RS256");
    await readProof(held, await makeProof(large), TOKEN_REQUEST, now());
    expect(held.size).toBe(1);
  });

  test("the verifier for APIs remembers a key after its signature, and no longer header", async () => {
    const held = verifierKeys(1);
    const headerOf = async (more = {}) => {
      const key = await makeProofKey();
      const [header = ""] = (await makeProof(key, { header: { jwk: { ...key.jwk, ...more } } })).split(".");
      return header;
    };
    const [used, foreign, long] = [await headerOf(), await headerOf(), await headerOf({ note: "x".repeat(2_000) })];
    const key = await held.find(used);
    if (!key) throw new Error("the header has no key");
    held.remember(used, key);
    const unverified = await held.find(foreign);
    expect(await held.find(foreign)).not.toBe(unverified);
    const longKey = await held.find(long);
    if (longKey) held.remember(long, longKey);
    expect(
      [await held.find(used), await held.find(long)].map((found, index) => found === [key, longKey][index]),
    ).toEqual([true, false]);
  });
});
