/** Signatures by OpenSSL beside the signatures of the runtime, and keys that OpenSSL does not open. */
import { afterAll, describe, expect, test } from "bun:test";
import { type KeyObject, verify } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compactVerify } from "jose";
import { systemClock } from "../../src/base/clock.ts";
import { LIBCRYPTO } from "../../src/config/settings.ts";
import { type Libcrypto, openLibcrypto, opensslSigner } from "../../workers/openssl-signer.ts";
import { runtimeSigner } from "../../workers/signer.ts";
import { scriptedRandom } from "../support/random.ts";
import { newRsaKey } from "../support/rsa-key.ts";

/** The suite compares few signatures; `npm run test:signatures` compares 10,000. */
const IS_LONG = process.env.SIGNATURES !== undefined;
const [KEYS, INPUTS] = IS_LONG ? [100, 10_000] : [3, 60];
/** Sizes of the keys in turn: the service generates keys of 2048 bits. */
const KEY_BITS = [2048, 2048, 2048, 2048, 2048, 2048, 2048, 2048, 3072, 4096];
/** A start of `openssl` costs as much as several signatures. */
const INPUTS_PER_COMMAND = IS_LONG ? 1 : 20;
const PAYLOAD_MAX_BYTES = 4 * 1024;

const random = scriptedRandom(systemClock, "signatures");
const folder = mkdtempSync(join(tmpdir(), "identity-signatures-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Verifier = (publicKey: KeyObject, input: string, signature: Buffer) => boolean | Promise<boolean>;

const byNode: Verifier = (publicKey, input, signature) =>
  verify("RSA-SHA256", Buffer.from(input), publicKey, signature);

const byJose: Verifier = (publicKey, input, signature) =>
  compactVerify(`${input}.${signature.toString("base64url")}`, publicKey).then(
    () => true,
    () => false,
  );

const byCommand: Verifier = (publicKey, input, signature) => {
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const key = file("key.pem", publicKey.export({ type: "spki", format: "pem" }));
  const command = ["openssl", "dgst", "-sha256", "-verify", key, "-signature", file("signature", signature)];
  return Bun.spawnSync([...command, file("input", input)]).exitCode === 0;
};

/** A JWS signing input. Small payloads are as frequent as large payloads, and some are empty. */
function randomInput(): string {
  const bytes = random.bytes(2).readUInt16BE() % (PAYLOAD_MAX_BYTES + 1);
  const payload = random.bytes(bytes >> (random.bytes(1).readUInt8() % 13));
  return `${Buffer.from('{"alg":"RS256"}').toString("base64url")}.${payload.toString("base64url")}`;
}

describe("signatures by OpenSSL", () => {
  test(`equal the runtime's, and every verifier accepts ${INPUTS} inputs with ${KEYS} keys`, async () => {
    const factory = opensslSigner(await openLibcrypto(LIBCRYPTO));
    for (let index = 0; index < KEYS; index += 1) {
      const { privateKeyPem, publicKey } = newRsaKey(KEY_BITS[index % KEY_BITS.length]);
      const [openssl, runtime] = [factory(privateKeyPem), runtimeSigner(privateKeyPem)];
      for (let turn = 0; turn < INPUTS / KEYS; turn += 1) {
        const input = randomInput();
        const signature = openssl.sign(Buffer.from(input));
        const verifiers = turn % INPUTS_PER_COMMAND === 0 ? [byNode, byJose, byCommand] : [byNode, byJose];
        const verdicts = await Promise.all(verifiers.map((accepts) => accepts(publicKey, input, signature)));
        const isEqual = signature.equals(runtime.sign(Buffer.from(input)));
        // The key and the input repeat a failure, because RS256 is deterministic.
        if (!isEqual || verdicts.includes(false))
          throw new Error(`equal: ${isEqual}, valid: ${verdicts}, for ${input} with ${privateKeyPem}`);
      }
      openssl.close();
    }
  });

  test("are accepted by no verifier once a bit is changed", async () => {
    const { privateKeyPem, publicKey } = newRsaKey();
    const signature = runtimeSigner(privateKeyPem).sign(Buffer.from("eyJhbGciOiJSUzI1NiJ9.YQ"));
    const altered = Buffer.from(signature);
    altered[7] = Number(altered[7]) ^ 1;
    const verdictsOn = (bytes: Buffer) =>
      Promise.all([byNode, byJose, byCommand].map((accepts) => accepts(publicKey, "eyJhbGciOiJSUzI1NiJ9.YQ", bytes)));
    expect([await verdictsOn(signature), await verdictsOn(altered)]).toEqual([
      [true, true, true],
      [false, false, false],
    ]);
  });

  const broken: readonly [string, Partial<Record<keyof Libcrypto, unknown>>][] = [
    ["the version is another", { OPENSSL_version_major: () => 1 }],
    ["there is no context", { EVP_PKEY_CTX_new: () => null }],
    ["the initialization fails", { EVP_PKEY_sign_init: () => 0 }],
    ["the padding is refused", { EVP_PKEY_CTX_set_rsa_padding: () => -2 }],
    ["the digest is refused", { EVP_PKEY_CTX_set_signature_md: () => 0 }],
    ["there is no BIO", { BIO_new_mem_buf: () => null }],
  ];
  test.each(broken)("are not made where %s: the key does not open", async (_, functions) => {
    const libcrypto = { ...(await openLibcrypto(LIBCRYPTO)), ...functions } as Libcrypto;
    expect(() => opensslSigner(libcrypto)(newRsaKey().privateKeyPem)).toThrow();
  });
});

test("The buffer with the key is whole until OpenSSL has read the key, and wiped then and on failure.", async () => {
  const real = await openLibcrypto(LIBCRYPTO);
  const { privateKeyPem } = newRsaKey();
  for (const text of [privateKeyPem, privateKeyPem.slice(0, 900)]) {
    const seen: string[] = [];
    let buffer: Buffer = Buffer.alloc(0);
    const libcrypto = {
      ...real,
      BIO_new_mem_buf(...values: Parameters<Libcrypto["BIO_new_mem_buf"]>) {
        buffer = values[0] as Buffer;
        return real.BIO_new_mem_buf(...values);
      },
      PEM_read_bio_PrivateKey(...values: Parameters<Libcrypto["PEM_read_bio_PrivateKey"]>) {
        const key = real.PEM_read_bio_PrivateKey(...values);
        seen.push(buffer.toString());
        return key;
      },
    } as Libcrypto;
    const open = () => opensslSigner(libcrypto)(text).close();
    if (text === privateKeyPem) open();
    else expect(open).toThrow("PEM_read_bio_PrivateKey failed");
    expect([seen, buffer.equals(Buffer.alloc(text.length))]).toEqual([[text], true]);
  }
});
