/** What the mode `required` needs (docs/contract.md, section 29.47): a requirement must lock no organization out. */
import { type Refusal, refusal } from "../../../base/problem.ts";
import type { Sql } from "../../../database/database.ts";
import type { StoreDeps } from "../../../deps.ts";
import { SSO_PROVEN_SIGN_IN_MS } from "../../../limits/sso-limits.ts";
import {
  findPrerequisites,
  keepsEmergencyAccess,
  listBreakGlassCandidates,
} from "../../../models/sso-policy/enforcement.ts";
import type { PolicySettings } from "../../../models/sso-policy/sso-policy.ts";

const NO_CONNECTION = refusal("conflict", "The mode required needs an active connection.");
const NO_DOMAIN = refusal("conflict", "The mode required needs a verified domain.");
const NO_SIGN_IN = refusal(
  "conflict",
  "The mode required needs a sign-in by single sign-on of an owner or admin within 24 hours.",
);
const NO_BREAK_GLASS = refusal("conflict", "The mode required needs a user for emergency access (break_glass).");
const KEPT_BREAK_GLASS = refusal(
  "conflict",
  "The policies of the organization rely on emergency access (break_glass).",
);
const UNFIT_BREAK_GLASS = refusal(
  "conflict",
  "A user for emergency access (break_glass) is an owner with a proven address and a second factor or a passkey.",
);

export interface PolicyChange {
  readonly before: PolicySettings;
  readonly settings: PolicySettings;
}

/**
 * Checks the users for emergency access, in any mode, and the prerequisites of the mode `required` for a change that
 * covers more members. The first missing prerequisite is the problem. Inside the transaction of the change.
 */
export async function missingPrerequisite(
  deps: Pick<StoreDeps, "clock">,
  sql: Sql,
  organizationId: string,
  { before, settings: { mode, guests, breakGlass } }: PolicyChange,
): Promise<Refusal<"conflict"> | undefined> {
  const fit = await listBreakGlassCandidates(sql, organizationId, breakGlass);
  if (new Set(breakGlass).size !== fit.length) return UNFIT_BREAK_GLASS;
  if (breakGlass.length === 0 && (await keepsEmergencyAccess(sql, organizationId))) return KEPT_BREAK_GLASS;
  if (mode !== "required") return undefined;
  const coversMore = before.mode !== "required" || (guests === "required" && before.guests !== "required");
  const missing = coversMore ? await missingSetting(deps, sql, organizationId) : undefined;
  return missing ?? (breakGlass.length === 0 ? NO_BREAK_GLASS : undefined);
}

async function missingSetting(
  deps: Pick<StoreDeps, "clock">,
  sql: Sql,
  organizationId: string,
): Promise<Refusal<"conflict"> | undefined> {
  const since = new Date(deps.clock.now() - SSO_PROVEN_SIGN_IN_MS);
  const { hasConnection, hasDomain, hasSignIn } = await findPrerequisites(sql, organizationId, since);
  if (!hasConnection) return NO_CONNECTION;
  if (!hasDomain) return NO_DOMAIN;
  return hasSignIn ? undefined : NO_SIGN_IN;
}
