/** What the pages of policies share: the displayed policies, and the messages of refusals. */
import type { Refusal } from "../../base/problem.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import type { PolicyDeps } from "../../flows/organization-policies/announce-policy.ts";
import { type PoliciesNow, readPoliciesNow } from "../../flows/organization-policies/policies.ts";
import { readPolicyClients } from "../../flows/organization-policies/read-clients.ts";
import type { OrganizationCaller } from "../../flows/steps/authorization/authorize-member.ts";
import { DEFAULT_POLICY, type PolicySettings } from "../../vocabulary/policy-settings.ts";
import { textAt } from "../page.ts";
import type { ProblemMessages } from "../problem-messages.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import type { NamedClients } from "./setting-texts.ts";

export type PolicyPageDeps = PolicyDeps & SignedInUserDeps & EmailDeps & Pick<Deps, "identityProviders" | "reads">;

export interface DisplayedPolicies {
  /** The settings that count now. */
  readonly inForce: PolicySettings;
  /** The settings that wait for their start. */
  readonly pending: { readonly settings: PolicySettings; readonly from: Date; readonly revision: number } | undefined;
  readonly clients: NamedClients;
}

export function policyMessages({ t: { policies } }: View): ProblemMessages {
  return { forbidden: policies.notYours, payment_required: policies.notIncluded };
}

/** The message of a change that would lock out the caller or every owner, or that follows another change. */
export function conflictMessage({ t }: View, { reason }: Refusal): string {
  if (reason === "policy_emergency") return t.policies.noEmergency;
  return textAt(t.policies.lockOuts, reason ?? "") ?? t.common.changedSince;
}

/** The policies of an organization as its pages and the console display the policies. */
export async function displayedPolicies(
  deps: Pick<Deps, "clock" | "database" | "reads">,
  caller: OrganizationCaller,
): Promise<DisplayedPolicies> {
  const now = await readPoliciesNow(deps, caller);
  const approved = [...now.settings.approvedClients, ...(now.inForce?.approvedClients ?? [])];
  const clients = await readPolicyClients(deps, caller, approved);
  const { settings, policiesAt: from, revision } = now;
  const pending = isPending(deps, now) ? { settings, from, revision } : undefined;
  return { inForce: now.inForce ?? DEFAULT_POLICY, pending, clients };
}

/** Whether the stored settings wait for their start. */
export function isPending({ clock }: Pick<Deps, "clock">, { policiesAt }: PoliciesNow): boolean {
  return policiesAt.getTime() > clock.now();
}
