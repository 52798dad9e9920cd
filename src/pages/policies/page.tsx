import { authorizePolicyReader } from "../../flows/steps/authorization/authorize-policies.ts";
import { holds } from "../../vocabulary/member-power.ts";
import { resultText } from "../action.ts";
import { type ActionPage, actionPage, shellFrame } from "../action-page.tsx";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import type { Page } from "../page.ts";
import { signedInUser } from "../signed-in-user.ts";
import { cancelPending, type PoliciesInput, policyActions } from "./actions.ts";
import { displayedPolicies, policyMessages } from "./displayed.ts";
import { editPolicyActions } from "./edit-actions.ts";
import { PoliciesBody } from "./overview-view.tsx";
import { POLICIES } from "./paths.ts";

const PAGE: ActionPage<PoliciesInput, FormState> = {
  frame: shellFrame(POLICIES),
  actions: policyActions,
  defaultStep: cancelPending.step,
  place: () => POLICIES,
  problems: policyMessages,
  show,
};

/** `/team/policies`: the policies of the session's organization in words, and the settings that wait for a start. */
export function policiesPage(deps: PoliciesInput["deps"]): Page {
  return actionPage(deps, PAGE, { path: POLICIES, ofOrganization: true, get: (call) => show({ deps, call }) });
}

async function show({ deps, call }: PoliciesInput, state: FormState = {}, parts: DisplayedParts = {}) {
  const { session } = call.caller;
  const [{ profile, view }, caller] = await Promise.all([
    signedInUser(deps, call),
    authorizePolicyReader(deps, { session }, session.organizationId),
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
  const done = resultText(view, { ...policyActions, ...editPolicyActions }, call.result);
  return showPage(view, { title: view.t.policies.title, body, done, ...parts });
}
