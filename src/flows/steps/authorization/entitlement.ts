import { refusal } from "../../../base/problem.ts";
import type { StoreDeps } from "../../../deps.ts";
import { findOrganization } from "../../../models/organization/organization.ts";

/** The problem of custom roles outside of the tier. */
export const ROLES_NOT_INCLUDED = refusal("payment_required", "Roles are not part of this organization's tier.");

/** Whether the tier of an organization includes a feature (`SERVICE_ENTERPRISE_ONLY`). */
export async function isEntitledTo(
  { config, database }: StoreDeps,
  feature: "organizationPolicies" | "roles" | "scim" | "sso",
  organizationId: string,
): Promise<boolean> {
  if (!config[feature].enterpriseOnly) return true;
  const organization = await database.run("organization.find", (sql) => findOrganization(sql, organizationId));
  return organization !== undefined && organization.tier === "enterprise";
}
