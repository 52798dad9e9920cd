import type { Deps } from "../../../deps.ts";
import { type OAuthClient, servesOrganization } from "../../../models/oauth-client/oauth-client.ts";
import { firstSecondOfOwnTokens } from "../../../models/oauth-client/own-tokens.ts";
import { type FamilyOwner, findFamilyOwner } from "../../../models/oauth-grant/family-state.ts";
import { isTokenRevoked } from "../../../models/session/revocation.ts";
import type { ProviderAccessClaims } from "../../../models/token/provider-claims.ts";
import { type VerifyProviderTokenDeps, verifyProviderAccessToken } from "./verify-token.ts";

export type LiveTokenDeps = VerifyProviderTokenDeps &
  Pick<Deps, "database" | "oauthClients" | "revocations" | "ssoDirectory" | "tokenFamilies">;

export interface LiveToken {
  readonly claims: ProviderAccessClaims;
  readonly client: OAuthClient;
  /** Undefined for a client's own token. */
  readonly owner: FamilyOwner | undefined;
}

/**
 * A live access token: verified, of an enabled client, of a live family and session. Needs no network call while the
 * revocations actor is current and the family is known; asks PostgreSQL otherwise. Rejects when the state is unknown
 * (docs/contract.md, section 3.8).
 */
export async function findLiveToken(deps: LiveTokenDeps, token: string): Promise<LiveToken | undefined> {
  const claims = await verifyProviderAccessToken(deps, token);
  const client = claims && (await deps.oauthClients.load(claims.client_id));
  if (!client) return undefined;
  if (claims.act && (await isOwnTokenRevoked(deps, claims.jti))) return undefined;
  if (isOwnToken(claims)) {
    if (claims.iat < firstSecondOfOwnTokens(client)) return undefined;
    return (await isOwnTokenRevoked(deps, claims.sid)) ? undefined : { claims, client, owner: undefined };
  }
  const owner = await liveFamily(deps, claims.sid);
  if (owner && !servesOrganization(client, owner.organizationId)) return undefined;
  // A token of an exchange belongs to the family of another client.
  return owner && (claims.act || owner.clientId === client.id) ? { claims, client, owner } : undefined;
}

/** Whether a token is of a client alone: a token of a user has the time of the sign-in. */
function isOwnToken({ org, auth_time: authTime }: ProviderAccessClaims): boolean {
  return org === undefined && authTime === undefined;
}

/**
 * The owner of a live family. The owner never changes, so the actor caches the owner; the log of session events has
 * later revocations of the family or the session. A suspended organization and a changed email address are found at
 * the next read, after `SESSION_VIEW_TTL_MS` at the latest.
 */
async function liveFamily(deps: LiveTokenDeps, familyId: string): Promise<FamilyOwner | undefined> {
  const at = new Date(deps.clock.now());
  const known = deps.revocations.current() ? heldFamily(deps, familyId, at) : undefined;
  const owner =
    known ?? (await deps.database.run("oauth_family.find_owner", (sql) => findFamilyOwner(sql, familyId, at)));
  if (!owner?.live) return undefined;
  const ids = owner.sessionId === null ? [familyId] : [familyId, owner.sessionId];
  if (ids.some((id) => deps.revocations.isRevoked(id))) return undefined;
  // Do not re-insert a cached entry: re-insertion would restart the TTL, and a busy token would never be reloaded.
  if (!known) deps.tokenFamilies.set(familyId, owner);
  return owner;
}

/** The family in memory, unless the rules of the organization have or had another effect since the reading. */
function heldFamily(
  { ssoDirectory, tokenFamilies }: Pick<Deps, "ssoDirectory" | "tokenFamilies">,
  familyId: string,
  at: Date,
): FamilyOwner | undefined {
  const held = tokenFamilies.get(familyId);
  if (!held || ssoDirectory.rulesRevisionOf(held.organizationId) !== held.rulesRevision) return undefined;
  return held.accessUntil === null || held.accessUntil > at.getTime() ? held : undefined;
}

async function isOwnTokenRevoked({ database, revocations }: LiveTokenDeps, jti: string): Promise<boolean> {
  if (revocations.isRevoked(jti)) return true;
  if (revocations.current()) return false;
  return await database.run("session_event.is_token_revoked", (sql) => isTokenRevoked(sql, jti));
}
