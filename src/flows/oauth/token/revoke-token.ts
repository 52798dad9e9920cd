import { oauthRefusal } from "../../../base/oauth-problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { CLOCK_SKEW_SECONDS } from "../../../limits/limits.ts";
import { type AuditEntry, insertAudit } from "../../../models/audit/audit.ts";
import { clientIdOf, type OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { openRefreshToken } from "../../../models/oauth-grant/refresh-token.ts";
import { findFamilyState } from "../../../models/oauth-grant/token-family.ts";
import { eventColumns, lockTokenRevocation, logTokenRevocation } from "../../../models/session/revocation.ts";
import type { ProviderAccessClaims } from "../../../models/token/provider-claims.ts";
import { programActor } from "../../steps/audit/program-actor.ts";
import { verifyProgramToken } from "../../steps/authorization/identify-program.ts";
import { eventsOf } from "../../steps/tokens/token-family-events.ts";
import { type EndFamiliesDeps, endTokenFamily } from "../clients/end-families.ts";
import {
  type AuthenticatedProgram,
  type AuthenticateProgramDeps,
  authenticateProgram,
  consumeAssertion,
  refuseReplayed,
} from "../programs/authenticate-program.ts";
import {
  type AuthenticateClientDeps,
  authenticateClient,
  type ClientCredentials,
  type ClientProblem,
} from "../request/authenticate-client.ts";
import { type VerifyProviderTokenDeps, verifyProviderAccessToken } from "../request/verify-token.ts";

export type RevokeTokenDeps = AuthenticateClientDeps &
  AuthenticateProgramDeps &
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
  const program = await authenticateProgram(deps, { ...presented, requestContext });
  if (program) return program.ok ? await revokeProgramToken(deps, program.value, presented, requestContext) : program;
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

/** A service account ends a token of its own. */
async function revokeProgramToken(
  deps: RevokeTokenDeps,
  program: AuthenticatedProgram,
  { parameters }: Pick<ClientCredentials, "parameters">,
  client: RequestContext,
): Promise<Result<void, ClientProblem>> {
  const token = parameters.one("token");
  if (token === undefined) return err(oauthRefusal("invalid_request", "token is missing."));
  const claims = await verifyProgramToken(deps, token);
  if (!(await consumeAssertion(deps, program))) return err(await refuseReplayed(deps, program, client));
  if (claims?.sub !== program.credential.serviceAccountId) return ok(undefined);
  const { credential } = program;
  const { userId, organizationId, type, credential: by } = programActor({ ...credential, isToken: true });
  const actor = { actorId: userId, actorType: type ?? "user", organizationId } as const;
  await revokeSingleToken(deps, claims, {
    ...actor,
    resourceType: "service_account",
    resourceId: claims.sub,
    metadata: { reason: "token_revoked", sid: claims.jti, ...(by === undefined ? {} : { credential: by }) },
    client,
  });
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
  claims: ProviderAccessClaims,
  client: RequestContext,
): Promise<void> {
  const actor = { organizationId: null, actorId: null, actorType: "system" } as const;
  const resource = { resourceType: "oauth_client", resourceId: claims.client_id } as const;
  await revokeSingleToken(deps, claims, {
    ...actor,
    ...resource,
    metadata: { reason: "token_revoked", sid: claims.jti },
    client,
  });
}

async function revokeSingleToken(
  deps: RevokeTokenDeps,
  { jti, exp }: Pick<ProviderAccessClaims, "exp" | "jti">,
  record: Omit<AuditEntry, "action" | "at" | "eventId" | "outcome">,
): Promise<void> {
  const at = new Date(deps.clock.now());
  const revocation = { id: jti, at, tokenDeadAt: new Date((exp + CLOCK_SKEW_SECONDS) * 1000) };
  const event = {
    ...record,
    eventId: deps.random.uuid(),
    at,
    action: "oauth.token.revoked",
    outcome: "success",
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
