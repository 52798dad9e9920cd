/**
 * An API of a foreign application on a single thread: verifies OAuth access tokens, with a new proof of possession for
 * each request or without, while the verifier follows the revocation feed. Argument: a file with `Setup`. Prints
 * `{"perSecond": …, "cpuMs": …, "refused": …}`; `cpuMs` is the CPU of all threads per verification.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { importJWK, type JWK, SignJWT } from "jose";
import { createResourceVerifier, type ProvenRequest } from "../clients/js/src/verifier.ts";

export interface Setup {
  readonly issuer: string;
  readonly baseUrl: string;
  readonly resource: string;
  /** Access tokens that are bound to the key, or to no key. */
  readonly tokens: readonly string[];
  /** Undefined: Bearer tokens. */
  readonly key?: { readonly privateJwk: JWK; readonly publicJwk: JWK };
  readonly requests: number;
}

const setup: Setup = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const { issuer, baseUrl, resource, tokens, key, requests } = setup;
const verifier = createResourceVerifier({ issuer, baseUrl, resource, whenBlind: "deny" });
const PATH = "/notes";

interface Presented {
  readonly header: string;
  readonly request: ProvenRequest | undefined;
}

async function presentedOf(token: string): Promise<Presented> {
  if (key === undefined) return { header: `Bearer ${token}`, request: undefined };
  const hash = new Bun.CryptoHasher("sha256").update(token).digest("base64url");
  const htu = new URL(PATH, resource).href;
  const proof = await new SignJWT({ jti: randomUUID(), htm: "GET", htu, ath: hash })
    .setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk: key.publicJwk })
    .setIssuedAt()
    .sign(await importJWK(key.privateJwk, "ES256"));
  return { header: `DPoP ${token}`, request: { method: "GET", url: PATH, proof } };
}

const presented: Presented[] = [];
for (let index = 0; index < requests; index += 1)
  presented.push(await presentedOf(tokens[index % tokens.length] ?? ""));
for (const token of tokens) {
  const { header, request } = await presentedOf(token);
  await verifier.verifyHeader(header, {}, request);
}

/** The number of requests that a busy API receives between two turns of the event loop. */
const BATCH = 100;
let refused = 0;
const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
for (const [index, { header, request }] of presented.entries()) {
  if (!(await verifier.verifyHeader(header, {}, request)).ok) refused += 1;
  // The verifier follows the feed between two batches, as in any server.
  if (index % BATCH === 0) await new Promise(setImmediate);
}
const [elapsedMs, { user, system }] = [performance.now() - startedAt, process.cpuUsage(cpu)];
const cpuMs = (user + system) / 1000 / requests;
console.log(JSON.stringify({ perSecond: (requests / elapsedMs) * 1000, cpuMs, refused }));
process.exit(0);
