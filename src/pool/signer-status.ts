import type { Logger } from "../telemetry/log.ts";
import type { SignerName, SignResult } from "./protocol.ts";

/** The implementation that signs, as reported with each signature (docs/operating.md, "Signatures"). */
export interface SignerStatus {
  /** The implementation of the latest signature; undefined before the first. */
  readonly name: SignerName | undefined;
  /** Logs each reason for a signature by the runtime once. */
  record(signature: Pick<Extract<SignResult, { ok: true }>, "signer" | "reason">): void;
}

/** Reasons are few: the library, its version, a function, the self-test. */
const REASONS_LOGGED_MAX = 20;

export function signerStatus(log: Logger): SignerStatus {
  const logged = new Set<string>();
  let name: SignerName | undefined;
  return {
    get name() {
      return name;
    },
    record({ signer, reason }) {
      name = signer;
      if (reason === undefined || logged.has(reason) || logged.size >= REASONS_LOGGED_MAX) return;
      logged.add(reason);
      log.warn({ reason }, "signatures: OpenSSL is not used; the runtime signs, at half the rate on recent CPUs");
    },
  };
}
