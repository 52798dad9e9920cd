import type { Deps } from "../../../deps.ts";
import { findOrganizationFactor } from "../../../models/organization-factor/organization-factor.ts";
import { memberFactorOwner } from "../../../models/session/own-factor.ts";
import type { SessionView } from "../../../models/session/session.ts";

/** Whether the member has a factor for the sessions of single sign-on of the organization. */
export async function hasOrganizationFactor(
  { database }: Pick<Deps, "database">,
  session: SessionView,
): Promise<boolean> {
  const owner = memberFactorOwner(session);
  const found = owner && (await database.run("organization_factor.find", (sql) => findOrganizationFactor(sql, owner)));
  return found !== undefined && found.confirmedAt !== null;
}
