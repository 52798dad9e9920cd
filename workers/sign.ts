import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import type { SigningKey, SignJob, SignResult } from "../src/pool/protocol.ts";

/** Parsing a PEM costs a tenth of a signature. A ring has a single active key, and two around a rotation. */
const KEYS_CACHED_MAX = 4;
const parsedKeys = new Map<string, KeyObject>();

/** Signs the input with RS256 and returns the signature in base64url. */
export default function runSignJob(job: SignJob): SignResult {
  const key = privateKey(job.key);
  if (!key) return { ok: false, code: "bad_key" };
  return { ok: true, signature: sign("RSA-SHA256", Buffer.from(job.input), key).toString("base64url") };
}

function privateKey({ kid, privateKeyPem }: SigningKey): KeyObject | undefined {
  const known = parsedKeys.get(kid);
  if (known) return known;
  try {
    if (parsedKeys.size >= KEYS_CACHED_MAX) parsedKeys.clear();
    const parsed = createPrivateKey(privateKeyPem);
    parsedKeys.set(kid, parsed);
    return parsed;
  } catch {
    return undefined;
  }
}
