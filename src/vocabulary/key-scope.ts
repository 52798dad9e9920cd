/**
 * The permissions that an endpoint may declare (docs/contract.md, chapter 35). People hold permissions by roles,
 * programs hold permissions as scopes of a key: both words name one list.
 */
import { PERMISSIONS, type Permission } from "./permissions.ts";

/** Permissions of an organization that no role of people has: programs hold these as scopes. */
const PROGRAM_PERMISSIONS = [
  "audit.export",
  "members.metadata",
  "scim.read",
  "scim.write",
  "ssf.manage",
  "ssf.read",
  "sso.read",
] as const;

/** The permissions of the platform. */
export const PLATFORM_PERMISSIONS = [
  "configuration.read",
  "configuration.write",
  "feature_flags.read",
  "feature_flags.write",
  "members.add",
  "oauth_clients.read",
  "oauth_clients.write",
  "organizations.read",
  "organizations.write",
  "providers.read",
  "providers.write",
  "requests.read",
  "resources.read",
  "resources.write",
  "role_templates.read",
  "role_templates.write",
  "service_accounts.read",
  "service_accounts.write",
  "users.credentials",
  "users.delete",
  "users.read",
  "users.recover",
  "users.write",
  "webhooks.read",
  "webhooks.write",
] as const;
export type PlatformPermission = (typeof PLATFORM_PERMISSIONS)[number];

/** The name that an administrative endpoint declares. */
export type EndpointPermission = Permission | PlatformPermission | (typeof PROGRAM_PERMISSIONS)[number];

/** A permission that a key may hold. A program gives no support access: the customer consents. */
export type KeyScope = Exclude<EndpointPermission, "support.grant">;

/** Every scope, sorted. */
export const KEY_SCOPES: readonly KeyScope[] = [...PERMISSIONS, ...PROGRAM_PERMISSIONS, ...PLATFORM_PERMISSIONS]
  .filter((name) => name !== "support.grant")
  .sort();

export function isKeyScope(text: string): text is KeyScope {
  return (KEY_SCOPES as readonly string[]).includes(text);
}

/** The permission that includes a permission, for people and programs alike. */
export const INCLUDED_IN: Partial<Record<EndpointPermission, EndpointPermission>> = {
  "configuration.read": "configuration.write",
  "feature_flags.read": "feature_flags.write",
  "members.metadata": "members.role",
  "organizations.read": "organizations.write",
  "providers.read": "providers.write",
  "resources.read": "resources.write",
  "role_templates.read": "role_templates.write",
  "scim.read": "scim.write",
  "service_accounts.read": "service_accounts.write",
  "ssf.read": "ssf.manage",
  "sso.read": "sso.manage",
  "users.read": "users.write",
  "webhooks.read": "webhooks.write",
};

/** Whether a list of permissions has a permission, by name or by inclusion. */
export function includesPermission(permissions: readonly string[], permission: string): boolean {
  const wider = INCLUDED_IN[permission as EndpointPermission];
  return permissions.includes(permission) || (wider !== undefined && permissions.includes(wider));
}

export function isPlatformPermission(name: string): name is PlatformPermission {
  return (PLATFORM_PERMISSIONS as readonly string[]).includes(name);
}

/** Whether a service account of the platform can hold a scope: a directory belongs to one organization. */
function isScopeOfPlatform(scope: KeyScope): boolean {
  return scope !== "scim.read" && scope !== "scim.write";
}

/** The scopes that a service account of the platform, or of an organization, can hold. */
export function scopesOf(owner: "organization" | "platform"): readonly KeyScope[] {
  return KEY_SCOPES.filter((scope) => (owner === "platform" ? isScopeOfPlatform(scope) : !isPlatformPermission(scope)));
}

const PLATFORM_SCOPES_WITHIN_REACH: readonly KeyScope[] = ["members.add", "organizations.read", "organizations.write"];
/** An export and a stream of signals have no list of organizations. */
const SCOPES_BEYOND_REACH: readonly KeyScope[] = ["audit.export", "ssf.manage", "ssf.read"];

/** Whether a key of the platform with a list of organizations may hold a scope. */
export function isScopeWithinReach(scope: KeyScope): boolean {
  return isPlatformPermission(scope)
    ? PLATFORM_SCOPES_WITHIN_REACH.includes(scope)
    : !SCOPES_BEYOND_REACH.includes(scope);
}

/** The scopes of the release before migration 0086. */
const FORMER_SCOPES: readonly KeyScope[] = [
  "audit.export",
  "audit.read",
  "members.invite",
  "members.list",
  "members.metadata",
  "members.remove",
  "oauth_clients.read",
  "oauth_clients.write",
  "scim.read",
  "scim.write",
  "ssf.manage",
  "ssf.read",
  "sso.read",
];

/**
 * The scopes that a replica of the former release, which knows no reach, may serve: during an upgrade a key never
 * reaches more there.
 */
export function scopesOfFormerRelease(key: {
  readonly scopes: readonly KeyScope[];
  readonly organizations: readonly string[] | null;
}): KeyScope[] {
  return key.organizations === null ? key.scopes.filter((scope) => FORMER_SCOPES.includes(scope)) : [];
}

/** Whether a key may only synchronize a directory: such a key may live longer. */
export function isScimOnly(scopes: readonly KeyScope[]): boolean {
  return scopes.every((scope) => scope === "scim.read" || scope === "scim.write");
}
