import { generateKeyPairSync } from "node:crypto";
import type { Foundation } from "../foundation.ts";
import { openSignPool } from "../pool/pool.ts";
import { type Finding, finding } from "./finding.ts";

const CHECK = "signatures";
const DEADLINE_MS = 10_000;
/** As the keys of the ring. */
const RSA_BITS = 2048;

/** Signs once in a worker, as the service does, with a new key. */
export async function examineSigner({ config, clock, telemetry }: Foundation): Promise<Finding> {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: RSA_BITS });
  const privateKeyPem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const options = { ...config.signing, clock, telemetry, workers: 1, queueMax: 1, niceIncrement: 0 };
  const pool = openSignPool({ ...options, deadlineMs: DEADLINE_MS });
  try {
    const result = await pool.run({ key: { kid: "doctor", privateKeyPem }, input: "" });
    if (!result.ok) return finding(CHECK, "failure", `the worker failed: ${result.code}`, "see the log of the service");
    if (result.signer === "openssl") return finding(CHECK, "ok", `by OpenSSL (${config.signing.libcrypto})`);
    if (result.reason === undefined) return finding(CHECK, "ok", "by the runtime (SERVICE_SIGNER)");
    const remedy = "install OpenSSL 3 (Debian: libssl3), or set SERVICE_LIBCRYPTO";
    return finding(CHECK, "warning", `by the runtime, at half the rate: ${result.reason}`, remedy);
  } finally {
    await pool.close();
  }
}
