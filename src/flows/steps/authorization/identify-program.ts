import { unixSeconds } from "../../../base/clock.ts";
import type { Deps } from "../../../deps.ts";
import { hasScope, type KeyView } from "../../../models/service-account/api-key.ts";
import { isTokenRevoked } from "../../../models/session/revocation.ts";
import { isAccessToken } from "../../../models/token/compact.ts";
import { type ProgramClaims, programClaimsHold } from "../../../models/token/program-claims.ts";
import { isKeyScope } from "../../../vocabulary/key-scope.ts";
import { ownResourceOf } from "../tokens/own-resource.ts";
import { verifySignature } from "../tokens/verify-signature.ts";

export type VerifyProgramDeps = Pick<Deps, "clock" | "config" | "keyRing" | "verifiedProviderTokens">;
export type IdentifyProgramDeps = VerifyProgramDeps & Pick<Deps, "database" | "revocations">;

/**
 * The claims of an access token of a service account: signature, issuer, audience, kind and times. The signature is
 * verified once, and the verified claims are in memory. The function does not check whether the token is live.
 */
export async function verifyProgramToken(deps: VerifyProgramDeps, token: string): Promise<ProgramClaims | undefined> {
  const claims = deps.verifiedProviderTokens.get(token) ?? (await verifyFirst(deps, token));
  if (!claims) return undefined;
  const expected = { issuer: deps.config.urls.publicBaseUrl, audience: ownResourceOf(deps) };
  return programClaimsHold(claims, expected, unixSeconds(deps.clock.now())) ? claims : undefined;
}

async function verifyFirst({ clock, keyRing, verifiedProviderTokens }: VerifyProgramDeps, token: string) {
  const claims = isAccessToken(token) ? await verifySignature(keyRing, token, "oauth_access") : undefined;
  if (claims) verifiedProviderTokens.set(token, claims, unixSeconds(clock.now()));
  return claims;
}

/**
 * The live credential of a verified access token, with the scopes of the token that the credential still has.
 * Undefined for a revoked token, and for an ended key, trust, account or organization. Needs no network call while the
 * actor `revocations` is current and has the credential. Throws when the state cannot be read.
 */
export async function findProgram(deps: IdentifyProgramDeps, claims: ProgramClaims): Promise<KeyView | undefined> {
  const { revocations } = deps;
  const isTrust = claims.federated === true;
  const credential = await (isTrust ? revocations.trust(claims.sid) : revocations.key(claims.sid));
  if (credential?.serviceAccountId !== claims.sub) return undefined;
  if (claims.iat < (credential.tokensFrom ?? 0) || (await isRevoked(deps, claims.jti))) return undefined;
  const scopes = claims.scope.split(" ").filter(isKeyScope);
  return {
    ...credential,
    isToken: true,
    scopes: scopes.filter((scope) => hasScope(credential, scope)),
    expiresAt: Math.min(credential.expiresAt, claims.exp * 1000),
  };
}

async function isRevoked({ database, revocations }: IdentifyProgramDeps, jti: string): Promise<boolean> {
  if (revocations.isRevoked(jti)) return true;
  if (revocations.current()) return false;
  return await database.run("session_event.is_token_revoked", (sql) => isTokenRevoked(sql, jti));
}
