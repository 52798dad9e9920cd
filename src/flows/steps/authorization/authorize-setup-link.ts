/** The authorization of set-up links (docs/contract.md, section 29.51). */
import { isOpaqueToken } from "../../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import type { StoreDeps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import { findLinkHolder } from "../../../models/channel/channel-holder.ts";
import { findOrganization } from "../../../models/organization/organization.ts";
import { endSetupLink, findBegunSetupLink, type SetupLink } from "../../../models/setup-link/setup-link.ts";
import { findPlatformRoleOf, includesRole } from "../../../models/user/platform-role.ts";
import { holds, type MemberPower } from "../../../vocabulary/member-power.ts";
import type { SetupIntent } from "../../../vocabulary/setup-intent.ts";
import { systemAuditEvent } from "../audit/system-audit-event.ts";
import { presentPower } from "../power/holder-power.ts";
import { type ResponsibleCaller, SETUP_PERMISSIONS, setupLinkCallerOf } from "./authorize-member.ts";
import { isEntitledTo } from "./entitlement.ts";

export const NO_SETUP_LINK = refusal(
  "authentication_required",
  "The set-up link has ended, or belongs to another browser.",
);
const NOT_A_TASK = refusal("forbidden", "The set-up link does not have this task.");

/** The rights of the creator of a link, at the creation and now, which no action of the link exceeds. */
export interface Creator {
  /** Undefined: an administrator of the platform. */
  readonly power: MemberPower | undefined;
}

/** A live set-up link in the browser that began the link. */
export interface SetupCaller {
  readonly link: SetupLink;
  readonly caller: ResponsibleCaller;
  readonly creator: Creator;
}

export type SetupProblem = Refusal<"authentication_required" | "forbidden">;

/**
 * Authorizes the browser of a set-up link for a task, or for the overview without a task. The rights of the creator
 * count at every request: a link ends with the membership, the permission or the account of the creator.
 */
export async function authorizeSetupLink(
  deps: StoreDeps,
  browserToken: string | undefined,
  intent?: SetupIntent,
): Promise<Result<SetupCaller, SetupProblem>> {
  if (!isOpaqueToken(browserToken)) return err(NO_SETUP_LINK);
  const at = new Date(deps.clock.now());
  const link = await deps.database.run("setup_link.find_begun", (sql) => findBegunSetupLink(sql, browserToken, at));
  const creator = link && (await readCreator(deps, link));
  if (!link || !creator) return err(NO_SETUP_LINK);
  if (intent !== undefined && !link.intents.includes(intent)) return err(NOT_A_TASK);
  return ok({ link, creator, caller: setupLinkCallerOf(link) });
}

/** The rights of the creator. Undefined: the link may no longer act, and has ended for good. */
export async function readCreator(deps: StoreDeps, link: SetupLink): Promise<Creator | undefined> {
  const creator = await readRights(deps, link);
  if (!creator) await endForLostRights(deps, link);
  return creator;
}

/** A creator who gets the rights again, or an organization that is active again, does not bring the link back. */
async function endForLostRights(deps: StoreDeps, { id, organizationId }: SetupLink): Promise<void> {
  const at = new Date(deps.clock.now());
  const reason = "revoked";
  const resource = { type: "setup_link", id } as const;
  const event = { action: "sso.setup_link.revoked", at, organizationId, resource, metadata: { reason } } as const;
  const entry = systemAuditEvent(deps, event);
  await deps.database.run(
    "setup_link.end_without_rights",
    (sql) => sql`with ended as (${endSetupLink(sql, { id, reason, at })}) ${insertAudit(sql, entry, sql`from ended`)}`,
  );
}

async function readRights(deps: StoreDeps, link: SetupLink): Promise<Creator | undefined> {
  const creator = await deps.database.transaction("setup_link.find_creator", (sql) => findCreator(sql, link));
  if (!creator) return undefined;
  const features = [...new Set(link.intents.map((intent) => (intent === "directory" ? "scim" : "sso")))] as const;
  const entitled = await Promise.all(features.map((feature) => isEntitledTo(deps, feature, link.organizationId)));
  return entitled.every(Boolean) ? creator : undefined;
}

/** The rights of the creator, inside a transaction; undefined without a permission that a task needs. */
export async function findCreator(sql: Sql, link: SetupLink): Promise<Creator | undefined> {
  const organization = await findOrganization(sql, link.organizationId);
  if (!organization || organization.suspended) return undefined;
  if (link.byPlatform) {
    const role = await findPlatformRoleOf(sql, link.createdBy);
    return role !== null && includesRole(role, "admin") ? { power: undefined } : undefined;
  }
  const holder = await findLinkHolder(sql, link);
  // The creator acts by the membership alone.
  const power = holder && holder.role !== null && presentPower({ ...holder, isPlatformAdministrator: false });
  const hasAll = power && link.intents.every((intent) => holds(power, SETUP_PERMISSIONS[intent]));
  return hasAll ? { power } : undefined;
}
