/** The claim mappings of a response, and what a consent must name (docs/contract.md, section 23.34). */
import type { Deps } from "../../../deps.ts";
import { type CompiledMapping, compiledMappings } from "../../../models/claim-mapping/compile-mappings.ts";
import { isOfOrganization, isSameMapping } from "../../../models/claim-mapping/validate-mappings.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import type { OAuthResource } from "../../../models/oauth-resource/oauth-resource.ts";
import {
  type ClaimDestination,
  type ClaimRecord,
  displayedScope,
  isGranted,
} from "../../../vocabulary/claim-mapping.ts";
import type { DisclosedData } from "../../../vocabulary/claim-sources.ts";
import { registeredApis } from "../request/role-scopes.ts";

/** The mappings that a response evaluates, and the records of the mappings that the response withholds. */
export interface SelectedMappings {
  readonly mappings: readonly CompiledMapping[];
  readonly withheld: readonly ClaimRecord[];
  /** Whether the granted scopes contain `email`. */
  readonly hasEmail: boolean;
}

export const NO_MAPPINGS: SelectedMappings = { mappings: [], withheld: [], hasEmail: false };

/** What the user granted, and the organization of the tokens. */
export interface GrantedAccess {
  readonly scopes: readonly string[];
  /** The data that the consent named. Null: no consent is needed. */
  readonly data: readonly string[] | null;
  readonly organizationId: string;
}

/** The data of a consent that counts for the tokens of a client: users are not asked about a first-party client. */
export function grantedData(
  { firstParty }: Pick<OAuthClient, "firstParty">,
  { consentedData }: { readonly consentedData: readonly string[] },
): readonly string[] | null {
  return firstParty ? null : consentedData;
}

/** The mappings of an application for the ID token or for UserInfo. */
export function selectForApplication(
  { claimMappings, organizations }: Pick<OAuthClient, "claimMappings" | "organizations">,
  destination: ClaimDestination,
  granted: GrantedAccess,
): SelectedMappings {
  if (claimMappings.length === 0) return NO_MAPPINGS;
  const claims = new Set(claimMappings.filter((each) => each.in.includes(destination)).map(({ claim }) => claim));
  const named = compiledMappings(claimMappings).filter(({ mapping }) => claims.has(mapping.claim));
  return select(
    named,
    granted,
    (each) => isReleased(each, granted, "application") && isOfNamed(each, [organizations], granted),
  );
}

/** The mappings of one API, for a token of this API alone. */
export function selectForApi(api: OAuthResource, granted: GrantedAccess): SelectedMappings {
  return select(
    compiledMappings(api.claimMappings),
    granted,
    (each) => isReleased(each, granted, "api") && isOfNamed(each, [api.organizations], granted),
  );
}

/**
 * The mappings of the APIs of an access token. A token for several APIs has a claim only if each API has the same
 * mapping, and a value of organizations only if each API names its organizations: every API reads the whole token.
 */
export function selectForApis(
  deps: Pick<Deps, "oauthResources">,
  resources: readonly string[],
  granted: GrantedAccess,
): SelectedMappings {
  const apis = registeredApis(deps, resources);
  if (apis.every(({ claimMappings }) => claimMappings.length === 0)) return NO_MAPPINGS;
  const byClaim = new Map(
    apis.flatMap(({ claimMappings }) =>
      compiledMappings(claimMappings).map((each) => [each.mapping.claim, each] as const),
    ),
  );
  const lists = apis.map(({ organizations }) => organizations);
  return select([...byClaim.values()], granted, (each) => {
    return (
      isReleased(each, granted, "api") && isCommon(each, apis, resources.length) && isOfNamed(each, lists, granted)
    );
  });
}

function isCommon({ mapping }: CompiledMapping, apis: readonly OAuthResource[], count: number): boolean {
  return (
    apis.length === count &&
    apis.every(({ claimMappings }) => claimMappings.some((each) => isSameMapping(each, mapping)))
  );
}

/** A value of an organization reaches readers that name the organization, and no other reader. */
function isOfNamed(
  { mapping, sources }: CompiledMapping,
  lists: readonly (readonly string[] | null)[],
  { organizationId }: GrantedAccess,
): boolean {
  return !isOfOrganization(mapping, sources) || lists.every((each) => each?.includes(organizationId));
}

function isReleased({ mapping, data }: CompiledMapping, granted: GrantedAccess, owner: "api" | "application"): boolean {
  if (!isGranted(mapping, granted.scopes, owner)) return false;
  return granted.data === null || data.every((each) => granted.data?.includes(each));
}

function select(
  compiled: readonly CompiledMapping[],
  { scopes }: GrantedAccess,
  isSelected: (each: CompiledMapping) => boolean,
): SelectedMappings {
  const { selected = [], withheld = [] } = Object.groupBy(compiled, (each) =>
    isSelected(each) ? "selected" : "withheld",
  );
  return {
    mappings: selected,
    withheld: withheld.map(({ mapping }) => ({ claim: mapping.claim, outcome: "withheld" })),
    hasEmail: scopes.includes("email"),
  };
}

/** The data that mappings disclose with the scopes, by the scope under which the consent page lists the data. */
export function disclosedData(
  deps: Pick<Deps, "oauthResources">,
  client: Pick<OAuthClient, "claimMappings">,
  { scopes, resources }: { readonly scopes: readonly string[]; readonly resources: readonly string[] },
): ReadonlyMap<string, readonly DisclosedData[]> {
  const ofApis = registeredApis(deps, resources).flatMap(({ claimMappings }) =>
    compiledMappings(claimMappings).filter(({ mapping }) => isGranted(mapping, scopes, "api")),
  );
  const ofClient = compiledMappings(client.claimMappings).filter(({ mapping }) =>
    isGranted(mapping, scopes, "application"),
  );
  const disclosed = new Map<string, Set<DisclosedData>>();
  for (const { mapping, data } of [...ofClient, ...ofApis]) {
    const scope = scopes.includes(displayedScope(mapping)) ? displayedScope(mapping) : "";
    const known = disclosed.get(scope) ?? new Set();
    for (const each of data) known.add(each);
    if (known.size > 0) disclosed.set(scope, known);
  }
  return new Map([...disclosed].map(([scope, data]) => [scope, [...data].sort()]));
}

/** As `disclosedData`, of all scopes: what a consent records. */
export function disclosedDataOf(
  deps: Pick<Deps, "oauthResources">,
  client: Pick<OAuthClient, "claimMappings">,
  access: { readonly scopes: readonly string[]; readonly resources: readonly string[] },
): readonly DisclosedData[] {
  return [...new Set([...disclosedData(deps, client, access).values()].flat())].sort();
}
