import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair } from "jose";
import type { SealingKey } from "../../../base/seal.ts";
import type { StoreDeps } from "../../../deps.ts";
import { SSO_SERVICE_KEY_BITS } from "../../../limits/sso-limits.ts";
import { sealConnectionSecret } from "../../../models/sso-connection/connection-secret.ts";
import type { ServiceKey } from "../../../models/sso-connection/service-key.ts";

/** RFC 7518, section 3.3: the algorithm that every identity provider with `private_key_jwt` supports. */
const ALGORITHM = "RS256";

/** Makes a key of the service for a connection. The private key leaves this function only sealed. */
export async function makeServiceKey(
  deps: Pick<StoreDeps, "clock" | "random">,
  sealing: SealingKey,
  connectionId: string,
  status: ServiceKey["status"],
): Promise<ServiceKey> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, {
    modulusLength: SSO_SERVICE_KEY_BITS,
    extractable: true,
  });
  const { n = "", e = "" } = await exportJWK(publicKey);
  const kty = "RSA";
  const kid = await calculateJwkThumbprint({ kty, n, e });
  return {
    id: deps.random.uuid(),
    connectionId,
    status,
    publicJwk: { kty, n, e, kid, alg: ALGORITHM, use: "sig" },
    sealedPrivateKey: sealConnectionSecret(deps, sealing, connectionId, await exportPKCS8(privateKey)),
    keyId: sealing.id,
    createdAt: new Date(deps.clock.now()),
  };
}
