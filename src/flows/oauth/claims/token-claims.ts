/** Claims of mappings in the tokens of a family, within the bounds of the tokens (docs/contract.md, section 23.34). */
import type { Deps } from "../../../deps.ts";
import { MAPPED_ID_TOKEN_MAX_CHARACTERS } from "../../../limits/claim-limits.ts";
import { clientIdOf, type OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import type { FamilyOwner } from "../../../models/oauth-grant/family-state.ts";
import type { TokenFamily } from "../../../models/oauth-grant/token-family.ts";
import type { FittedClaims, MappedClaim } from "../../../models/token/mapped-size.ts";
import { accessTokenHash, type IdClaims, type ProviderAccessClaims } from "../../../models/token/provider-claims.ts";
import type { ClaimRecord } from "../../../vocabulary/claim-mapping.ts";
import type { ProviderAlgorithm } from "../../../vocabulary/provider-algorithm.ts";
import { fitMappedToken } from "../../steps/tokens/sign-provider-token.ts";
import { accessTokenAlgorithm } from "../request/requested.ts";
import {
  type ClaimSubject,
  type MappedClaims,
  type MappedClaimsDeps,
  readMappedClaims,
  sessionOf,
} from "./read-mapped-claims.ts";
import { grantedData, NO_MAPPINGS, selectForApis, selectForApplication } from "./select-mappings.ts";

type TokenClaimsDeps = MappedClaimsDeps & Pick<Deps, "keyRing" | "telemetry">;

/** The tokens of a family. */
interface TokensToIssue {
  readonly family: TokenFamily;
  readonly client: OAuthClient;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
}

/** Claims of a token, and the outcomes of the mappings. */
export interface RecordedClaims<Claims> {
  readonly claims: Claims;
  readonly records: readonly ClaimRecord[];
}

/** The claims of an access token, with the claims of the mappings of its APIs. */
export async function mapAccessClaims(
  deps: TokenClaimsDeps,
  issue: TokensToIssue & NonNullable<ClaimSubject["bound"]>,
  claims: ProviderAccessClaims,
): Promise<RecordedClaims<ProviderAccessClaims>> {
  const { client, family, resources, scopes } = issue;
  const { organizationId } = family;
  const selected = selectForApis(deps, resources, { scopes, data: grantedData(client, family), organizationId });
  if (selected === NO_MAPPINGS) return { claims, records: [] };
  const subject = { ...familySubject(issue), resources, bound: { power: issue.power, groups: issue.groups } };
  const mapped = await readMappedClaims(deps, subject, selected);
  return countOutcomes(deps, fitAccess(deps, accessTokenAlgorithm(deps, client, resources), claims, mapped));
}

/** The claims of an ID token without `at_hash`, with the claims of the mappings of the application. */
export async function mapIdClaims<Claims extends Omit<IdClaims, "at_hash">>(
  deps: TokenClaimsDeps,
  issue: TokensToIssue,
  claims: Claims,
): Promise<RecordedClaims<Claims>> {
  const { client, family, scopes } = issue;
  const granted = { scopes, data: grantedData(client, family), organizationId: family.organizationId };
  const selected = selectForApplication(client, "id_token", granted);
  if (selected === NO_MAPPINGS) return { claims, records: [] };
  const mapped = await readMappedClaims(deps, { ...familySubject(issue), resources: client.resources }, selected);
  return countOutcomes(deps, fitId(deps, client.idTokenSignedResponseAlg, claims, mapped));
}

/** The claims of an ID token within the bound, with claims of mappings and room for `at_hash`. */
export function fitId<Claims extends object>(
  deps: Pick<Deps, "keyRing">,
  algorithm: ProviderAlgorithm,
  claims: Claims,
  mapped: MappedClaims,
): RecordedClaims<Claims> {
  const placeholder = { ...claims, at_hash: accessTokenHash("", algorithm) };
  const fitted = fitMappedToken(deps, "id", algorithm, placeholder, mapped.claims, MAPPED_ID_TOKEN_MAX_CHARACTERS);
  return recorded(claims, mapped, fitted && { ...fitted, claims: withoutHash(fitted.claims) });
}

function withoutHash<Claims extends object>(claims: Claims & { readonly at_hash: string }): Claims {
  const { at_hash: _placeholder, ...rest } = claims;
  return rest as Claims;
}

/** The claims of an access token within the bound, with claims of mappings. */
export function fitAccess<Claims extends object>(
  deps: Pick<Deps, "keyRing">,
  algorithm: ProviderAlgorithm,
  claims: Claims,
  mapped: MappedClaims,
): RecordedClaims<Claims> {
  if (mapped.claims.length === 0) return { claims, records: mapped.records };
  return recorded(claims, mapped, fitMappedToken(deps, "oauth_access", algorithm, claims, mapped.claims));
}

/** Without room for the service's own claims within the bound, the token has no claim of a mapping. */
function recorded<Claims extends object>(
  claims: Claims,
  mapped: MappedClaims,
  fitted: FittedClaims<Claims> | undefined,
): RecordedClaims<Claims> {
  const truncated = fitted?.truncated ?? namesOf(mapped.claims);
  return { claims: fitted?.claims ?? claims, records: withTruncated(mapped.records, truncated) };
}

function namesOf(mapped: readonly MappedClaim[]): readonly string[] {
  return mapped.map(({ claim }) => claim);
}

/** The records after the cuts for the size. */
export function withTruncated(records: readonly ClaimRecord[], truncated: readonly string[]): readonly ClaimRecord[] {
  return records.map((record) =>
    truncated.includes(record.claim) ? { claim: record.claim, outcome: "truncated" as const } : record,
  );
}

/** Counts the outcomes of an issued token or response, and returns the response. */
export function countOutcomes<Response extends { readonly records: readonly ClaimRecord[] }>(
  { telemetry }: Pick<Deps, "telemetry">,
  response: Response,
): Response {
  telemetry.metrics.claimOutcomes(response.records);
  return response;
}

function familySubject({ family, client }: TokensToIssue): Omit<ClaimSubject, "resources"> {
  const { userId, organizationId, id } = family;
  return { userId, organizationId, familyId: id, clientId: clientIdOf(client), session: sessionOf(family) };
}

/** The subject of a live access token. */
export function ownerSubject(
  { sid, auth_time: authTime }: Pick<ProviderAccessClaims, "auth_time" | "sid">,
  client: OAuthClient,
  owner: FamilyOwner,
): ClaimSubject {
  const { userId, organizationId } = owner;
  return {
    userId,
    organizationId,
    familyId: sid,
    clientId: clientIdOf(client),
    ...(authTime === undefined ? {} : { session: sessionOf({ ...owner, authTime: authTime * 1000 }) }),
    resources: client.resources,
  };
}
