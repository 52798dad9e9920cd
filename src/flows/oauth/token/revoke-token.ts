import { oauthRefusal } from "../../../base/oauth-problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { CLOCK_SKEW_SECONDS } from "../../../limits/limits.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { clientIdOf, type OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { openRefreshToken } from "../../../models/oauth-grant/refresh-token.ts";
import { findFamilyState } from "../../../models/oauth-grant/token-family.ts";
import { eventColumns, lockTokenRevocation, logTokenRevocation } from "../../../models/session/revocation.ts";
import type { ProviderAccessClaims } from "../../../models/token/provider-claims.ts";
import { eventsOf } from "../../steps/tokens/token-family-events.ts";
import { type EndFamiliesDeps, endTokenFamily } from "../clients/end-families.ts";
import {
  type AuthenticateClientDeps,
  authenticateClient,
  type ClientCredentials,
  type ClientProblem,
} from "../request/authenticate-client.ts";
import { type VerifyProviderTokenDeps, verifyProviderAccessToken } from "../request/verify-token.ts";

export type RevokeTokenDeps = AuthenticateClientDeps &
  EndFamiliesDeps &
  VerifyProviderTokenDeps &
  Pick<Deps, "codeKey">;

/**
 * POST /oauth2/revoke (RFC 7009; docs/contract.md, section 23.8): ends a token of the client, with all tokens of its
 * family. The response for an unknown token, and for a token of another client, is identical.
 */
export async function revokeToken(
  deps: RevokeTokenDeps,
  { requestContext, ...presented }: ClientCredentials & { readonly requestContext: RequestContext },
): Promise<Result<void, ClientProblem>> {
  const client = await authenticateClient(deps, { ...presented, requestContext });
  if (!client.ok) return client;
  const token = presented.parameters.one("token");
  if (token === undefined) return err(oauthRefusal("invalid_request", "token is missing."));
  const claims = await verifyProviderAccessToken(deps, token);
  const own = claims?.client_id === clientIdOf(client.value) ? claims : undefined;
  // The family of an exchanged token belongs to the application that the user allowed.
  if (own && (own.act || own.sid === own.jti)) {
    await revokeClientToken(deps, own, requestContext);
    return ok(undefined);
  }
  const familyId = own?.sid ?? (await familyOfRefreshToken(deps, client.value, token));
  if (familyId) {
    const end = { reason: "token_revoked", action: "oauth.token.revoked", client: requestContext } as const;
    await endTokenFamily(deps, familyId, end);
  }
  return ok(undefined);
}

async function familyOfRefreshToken(
  deps: RevokeTokenDeps,
  client: OAuthClient,
  text: string,
): Promise<string | undefined> {
  const token = openRefreshToken(deps.codeKey, text);
  if (!token) return undefined;
  const { familyId } = token;
  const at = new Date(deps.clock.now());
  const state = await deps.database.run("oauth_family.find", (sql) =>
    findFamilyState(sql, { familyId, clientId: client.id, at }),
  );
  return state?.family.id;
}

/** A client's own token has no family: the log of session events has its `jti`. */
async function revokeClientToken(
  deps: RevokeTokenDeps,
  { jti, exp, client_id }: ProviderAccessClaims,
  client: RequestContext,
): Promise<void> {
  const at = new Date(deps.clock.now());
  const revocation = { id: jti, at, tokenDeadAt: new Date((exp + CLOCK_SKEW_SECONDS) * 1000) };
  const event = {
    eventId: deps.random.uuid(),
    at,
    action: "oauth.token.revoked",
    outcome: "success",
    organizationId: null,
    actorId: null,
    actorType: "system",
    resourceType: "oauth_client",
    resourceId: client_id,
    metadata: { reason: "token_revoked", sid: jti },
    client,
  } as const;
  const events = await deps.database.transaction("oauth_token.revoke", async (sql) => {
    await lockTokenRevocation(sql, jti);
    return await eventsOf(sql`
      with e as (${logTokenRevocation(sql, revocation)}),
      audit as (${insertAudit(sql, event, sql`from e`)})
      select ${eventColumns(sql)} from e`);
  });
  await deps.revocations.announce(events);
}
