import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import type { PolicyDeps } from "../../flows/organization-policies/announce-policy.ts";
import { type PoliciesNow, readPoliciesNow, replacePolicies } from "../../flows/organization-policies/policies.ts";
import { readPolicyClients } from "../../flows/organization-policies/read-clients.ts";
import type { OrganizationCaller } from "../../flows/steps/authorization/authorize-member.ts";
import { authorizePolicyManager, authorizePolicyReader } from "../../flows/steps/authorization/authorize-policies.ts";
import { holds } from "../../vocabulary/member-power.ts";
import { DEFAULT_POLICY } from "../../vocabulary/organization-policy.ts";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, seeResult, textAt } from "../page.ts";
import { type ProblemMessages, refusedParts } from "../problem-messages.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { type DisplayedPolicies, PoliciesBody } from "./overview-view.tsx";
import { POLICIES } from "./paths.ts";

export type PolicyPageDeps = PolicyDeps & SignedInUserDeps & EmailDeps & Pick<Deps, "identityProviders" | "reads">;

export function policyMessages({ t: { policies } }: View): ProblemMessages {
  return { forbidden: policies.notYours, payment_required: policies.notIncluded };
}

/** The message of a change that would lock out the caller or every owner, or that follows another change. */
export function conflictMessage({ t }: View, { reason }: Refusal): string {
  if (reason === "policy_emergency") return t.policies.noEmergency;
  return textAt(t.policies.lockOuts, reason ?? "") ?? t.common.changedSince;
}

/** `/team/policies`: the policies of the session's organization in words, and the settings that wait for a start. */
export function policiesPage(deps: PolicyPageDeps): Page {
  const show = async (call: AuthenticatedCall, state: FormState = {}, parts: DisplayedParts = {}) => {
    const { session } = call.caller;
    const [{ profile, view }, caller] = await Promise.all([
      signedInUser(deps, call),
      authorizePolicyReader(deps, session, session.organizationId),
    ]);
    if (!caller.ok) return refusedPage(view, caller.error, policyMessages(view));
    const body = (
      <PoliciesBody
        profile={profile}
        policies={await displayedPolicies(deps, caller.value)}
        isManager={holds(caller.value, "policies.manage")}
        state={state}
        needsStepUp={asksStepUp(parts.refused)}
      />
    );
    const { cancelled, saved, title } = view.t.policies;
    return showPage(view, { title, body, done: textAt({ cancelled, saved }, call.result), ...parts });
  };
  return authenticatedPage({
    path: POLICIES,
    ofOrganization: true,
    get: (call) => show(call),
    async post(call) {
      const outcome = await cancelPending(deps, call);
      if (outcome.ok) return seeResult(POLICIES, "cancelled");
      const { error } = outcome;
      if (asksStepUp(error)) return await show(call, {}, refusedParts(error));
      const { view } = await signedInUser(deps, call);
      if (error.code !== "conflict") return refusedPage(view, error, policyMessages(view));
      return await show(call, { problem: conflictMessage(view, error) }, refusedParts(error));
    },
  });
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

/** Replaces the settings that wait by the settings in force. A confirmed lock-out remains confirmed. */
async function cancelPending(
  deps: PolicyPageDeps,
  { caller: { session }, form, client }: AuthenticatedCall,
): Promise<Result<undefined, Refusal>> {
  const caller = await authorizePolicyManager(deps, session, session.organizationId);
  if (!caller.ok) return caller;
  const stored = await readPoliciesNow(deps, caller.value);
  if (!isPending(deps, stored)) return ok(undefined);
  const settings = stored.inForce ?? DEFAULT_POLICY;
  const confirm = stored.inForce?.reliesOnEmergencyAccess ?? false;
  const revision = Number(form.text("revision"));
  const submitted = { settings, policiesAt: null, confirm, revision, client };
  const replaced = await replacePolicies(deps, { caller: caller.value, ...submitted });
  return replaced.ok ? ok(undefined) : replaced;
}
