import type { StoreDeps } from "../../../deps.ts";
import { findOrganization } from "../../../models/organization/organization.ts";

/** Whether the tier of an organization includes a feature (`SERVICE_ENTERPRISE_ONLY`). */
export async function isEntitledTo(
  { config, database }: StoreDeps,
  feature: "roles" | "scim" | "sso",
  organizationId: string,
): Promise<boolean> {
  if (!config[feature].enterpriseOnly) return true;
  const organization = await database.run("organization.find", (sql) => findOrganization(sql, organizationId));
  return organization !== undefined && organization.tier === "enterprise";
}
