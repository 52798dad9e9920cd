import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { isUuid } from "../../base/random.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { REACH_MAX } from "../../limits/machine-limits.ts";
import { findOrganizationIds } from "../../models/organization/organization.ts";
import type { ServiceAccountAdmin } from "../steps/authorization/authorize-service-accounts.ts";

const UNKNOWN = invalidInput("organizations", "unknown_value", "names an organization that does not exist");
const TOO_MANY = invalidInput("organizations", "too_long", `at most ${REACH_MAX}`);

/**
 * The ids of the organizations that a form names by slug or id; null for an empty text: every organization. Only an
 * administrator of the platform learns which organizations exist.
 */
export async function findReach(
  { database }: Pick<Deps, "database">,
  { organizationId }: ServiceAccountAdmin,
  text: string,
): Promise<Result<readonly string[] | null, Refusal<"invalid_input">>> {
  const names = [...new Set(text.split(/[\s,]+/).filter(Boolean))];
  if (names.length === 0) return ok(null);
  if (organizationId !== null) return err(UNKNOWN);
  if (names.length > REACH_MAX) return err(TOO_MANY);
  const [ids, slugs] = [names.filter(isUuid), names.filter((name) => !isUuid(name))];
  const found = await database.run("organization.find_ids", (sql) => findOrganizationIds(sql, { ids, slugs }));
  return found.length === names.length ? ok(found) : err(UNKNOWN);
}
