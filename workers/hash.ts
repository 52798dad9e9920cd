import { pbkdf2Sync, scryptSync, timingSafeEqual } from "node:crypto";
import { hashSync, verifySync as verifyArgon2 } from "@node-rs/argon2";
import { verifySync as verifyBcrypt } from "@node-rs/bcrypt";
import type { HashJob, HashResult, StoredHash } from "../src/pool/protocol.ts";

/** `Algorithm.Argon2id` of the package, an ambient const enum, unusable with erasable syntax. */
const ARGON2ID = 2;
/** Memory for the largest scrypt accepted by an import. */
const SCRYPT_MAXMEM_BYTES = 512 * 1024 * 1024;

/** Hashes or verifies a password. Synchronous, because the thread has no other work and needs no libuv pool. */
export default function runHashJob(job: HashJob): HashResult {
  if (job.kind === "verify") return verifyPassword(job.password, job.hash);
  const { memoryKib, time, parallelism } = job.cost;
  const options = { algorithm: ARGON2ID, memoryCost: memoryKib, timeCost: time, parallelism };
  return { ok: true, kind: "hash", hash: hashSync(job.password, options) };
}

function verifyPassword(password: string, hash: StoredHash): HashResult {
  const startedAt = performance.now();
  try {
    const found = matches(password, hash);
    return { ok: true, kind: "verify", matches: found, tookMs: performance.now() - startedAt };
  } catch {
    return { ok: false, code: "bad_hash" };
  }
}

function matches(password: string, hash: StoredHash): boolean {
  switch (hash.scheme) {
    case "argon2":
      return verifyArgon2(hash.encoded, password);
    case "bcrypt":
      return verifyBcrypt(password, hash.encoded);
    case "scrypt": {
      const { cost, blockSize, parallelization, salt, key } = hash;
      const options = { cost, blockSize, parallelization, maxmem: SCRYPT_MAXMEM_BYTES };
      return timingSafeEqual(scryptSync(password, salt, key.length, options), key);
    }
    case "pbkdf2":
      return timingSafeEqual(pbkdf2Sync(password, hash.salt, hash.iterations, hash.key.length, hash.digest), hash.key);
  }
}
