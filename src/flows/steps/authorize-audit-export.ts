import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { entitles, findOrganization } from "../../models/organization/organization.ts";
import type { SessionView } from "../../models/session/session.ts";
import { authorizePlatformRole, type PlatformCaller } from "./authorize-platform-role.ts";

declare const entitled: unique symbol;

/** A platform Admin or higher whose organization's tier includes the audit export. Only this file constructs one. */
export type ExportCaller = PlatformCaller & { readonly [entitled]: true };

/**
 * Authorizes an audit export (docs/contract.md, section 17.4): the entitlement of the caller's organization first, then
 * the role (docs/contract.md, section 2.8). Refuses with `payment_required`, `forbidden`.
 */
export async function authorizeAuditExport(
  deps: Pick<Deps, "database">,
  session: SessionView,
): Promise<Result<ExportCaller, Refusal<"forbidden" | "payment_required">>> {
  const organization = await deps.database.run("organization.find", (sql) =>
    findOrganization(sql, session.organizationId),
  );
  if (!organization || !entitles(organization.tier, "AuditExport")) {
    return err(refusal("payment_required", "The audit export is not part of this organization's tier."));
  }
  const authorized = await authorizePlatformRole(deps, session, "admin");
  return authorized.ok ? ok(authorized.value as ExportCaller) : authorized;
}
