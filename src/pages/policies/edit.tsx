import type { PoliciesNow } from "../../flows/organization-policies/policies.ts";
import { listSignInProviders } from "../../flows/social-sign-in/start.ts";
import { authorizePolicyManager } from "../../flows/steps/authorization/authorize-policies.ts";
import type { Reply } from "../../http/reply.ts";
import { DEFAULT_POLICY, OWN_METHODS, type PolicyMethod } from "../../vocabulary/policy-settings.ts";
import { type ActionPage, postAction, shellFrame } from "../action-page.tsx";
import { stepUpPath } from "../addresses.ts";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, seeOther } from "../page.ts";
import { signedInUser } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { isPending, type PolicyPageDeps, policyMessages } from "./displayed.ts";
import {
  type DisplayedReview,
  editPolicyActions,
  type PolicyForm,
  type PolicyInput,
  type PolicyState,
  readPolicyForm,
  reviewSubmitted,
  storedValues,
} from "./edit-actions.ts";
import { EditPoliciesBody } from "./form-view.tsx";
import { EDIT_POLICIES, POLICIES } from "./paths.ts";
import { ReviewBody } from "./review-view.tsx";

const messages = (view: View) => ({ ...policyMessages(view), forbidden: view.t.policies.ownersOnly });

const PAGE: ActionPage<PolicyInput, PolicyState> = {
  frame: shellFrame(POLICIES),
  actions: editPolicyActions,
  defaultStep: reviewSubmitted.step,
  place: () => EDIT_POLICIES,
  problems: messages,
  show: ({ deps, call }, state, parts) => show(deps, call, state, parts),
};

/** `/team/policies/edit`: the form, then the effect of the submitted policies, then the change. */
export function editPoliciesPage(deps: PolicyPageDeps): Page {
  return authenticatedPage({
    path: EDIT_POLICIES,
    ofOrganization: true,
    async get(call) {
      const read = await readPolicyForm({ deps, call }, authorizePolicyManager);
      if (read.ok) return await showForm(deps, call, read.value);
      if (asksStepUp(read.error)) return seeOther(stepUpPath(EDIT_POLICIES));
      const { view } = await signedInUser(deps, call);
      return refusedPage(view, read.error, messages(view));
    },
    post: (call) => postAction(PAGE, { deps, call, display: (state) => show(deps, call, state) }),
  });
}

function show(
  deps: PolicyPageDeps,
  call: AuthenticatedCall,
  { form, state, review }: PolicyState,
  parts: DisplayedParts = {},
): Promise<Reply> {
  return review ? showReview(deps, call, form, { ...review, state, parts }) : showForm(deps, call, form, state, parts);
}

async function showForm(
  deps: PolicyPageDeps,
  call: AuthenticatedCall,
  { stored, clients }: PolicyForm,
  state: FormState = { values: storedValues(deps, stored) },
  parts: DisplayedParts = {},
): Promise<Reply> {
  const { profile, view } = await signedInUser(deps, call);
  const body = (
    <EditPoliciesBody
      profile={profile}
      state={state}
      revision={call.form.text("revision") || String(stored.revision)}
      pendingFrom={isPending(deps, stored) ? stored.policiesAt : undefined}
      methods={offeredMethods(deps, stored)}
      clients={clients}
      address={call.client.ipAddress ?? "–"}
      needsStepUp={asksStepUp(parts.refused)}
    />
  );
  return showPage(view, { title: view.t.policies.change, body, ...parts });
}

/** The methods that the deployment has enabled, and the methods of the stored policy. */
function offeredMethods(deps: PolicyPageDeps, { settings }: PoliciesNow): readonly PolicyMethod[] {
  const offered: readonly string[] = [...OWN_METHODS, ...listSignInProviders(deps), ...(settings.methods ?? [])];
  return [...new Set(offered)];
}

interface ReviewStep extends DisplayedReview {
  readonly state: FormState;
  readonly parts: DisplayedParts;
}

async function showReview(
  deps: PolicyPageDeps,
  call: AuthenticatedCall,
  { stored, clients }: PolicyForm,
  { review, policiesAt, state, parts }: ReviewStep,
): Promise<Reply> {
  const { profile, view } = await signedInUser(deps, call);
  const isAhead = policiesAt !== null && policiesAt.getTime() > deps.clock.now();
  const body = (
    <ReviewBody
      profile={profile}
      review={review}
      inForce={stored.inForce ?? DEFAULT_POLICY}
      start={isAhead ? policiesAt : null}
      clients={clients}
      state={state}
      revision={call.form.text("revision")}
      needsStepUp={asksStepUp(parts.refused)}
    />
  );
  return showPage(view, { title: view.t.policies.review, body, ...parts });
}
