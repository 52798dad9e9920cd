/** The action of `/team/policies`. */
import { ok } from "../../base/result.ts";
import { readPoliciesNow, replacePolicies } from "../../flows/organization-policies/policies.ts";
import { authorizePolicyManager } from "../../flows/steps/authorization/authorize-policies.ts";
import { DEFAULT_POLICY } from "../../vocabulary/policy-settings.ts";
import { type ActionInput, actionsOf } from "../action.ts";
import { asksStepUp } from "../components/step-up-again.tsx";
import { conflictMessage, isPending, type PolicyPageDeps } from "./displayed.ts";

export interface PoliciesInput extends ActionInput {
  readonly deps: PolicyPageDeps;
}

/** Replaces the settings that wait by the settings in force. A confirmed lock-out remains confirmed. */
export const cancelPending = actionsOf<PoliciesInput>().action({
  step: "cancel",
  may: ({ deps, call: { caller } }) => authorizePolicyManager(deps, caller, caller.session.organizationId),
  async run({ deps, caller, client, fields }) {
    const stored = await readPoliciesNow(deps, caller);
    if (!isPending(deps, stored)) return ok(undefined);
    const settings = stored.inForce ?? DEFAULT_POLICY;
    const confirm = stored.inForce?.reliesOnEmergencyAccess ?? false;
    const revision = Number(fields.text("revision"));
    return await replacePolicies(deps, { caller, settings, policiesAt: null, confirm, revision, client });
  },
  done: ["cancelled", ({ t }) => t.policies.cancelled],
  refused({ view }, refusal) {
    if (asksStepUp(refusal)) return {};
    return refusal.code === "conflict" ? { problem: conflictMessage(view, refusal) } : undefined;
  },
});

export const policyActions = { cancelPending };
