import type { KeyRing } from "../../../actors/key-ring.ts";
import type { ProviderTokenKind, TokenKind, VerifiedClaims } from "../../../models/token/claims.ts";
import { splitCompact, verifyCompact } from "../../../models/token/compact.ts";

/**
 * Verifies the signature of a token of one kind, of this service or of the OpenID provider. Reloads the ring once for
 * an unknown header, because another replica may have activated the key.
 */
export async function verifySignature(
  keyRing: Pick<KeyRing, "verifier" | "reload">,
  token: string,
  kind: TokenKind | ProviderTokenKind,
): Promise<VerifiedClaims | undefined> {
  const compact = splitCompact(token, kind);
  if (!compact) return undefined;
  if (!keyRing.verifier(compact.header)) await keyRing.reload();
  const verifier = keyRing.verifier(compact.header);
  return verifier && verifyCompact(compact, verifier, kind);
}
