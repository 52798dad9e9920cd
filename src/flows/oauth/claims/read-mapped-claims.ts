import type { Deps } from "../../../deps.ts";
import { CLAIM_GROUPS_MAX } from "../../../limits/claim-limits.ts";
import { avatarUrl } from "../../../models/avatar/avatar.ts";
import { type CompiledMapping, partsOf } from "../../../models/claim-mapping/compile-mappings.ts";
import type { SourceRow } from "../../../models/claim-mapping/source-values.ts";
import type { RolesOfMember } from "../../../models/conditions/member-grants.ts";
import type { TokenFamily } from "../../../models/oauth-grant/token-family.ts";
import type { MappedClaim } from "../../../models/token/mapped-size.ts";
import { authenticationMethods } from "../../../models/token/provider-claims.ts";
import type { ClaimRecord, JsonValue } from "../../../vocabulary/claim-mapping.ts";
import type { SourceValues } from "../../../vocabulary/claim-sources.ts";
import { holds } from "../../../vocabulary/member-power.ts";
import { isPersonalOrganization } from "../../../vocabulary/personal-organization.ts";
import { apiPermissions } from "../request/role-scopes.ts";
import type { SelectedMappings } from "./select-mappings.ts";

export type MappedClaimsDeps = Pick<Deps, "claimSources" | "config" | "oauthResources">;

/** The user and the sign-in behind the claims. */
export interface ClaimSubject {
  readonly userId: string;
  readonly organizationId: string;
  /** Null: no connection of single sign-on is known. */
  readonly familyId: string | null;
  /** As in tokens. */
  readonly clientId: string;
  readonly session?: SourceValues["session"];
  /** The APIs whose permissions the source `permissions` has. */
  readonly resources: readonly string[];
  /** What a binding of the family read under lock, so that a later loss ends the token. */
  readonly bound?: { readonly power: RolesOfMember | undefined; readonly groups: readonly string[] | undefined };
}

export interface MappedClaims {
  readonly claims: readonly MappedClaim[];
  /** The outcome of every mapping of the destination, before cuts for the size. */
  readonly records: readonly ClaimRecord[];
  /** The reason of each failed expression by claim, for a preview: records have no reasons. */
  readonly failures: ReadonlyMap<string, string>;
}

const NO_FAILURES: MappedClaims["failures"] = new Map();
export const NO_CLAIMS: MappedClaims = { claims: [], records: [], failures: NO_FAILURES };

/**
 * The claims of mappings as of now: the single source of ID tokens, UserInfo, access tokens and introspection. Without
 * mappings nothing is read, and constants alone need no reading. The claims of a user or membership that ended since
 * are absent.
 */
export async function readMappedClaims(
  deps: MappedClaimsDeps,
  subject: ClaimSubject,
  { mappings, withheld, hasEmail }: SelectedMappings,
): Promise<MappedClaims> {
  if (mappings.length === 0) return withheld.length === 0 ? NO_CLAIMS : { ...NO_CLAIMS, records: withheld };
  const { userId, organizationId, familyId } = subject;
  const needsReading = mappings.some(({ sources }) => sources.length > 0);
  const row = needsReading
    ? await deps.claimSources.find({ userId, organizationId, familyId }, partsOf(mappings))
    : undefined;
  const values = row && valuesOf(deps, subject, row, hasEmail);
  const hasMoreGroups = (row?.groups?.length ?? 0) > CLAIM_GROUPS_MAX;
  const evaluated = mappings.map((each) => ({
    claim: each.mapping.claim,
    ...evaluate(each, values),
    isCut: hasMoreGroups && each.sources.includes("groups"),
  }));
  return {
    claims: evaluated.flatMap(({ claim, value, isCut }) => (value === undefined ? [] : [{ claim, value, isCut }])),
    records: [...evaluated.map(({ claim, outcome }) => ({ claim, outcome })), ...withheld],
    failures: evaluated.some(({ detail }) => detail !== undefined)
      ? new Map(evaluated.flatMap(({ claim, detail }) => (detail === undefined ? [] : [[claim, detail] as const])))
      : NO_FAILURES,
  };
}

function evaluate(
  { sources, evaluate: run }: CompiledMapping,
  values: SourceValues | undefined,
): { readonly outcome: ClaimRecord["outcome"]; readonly value?: JsonValue; readonly detail?: string } {
  if (sources.length > 0 && !values) return { outcome: "absent" };
  return run(values ?? NO_VALUES);
}

/** Constants read nothing. */
const NO_VALUES = {} as SourceValues;

function valuesOf(deps: MappedClaimsDeps, subject: ClaimSubject, row: SourceRow, hasEmail: boolean): SourceValues {
  const { bound } = subject;
  const power = bound?.power ?? powerOf(row);
  const groups = bound?.groups ?? row.groups;
  return {
    user: {
      id: subject.userId,
      number: row.number,
      externalId: row.externalId,
      email: row.email,
      emailVerified: row.emailVerified,
      displayName: row.displayName,
      picture: row.avatarHash && avatarUrl(deps.config, row.avatarHash),
      locale: row.locale,
      timeZone: row.timeZone,
      createdAt: row.createdAt.getTime(),
      managed: row.isManaged,
    },
    hasEmail,
    ...(isPersonalOrganization(subject) ? {} : organizationOf(subject, row, power)),
    ...(row.accountMetadata == null ? {} : { accountMetadata: row.accountMetadata }),
    ...(row.organizationMetadata == null ? {} : { organizationMetadata: row.organizationMetadata }),
    ...(row.memberMetadata == null ? {} : { memberMetadata: row.memberMetadata }),
    ...(power ? { roleKeys: power.roleKeys, permissions: permissionsOf(deps, subject.resources, power) } : {}),
    ...(groups ? { groups: groups.slice(0, CLAIM_GROUPS_MAX) } : {}),
    connection: row.connection ?? null,
    ...(subject.session ? { session: subject.session } : {}),
    clientId: subject.clientId,
  };
}

function organizationOf({ organizationId: id }: ClaimSubject, row: SourceRow, power: RolesOfMember | undefined) {
  return { organization: { id, slug: row.slug, name: row.organizationName }, role: power?.role ?? row.role };
}

function powerOf({ role, roleKeys, granted }: SourceRow): RolesOfMember | undefined {
  return roleKeys && granted ? { role, roleKeys, granted } : undefined;
}

function permissionsOf(deps: MappedClaimsDeps, resources: readonly string[], power: RolesOfMember): readonly string[] {
  return apiPermissions(deps, resources).filter((permission) => holds(power, permission));
}

/** The sign-in of a token family, as the ID token names the sign-in. `authTime`: milliseconds. */
export function sessionOf({
  aal,
  authMethod,
  authTime,
}: Pick<TokenFamily, "aal" | "authMethod" | "authTime">): NonNullable<SourceValues["session"]> {
  return { acr: aal, amr: authenticationMethods(authMethod, aal), authTime, method: authMethod };
}
