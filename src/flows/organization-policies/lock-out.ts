/** A policy must lock out neither the caller nor all owners (docs/contract.md, section 33.6). */
import { isInNetworks } from "../../base/ip-ranges.ts";
import { type ProblemReason, type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import { lockName } from "../../database/statement.ts";
import {
  findOwnMethods,
  lockEmergencyAccess,
  type OwnMethods,
  ownerComplies,
} from "../../models/organization-policy/affected-members.ts";
import { ssoPolicyLock } from "../../models/sso-policy/policy-lock.ts";
import type { PolicySettings } from "../../vocabulary/policy-settings.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";

const WITHOUT_ADDRESS = lockOut("policy_address", "allowed_ips: your own address is in none of the ranges.");
const WITHOUT_METHOD = lockOut("policy_methods", "methods: you can use none of the methods.");
const WITHOUT_PASSKEY = lockOut("policy_passkey", "mfa: phishing_resistant needs a passkey of your own.");
const WITHOUT_OWNER = lockOut("policy_owners", "The policy would lock out every owner.");
const WITHOUT_EMERGENCY_ACCESS = lockOut(
  "policy_emergency",
  "confirm needs a user with emergency access (break_glass of the policy for single sign-on).",
);

function lockOut(reason: ProblemReason, message: string): Refusal<"conflict"> {
  return { ...refusal("conflict", message), reason };
}

export interface PolicyAttempt {
  readonly caller: OrganizationCaller;
  readonly settings: PolicySettings;
  readonly address: string | null;
  readonly confirm: boolean;
  readonly at: Date;
}

/** A policy that locks nobody out, or that relies on the owners with emergency access. */
export interface AcceptedPolicy {
  readonly reliesOnEmergencyAccess: boolean;
}

/**
 * Refuses a policy that would lock out the caller or every owner, unless the caller confirms and a user with emergency
 * access exists. Inside the transaction of the change, which keeps that user until the end.
 */
export async function acceptPolicy(
  sql: Sql,
  attempt: PolicyAttempt,
): Promise<Result<AcceptedPolicy, Refusal<"conflict">>> {
  const problem = await findLockOut(sql, attempt);
  if (!problem) return ok({ reliesOnEmergencyAccess: false });
  if (!attempt.confirm) return err(problem);
  const { organizationId } = attempt.caller;
  await lockName(sql, ssoPolicyLock(organizationId));
  return (await lockEmergencyAccess(sql, organizationId))
    ? ok({ reliesOnEmergencyAccess: true })
    : err(WITHOUT_EMERGENCY_ACCESS);
}

/** The lock-out of the caller or of every owner by the settings; undefined: none. */
export async function findLockOut(
  sql: Sql,
  { caller, settings, address, at }: Omit<PolicyAttempt, "confirm">,
): Promise<Refusal<"conflict"> | undefined> {
  const { allowedIps } = settings;
  const { session } = caller;
  // Policies concern sessions: a program locks itself out by none.
  if (session && allowedIps.length > 0 && !isInNetworks(allowedIps, address)) return WITHOUT_ADDRESS;
  const own = session && !session.organizationBound ? await findOwnMethods(sql, session.userId) : undefined;
  const missing = own && missingMethod(own, settings);
  if (missing || caller.role === "owner") return missing;
  return (await ownerComplies(sql, caller.organizationId, settings, at)) ? undefined : WITHOUT_OWNER;
}

function missingMethod(own: OwnMethods, { methods, mfa }: PolicySettings): Refusal<"conflict"> | undefined {
  if (methods && !methods.some((method) => own.methods.includes(method))) return WITHOUT_METHOD;
  return mfa === "phishing_resistant" && !own.hasPasskey ? WITHOUT_PASSKEY : undefined;
}
