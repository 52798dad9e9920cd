import type { StoreDeps } from "../../../deps.ts";
import { findOrganization } from "../../../models/organization/organization.ts";

/** Whether the tier of an organization includes a feature (`SERVICE_ENTERPRISE_ONLY`). */
export async function isEntitledTo(
  { config, database }: StoreDeps,
  feature: "scim" | "sso",
  organizationId: string,
): Promise<boolean> {
  const isRestricted = feature === "sso" ? config.sso.enterpriseOnly : config.scim.enterpriseOnly;
  if (!isRestricted) return true;
  const organization = await database.run("organization.find", (sql) => findOrganization(sql, organizationId));
  return organization !== undefined && organization.tier === "enterprise";
}
