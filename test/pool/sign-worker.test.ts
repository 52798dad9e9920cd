/** RS256 in the sign workers: by OpenSSL where the machine has the library, else by the runtime. */
import { afterAll, describe, expect, test } from "bun:test";
import { randomBytes, verify } from "node:crypto";
import { compactVerify } from "jose";
import { systemClock } from "../../src/base/clock.ts";
import { LIBCRYPTO } from "../../src/config/settings.ts";
import { openSignPool, type SignPool } from "../../src/pool/pool.ts";
import type { SignResult } from "../../src/pool/protocol.ts";
import { signerStatus } from "../../src/pool/signer-status.ts";
import type { Logger } from "../../src/telemetry/log.ts";
import { type Libcrypto, openLibcrypto, opensslSigner } from "../../workers/openssl-signer.ts";
import { signJobs } from "../../workers/sign.ts";
import { residentBytes } from "../support/memory.ts";
import { newRsaKey, type RsaKey } from "../support/rsa-key.ts";
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

function signatureOf(result: SignResult | { readonly ok: false; readonly code: string }) {
  if (!result.ok) throw new Error(result.code);
  return result;
}

function isValid({ publicKey }: RsaKey, input: string, signature: string): boolean {
  return verify("RSA-SHA256", Buffer.from(input), publicKey, Buffer.from(signature, "base64url"));
}

describe("a sign worker", () => {
  test("signs by OpenSSL where the library is present, and the signature is valid", async () => {
    const key = newRsaKey();
    const input = randomBytes(300).toString("base64url");
    const result = signatureOf(await poolWith(LIBCRYPTO).run({ key, input }));
    expect(result).toEqual({ ok: true, signer: "openssl", signature: expect.any(String) });
    expect(isValid(key, input, result.signature)).toBe(true);
  });

  test("signs by the runtime with SERVICE_SIGNER=runtime, and gives no reason", async () => {
    const key = newRsaKey();
    const result = signatureOf(await poolWith(null).run({ key, input: "input" }));
    expect(result).toEqual({ ok: true, signer: "runtime", signature: expect.any(String) });
  });

  test.each([
    ["is absent", "/nowhere/libcrypto.so.3", /libcrypto/],
    ["has other functions", "libc.so.6", /OPENSSL_version_major|symbol/i],
    ["is no library", import.meta.path, /./],
  ])("signs by the runtime where the library %s, and gives the reason", async (_, library, reason) => {
    const key = newRsaKey();
    const result = signatureOf(await poolWith(library).run({ key, input: "input" }));
    expect(result).toMatchObject({ signer: "runtime", reason: expect.stringMatching(reason) });
    expect(isValid(key, "input", result.signature)).toBe(true);
  });

  test("refuses a corrupted key, and signs with the next key", async () => {
    const pool = poolWith(LIBCRYPTO);
    const { kid, privateKeyPem } = newRsaKey();
    const corrupted = privateKeyPem.replace(/^(.{200}).{40}/s, "$1AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    for (const pem of [corrupted, "", "nonsense", privateKeyPem.slice(0, 900)])
      expect(await pool.run({ key: { kid, privateKeyPem: pem }, input: "a" })).toEqual({ ok: false, code: "bad_key" });
    expect(signatureOf(await pool.run({ key: newRsaKey(), input: "a" })).signer).toBe("openssl");
  });

  test("signs with more keys than the cache, of every size, each again after its release", async () => {
    const pool = poolWith(LIBCRYPTO);
    const keys = [2048, 2048, 3072, 4096, 2048, 2048, 2048].map((bits) => newRsaKey(bits));
    for (let index = 0; index < 4 * keys.length; index += 1) {
      const key = keys[index % keys.length];
      if (!key) continue;
      const { signature, signer } = signatureOf(await pool.run({ key, input: `input ${index}` }));
      expect(signer).toBe("openssl");
      expect(isValid(key, `input ${index}`, signature)).toBe(true);
    }
  });
});

describe("a sign worker whose OpenSSL fails", () => {
  type Sign = Libcrypto["EVP_PKEY_sign"];
  type SignBy = (real: Sign) => Sign;
  const failing =
    (fails: (call: number) => boolean): SignBy =>
    (real) => {
      let calls = 0;
      return (...values) => {
        calls += 1;
        return fails(calls) ? 0 : real(...values);
      };
    };
  const wrong: SignBy =
    (real) =>
    (...values) => {
      const result = real(...values);
      const [, signature] = values;
      signature[7] = Number(signature[7]) ^ 1;
      return result;
    };

  /** The jobs of a worker whose OpenSSL signs by `signBy`, and the number of freed keys. */
  async function jobsBy(signBy: SignBy) {
    const real = await openLibcrypto(LIBCRYPTO);
    let freed = 0;
    const functions = {
      EVP_PKEY_sign: signBy(real.EVP_PKEY_sign),
      EVP_PKEY_free(...values: Parameters<Libcrypto["EVP_PKEY_free"]>) {
        freed += 1;
        return real.EVP_PKEY_free(...values);
      },
    };
    const jobs = signJobs(opensslSigner({ ...real, ...functions } as Libcrypto));
    return { ...jobs, freed: () => freed };
  }

  const failures: readonly [string, SignBy, string][] = [
    ["at the self-test", failing(() => true), "EVP_PKEY_sign failed"],
    ["with a wrong signature at the self-test", wrong, "the self-test failed"],
    ["at the first job", failing((call) => call > 1), "EVP_PKEY_sign failed"],
    ["at the ID token of the first job", failing((call) => call > 2), "EVP_PKEY_sign failed"],
  ];
  test.each(failures)("%s refuses no job: the runtime signs and the reason is given", async (_, signBy, reason) => {
    const jobs = await jobsBy(signBy);
    const key = newRsaKey();
    const idToken = { encodedHeader: Buffer.from('{"alg":"RS256"}').toString("base64url"), claims: '{"sub":"a"}' };
    for (const input of ["one", "two"]) {
      const result = signatureOf(jobs.run({ key, input, idToken }));
      expect(result).toMatchObject({ signer: "runtime", reason });
      expect(isValid(key, input, result.signature)).toBe(true);
      expect((await compactVerify(result.idToken ?? "", key.publicKey)).protectedHeader.alg).toBe("RS256");
    }
    expect(jobs.freed()).toBe(1);
    jobs.close();
  });

  test("at a later job moves this key only: OpenSSL signs with further keys", async () => {
    // The third call follows the self-test and the first job.
    const jobs = await jobsBy(failing((call) => call === 3));
    const [moved, further] = [newRsaKey(), newRsaKey()];
    const signers = [moved, moved, moved, further].map((key) => {
      const { signer, signature } = signatureOf(jobs.run({ key, input: "a" }));
      return [signer, isValid(key, "a", signature)];
    });
    expect(signers).toEqual([
      ["openssl", true],
      ["runtime", true],
      ["runtime", true],
      ["openssl", true],
    ]);
    jobs.close();
    expect(jobs.freed()).toBe(2);
  });
});

describe("native memory", () => {
  test(`does not grow with ${SIGNATURES} signatures, nor with keys that open and close`, async () => {
    const { privateKeyPem } = newRsaKey();
    const factory = opensslSigner(await openLibcrypto(LIBCRYPTO));
    const [generated, cheap] = [factory(privateKeyPem), factory(newRsaKey(CHEAP_KEY_BITS).privateKeyPem)];
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
    const key = newRsaKey();
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
