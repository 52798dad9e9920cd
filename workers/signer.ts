/**
 * A parsed RSA key that signs. Two implementations: OpenSSL (`openssl-signer.ts`), which is more than twice as fast on
 * CPUs with AVX-512 IFMA, and the runtime (bench/README.md, line 18).
 */
import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import type { SignerName } from "../src/pool/protocol.ts";

export interface Signer {
  readonly name: SignerName;
  /** The RS256 signature (RFC 7518, section 3.3). Throws if the implementation fails. */
  sign(input: Buffer): Buffer;
  /** Frees native memory. No call may follow. */
  close(): void;
}

/** Throws for a PEM without a private key. */
export type SignerFactory = (privateKeyPem: string) => Signer;

const SELF_TEST_INPUT = Buffer.from("self-test");

export const runtimeSigner: SignerFactory = (privateKeyPem) => {
  const key = createPrivateKey(privateKeyPem);
  return { name: "runtime", sign: (input) => sign("RSA-SHA256", input, key), close: () => undefined };
};

/** Whether a signature of the signer passes the verification by the runtime. */
export function passesSelfTest(signer: Signer, privateKeyPem: string): boolean {
  const signature = signer.sign(SELF_TEST_INPUT);
  return verify("RSA-SHA256", SELF_TEST_INPUT, createPublicKey(privateKeyPem), signature);
}
