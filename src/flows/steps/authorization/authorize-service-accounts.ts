import type { Refusal } from "../../../base/problem.ts";
import { ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import type { KeyView } from "../../../models/service-account/api-key.ts";
import type { PlatformRole } from "../../../models/user/platform-role.ts";
import type { PlatformPermission } from "../../../vocabulary/key-scope.ts";
import type { MemberPower } from "../../../vocabulary/member-power.ts";
import type { Permission } from "../../../vocabulary/permissions.ts";
import type { Actor } from "../audit/audit-event.ts";
import type { CallerCredential } from "../credentials/lock-credential.ts";
import { authorizePrincipal } from "./authorize-member.ts";
import { authorizePlatform, type Principal } from "./authorize-platform-role.ts";
import type { SetupCaller } from "./authorize-setup-link.ts";
import { authorized } from "./authorized.ts";

type PlatformCollection = Extract<PlatformPermission, "service_accounts.write" | "webhooks.write">;

/** An organization or the platform, with the permission that guards changes of the collection. */
export type CollectionScope =
  | { readonly organizationId: string; readonly permission: Permission }
  | { readonly organizationId: null; readonly permission: PlatformCollection };

declare const mark: unique symbol;

/** A caller authorized to read the events of webhooks: a user, or an API key with `audit.read` of that organization. */
export interface EventReader {
  readonly [mark]: "key" | "reader" | "admin";
  /** Null: the platform. */
  readonly organizationId: string | null;
}

/**
 * A caller authorized to view service accounts and webhooks: of an organization by a permission, of the platform as a
 * Viewer or higher. Only this file constructs a reader.
 */
export interface ServiceAccountReader extends EventReader {
  readonly [mark]: "reader" | "admin";
  /** The reader passed to `deps.reads`. */
  readonly reader: { readonly userId: string; readonly authTime: number };
  /** Undefined: an administrator or a program of the platform. */
  readonly power: MemberPower | undefined;
  /** The platform role of a user at the collections of the platform. */
  readonly platformRole?: PlatformRole | null;
}

/** A caller authorized to create service accounts and keys: an administrator, or a set-up link of a directory. */
export interface ServiceAccountAuthor extends EventReader, Pick<ServiceAccountReader, "platformRole" | "power"> {
  readonly [mark]: "admin";
  /** The actor in audit records. */
  readonly actor: Actor;
  readonly credential: CallerCredential;
  /** The creator of accounts and keys; null: the creator of the program that acts was deleted. */
  readonly responsibleId: string | null;
  /** Set for a program: what it creates has no more than its key. */
  readonly key?: KeyView;
}

/** A caller authorized to change service accounts and webhooks too. */
export interface ServiceAccountAdmin extends ServiceAccountAuthor, ServiceAccountReader {
  readonly [mark]: "admin";
}

type Authorized<Caller> = Promise<Result<Caller, Refusal<"forbidden" | "mfa_required" | "not_found" | "sso_required">>>;

/**
 * Authorizes a caller to manage a collection of an organization or of the platform. `not_found` means that the caller
 * has no membership in the organization, or no reach.
 */
export async function authorizeServiceAccountAdmin(
  deps: StoreDeps,
  principal: Principal,
  scope: CollectionScope,
): Authorized<ServiceAccountAdmin> {
  const key = "key" in principal ? { key: principal.key } : {};
  if (scope.organizationId === null) {
    const caller = await authorizePlatform(deps, principal, scope.permission);
    if (!caller.ok) return caller;
    const { actor, credential, reader, responsibleId, role: platformRole } = caller.value;
    const author = { organizationId: null, power: undefined, actor, credential, reader, responsibleId, platformRole };
    return ok(authorized<ServiceAccountAdmin>({ ...author, ...key }));
  }
  const caller = await authorizePrincipal(deps, principal, scope.organizationId, scope.permission);
  if (!caller.ok) return caller;
  const { organizationId, actor, credential, reader, responsibleId } = caller.value;
  const author = { organizationId, power: caller.value, actor, credential, reader, responsibleId };
  return ok(authorized<ServiceAccountAdmin>({ ...author, ...key }));
}

/** A set-up link with the task `directory`, with the power of its creator. */
export function setupAuthorOf({ caller, creator }: SetupCaller): ServiceAccountAuthor {
  const { actor, credential, organizationId, responsibleId } = caller;
  return authorized<ServiceAccountAuthor>({ organizationId, power: creator.power, actor, credential, responsibleId });
}

/** Authorizes a caller to view service accounts and webhooks. */
export async function authorizeServiceAccountReader(
  deps: StoreDeps,
  principal: Principal,
  scope: CollectionScope,
): Authorized<ServiceAccountReader> {
  const caller = await authorizeReading(deps, principal, scope);
  if (!caller.ok) return caller;
  const { reader } = caller.value;
  const { organizationId } = scope;
  const held =
    "granted" in caller.value ? { power: caller.value } : { power: undefined, platformRole: caller.value.role };
  return ok(authorized<ServiceAccountReader>({ reader, organizationId, ...held }));
}

const READ_PERMISSIONS = {
  "service_accounts.write": "service_accounts.read",
  "webhooks.write": "webhooks.read",
} as const;

async function authorizeReading(deps: StoreDeps, principal: Principal, scope: CollectionScope) {
  return scope.organizationId === null
    ? await authorizePlatform(deps, principal, READ_PERMISSIONS[scope.permission])
    : await authorizePrincipal(deps, principal, scope.organizationId, scope.permission);
}

/**
 * Authorizes the reading of events, which are audit records: a user as `authorizeServiceAccountReader`, a key in the
 * key's own organization, or of the platform.
 */
export async function authorizeEventReader(
  deps: StoreDeps,
  principal: Principal,
  scope: CollectionScope,
): Authorized<EventReader> {
  const caller = await authorizeReading(deps, principal, scope);
  return caller.ok ? ok(authorized<EventReader>({ organizationId: scope.organizationId })) : caller;
}
