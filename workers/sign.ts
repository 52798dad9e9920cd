import { createHash } from "node:crypto";
import { workerData } from "node:worker_threads";
import type { SignJob, SignResult, SignWorkerData, UnsignedIdToken } from "../src/pool/protocol.ts";
import { openLibcrypto, opensslSigner } from "./openssl-signer.ts";
import { passesSelfTest, runtimeSigner, type Signer, type SignerFactory } from "./signer.ts";

/** Parsing a PEM costs a tenth of a signature. A ring has a single active key, and two around a rotation. */
const KEYS_CACHED_MAX = 4;

/** A parsed key, and why the runtime signs in place of OpenSSL. */
interface OpenedKey {
  readonly signer: Signer;
  readonly reason: string | undefined;
}

/** Undefined: the configuration chose the runtime. A text: the reason why OpenSSL cannot be used. */
type Openssl = SignerFactory | string | undefined;

export interface SignJobs {
  /** Signs the input with RS256 and returns the signature in base64url. */
  run(job: SignJob): SignResult;
  /** Frees the native memory of every key. */
  close(): void;
}

/** Outside of a worker thread there is no data, and the runtime signs. */
const libcrypto = (workerData as SignWorkerData | null)?.libcrypto ?? null;
const jobs = signJobs(await openOpenssl());
process.once("exit", jobs.close);
export default jobs.run;

async function openOpenssl(): Promise<Openssl> {
  return libcrypto === null ? undefined : await openLibcrypto(libcrypto).then(opensslSigner).catch(reasonOf);
}

/** The jobs of one worker. Any failure of OpenSSL moves the key to the runtime. */
export function signJobs(openssl: Openssl): SignJobs {
  /** By `kid`, the least recently parsed first. */
  const opened = new Map<string, OpenedKey>();
  return {
    run({ key: { kid, privateKeyPem }, ...work }) {
      const key = opened.get(kid) ?? openKey(openssl, privateKeyPem);
      if (!key) return { ok: false, code: "bad_key" };
      if (!opened.has(kid)) keepKey(opened, kid, key);
      try {
        return signed(key, work);
      } catch (error) {
        if (key.signer.name === "runtime") throw error;
        const replacement = { signer: runtimeSigner(privateKeyPem), reason: reasonOf(error) };
        keepKey(opened, kid, replacement);
        return signed(replacement, work);
      }
    },
    close() {
      for (const { signer } of opened.values()) signer.close();
    },
  };
}

function signed({ signer, reason }: OpenedKey, { input, idToken }: Omit<SignJob, "key">): SignResult {
  const sign = (text: string) => signer.sign(Buffer.from(text)).toString("base64url");
  const signature = sign(input);
  return {
    ok: true,
    signature,
    signer: signer.name,
    ...(reason === undefined ? {} : { reason }),
    ...(idToken ? { idToken: signedIdToken(idToken, `${input}.${signature}`, sign) } : {}),
  };
}

/** `at_hash`: the left half of the SHA-256 of the access token (OpenID Connect Core, section 3.1.3.6). */
function signedIdToken(
  { encodedHeader, claims }: UnsignedIdToken,
  accessToken: string,
  sign: (input: string) => string,
): string {
  const digest = createHash("sha256").update(accessToken).digest();
  const atHash = digest.subarray(0, digest.length / 2).toString("base64url");
  const payload = Buffer.from(`${claims.slice(0, -1)},"at_hash":"${atHash}"}`).toString("base64url");
  const input = `${encodedHeader}.${payload}`;
  return `${input}.${sign(input)}`;
}

function openKey(openssl: Openssl, privateKeyPem: string): OpenedKey | undefined {
  const { signer: preferred, reason } = openWithOpenssl(openssl, privateKeyPem);
  if (preferred) return { signer: preferred, reason: undefined };
  try {
    return { signer: runtimeSigner(privateKeyPem), reason };
  } catch {
    return undefined;
  }
}

/** Only a key that passes the self-test is used: a wrong signature would end every session at its next request. */
function openWithOpenssl(openssl: Openssl, privateKeyPem: string): Partial<OpenedKey> {
  if (openssl === undefined) return {};
  if (typeof openssl === "string") return { reason: openssl };
  let signer: Signer | undefined;
  try {
    signer = openssl(privateKeyPem);
    if (passesSelfTest(signer, privateKeyPem)) return { signer };
    signer.close();
    return { reason: "the self-test failed" };
  } catch (error) {
    signer?.close();
    return { reason: reasonOf(error) };
  }
}

function keepKey(opened: Map<string, OpenedKey>, kid: string, key: OpenedKey): void {
  opened.get(kid)?.signer.close();
  opened.delete(kid);
  const [oldest] = opened;
  if (oldest && opened.size >= KEYS_CACHED_MAX) {
    oldest[1].signer.close();
    opened.delete(oldest[0]);
  }
  opened.set(kid, key);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "the library cannot be loaded";
}
