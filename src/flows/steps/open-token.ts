import { unixSeconds } from "../../base/clock.ts";
import type { Deps } from "../../deps.ts";
import { type ClaimsByKind, claimsHold, type OpenedClaims, type TokenKind } from "../../models/token/claims.ts";
import { type CompactToken, openCompact, splitCompact } from "../../models/token/compact.ts";

type Needs = Pick<Deps, "keyRing" | "verifiedTokens" | "clock" | "config">;

/**
 * The claims of a token of one kind that this service signed and that holds now; `undefined` for anything else, without saying
 * why. Nothing here asks whether the session still lives.
 */
export async function openToken<Kind extends TokenKind>(
  needs: Needs,
  token: string,
  kind: Kind,
): Promise<ClaimsByKind[Kind] | undefined> {
  const claims = needs.verifiedTokens.get(token) ?? (await verifySignature(needs, token, kind));
  const now = unixSeconds(needs.clock.now());
  if (!claims || !claimsHold(claims, kind, needs.config.urls.publicBaseUrl, now)) return undefined;
  return claims as unknown as ClaimsByKind[Kind];
}

async function verifySignature(needs: Needs, token: string, kind: TokenKind): Promise<OpenedClaims | undefined> {
  const compact = splitCompact(token);
  const key = compact && (await findKey(needs, compact));
  const claims = key && openCompact(compact, key);
  // Only access tokens come again and again; the others are used once.
  if (claims && kind === "access") needs.verifiedTokens.set(token, claims);
  return claims;
}

/** The key of exactly this header. One that is not here may have become active elsewhere a moment ago: look once more. */
async function findKey({ keyRing }: Needs, token: CompactToken) {
  const known = keyRing.verificationKey(token.header);
  if (known) return known;
  await keyRing.reload();
  return keyRing.verificationKey(token.header);
}
