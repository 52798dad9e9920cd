/** The parameter `claims` of an authorization request (OpenID Connect Core, section 5.5). */
import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { isJsonObject, parseJsonObject } from "../../../vocabulary/json-object.ts";

export interface AcrClaim {
  readonly essential: boolean;
  readonly values: readonly unknown[];
}

/** The evaluated claims. `auth_time` is in every ID token; every other claim is ignored. */
export interface RequestedClaims {
  readonly acr: AcrClaim | undefined;
  /** Whether the request names `name`, a claim of the scope `profile`. */
  readonly hasName: boolean;
}

const MALFORMED = oauthRefusal("invalid_request", "claims must be a JSON object of requested claims.");
const NO_CLAIMS: RequestedClaims = { acr: undefined, hasName: false };

export function readRequestedClaims(
  text: string | undefined,
): Result<RequestedClaims, OAuthRefusal<"invalid_request">> {
  if (text === undefined) return ok(NO_CLAIMS);
  const claims = parseJsonObject(text);
  const [idToken, userInfo] = claims ? [claims.id_token ?? {}, claims.userinfo ?? {}] : [];
  if (!isJsonObject(idToken) || !isJsonObject(userInfo)) return err(MALFORMED);
  const hasName = [idToken, userInfo].some((each) => Object.hasOwn(each, "name"));
  const { acr } = idToken;
  if (acr === undefined || acr === null) return ok({ acr: undefined, hasName });
  if (!isJsonObject(acr)) return err(MALFORMED);
  const values = acr.value === undefined ? (acr.values ?? []) : [acr.value];
  return Array.isArray(values) ? ok({ acr: { essential: acr.essential === true, values }, hasName }) : err(MALFORMED);
}

/** A requested name counts as the scope `profile`, for a client with the scope: the user consents to the scope. */
export function withClaimScopes(
  client: Pick<OAuthClient, "scopes">,
  scopes: readonly string[],
  { hasName }: RequestedClaims,
): readonly string[] {
  const needsProfile = hasName && scopes.includes("openid") && !scopes.includes("profile");
  return needsProfile && client.scopes.includes("profile") ? [...scopes, "profile"] : scopes;
}
