import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import { decideInTransaction, runIn } from "../../../database/decide.ts";
import { REFRESH_REPEAT_SECONDS_DEFAULT } from "../../../limits/limits.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { openRefreshToken, type RefreshTokenParts } from "../../../models/oauth-grant/refresh-token.ts";
import {
  classifyFamilyRefresh,
  type FamilyState,
  findFamilyState,
  rotateFamily,
  type TokenFamily,
} from "../../../models/oauth-grant/token-family.ts";
import { endTokenFamily } from "../clients/end-families.ts";
import { tokenLifetimes } from "../request/lifetimes.ts";
import type { Parameters } from "../request/parameters.ts";
import { availableResources, findResource, needsProof, readScopes, requestedResources } from "../request/requested.ts";
import { dependsOnRoles } from "../request/role-scopes.ts";
import { PROOF_REQUIRED } from "../request/verify-proof.ts";
import {
  type AdmittedTokens,
  admitFamilyTokens,
  type FamilyTokens,
  type IssueRefusal,
  issueFamilyTokens,
} from "./issue-tokens.ts";
import type { TokenDeps, TokenOutcome, TokenRequest } from "./token-request.ts";

const BAD_REFRESH_TOKEN = oauthRefusal(
  "invalid_grant",
  "The refresh token is invalid, expired, revoked or used, or bound to another key.",
);

const DISABLED = oauthRefusal("invalid_target", "The resource is disabled.");

/**
 * The grant `refresh_token` (RFC 6749, section 6), by the rules of sessions (docs/contract.md, section 3.6): one
 * statement compares and replaces the token; for `refresh_repeat_seconds` of the client, the previous token gets the
 * same new tokens; an older token ends the family.
 */
export async function refreshTokens(deps: TokenDeps, request: TokenRequest): TokenOutcome {
  const { client, parameters, thumbprint } = request;
  const text = parameters.one("refresh_token");
  if (text === undefined) return err(oauthRefusal("invalid_request", "refresh_token is missing."));
  const token = openRefreshToken(deps.codeKey, text);
  if (!token) return err(BAD_REFRESH_TOKEN);
  const at = new Date(deps.clock.now());
  const before = await deps.database.run("oauth_family.find", (sql) =>
    findFamilyState(sql, { familyId: token.familyId, clientId: client.id, at }),
  );
  // A token used before ends the family, also in a request that would be refused for a further reason.
  if (before && isOfKey(before.family, thumbprint) && outcomeOf(client, before, token, at) === "reused") {
    await repeatedFamily(deps, request, token, at);
    return err(BAD_REFRESH_TOKEN);
  }
  // The scopes and resources are validated first: a refused request leaves the token unchanged.
  const narrowed = before ? narrow(deps, client, before.family, parameters) : err(BAD_REFRESH_TOKEN);
  if (!narrowed.ok) return narrowed;
  const unproven = proofFlaw(deps, request, before?.family, narrowed.value.resources);
  if (unproven) return err(unproven);
  // An old token of an ended family is invalid, and reveals no theft.
  if (!before?.live) return err(BAD_REFRESH_TOKEN);
  const requested = { family: before.family, client, ...narrowed.value, withNonce: false, thumbprint };
  const rotation = await admitAndRotate(deps, token, requested, at);
  if (!rotation.ok) return rotation;
  const { admitted, rotated } = rotation.value;
  const family = rotated ?? (await repeatedFamily(deps, request, token, at));
  if (!family) return err(BAD_REFRESH_TOKEN);
  // A token that depends on roles has the id that was bound: a loss of roles meanwhile ends the token.
  const id = admitted.power ? admitted.family.id : family.id;
  return ok(await issueFamilyTokens(deps, { ...admitted, family: { ...family, id } }));
}

/**
 * The key of a bound refresh token is checked before the rotation: a thief of an old token without the key neither
 * refreshes nor ends the family.
 */
function proofFlaw(
  deps: TokenDeps,
  { thumbprint }: TokenRequest,
  family: TokenFamily | undefined,
  resources: readonly string[],
): OAuthRefusal<"invalid_dpop_proof" | "invalid_grant"> | undefined {
  const isBound = (family?.dpopJkt ?? null) !== null;
  if (thumbprint === undefined) return isBound || needsProof(deps, resources) ? PROOF_REQUIRED : undefined;
  return family === undefined || isOfKey(family, thumbprint) ? undefined : BAD_REFRESH_TOKEN;
}

function isOfKey({ dpopJkt }: TokenFamily, thumbprint: string | undefined): boolean {
  return dpopJkt === null || dpopJkt === thumbprint;
}

/**
 * A repeat beyond the default needs proof of the client: its authentication, or the key of the family. A family from
 * before the client had to prove a key is bound to none, and a thief would bring a key of the thief's own.
 */
function outcomeOf(client: OAuthClient, state: FamilyState | undefined, token: RefreshTokenParts, at: Date) {
  const isProtected = client.tokenAuthMethod !== "none" || (state?.family.dpopJkt ?? null) !== null;
  const seconds = isProtected
    ? client.refreshRepeatSeconds
    : Math.min(client.refreshRepeatSeconds, REFRESH_REPEAT_SECONDS_DEFAULT);
  return classifyFamilyRefresh(state, token.jti, at.getTime(), seconds);
}

interface Narrowed {
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
}

/** Scopes and resource servers of one access token, at most the scopes of the family that the client may still have. */
function narrow(
  deps: TokenDeps,
  client: OAuthClient,
  family: TokenFamily,
  parameters: Parameters,
): Result<Narrowed, OAuthRefusal<"invalid_scope" | "invalid_target">> {
  const permitted = family.scopes.filter((scope) => client.scopes.includes(scope));
  const requested = readScopes(parameters);
  if (!requested.ok) return requested;
  const scopes = requested.value ?? permitted;
  const isWithdrawn = permitted.length === 0 && family.scopes.length > 0;
  if (isWithdrawn || !scopes.every((scope) => permitted.includes(scope))) {
    return err(oauthRefusal("invalid_scope", "scope exceeds what was granted."));
  }
  const reachable = family.resources.filter((resource) => findResource(client.resources, resource) !== undefined);
  const available = availableResources(deps, { resources: reachable });
  if (available.length === 0 && reachable.length > 0) return err(DISABLED);
  const resources = requestedResources(available, parameters);
  return resources.ok ? ok({ scopes, resources: resources.value ?? available }) : resources;
}

interface Rotation {
  readonly admitted: AdmittedTokens;
  /** Undefined: the presented token is not the current token of a live family. */
  readonly rotated: TokenFamily | undefined;
}

/**
 * Every refusal comes before the rotation, in one transaction with the rotation: a refused request leaves the token
 * unchanged. The membership is locked before the family, as in a change of roles.
 */
async function admitAndRotate(
  deps: TokenDeps,
  token: RefreshTokenParts,
  requested: FamilyTokens,
  at: Date,
): Promise<Result<Rotation, IssueRefusal>> {
  const { client, resources } = requested;
  const rotation = {
    familyId: token.familyId,
    clientId: client.id,
    presentedJti: token.jti,
    // Without rotation, the refresh token stays valid, and parallel refreshes all succeed.
    refreshJti: client.refreshTokenRotation ? deps.random.uuid() : token.jti,
    accessJti: deps.random.uuid(),
    at,
    lifetimes: tokenLifetimes(deps, resources),
  };
  const work = async (sql: Sql): Promise<Result<Rotation, IssueRefusal>> => {
    const admitted = await admitFamilyTokens({ ...deps, database: runIn(sql) }, requested);
    if (!admitted.ok) return admitted;
    return ok({ admitted: admitted.value, rotated: await rotateFamily(sql, rotation) });
  };
  // Without roles the rotation is the only statement.
  if (!dependsOnRoles(deps, client, requested)) return await deps.database.run("oauth_family.rotate", work);
  return await decideInTransaction(deps.database, "oauth_family.rotate", work);
}

/** The family of a repeated refresh, with the tokens of the first. A token used before ends the family. */
async function repeatedFamily(
  deps: TokenDeps,
  { client, requestContext }: TokenRequest,
  token: RefreshTokenParts,
  at: Date,
): Promise<TokenFamily | undefined> {
  const state = await deps.database.run("oauth_family.find", (sql) =>
    findFamilyState(sql, { familyId: token.familyId, clientId: client.id, at }),
  );
  const outcome = outcomeOf(client, state, token, at);
  if (outcome === "reused" && state) {
    const end = { reason: "refresh_reuse", action: "oauth.refresh.reuse_detected", client: requestContext } as const;
    await endTokenFamily(deps, state.family.id, end);
  }
  return outcome === "repeated" ? state?.family : undefined;
}
