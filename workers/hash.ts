import { hashSync, verifySync } from "@node-rs/argon2";
import type { HashJob, HashResult } from "../src/pool/protocol.ts";

/** `Algorithm.Argon2id` of the package: an ambient const enum, which erasable syntax cannot reach. */
const ARGON2ID = 2;

/** Hashes or verifies one password. Synchronous on purpose: this thread has nothing else to do, and no shared pool is used. */
export default function runHashJob(job: HashJob): HashResult {
  if (job.kind === "verify") return verifyPassword(job.password, job.hash);
  const { memoryKib, time, parallelism } = job.cost;
  const options = { algorithm: ARGON2ID, memoryCost: memoryKib, timeCost: time, parallelism };
  return { ok: true, kind: "hash", hash: hashSync(job.password, options) };
}

function verifyPassword(password: string, hash: string): HashResult {
  try {
    return { ok: true, kind: "verify", matches: verifySync(hash, password) };
  } catch {
    return { ok: false, code: "bad_hash" };
  }
}
