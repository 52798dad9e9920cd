import { ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import { authorizePrincipal, type MembershipProblem, type Principal } from "./authorize-member.ts";
import { authorizePlatformRole, type PlatformCaller, type PlatformRoleRefusal } from "./authorize-platform-role.ts";
import { authorized } from "./authorized.ts";

declare const mark: unique symbol;

/** A caller authorized to read the audit trail or a part. Only this file constructs a reader. */
export interface AuditReader {
  readonly [mark]: true;
  /** The reader passed to `deps.reads`. */
  readonly reader: { readonly userId: string; readonly authTime: number };
  /** Undefined: the whole trail; otherwise the records of this organization alone. */
  readonly organizationId: string | undefined;
}

/**
 * Authorizes reading the audit trail (docs/contract.md, section 17.3): a platform Viewer or higher and a key of the
 * platform read the whole trail, a key of an organization the records of that organization.
 */
export async function authorizeAuditRead(
  deps: StoreDeps,
  principal: Principal,
): Promise<Result<AuditReader, PlatformRoleRefusal>> {
  if ("key" in principal) {
    const { id, createdAt, organizationId } = principal.key;
    const reader = { userId: id, authTime: createdAt };
    return ok({ reader, organizationId: organizationId ?? undefined } as AuditReader);
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
  return caller.ok ? ok({ reader: caller.value.reader, organizationId } as AuditReader) : caller;
}

/** A platform Viewer or higher, who reads the whole trail. */
export function auditReader({ session }: PlatformCaller): AuditReader {
  return authorized<AuditReader>({ reader: session, organizationId: undefined });
}
