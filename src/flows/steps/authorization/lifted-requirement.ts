/** Changes after which a requirement of an organization no longer holds (docs/contract.md, section 29.47). */
import { inertName } from "../../../base/display-name.ts";
import type { Refusal } from "../../../base/problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Sql } from "../../../database/database.ts";
import type { Deps } from "../../../deps.ts";
import { noticeTime } from "../../../models/email/email.ts";
import { findPolicies, policyInForce } from "../../../models/organization-policy/organization-policy.ts";
import { findPolicy } from "../../../models/sso-policy/sso-policy.ts";
import { holds } from "../../../vocabulary/member-power.ts";
import type { ComposeDeps } from "../email/compose-email.ts";
import { mailOwners } from "../email/mail-owners.ts";
import { lacksPermission, type OrganizationCaller } from "./authorize-member.ts";
import { lockCaller } from "./authorize-role-edit.ts";

/** `outbox`: the caller wakes the outbox after the commit. */
export type LiftingDeps = ComposeDeps & { readonly outbox: Pick<Deps["outbox"], "wake"> };

export type Requirement = "second_factor" | "single_sign_on";

/**
 * Authorizes a change that lifts a requirement: while the organization has the requirement, the caller needs
 * `policies.manage` too. Returns whether the organization has the requirement, also from a later time.
 */
export async function authorizeLifting(
  sql: Sql,
  caller: OrganizationCaller,
  requirement: Requirement,
  at: Date,
): Promise<Result<boolean, Refusal<"forbidden">>> {
  if (!(await isRequired(sql, caller.organizationId, requirement, at))) return ok(false);
  const power = await lockCaller(sql, caller, "policies.manage");
  if (!power.ok) return power;
  return holds(power.value, "policies.manage") ? ok(true) : err(lacksPermission("policies.manage"));
}

async function isRequired(sql: Sql, organizationId: string, requirement: Requirement, at: Date): Promise<boolean> {
  if (requirement === "single_sign_on") return (await findPolicy(sql, organizationId)).mode === "required";
  const stored = await findPolicies(sql, organizationId);
  return [stored.settings, policyInForce(stored, at)].some((settings) => (settings?.mfa ?? "optional") !== "optional");
}

/** Queues the notice of an authorized change to the owners. `setting`: the domain, or the name of the connection. */
export async function noticeLifted(
  deps: ComposeDeps,
  sql: Sql,
  organizationId: string,
  { setting, client, at }: { readonly setting: string; readonly client: RequestContext; readonly at: Date },
): Promise<void> {
  const link = `${deps.config.urls.publicBaseUrl}/team/single-sign-on`;
  const values = { setting: inertName(setting), time: noticeTime(at), link };
  await mailOwners(deps, sql, organizationId, { kind: "requirement_lifted", values }, { client, at });
}
