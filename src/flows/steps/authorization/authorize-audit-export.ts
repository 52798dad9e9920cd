import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps, StoreDeps } from "../../../deps.ts";
import { entitles, findOrganization } from "../../../models/organization/organization.ts";
import type { KeyView } from "../../../models/service-account/api-key.ts";
import type { Actor } from "../audit/audit-event.ts";
import { programActor } from "../audit/program-actor.ts";
import { authorizePlatformRole, LIMITED_REACH, type Principal } from "./authorize-platform-role.ts";
import { authorized } from "./authorized.ts";

declare const mark: unique symbol;

/** A caller authorized to export the audit trail or a part. Only this file constructs a caller. */
export interface ExportCaller {
  readonly [mark]: true;
  /** The exporting party in the audit record. */
  readonly actor: Actor;
  /** The reader passed to `deps.reads`. */
  readonly reader: { readonly userId: string; readonly authTime: number };
  /** The organization whose tier includes the export; null for a key of the platform. */
  readonly home: string | null;
  /** Undefined: the whole trail; otherwise the records of this organization alone. */
  readonly only: string | undefined;
}

const NOT_ENTITLED = refusal("payment_required", "The audit export is not part of this organization's tier.");

/**
 * Authorizes an audit export (docs/contract.md, section 17.4): the entitlement of the caller's organization first, then
 * the role, Admin or higher (docs/contract.md, section 2.8). A key of an organization exports the records of that
 * organization, a key of the platform the whole trail.
 */
export async function authorizeAuditExport(
  deps: StoreDeps,
  principal: Principal,
): Promise<Result<ExportCaller, Refusal<"forbidden" | "mfa_required" | "payment_required">>> {
  const { organizationId } = "key" in principal ? principal.key : principal.session;
  if (organizationId !== null && !(await isEntitled(deps, organizationId))) return err(NOT_ENTITLED);
  if ("key" in principal) return principal.key.organizations ? err(LIMITED_REACH) : ok(keyCaller(principal.key));
  const administrator = await authorizePlatformRole(deps, principal.session, "admin");
  if (!administrator.ok) return administrator;
  const { session, actor } = administrator.value;
  return ok(authorized<ExportCaller>({ actor, reader: session, home: organizationId, only: undefined }));
}

async function isEntitled(deps: Pick<Deps, "database">, organizationId: string): Promise<boolean> {
  const organization = await deps.database.run("organization.find", (sql) => findOrganization(sql, organizationId));
  return organization !== undefined && entitles(organization.tier, "AuditExport");
}

function keyCaller(key: KeyView): ExportCaller {
  const reader = { userId: key.id, authTime: key.createdAt };
  const { organizationId: home } = key;
  return { actor: programActor(key), reader, home, only: home ?? undefined } as ExportCaller;
}
