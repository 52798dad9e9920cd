/** The keys that are derived from a key of the ring (docs/decisions/0025). */
import { expect, test } from "bun:test";
import { generateKeyPairSync, hkdfSync, sign, verify } from "node:crypto";
import { deriveProviderKeys } from "../../src/models/signing-key/provider-keys.ts";
import { deriveRefreshKey } from "../../src/models/signing-key/refresh-key.ts";

const pem = () =>
  generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const P256_ORDER = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");

test("Every replica derives the same keys, and different keys from a different key of the ring.", () => {
  const [one, two] = [pem(), pem()];
  const jwks = (of: string) => Object.values(deriveProviderKeys(of)).map(({ publicJwk }) => publicJwk);
  expect(jwks(one)).toEqual(jwks(one));
  const kids = [...jwks(one), ...jwks(two)].map(({ kid }) => kid);
  expect(new Set(kids).size).toBe(4);
});

test("The scalar of ES256 is the seed modulo the order less one, plus one (FIPS 186-5, appendix A.2.1).", () => {
  const text = pem();
  const seed = Buffer.from(hkdfSync("sha256", text, "", "identity-service/es256 provider tokens", 40));
  const scalar = (BigInt(`0x${seed.toString("hex")}`) % (P256_ORDER - 1n)) + 1n;
  const { d } = deriveProviderKeys(text).ES256.privateKey.export({ format: "jwk" });
  expect(BigInt(`0x${Buffer.from(d ?? "", "base64url").toString("hex")}`)).toBe(scalar);
});

test("The EdDSA key of applications is not the key of refresh tokens.", () => {
  const text = pem();
  const { EdDSA } = deriveProviderKeys(text);
  const input = Buffer.from("input");
  expect(verify(null, input, EdDSA.publicKey, sign(null, input, EdDSA.privateKey))).toBe(true);
  expect(verify(null, input, EdDSA.publicKey, sign(null, input, deriveRefreshKey(text)))).toBe(false);
});
