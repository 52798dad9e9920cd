/** Scopes that follow the registered APIs and the roles of the user (docs/contract.md, section 23.25). */
import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Database } from "../../../database/database.ts";
import type { Deps } from "../../../deps.ts";
import { compiledMappings } from "../../../models/claim-mapping/compile-mappings.ts";
import type { RolesOfMember } from "../../../models/conditions/member-grants.ts";
import { type OAuthClient, servesOrganization } from "../../../models/oauth-client/oauth-client.ts";
import {
  type BindableFamily,
  bindFamilyToRoles,
  findRolesOfFamily,
  findRolesOfMember,
  type RoleDependency,
} from "../../../models/oauth-grant/role-binding.ts";
import type { TokenFamily } from "../../../models/oauth-grant/token-family.ts";
import type { OAuthResource } from "../../../models/oauth-resource/oauth-resource.ts";
import type { ResourceIndex } from "../../../models/oauth-resource/resource-index.ts";
import { audienceList, type ResourceClaims } from "../../../models/token/provider-claims.ts";
import { holds } from "../../../vocabulary/member-power.ts";
import { resourceKey } from "../../../vocabulary/resource-key.ts";
import { isUserScope } from "../../../vocabulary/user-scopes.ts";
import type { LiveToken } from "./live-token.ts";

type ResourceDeps = Pick<Deps, "oauthResources">;
type RoleScopeDeps = ResourceDeps & { readonly database: Pick<Database, "run"> };

/** The scopes and resource servers of a request or token. */
export interface RequestedAccess {
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
}

export interface OrganizationMember {
  readonly userId: string;
  readonly organizationId: string;
}

const NO_SCOPE = oauthRefusal("invalid_scope", "The user may grant none of these scopes.");
const NOT_AVAILABLE = oauthRefusal(
  "invalid_target",
  "The resource is disabled, or not available to the organization of the user.",
);
/** The client serves named organizations, and the organization of the user is no such organization. */
export const ORGANIZATION_EXCLUDED = oauthRefusal(
  "invalid_grant",
  "The application is not available to the organization of the user.",
);
const ENDED = oauthRefusal("invalid_grant", "The access of the user has ended.");

/** The registered APIs among the resource servers. */
export function registeredApis({ oauthResources }: ResourceDeps, resources: readonly string[]): OAuthResource[] {
  const { byKey } = oauthResources.index();
  return resources.flatMap((resource) => byKey.get(resourceKey(resource)) ?? []);
}

/**
 * The scopes that the resource servers have, and the scopes of this service. A resource server without registration, or
 * registered without scopes, accepts every scope of the client.
 */
export function offeredScopes(deps: ResourceDeps, { scopes, resources }: RequestedAccess): readonly string[] {
  const apis = registeredApis(deps, resources);
  const isRestricted = apis.length === resources.length && apis.every((api) => api.scopes.length > 0);
  if (resources.length === 0 || !isRestricted) return scopes;
  const offered = new Set(apis.flatMap((api) => api.scopes.map(({ name }) => name)));
  return scopes.filter((scope) => isUserScope(scope) || offered.has(scope));
}

/** The scopes to which the user consents at every authorization. */
export function sensitiveScopes(deps: ResourceDeps, { scopes, resources }: RequestedAccess): readonly string[] {
  const sensitive = new Set(
    registeredApis(deps, resources).flatMap((api) =>
      api.scopes.filter((each) => each.sensitive).map(({ name }) => name),
    ),
  );
  return scopes.filter((scope) => sensitive.has(scope));
}

/** The scopes in the order of a consent page: sensitive scopes first. */
export function displayedScopes(deps: ResourceDeps, access: RequestedAccess): readonly string[] {
  return [...new Set([...sensitiveScopes(deps, access), ...access.scopes])];
}

/**
 * The permissions of each scope. A scope of several APIs needs the permission of each API that has the scope: every one
 * accepts the token. Without a resource server the APIs of the client count.
 */
function permissionsByScope(
  deps: ResourceDeps,
  client: Pick<OAuthClient, "resources">,
  { scopes, resources }: RequestedAccess,
): ReadonlyMap<string, readonly string[]> {
  const apis = registeredApis(deps, resources.length > 0 ? resources : client.resources);
  const permissionsOf = (scope: string) =>
    apis.flatMap((api) =>
      api.scopes.filter(({ name }) => name === scope).flatMap(({ permission }) => permission ?? []),
    );
  return new Map(scopes.map((scope) => [scope, permissionsOf(scope)]));
}

function isAvailableTo(deps: ResourceDeps, resources: readonly string[], organizationId: string): boolean {
  return areAvailableTo(registeredApis(deps, resources), organizationId);
}

function areAvailableTo(apis: readonly OAuthResource[], organizationId: string): boolean {
  return apis.every(
    ({ disabled, organizations }) => !disabled && (organizations === null || organizations.includes(organizationId)),
  );
}

/**
 * The scopes that a member may grant: offered by the resource servers, with a permission that the member has.
 * `invalid_target`: an API is not available to the organization. `invalid_scope`: no scope remains.
 */
export async function grantableScopes(
  deps: RoleScopeDeps,
  client: Pick<OAuthClient, "resources">,
  access: RequestedAccess,
  member: OrganizationMember,
): Promise<Result<readonly string[], OAuthRefusal<"invalid_scope" | "invalid_target">>> {
  if (!isAvailableTo(deps, access.resources, member.organizationId)) return err(NOT_AVAILABLE);
  const offered = offeredScopes(deps, access);
  const needed = permissionsByScope(deps, client, { ...access, scopes: offered });
  const granted = hasPermissions(needed)
    ? heldScopes(needed, await deps.database.run("member.find_roles", (sql) => findRolesOfMember(sql, member)))
    : offered;
  return granted.length > 0 ? ok(granted) : err(NO_SCOPE);
}

function hasPermissions(needed: ReadonlyMap<string, readonly string[]>): boolean {
  return [...needed.values()].some((permissions) => permissions.length > 0);
}

function heldScopes(needed: ReadonlyMap<string, readonly string[]>, power: RolesOfMember | undefined): string[] {
  return [...needed]
    .filter(([, permissions]) => permissions.every((permission) => power !== undefined && holds(power, permission)))
    .map(([scope]) => scope);
}

/** The access of one token, and the roles of the user if the token depends on roles. */
export interface BoundAccess {
  /** The claim `sid` of the token. */
  readonly familyId: string;
  readonly scopes: readonly string[];
  readonly power: RolesOfMember | undefined;
  /** The groups of the user, if claims of the token depend on groups. */
  readonly groups: readonly string[] | undefined;
}

/** Whether the tokens of a request depend on the roles or groups of the user, so that `bindScopes` runs a statement. */
export function dependsOnRoles(
  deps: ResourceDeps,
  client: Pick<OAuthClient, "resources">,
  access: RequestedAccess,
): boolean {
  const { dependency } = roleDependency(deps, client, access);
  return isDependent(dependency);
}

function isDependent({ permissions, hasRoles, hasGroups }: RoleDependency): boolean {
  return permissions.length > 0 || hasRoles || hasGroups;
}

function roleDependency(deps: ResourceDeps, client: Pick<OAuthClient, "resources">, access: RequestedAccess) {
  const scopes = offeredScopes(deps, access);
  const needed = permissionsByScope(deps, client, { ...access, scopes });
  const apis = registeredApis(deps, access.resources);
  const claims = apis.flatMap((api) => api.claims);
  const mapped = mappedSources(apis);
  const namesPermissions = claims.includes("permissions") || mapped.has("permissions");
  const named = namesPermissions ? apiPermissions(deps, access.resources) : [];
  const permissions = [...new Set([...named, ...[...needed.values()].flat()])];
  const hasRoles = claims.includes("roles") || mapped.has("roles") || mapped.has("member.role");
  return { scopes, needed, dependency: { permissions, hasRoles, hasGroups: mapped.has("groups") } };
}

const NO_SOURCES: ReadonlySet<string> = new Set();

/** The sources that claim mappings of the APIs read. */
function mappedSources(apis: readonly OAuthResource[]): ReadonlySet<string> {
  if (apis.every(({ claimMappings }) => claimMappings.length === 0)) return NO_SOURCES;
  return new Set(
    apis.flatMap(({ claimMappings }) => compiledMappings(claimMappings).flatMap(({ sources }) => sources)),
  );
}

/**
 * Narrows the scopes of a new access token to the present roles of the user, and binds the family to the permissions
 * and roles in the token: a later loss ends the token. A token without scopes or claims of roles needs no statement.
 */
export async function bindScopes(
  deps: RoleScopeDeps,
  client: Pick<OAuthClient, "organizations" | "resources">,
  family: BindableFamily & Pick<TokenFamily, "organizationId">,
  access: RequestedAccess,
): Promise<Result<BoundAccess, OAuthRefusal<"invalid_grant" | "invalid_scope" | "invalid_target">>> {
  if (!servesOrganization(client, family.organizationId)) return err(ORGANIZATION_EXCLUDED);
  if (!isAvailableTo(deps, access.resources, family.organizationId)) return err(NOT_AVAILABLE);
  const { scopes, needed, dependency } = roleDependency(deps, client, access);
  if (!isDependent(dependency)) {
    return scopes.length > 0 ? ok({ familyId: family.id, scopes, power: undefined, groups: undefined }) : err(NO_SCOPE);
  }
  const power = await deps.database.run("oauth_family.bind_roles", (sql) => bindFamilyToRoles(sql, family, dependency));
  if (!power) return err(ENDED);
  const held = heldScopes(needed, power);
  const { familyId, groups } = power;
  return held.length > 0 ? ok({ familyId, scopes: held, power, groups }) : err(NO_SCOPE);
}

/** The permissions that the scopes of the APIs name. */
export function apiPermissions(deps: ResourceDeps, resources: readonly string[]): readonly string[] {
  const permissions = registeredApis(deps, resources).flatMap((api) =>
    api.scopes.flatMap((each) => each.permission ?? []),
  );
  return [...new Set(permissions)].sort();
}

/**
 * The scopes of an issued token that the APIs and the present roles of the user permit. Undefined: the token has ended,
 * because no scope remains or the token names a role or permission that the user lost. Roles come from PostgreSQL, so a
 * change on another replica counts at once.
 */
export async function presentScopes(
  deps: RoleScopeDeps & Pick<Deps, "config">,
  { claims, client, owner }: LiveToken,
): Promise<readonly string[] | undefined> {
  const { apis, offered, needed, dependsOnRoles } = issuedAccess(deps, claims, client);
  if (!owner) return apis.some(({ disabled }) => disabled) ? undefined : claims.scope.split(" ");
  if (!areAvailableTo(apis, owner.organizationId)) return undefined;
  if (!dependsOnRoles) return nonEmpty(offered);
  const power = await deps.database.run("oauth_family.find_roles", (sql) => findRolesOfFamily(sql, claims.sid));
  if (!power || !namesOnlyHeld(claims, power)) return undefined;
  return nonEmpty(heldScopes(needed, power));
}

interface IssuedAccess {
  readonly index: ResourceIndex;
  readonly client: OAuthClient;
  readonly apis: readonly OAuthResource[];
  readonly offered: readonly string[];
  readonly needed: ReadonlyMap<string, readonly string[]>;
  /** A scope needs a permission, or the token names roles or permissions. */
  readonly dependsOnRoles: boolean;
}

/** By the claims of verified tokens, as in the cache of tokens. A new load of APIs or clients has new objects. */
const ISSUED = new WeakMap<object, IssuedAccess>();

/** The access of an issued token by the present APIs and the present client. */
function issuedAccess(
  deps: ResourceDeps & Pick<Deps, "config">,
  claims: LiveToken["claims"],
  client: OAuthClient,
): IssuedAccess {
  const index = deps.oauthResources.index();
  const known = ISSUED.get(claims);
  if (known?.index === index && known.client === client) return known;
  const resources = audienceList(claims).filter((each) => each !== deps.config.urls.publicBaseUrl);
  const offered = offeredScopes(deps, { scopes: claims.scope.split(" "), resources });
  const needed = permissionsByScope(deps, client, { scopes: offered, resources });
  const namesRoles = claims.roles !== undefined || claims.permissions !== undefined;
  const dependsOnRoles = namesRoles || hasPermissions(needed);
  const access = { index, client, apis: registeredApis(deps, resources), offered, needed, dependsOnRoles };
  ISSUED.set(claims, access);
  return access;
}

function nonEmpty(scopes: readonly string[]): readonly string[] | undefined {
  return scopes.length > 0 ? scopes : undefined;
}

function namesOnlyHeld({ roles = [], permissions = [] }: ResourceClaims, power: RolesOfMember): boolean {
  const held: readonly string[] = [power.role, ...power.roleKeys];
  return roles.every((role) => held.includes(role)) && permissions.every((permission) => holds(power, permission));
}
