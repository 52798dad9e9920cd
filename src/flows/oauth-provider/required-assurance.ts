/** Requirements of a request on the sign-in (docs/contract.md, section 23.28; RFC 9470). */
import { ACR_VALUES, type Acr, type AssuranceLevel, type FirstFactor } from "../../base/assurance.ts";
import { type OAuthRefusal, oauthRefusal } from "../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { AuthorizationParameters, RequestedAcr } from "../../models/oauth-request/oauth-request.ts";
import type { Parameters } from "./parameters.ts";
import { registeredApis } from "./role-scopes.ts";

/** The sign-in of a session or token family. */
interface SignIn {
  readonly authMethod: FirstFactor;
  readonly aal: AssuranceLevel;
}

/** The context class of a sign-in: `phr` needs a passkey with user verification, which gives `aal2`. */
export function acrOf({ authMethod, aal }: SignIn): Acr {
  return authMethod === "passkey" && aal === "aal2" ? "phr" : aal;
}

export function reaches(signIn: SignIn, acr: Acr): boolean {
  return ACR_VALUES.indexOf(acrOf(signIn)) >= ACR_VALUES.indexOf(acr);
}

/** The strongest requirement: the APIs require, and the request requires or asks. */
export function requiredAcr(
  deps: Pick<Deps, "oauthResources">,
  { acr, secondFactor, resources }: Pick<AuthorizationParameters, "acr" | "resources" | "secondFactor">,
): RequestedAcr | undefined {
  const requested: RequestedAcr | undefined = acr ?? (secondFactor ? { value: "aal2", essential: false } : undefined);
  const essential = strongest([minAcrOf(deps, resources), requested?.essential ? requested.value : null]);
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

/** Whether the APIs of a token accept the sign-in of the token family. */
export function assuranceFlaw(
  deps: Pick<Deps, "oauthResources">,
  resources: readonly string[],
  signIn: SignIn,
): OAuthRefusal<"invalid_target"> | undefined {
  const least = minAcrOf(deps, resources);
  return least === undefined || reaches(signIn, least) ? undefined : TOO_WEAK;
}

/** `acr` of an access token: `phr` for an API that requires `phr`, else the assurance level. */
export function tokenAcr(deps: Pick<Deps, "oauthResources">, resources: readonly string[], signIn: SignIn): Acr {
  return minAcrOf(deps, resources) === "phr" ? acrOf(signIn) : signIn.aal;
}

const MALFORMED_CLAIMS = oauthRefusal("invalid_request", "claims must be a JSON object of requested claims.");
const UNKNOWN_ACR = oauthRefusal("unmet_authentication_requirements", "No value of the essential acr is supported.");

/**
 * The requirement of `acr_values` (OpenID Connect Core, section 3.1.2.1: by preference, voluntary) or of the claim
 * `acr` in `claims` (section 5.5.1.1: essential if so marked, and then one of the values must be reached).
 */
export function readAcr(
  parameters: Parameters,
): Result<RequestedAcr | undefined, OAuthRefusal<"invalid_request" | "unmet_authentication_requirements">> {
  const claim = readAcrClaim(parameters.one("claims"));
  if (!claim.ok) return claim;
  const voluntary = firstKnown(parameters.one("acr_values")?.split(" ") ?? []);
  if (!claim.value) return ok(voluntary && { value: voluntary, essential: false });
  const { values, essential } = claim.value;
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

interface AcrClaim {
  readonly essential: boolean;
  readonly values: readonly unknown[];
}

function readAcrClaim(text: string | undefined): Result<AcrClaim | undefined, OAuthRefusal<"invalid_request">> {
  if (text === undefined) return ok(undefined);
  const claims = parseObject(text);
  const idToken = claims && (claims.id_token ?? {});
  if (!isObject(idToken)) return err(MALFORMED_CLAIMS);
  const { acr } = idToken;
  if (acr === undefined || acr === null) return ok(undefined);
  if (!isObject(acr)) return err(MALFORMED_CLAIMS);
  const values = acr.value === undefined ? (acr.values ?? []) : [acr.value];
  return Array.isArray(values) ? ok({ essential: acr.essential === true, values }) : err(MALFORMED_CLAIMS);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
