/** Requirements of a request on the sign-in (docs/contract.md, section 23.28; RFC 9470). */

import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import type { AuthorizationParameters, RequestedAcr } from "../../../models/oauth-request/oauth-request.ts";
import { ACR_VALUES, type Acr, type AssuranceLevel, type FirstFactor } from "../../../vocabulary/assurance.ts";
import type { Parameters } from "./parameters.ts";
import type { AcrClaim } from "./requested-claims.ts";
import { registeredApis } from "./role-scopes.ts";

/** The sign-in of a session or token family. */
interface SignIn {
  readonly authMethod: FirstFactor;
  readonly aal: AssuranceLevel;
}

/** The context class of a sign-in: `phr` needs a passkey with user verification, which gives `aal2`. */
function acrOf({ authMethod, aal }: SignIn): Acr {
  return authMethod === "passkey" && aal === "aal2" ? "phr" : aal;
}

export function reaches(signIn: SignIn, acr: Acr): boolean {
  return ACR_VALUES.indexOf(acrOf(signIn)) >= ACR_VALUES.indexOf(acr);
}

/** The strongest requirement: client and APIs require, and the request requires or asks. */
export function requiredAcr(
  deps: Pick<Deps, "oauthResources">,
  { requireAcr }: Pick<OAuthClient, "requireAcr">,
  { acr, secondFactor, resources }: Pick<AuthorizationParameters, "acr" | "resources" | "secondFactor">,
): RequestedAcr | undefined {
  const requested: RequestedAcr | undefined = acr ?? (secondFactor ? { value: "aal2", essential: false } : undefined);
  const essential = strongest([requireAcr, minAcrOf(deps, resources), requested?.essential ? requested.value : null]);
  if (!requested || requested.essential) return essential && { value: essential, essential: true };
  if (!essential) return requested;
  const isMet = ACR_VALUES.indexOf(essential) >= ACR_VALUES.indexOf(requested.value);
  return isMet ? { value: essential, essential: true } : { ...requested, least: essential };
}

function strongest(values: readonly (Acr | null | undefined)[]): Acr | undefined {
  return ACR_VALUES.findLast((acr) => values.includes(acr));
}

function minAcrOf(deps: Pick<Deps, "oauthResources">, resources: readonly string[]): Acr | undefined {
  return strongest(registeredApis(deps, resources).map(({ minAcr }) => minAcr));
}

const TOO_WEAK = oauthRefusal("invalid_target", "The resource needs a stronger sign-in: send acr_values to authorize.");
const TOO_WEAK_FOR_CLIENT = oauthRefusal("invalid_grant", "The application needs a stronger sign-in.");

/** Whether the client and the APIs of a token accept the sign-in of the token family. */
export function assuranceFlaw(
  deps: Pick<Deps, "oauthResources">,
  { requireAcr }: Pick<OAuthClient, "requireAcr">,
  resources: readonly string[],
  signIn: SignIn,
): OAuthRefusal<"invalid_grant" | "invalid_target"> | undefined {
  if (requireAcr !== null && !reaches(signIn, requireAcr)) return TOO_WEAK_FOR_CLIENT;
  const least = minAcrOf(deps, resources);
  return least === undefined || reaches(signIn, least) ? undefined : TOO_WEAK;
}

/** `acr` of an access token: `phr` for an API or client that requires `phr`, else the assurance level. */
export function tokenAcr(
  deps: Pick<Deps, "oauthResources">,
  { requireAcr }: Pick<OAuthClient, "requireAcr">,
  resources: readonly string[],
  signIn: SignIn,
): Acr {
  return strongest([requireAcr, minAcrOf(deps, resources)]) === "phr" ? acrOf(signIn) : signIn.aal;
}

const UNKNOWN_ACR = oauthRefusal("unmet_authentication_requirements", "No value of the essential acr is supported.");

/**
 * The requirement of `acr_values` (OpenID Connect Core, section 3.1.2.1: by preference, voluntary) or of the claim
 * `acr` in `claims` (section 5.5.1.1: essential if so marked, and then one of the values must be reached).
 */
export function readAcr(
  parameters: Parameters,
  claim: AcrClaim | undefined,
): Result<RequestedAcr | undefined, OAuthRefusal<"unmet_authentication_requirements">> {
  const voluntary = firstKnown(parameters.one("acr_values")?.split(" ") ?? []);
  if (!claim) return ok(voluntary && { value: voluntary, essential: false });
  const { values, essential } = claim;
  if (!essential) {
    const value = firstKnown(values) ?? voluntary;
    return ok(value && { value, essential: false });
  }
  // An essential claim without a value is satisfied by every sign-in.
  const known = values.length === 0 ? "aal1" : ACR_VALUES.find((acr) => values.includes(acr));
  return known ? ok({ value: known, essential: true }) : err(UNKNOWN_ACR);
}

function firstKnown(values: readonly unknown[]): Acr | undefined {
  return values.map((value) => ACR_VALUES.find((acr) => acr === value)).find((acr) => acr !== undefined);
}
