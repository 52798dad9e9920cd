import { importPKCS8, SignJWT } from "jose";
import type { Clock } from "../../base/clock.ts";
import { CLIENT_SECRET_LIFETIME_SECONDS } from "../../limits/provider-limits.ts";

/** Registration of the application at Apple (docs/contract.md, section 15.1). */
export interface AppleApplication {
  readonly clientId: string;
  readonly teamId: string;
  readonly keyId: string;
  /** PKCS #8 in PEM form, on the curve P-256. */
  readonly privateKeyPem: string;
}

/**
 * Signs the client secret of one exchange: a short-lived JWT with ES256. Rejects for a key without the ability to sign.
 */
export async function signAppleSecret(app: AppleApplication, audience: string, clock: Clock): Promise<string> {
  const key = await importPKCS8(app.privateKeyPem, "ES256");
  const now = Math.floor(clock.now() / 1000);
  return await new SignJWT()
    .setProtectedHeader({ alg: "ES256", kid: app.keyId })
    .setIssuer(app.teamId)
    .setSubject(app.clientId)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + CLIENT_SECRET_LIFETIME_SECONDS)
    .sign(key);
}
