import { ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import { authorizePrincipal, type MembershipProblem } from "./authorize-member.ts";
import {
  authorizePlatformRole,
  type PlatformCaller,
  type PlatformRoleRefusal,
  type Principal,
} from "./authorize-platform-role.ts";
import { authorized } from "./authorized.ts";

declare const mark: unique symbol;

/** A caller authorized to read the audit trail or a part. Only this file constructs a reader. */
export interface AuditReader {
  readonly [mark]: true;
  /** The reader passed to `deps.reads`. */
  readonly reader: { readonly userId: string; readonly authTime: number };
  /** Undefined: the whole trail; otherwise the records of these organizations alone. */
  readonly organizationIds: readonly string[] | undefined;
}

/**
 * Authorizes reading the audit trail (docs/contract.md, section 17.3): a platform Viewer or higher and a key of the
 * platform read the whole trail, a key with organizations the records of these.
 */
export async function authorizeAuditRead(
  deps: StoreDeps,
  principal: Principal,
): Promise<Result<AuditReader, PlatformRoleRefusal>> {
  if ("key" in principal) {
    const { id, createdAt, organizationId, organizations } = principal.key;
    const reader = { userId: id, authTime: createdAt };
    const organizationIds = organizationId === null ? (organizations ?? undefined) : [organizationId];
    return ok(authorized<AuditReader>({ reader, organizationIds }));
  }
  const caller = await authorizePlatformRole(deps, principal.session, "viewer");
  return caller.ok ? ok(auditReader(caller.value)) : caller;
}

/** Authorizes reading the records of an organization: a member with `audit.read`, or a key of the organization. */
export async function authorizeOrganizationAudit(
  deps: StoreDeps,
  principal: Principal,
  organizationId: string,
): Promise<Result<AuditReader, MembershipProblem>> {
  const caller = await authorizePrincipal(deps, principal, organizationId, "audit.read");
  return caller.ok
    ? ok(authorized<AuditReader>({ reader: caller.value.reader, organizationIds: [organizationId] }))
    : caller;
}

/** A platform Viewer or higher, who reads the whole trail. */
export function auditReader({ reader }: PlatformCaller): AuditReader {
  return authorized<AuditReader>({ reader, organizationIds: undefined });
}
