/** Token exchange (RFC 8693; docs/contract.md, section 23.16). */
import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { OAUTH_ACTORS_MAX } from "../../../limits/oauth-limits.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import { clientIdOf, type OAuthClient, type TokenExchangeRule } from "../../../models/oauth-client/oauth-client.ts";
import { type Actor, audienceList, type ProviderAccessClaims } from "../../../models/token/provider-claims.ts";
import { resourceKey } from "../../../vocabulary/resource-key.ts";
import { NO_CLAIMS, readMappedClaims, sessionOf } from "../claims/read-mapped-claims.ts";
import { selectForApis } from "../claims/select-mappings.ts";
import { findLiveToken, type LiveToken } from "../request/live-token.ts";
import type { Parameters } from "../request/parameters.ts";
import { findResource, needsProof, readScopes } from "../request/requested.ts";
import { assuranceFlaw } from "../request/required-assurance.ts";
import { readResourceClaims } from "../request/resource-claims.ts";
import { bindScopes, offeredScopes, type RequestedAccess } from "../request/role-scopes.ts";
import { PROOF_REQUIRED } from "../request/verify-proof.ts";
import { ACCESS_TOKEN_TYPE, issueExchangedToken, type TokenExchange } from "./issue-exchanged-token.ts";
import type { TokenDeps, TokenErrorCode, TokenOutcome, TokenRequest } from "./token-request.ts";

/** Constant for every subject token, so that the response reveals nothing about a stolen token. */
const BAD_SUBJECT = oauthRefusal(
  "invalid_request",
  "subject_token must be a live access token of this issuer for an API among the audiences of the client.",
);
const BAD_TARGET = oauthRefusal("invalid_target", "The client may not exchange this token for the resource.");
const NO_SCOPE = oauthRefusal("invalid_scope", "The subject token permits none of these scopes.");
const CHAIN_TOO_LONG = oauthRefusal("invalid_request", `At most ${OAUTH_ACTORS_MAX} exchanges can follow each other.`);

/**
 * The grant of an API that calls the next API for the user of a received token. The issued token never permits more,
 * names every actor, and ends with the family of the received token.
 */
export async function exchangeToken(deps: TokenDeps, request: TokenRequest): TokenOutcome {
  const { client, parameters, thumbprint } = request;
  const shape = shapeFlaw(client, parameters);
  if (shape) return err(shape);
  const subject = await findSubject(deps, client, parameters.one("subject_token") ?? "");
  if (!subject) return err(BAD_SUBJECT);
  const actor = actorOf(client, subject.claims);
  if (!actor) return err(CHAIN_TOO_LONG);
  const rule = findRule(deps, client, subject.claims, parameters.all("resource"));
  if (!rule) return err(BAD_TARGET);
  const scopes = exchangedScopes(deps, rule, subject.claims, parameters);
  if (!scopes.ok) return scopes;
  if (thumbprint === undefined && needsProof(deps, [rule.to])) return err(PROOF_REQUIRED);
  const access = await accessToNext(deps, client, subject, { scopes: scopes.value, resources: [rule.to] });
  if (!access.ok) return access;
  const exchange = { client, subject: subject.claims, actor, ...access.value, resource: rule.to, thumbprint };
  const issued = await issueExchangedToken(deps, exchange);
  await recordExchange(deps, request, subject, { from: rule.from, to: rule.to, scope: issued.scope });
  return ok(issued);
}

/** No impersonation: the client itself is the only actor. */
function shapeFlaw(client: OAuthClient, parameters: Parameters): OAuthRefusal<TokenErrorCode> | undefined {
  if (client.tokenAuthMethod === "none") {
    return oauthRefusal("unauthorized_client", "A public client may not use this grant_type.");
  }
  if (parameters.one("actor_token") ?? parameters.one("actor_token_type")) {
    return oauthRefusal("invalid_request", "actor_token is not supported: the client is the actor.");
  }
  const requested = parameters.one("requested_token_type") ?? ACCESS_TOKEN_TYPE;
  if (requested !== ACCESS_TOKEN_TYPE) {
    return oauthRefusal("invalid_request", `requested_token_type must be ${ACCESS_TOKEN_TYPE}.`);
  }
  if (parameters.one("subject_token") === undefined || parameters.one("subject_token_type") !== ACCESS_TOKEN_TYPE) {
    return oauthRefusal(
      "invalid_request",
      `subject_token is required, with the subject_token_type ${ACCESS_TOKEN_TYPE}.`,
    );
  }
  if (parameters.one("audience")) return oauthRefusal("invalid_request", "Name the next API by resource.");
  return parameters.all("resource").length === 1
    ? undefined
    : oauthRefusal("invalid_request", "Name one API by resource.");
}

/** The live subject token. The token of a service account serves the service account alone. */
async function findSubject(deps: TokenDeps, client: OAuthClient, token: string): Promise<LiveToken | undefined> {
  const live = await findLiveToken(deps, token);
  if (!live) return undefined;
  const { claims, owner } = live;
  const isForClient = audienceList(claims).some((each) => findResource(client.audiences, each) !== undefined);
  const isOwn = owner !== undefined || claims.client_id === client.id;
  return isForClient && isOwn ? live : undefined;
}

/** The client, for whom the earlier actors acted (RFC 8693, section 4.1); undefined: too many actors. */
function actorOf({ id }: OAuthClient, { act }: ProviderAccessClaims): Actor | undefined {
  const actor = act ? { sub: id, act } : { sub: id };
  return depthOf(actor) <= OAUTH_ACTORS_MAX ? actor : undefined;
}

function depthOf({ act }: Actor): number {
  return act ? 1 + depthOf(act) : 1;
}

function findRule(
  { oauthResources }: Pick<TokenDeps, "oauthResources">,
  { audiences, exchanges }: OAuthClient,
  claims: ProviderAccessClaims,
  [resource = ""]: readonly string[],
): TokenExchangeRule | undefined {
  const [target, { byKey }] = [resourceKey(resource), oauthResources.index()];
  if (byKey.get(target)?.disabled) return undefined;
  const received = new Set(
    audienceList(claims)
      .filter((each) => findResource(audiences, each) !== undefined)
      .map(resourceKey),
  );
  return exchanges.find(({ from, to }) => received.has(resourceKey(from)) && resourceKey(to) === target);
}

/**
 * Scopes beyond the rule and the subject token are left out (RFC 6749, section 3.3). The scopes of a token for several
 * APIs count only as far as `from` has the scope: the client received nothing for the other APIs.
 */
function exchangedScopes(
  deps: TokenDeps,
  { from: receiver, scopes }: TokenExchangeRule,
  claims: ProviderAccessClaims,
  parameters: Parameters,
): Result<readonly string[], OAuthRefusal<"invalid_scope">> {
  const requested = readScopes(parameters);
  if (!requested.ok) return requested;
  const held = new Set(offeredScopes(deps, { scopes: claims.scope.split(" "), resources: [receiver] }));
  const pairs = scopes.map((scope) => (typeof scope === "string" ? { from: scope, to: scope } : scope));
  const permitted = new Set(pairs.filter(({ from }) => held.has(from)).map(({ to }) => to));
  const granted = [...permitted].filter((scope) => requested.value?.includes(scope) ?? true);
  return granted.length === 0 ? err(NO_SCOPE) : ok(granted);
}

/** The scopes of the next API that the user has by the present roles, and the claims that the API lists. */
async function accessToNext(
  deps: TokenDeps,
  client: OAuthClient,
  { claims, owner }: LiveToken,
  access: RequestedAccess,
): Promise<Result<Pick<TokenExchange, "mapped" | "ofApi" | "scopes">, OAuthRefusal<TokenErrorCode>>> {
  if (!owner) {
    const offered = offeredScopes(deps, access);
    return offered.length > 0 ? ok({ scopes: offered, ofApi: {}, mapped: NO_CLAIMS }) : err(NO_SCOPE);
  }
  const weak = assuranceFlaw(deps, client, access.resources, owner);
  if (weak) return err(weak);
  const bound = await bindScopes(deps, client, { id: claims.sid, organizationId: owner.organizationId }, access);
  if (!bound.ok) return bound;
  const { scopes, power, groups } = bound.value;
  const ofApi = await readResourceClaims(deps, owner, access.resources, power);
  // The token goes from one API to the next, and not to the application that the user allowed: no consent counts.
  const selected = selectForApis(deps, access.resources, { ...owner, scopes, data: null });
  const session = sessionOf({ ...owner, authTime: (claims.auth_time ?? 0) * 1000 });
  const signIn = { familyId: claims.sid, clientId: clientIdOf(client), session, bound: { power, groups } };
  const subject = { ...owner, ...signIn, resources: access.resources };
  return ok({ scopes, ofApi, mapped: await readMappedClaims(deps, subject, selected) });
}

async function recordExchange(
  deps: TokenDeps,
  { client, requestContext }: TokenRequest,
  { claims, owner }: LiveToken,
  details: { readonly from: string; readonly to: string; readonly scope: string },
): Promise<void> {
  await deps.database.run("oauth_token.record_exchange", (sql) =>
    recordAudit(sql, {
      eventId: deps.random.uuid(),
      at: new Date(deps.clock.now()),
      action: "oauth.token.exchanged",
      outcome: "success",
      organizationId: owner?.organizationId ?? null,
      actorId: owner?.userId ?? null,
      actorType: owner ? "user" : "system",
      resourceType: "oauth_client",
      resourceId: client.id,
      metadata: { ...details, client_id: claims.client_id, sid: claims.sid },
      client: requestContext,
    }),
  );
}
