/** RS256 in the sign workers: by OpenSSL where the machine has the library, else by the runtime. */
import { afterAll, describe, expect, test } from "bun:test";
import { generateKeyPairSync, randomBytes, verify } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compactVerify } from "jose";
import { systemClock } from "../../src/base/clock.ts";
import { LIBCRYPTO } from "../../src/config/settings.ts";
import { openSignPool, type SignPool } from "../../src/pool/pool.ts";
import type { SignResult } from "../../src/pool/protocol.ts";
import { signerStatus } from "../../src/pool/signer-status.ts";
import type { Logger } from "../../src/telemetry/log.ts";
import { type Libcrypto, openLibcrypto, opensslSigner } from "../../workers/openssl-signer.ts";
import { passesSelfTest, runtimeSigner } from "../../workers/signer.ts";
import { residentBytes } from "../support/memory.ts";
import { silentTelemetry } from "../support/telemetry.ts";

/** The suite signs less often than `npm run test:signatures`, which prints the memory as well. */
const SIGNATURES = Number(process.env.SIGNATURES ?? 4_000);
/**
 * A native call leaks memory with a key of any size: nine of ten calls use a key with a tenth of the cost, and every
 * tenth call a key of the size that the service generates.
 */
const CALLS_PER_GENERATED_KEY = 10;
const CHEAP_KEY_BITS = 512;
/** A key takes 2 KiB: 50,000 keys that stay open take six times the permitted growth. */
const OPENINGS_MAX = 50_000;
const GROWTH_MAX_BYTES = 16 * 1024 * 1024;
const MIB = 1024 * 1024;

const telemetry = await silentTelemetry();
const pools: SignPool[] = [];
afterAll(async () => void (await Promise.all(pools.map((pool) => pool.close()))));

function poolWith(libcrypto: string | null, workers = 1): SignPool {
  const options = { clock: systemClock, telemetry, workers, queueMax: 1_000, deadlineMs: 60_000, niceIncrement: 0 };
  const pool = openSignPool({ ...options, libcrypto });
  pools.push(pool);
  return pool;
}

function newKey(modulusLength = 2048) {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength });
  const privateKeyPem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { kid: crypto.randomUUID(), privateKeyPem, publicKey };
}

function signatureOf(result: SignResult | { readonly ok: false; readonly code: string }) {
  if (!result.ok) throw new Error(result.code);
  return result;
}

/** Verifies by `node:crypto`, by jose and by the command `openssl`. */
async function verifyEverywhere(key: ReturnType<typeof newKey>, input: string, signature: string): Promise<boolean[]> {
  const bytes = Buffer.from(signature, "base64url");
  const byJose = await compactVerify(`${input}.${signature}`, key.publicKey).then(
    () => true,
    () => false,
  );
  return [verify("RSA-SHA256", Buffer.from(input), key.publicKey, bytes), byJose, verifyByCommand(key, input, bytes)];
}

function verifyByCommand({ publicKey }: ReturnType<typeof newKey>, input: string, signature: Buffer): boolean {
  const folder = mkdtempSync(join(tmpdir(), "identity-signature-"));
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const key = file("key.pem", publicKey.export({ type: "spki", format: "pem" }));
  const command = ["openssl", "dgst", "-sha256", "-verify", key, "-signature", file("signature", signature)];
  return Bun.spawnSync([...command, file("input", input)]).exitCode === 0;
}

describe("a sign worker", () => {
  test("signs by OpenSSL where the library is present, and the signature is valid everywhere", async () => {
    const key = newKey();
    const input = `${Buffer.from('{"alg":"RS256"}').toString("base64url")}.${randomBytes(300).toString("base64url")}`;
    const result = signatureOf(await poolWith(LIBCRYPTO).run({ key, input }));
    expect(result).toMatchObject({ signer: "openssl" });
    expect(result.reason).toBeUndefined();
    expect(await verifyEverywhere(key, input, result.signature)).toEqual([true, true, true]);
  });

  test("signs by the runtime with SERVICE_SIGNER=runtime, and gives no reason", async () => {
    const key = newKey();
    const result = signatureOf(await poolWith(null).run({ key, input: "input" }));
    expect(result).toEqual({ ok: true, signer: "runtime", signature: expect.any(String) });
  });

  test.each([
    ["is absent", "/nowhere/libcrypto.so.3", /libcrypto/],
    ["has other functions", "libc.so.6", /OPENSSL_version_major|symbol/i],
    ["is no library", import.meta.path, /./],
  ])("signs by the runtime where the library %s, and gives the reason", async (_, library, reason) => {
    const key = newKey();
    const result = signatureOf(await poolWith(library).run({ key, input: "input" }));
    expect(result).toMatchObject({ signer: "runtime", reason: expect.stringMatching(reason) });
    expect(verify("RSA-SHA256", Buffer.from("input"), key.publicKey, Buffer.from(result.signature, "base64url"))).toBe(
      true,
    );
  });

  test("refuses a corrupted key, and signs with the next key", async () => {
    const pool = poolWith(LIBCRYPTO);
    const { kid, privateKeyPem } = newKey();
    const corrupted = privateKeyPem.replace(/^(.{200}).{40}/s, "$1AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    for (const pem of [corrupted, "", "nonsense", privateKeyPem.slice(0, 900)])
      expect(await pool.run({ key: { kid, privateKeyPem: pem }, input: "a" })).toEqual({ ok: false, code: "bad_key" });
    expect(signatureOf(await pool.run({ key: newKey(), input: "a" })).signer).toBe("openssl");
  });

  test("signs with more keys than it keeps, of every size, each again after it was freed", async () => {
    const pool = poolWith(LIBCRYPTO);
    const keys = [2048, 2048, 3072, 4096, 2048, 2048, 2048].map((bits) => newKey(bits));
    for (let index = 0; index < 4 * keys.length; index += 1) {
      const key = keys[index % keys.length];
      if (!key) continue;
      const { signature, signer } = signatureOf(await pool.run({ key, input: `input ${index}` }));
      expect(signer).toBe("openssl");
      const bytes = Buffer.from(signature, "base64url");
      expect(verify("RSA-SHA256", Buffer.from(`input ${index}`), key.publicKey, bytes)).toBe(true);
    }
  });
});

describe("signatures by OpenSSL", () => {
  test("equal the signatures of the runtime, for inputs of every length", async () => {
    const { privateKeyPem } = newKey();
    const [openssl, runtime] = [
      opensslSigner(await openLibcrypto(LIBCRYPTO))(privateKeyPem),
      runtimeSigner(privateKeyPem),
    ];
    for (let length = 0; length < 400; length += 1) {
      const input = randomBytes(length);
      expect(openssl.sign(input).equals(runtime.sign(input))).toBe(true);
    }
    openssl.close();
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
    expect(() => opensslSigner(libcrypto)(newKey().privateKeyPem)).toThrow();
  });

  test("fail the self-test if they are wrong, and throw if the call fails", async () => {
    const real = await openLibcrypto(LIBCRYPTO);
    const { privateKeyPem } = newKey();
    const wrong = (...values: Parameters<Libcrypto["EVP_PKEY_sign"]>) => {
      const result = real.EVP_PKEY_sign(...values);
      const [, signature] = values;
      signature[7] = Number(signature[7]) ^ 1;
      return result;
    };
    const signer = opensslSigner({ ...real, EVP_PKEY_sign: wrong } as Libcrypto)(privateKeyPem);
    expect(passesSelfTest(signer, privateKeyPem)).toBe(false);
    signer.close();
    const failing = opensslSigner({ ...real, EVP_PKEY_sign: () => 0 } as Libcrypto)(privateKeyPem);
    expect(() => failing.sign(Buffer.from("a"))).toThrow("EVP_PKEY_sign failed");
    failing.close();
  });
});

describe("native memory", () => {
  test(`does not grow with ${SIGNATURES} signatures, nor with keys that open and close`, async () => {
    const { privateKeyPem } = newKey();
    const factory = opensslSigner(await openLibcrypto(LIBCRYPTO));
    const [generated, cheap] = [factory(privateKeyPem), factory(newKey(CHEAP_KEY_BITS).privateKeyPem)];
    const input = randomBytes(500);
    const work = (signatures: number) => {
      for (let index = 0; index < signatures; index += 1)
        (index % CALLS_PER_GENERATED_KEY === 0 ? generated : cheap).sign(input);
      const openings = Math.min(signatures / 20, OPENINGS_MAX);
      for (let index = 0; index < openings; index += 1) factory(privateKeyPem).close();
      Bun.gc(true);
    };
    work(SIGNATURES / 10);
    const before = residentBytes(process.pid) / MIB;
    work(SIGNATURES);
    const after = residentBytes(process.pid) / MIB;
    if (process.env.SIGNATURES) console.log(`resident memory: ${before.toFixed(1)} MiB, then ${after.toFixed(1)} MiB`);
    expect(after - before).toBeLessThan(GROWTH_MAX_BYTES / MIB);
    for (const signer of [generated, cheap]) signer.close();
  });

  test("does not grow with 40 workers that start, sign and stop", async () => {
    const key = newKey();
    const cycle = async () => {
      const pool = poolWith(LIBCRYPTO, 4);
      const results = await Promise.all(Array.from({ length: 8 }, () => pool.run({ key, input: "a" })));
      expect(results.every(({ ok }) => ok)).toBe(true);
      await pool.close();
    };
    for (let warmUp = 0; warmUp < 4; warmUp += 1) await cycle();
    Bun.gc(true);
    const before = residentBytes(process.pid);
    for (let round = 0; round < 10; round += 1) await cycle();
    Bun.gc(true);
    expect((residentBytes(process.pid) - before) / MIB).toBeLessThan(64);
  });
});

describe("the status of the signer", () => {
  test("is that of the latest signature; each reason is logged once", () => {
    const reasons: unknown[] = [];
    const status = signerStatus({
      warn: ({ reason }: { reason: string }) => reasons.push(reason),
    } as unknown as Logger);
    expect(status.name).toBeUndefined();
    for (const reason of ["absent", "absent", "version", "absent"]) status.record({ signer: "runtime", reason });
    expect([status.name, reasons]).toEqual(["runtime", ["absent", "version"]]);
    status.record({ signer: "openssl" });
    expect([status.name, reasons.length]).toEqual(["openssl", 2]);
  });
});
