import { importPKCS8 } from "jose";
import type { RsaSigner } from "./signed-message.ts";

const ALGORITHM = "RS256";
const SCHEME = "RSASSA-PKCS1-v1_5";

/** Signs with a private key in PEM form, outside of the thread that serves requests. */
export function rsaSigner(pem: string): RsaSigner {
  const key = importPKCS8(pem, ALGORITHM);
  // Awaited by each signature; without a signature, a failure has no listener.
  key.catch(() => undefined);
  return async (bytes) => Buffer.from(await crypto.subtle.sign(SCHEME, await key, new Uint8Array(bytes)));
}
