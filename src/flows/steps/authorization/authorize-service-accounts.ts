import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import type { SessionView } from "../../../models/session/session.ts";
import type { PlatformRole } from "../../../models/user/platform-role.ts";
import type { MemberPower } from "../../../vocabulary/member-power.ts";
import type { Permission } from "../../../vocabulary/permissions.ts";
import type { Actor } from "../audit/audit-event.ts";
import type { CallerCredential } from "../credentials/lock-credential.ts";
import { authorizePermission, NO_SUCH_ORGANIZATION, type Principal } from "./authorize-member.ts";
import { authorizePlatformRole } from "./authorize-platform-role.ts";
import type { SetupCaller } from "./authorize-setup-link.ts";
import { authorized } from "./authorized.ts";

/** An organization with the permission that guards the collection, or the platform. */
export type CollectionScope =
  | { readonly organizationId: string; readonly permission: Permission }
  | { readonly organizationId: null };

/** The scope of the platform. */
export const PLATFORM = { organizationId: null } as const;

const NOT_ALLOWED = refusal("forbidden", "Your role does not permit this.");

declare const mark: unique symbol;

/** A caller authorized to read the events of webhooks: a user, or an API key with `audit.read` of that organization. */
export interface EventReader {
  readonly [mark]: "key" | "reader" | "admin";
  /** Null: the platform. */
  readonly organizationId: string | null;
}

/**
 * A user authorized to view service accounts and webhooks: of an organization by a permission, of the platform as a
 * Viewer or higher. Only this file constructs a reader.
 */
export interface ServiceAccountReader extends EventReader {
  readonly [mark]: "reader" | "admin";
  readonly session: SessionView;
  /** Undefined: an administrator of the platform. */
  readonly power: MemberPower | undefined;
}

/** A caller authorized to create service accounts and keys: an administrator, or a set-up link of a directory. */
export interface ServiceAccountAuthor extends EventReader, Pick<ServiceAccountReader, "power"> {
  readonly [mark]: "admin";
  /** The actor in audit records. */
  readonly actor: Actor;
  readonly credential: CallerCredential;
  /** The creator of accounts and keys. */
  readonly responsibleId: string;
}

/** A user authorized to change service accounts and webhooks too: of the platform as an Admin or higher. */
export interface ServiceAccountAdmin extends ServiceAccountAuthor, ServiceAccountReader {
  readonly [mark]: "admin";
}

type Authorized<Caller> = Promise<Result<Caller, Refusal<"forbidden" | "mfa_required" | "not_found" | "sso_required">>>;

/**
 * Authorizes a user to manage a collection of an organization or of the platform. `not_found` means that the caller has
 * no membership in the organization.
 */
export async function authorizeServiceAccountAdmin(
  deps: StoreDeps,
  session: SessionView,
  scope: CollectionScope,
): Authorized<ServiceAccountAdmin> {
  const allowed = await authorizeScope(deps, session, scope, "admin");
  if (!allowed.ok) return allowed;
  const { organizationId } = scope;
  const actor = { userId: session.userId, organizationId };
  const responsibleId = session.userId;
  const credential = { kind: "session", id: session.id, userId: responsibleId } as const;
  const author = { organizationId, power: allowed.value, actor, credential, responsibleId };
  return ok(authorized<ServiceAccountAdmin>({ ...author, session }));
}

/** A set-up link with the task `directory`, with the power of its creator. */
export function setupAuthorOf({ caller, creator }: SetupCaller): ServiceAccountAuthor {
  const { actor, credential, organizationId, responsibleId } = caller;
  return authorized<ServiceAccountAuthor>({ organizationId, power: creator.power, actor, credential, responsibleId });
}

/** Authorizes a user to view service accounts and webhooks. */
export async function authorizeServiceAccountReader(
  deps: StoreDeps,
  session: SessionView,
  scope: CollectionScope,
): Authorized<ServiceAccountReader> {
  const allowed = await authorizeScope(deps, session, scope, "viewer");
  return allowed.ok
    ? ok(authorized<ServiceAccountReader>({ session, organizationId: scope.organizationId, power: allowed.value }))
    : allowed;
}

/**
 * Authorizes the reading of events, which are audit records: a user as `authorizeServiceAccountReader`, a key in the
 * key's own organization, or of the platform, with the scope of the endpoint.
 */
export async function authorizeEventReader(
  deps: StoreDeps,
  principal: Principal,
  scope: CollectionScope,
): Authorized<EventReader> {
  if ("session" in principal) return await authorizeServiceAccountReader(deps, principal.session, scope);
  const { organizationId } = scope;
  if (principal.key.organizationId === organizationId) return ok(authorized<EventReader>({ organizationId }));
  return err(organizationId === null ? NOT_ALLOWED : NO_SUCH_ORGANIZATION);
}

/** `least`: the minimum platform role, for the platform. */
async function authorizeScope(
  deps: StoreDeps,
  session: SessionView,
  scope: CollectionScope,
  least: PlatformRole,
): Promise<Result<MemberPower | undefined, Refusal<"forbidden" | "mfa_required" | "not_found" | "sso_required">>> {
  if (scope.organizationId === null) {
    const administrator = await authorizePlatformRole(deps, session, least);
    return administrator.ok ? ok(undefined) : administrator;
  }
  return await authorizePermission(deps, session, scope.organizationId, scope.permission);
}
