/** No widening: a key has no more than the caller who creates it (docs/contract.md, section 35.6). */
import { invalidInput } from "../../base/invalid-input.ts";
import { isWithinNetworks } from "../../base/ip-ranges.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { listPermissionsByDirectory } from "../../models/organization-role/role-use.ts";
import { hasScope } from "../../models/service-account/api-key.ts";
import type { ServiceAccount } from "../../models/service-account/service-account.ts";
import { isScopeWithinReach, type KeyScope, scopesOf } from "../../vocabulary/key-scope.ts";
import { holds, permissionsOf } from "../../vocabulary/member-power.ts";
import { isPermission, type Permission } from "../../vocabulary/permissions.ts";
import { byRule } from "../../vocabulary/program-rules.ts";
import { ADMIN_SCOPES, lacksPermission } from "../steps/authorization/authorize-member.ts";
import { lockEditor } from "../steps/authorization/authorize-role-edit.ts";
import type { ServiceAccountAuthor, ServiceAccountReader } from "../steps/authorization/authorize-service-accounts.ts";

const OF_THE_PLATFORM = invalidInput("scopes", "not_allowed", "scopes of the platform are for keys of the platform");
const OF_A_DIRECTORY = invalidInput("scopes", "not_allowed", "scim scopes are for keys of an organization");
const ONE_ORGANIZATION = invalidInput("organizations", "not_allowed", "for keys of the platform alone");
const BEYOND_ADDRESSES = byRule(
  "widening",
  refusal("forbidden", "allowed_ips is beyond the addresses of your own key."),
  "allowed_ips",
);
const BEYOND_REFERRERS = byRule(
  "widening",
  refusal("forbidden", "allowed_referrers is beyond the origins of your own key."),
  "allowed_referrers",
);
const OWNERS_ONLY = refusal("forbidden", "A platform owner alone gives the scope users.credentials.");
const BEYOND_OWN = refusal("forbidden", "Groups of the directory grant a role with a permission that you do not have.");

interface RequestedScopes {
  readonly scopes: readonly KeyScope[];
  readonly organizations: readonly string[] | null;
}

/** Validates the scopes for the kind of account, and a list of organizations against the scopes. */
export function validateScopes(
  { organizationId }: Pick<ServiceAccount, "organizationId">,
  { scopes, organizations }: RequestedScopes,
): Result<void, Refusal<"invalid_input">> {
  const owner = organizationId === null ? "platform" : "organization";
  const held = scopesOf(owner);
  if (!scopes.every((scope) => held.includes(scope))) {
    return err(owner === "organization" ? OF_THE_PLATFORM : OF_A_DIRECTORY);
  }
  if (organizations === null) return ok(undefined);
  if (owner === "organization") return err(ONE_ORGANIZATION);
  const wide = scopes.find((scope) => !isScopeWithinReach(scope));
  if (wide === undefined) return ok(undefined);
  return err(invalidInput("organizations", "not_allowed", `${wide} concerns more than the listed organizations`));
}

interface KeyBounds {
  readonly allowedIps: readonly string[];
  readonly allowedReferrers: readonly string[];
  readonly expiresAt: Date;
}

/** The bounds of a key within the bounds of the program that creates the key: absent bounds are inherited. */
export function boundsWithin(
  { key }: Pick<ServiceAccountAuthor, "key">,
  { allowedIps, allowedReferrers, expiresAt }: KeyBounds,
): Result<KeyBounds, Refusal<"forbidden">> {
  if (key === undefined) return ok({ allowedIps, allowedReferrers, expiresAt });
  const inherited = allowedIps.length === 0 ? key.allowedIps : allowedIps;
  if (key.allowedIps.length > 0 && !inherited.every((range) => isWithinNetworks(key.allowedIps, range))) {
    return err(BEYOND_ADDRESSES);
  }
  const origins = allowedReferrers.length === 0 ? key.allowedReferrers : allowedReferrers;
  if (key.allowedReferrers.length > 0 && !origins.every((origin) => key.allowedReferrers.includes(origin))) {
    return err(BEYOND_REFERRERS);
  }
  const endsAt = new Date(Math.min(expiresAt.getTime(), key.expiresAt));
  return ok({ allowedIps: inherited, allowedReferrers: origins, expiresAt: endsAt });
}

/** The permissions of people behind a scope that no role holds. */
const PERMISSIONS_OF_SCOPE: Partial<Record<KeyScope, readonly Permission[]>> = {
  "audit.export": ["audit.read"],
  "members.metadata": ["members.role", "organization.update"],
  "scim.read": ["directory.manage"],
  "ssf.manage": ["webhooks.manage"],
  "ssf.read": ["webhooks.manage"],
  "sso.read": ["sso.manage"],
};

function permissionsBehind(scope: KeyScope): readonly Permission[] {
  const own = isPermission(scope) ? [scope] : (PERMISSIONS_OF_SCOPE[scope] ?? []);
  return ADMIN_SCOPES.includes(scope) ? [...permissionsOf("admin"), ...own] : own;
}

/** The scopes that a user may give to a key, for a form. */
export function givableScopes({
  organizationId,
  platformRole,
  power,
}: Pick<ServiceAccountReader, "organizationId" | "platformRole" | "power">): readonly KeyScope[] {
  const scopes = scopesOf(organizationId === null ? "platform" : "organization");
  if (power === undefined) return scopes.filter((scope) => scope !== "users.credentials" || platformRole === "owner");
  return scopes.filter((scope) => permissionsBehind(scope).every((permission) => holds(power, permission)));
}

/**
 * Authorizes the scopes of a key: a key has no power beyond the power of its creator. A member is locked and read
 * again: a key outlives the request, so a withdrawal meanwhile counts. A directory also adds members to groups that
 * grant additional roles.
 */
export async function authorizeScopes(
  sql: Sql,
  author: ServiceAccountAuthor,
  organizationId: string | null,
  { scopes, organizations }: RequestedScopes,
): Promise<Result<void, Refusal<"forbidden">>> {
  const { actor, credential, key, platformRole, power: requested } = author;
  if (key !== undefined) return authorizeScopesOfProgram(author, { scopes, organizations });
  if (requested === undefined || organizationId === null) {
    const needsOwner = scopes.includes("users.credentials") && platformRole !== "owner";
    return needsOwner ? err(OWNERS_ONLY) : ok(undefined);
  }
  const caller = { ...requested, actor, credential, organizationId };
  const lock = { caller, roleIds: [], permission: "machines.manage" } as const;
  const editor = credential.kind === "session" ? await lockEditor(sql, lock) : ok(requested);
  if (!editor.ok) return editor;
  const { value: power } = editor;
  const missing = scopes.flatMap(permissionsBehind).find((permission) => !holds(power, permission));
  if (missing !== undefined) return err(lacksPermission(missing));
  if (!scopes.includes("scim.write")) return ok(undefined);
  const granted = await listPermissionsByDirectory(sql, organizationId);
  return granted.every((permission) => holds(power, permission)) ? ok(undefined) : err(BEYOND_OWN);
}

/** A program gives its own scopes alone, and `users.credentials` never: that scope needs a platform owner. */
function authorizeScopesOfProgram(
  { key }: Pick<ServiceAccountAuthor, "key">,
  { scopes }: RequestedScopes,
): Result<void, Refusal<"forbidden">> {
  if (key === undefined) return ok(undefined);
  if (scopes.includes("users.credentials")) return err(byRule("widening", OWNERS_ONLY, "users.credentials"));
  const beyond = scopes.find((scope) => !hasScope(key, scope));
  if (beyond === undefined) return ok(undefined);
  const problem = refusal("forbidden", `The scope ${beyond} is beyond the scopes of your own key.`);
  return err(byRule("widening", problem, beyond));
}
