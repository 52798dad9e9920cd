import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import {
  type PoliciesNow,
  type PolicyReview,
  readPoliciesNow,
  replacePolicies,
  reviewPolicies,
} from "../../flows/organization-policies/policies.ts";
import { readPolicyClients } from "../../flows/organization-policies/read-clients.ts";
import { listSignInProviders } from "../../flows/social-sign-in/start.ts";
import type { MemberCaller } from "../../flows/steps/authorization/authorize-member.ts";
import { authorizePolicyManager, authorizePolicyReader } from "../../flows/steps/authorization/authorize-policies.ts";
import type { Reply } from "../../http/reply.ts";
import { DEFAULT_POLICY, POLICY_METHODS, type PolicyMethod } from "../../vocabulary/organization-policy.ts";
import { stepUpPath } from "../addresses.ts";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import { refusedPage } from "../error.tsx";
import { confirmsChannels } from "../fields.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, type PageReply, seeOther, seeResult } from "../page.ts";
import { changedForm, refusedForm, refusedParts } from "../problem-messages.ts";
import { signedInUser } from "../signed-in-user.ts";
import { settingsIn, startIn, valuesOf, valuesOfForm } from "./form.ts";
import { EditPoliciesBody } from "./form-view.tsx";
import { conflictMessage, isPending, type PolicyPageDeps, policyMessages } from "./page.tsx";
import { EDIT_POLICIES, POLICIES } from "./paths.ts";
import { ReviewBody } from "./review-view.tsx";
import type { NamedClients } from "./setting-texts.ts";

/** What the steps of the form read. */
interface PolicyForm {
  readonly caller: MemberCaller;
  readonly stored: PoliciesNow;
  readonly clients: NamedClients;
}

/** `/team/policies/edit`: the form, then the effect of the submitted policies, then the change. */
export function editPoliciesPage(deps: PolicyPageDeps): Page {
  return authenticatedPage({
    path: EDIT_POLICIES,
    ofOrganization: true,
    async get(call) {
      const edited = await readEdited(deps, call, authorizePolicyManager);
      if (edited.ok) return await showForm(deps, call, edited.value);
      return asksStepUp(edited.error) ? seeOther(stepUpPath(EDIT_POLICIES)) : await refuse(deps, call, edited.error);
    },
    post: (call) => receive(deps, call),
  });
}

async function receive(deps: PolicyPageDeps, call: AuthenticatedCall): Promise<PageReply> {
  const edited = await readEdited(deps, call, authorizePolicyManager);
  if (!edited.ok) return await refuse(deps, call, edited.error);
  const { view } = await signedInUser(deps, call);
  const { caller, stored, clients } = edited.value;
  const { form, client } = call;
  const ids = [...clients.keys()];
  const values = valuesOfForm(form, ids);
  const step = form.text("step");
  if (step === "edit") return await showForm(deps, call, edited.value, { values });
  const submitted = { caller, settings: settingsIn(form, ids), client };
  const policiesAt = startIn(form, stored, deps.clock.now());
  const review = await reviewPolicies(deps, { ...submitted, policiesAt });
  if (!review.ok) {
    const { badDomains, badNetworks, badNumber } = view.t.policies;
    const texts = {
      allowed_ips: badNetworks,
      invite_domains: badDomains,
      mfa_grace_days: badNumber,
      session_max_hours: badNumber,
      session_idle_minutes: badNumber,
      password_min_length: badNumber,
    };
    const state = refusedForm(view, review.error, values, {}, texts);
    return await showForm(deps, call, edited.value, state, refusedParts(review.error));
  }
  const show = (state: FormState, parts?: DisplayedParts) =>
    showReview(deps, call, edited.value, { review: review.value, policiesAt, state, parts });
  if (step !== "save") return await show({ values });
  const revision = Number(form.text("revision"));
  const confirm = form.has("confirm");
  const replaced = await replacePolicies(deps, {
    ...submitted,
    policiesAt,
    confirm,
    confirmChannels: confirmsChannels(form),
    revision,
  });
  if (replaced.ok) return seeResult(POLICIES, "saved");
  const { error } = replaced;
  if (error.reason === "changed_meanwhile") {
    const state = changedForm(view, values, storedValues(deps, stored));
    return await showForm(deps, call, edited.value, state, refusedParts(error));
  }
  return await show({ values, problem: conflictMessage(view, error) }, refusedParts(error));
}

async function readEdited(
  deps: PolicyPageDeps,
  { caller: { session } }: AuthenticatedCall,
  authorize: typeof authorizePolicyManager,
): Promise<Result<PolicyForm, Refusal>> {
  const caller = await authorize(deps, session, session.organizationId);
  if (!caller.ok) return caller;
  const stored = await readPoliciesNow(deps, caller.value);
  const clients = await readPolicyClients(deps, caller.value, stored.settings.approvedClients);
  return ok({ caller: caller.value, stored, clients });
}

/** A form that was refused for a missing second factor is displayed again with the submitted values. */
async function refuse(deps: PolicyPageDeps, call: AuthenticatedCall, error: Refusal): Promise<Reply> {
  const read = asksStepUp(error) ? await readEdited(deps, call, authorizePolicyReader) : undefined;
  if (read?.ok) {
    const values = valuesOfForm(call.form, [...read.value.clients.keys()]);
    return await showForm(deps, call, read.value, { values }, refusedParts(error));
  }
  const { view } = await signedInUser(deps, call);
  return refusedPage(view, error, { ...policyMessages(view), forbidden: view.t.policies.ownersOnly });
}

function storedValues(deps: PolicyPageDeps, stored: PoliciesNow): Record<string, string> {
  return valuesOf(stored.settings, isPending(deps, stored));
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
  const providers = listSignInProviders(deps);
  return POLICY_METHODS.filter(
    (method) => !method.startsWith("oauth_") || providers.includes(method) || settings.methods?.includes(method),
  );
}

interface ReviewStep {
  readonly review: PolicyReview;
  readonly policiesAt: Date | null;
  readonly state: FormState;
  readonly parts?: DisplayedParts | undefined;
}

async function showReview(
  deps: PolicyPageDeps,
  call: AuthenticatedCall,
  { stored, clients }: PolicyForm,
  { review, policiesAt, state, parts = {} }: ReviewStep,
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
