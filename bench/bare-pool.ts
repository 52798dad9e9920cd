/**
 * Measures the upper limit: the worker pools without the service, in a separate process. Arguments: hash|sign, workers,
 * concurrency, seconds, and `runtime` for signatures without OpenSSL. Prints JSON.
 */
import { generateKeyPairSync } from "node:crypto";
import { systemClock as clock } from "../src/base/clock.ts";
import { systemRandom } from "../src/base/random.ts";
import { LIBCRYPTO } from "../src/config/settings.ts";
import { openHashPool, openSignPool } from "../src/pool/pool.ts";
import { startTelemetry } from "../src/telemetry/telemetry.ts";
import { PASSWORD } from "./harness.ts";

const [kind, workers, concurrency, seconds, signer] = process.argv.slice(2);
const telemetry = await startTelemetry({
  serviceName: "bench",
  serviceVersion: "0",
  publicBaseUrl: "http://localhost:3000",
  clock,
  random: systemRandom(clock),
  traces: false,
  otlpMetrics: false,
});
const options = { workers: Number(workers), queueMax: 10_000, deadlineMs: 60_000, clock, telemetry };

async function hashJob(): Promise<() => Promise<unknown>> {
  const pool = openHashPool({ ...options, niceIncrement: 10 });
  const cost = { memoryKib: 19_456, time: 2, parallelism: 1 };
  const made = await pool.run({ kind: "hash", password: PASSWORD, cost });
  if (!made.ok || made.kind !== "hash") throw new Error("the hash pool returned no hash");
  return () => pool.run({ kind: "verify", password: PASSWORD, hash: { scheme: "argon2", encoded: made.hash } });
}

async function signJob(): Promise<() => Promise<unknown>> {
  const pool = openSignPool({ libcrypto: signer === "runtime" ? null : LIBCRYPTO, ...options, niceIncrement: 0 });
  const pem = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" });
  const key = { kid: "bench", privateKeyPem: String(pem) };
  return () => pool.run({ key, input: "x".repeat(500) });
}

const job = await (kind === "hash" ? hashJob() : signJob());
await Promise.all(Array.from({ length: 8 }, job));
const latencies: number[] = [];
const endsAt = performance.now() + Number(seconds) * 1000;
await Promise.all(
  Array.from({ length: Number(concurrency) }, async () => {
    while (performance.now() < endsAt) {
      const startedAt = performance.now();
      await job();
      latencies.push(performance.now() - startedAt);
    }
  }),
);
latencies.sort((a, b) => a - b);
console.log(
  JSON.stringify({ perSecond: latencies.length / Number(seconds), medianMs: latencies[latencies.length >> 1] }),
);
process.exit(0);
