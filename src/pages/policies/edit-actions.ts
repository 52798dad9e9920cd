/** The actions of `/team/policies/edit`: the form, then the effect of the submitted policies, then the change. */
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
import type { OrganizationCaller } from "../../flows/steps/authorization/authorize-member.ts";
import { authorizePolicyManager, authorizePolicyReader } from "../../flows/steps/authorization/authorize-policies.ts";
import type { Reply } from "../../http/reply.ts";
import { OWN_METHODS, type PolicySettings } from "../../vocabulary/policy-settings.ts";
import { type ActionInput, actionsOf, type Submission } from "../action.ts";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import { confirmsChannels, type Fields } from "../fields.ts";
import { changedForm, refusedForm } from "../problem-messages.ts";
import type { SignedInUser } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { conflictMessage, isPending, type PolicyPageDeps } from "./displayed.ts";
import { type FormLists, settingsIn, startIn, valuesOf, valuesOfForm } from "./form.ts";
import { POLICIES } from "./paths.ts";
import type { NamedClients } from "./setting-texts.ts";

/** What the steps of the form read. */
export interface PolicyForm {
  readonly caller: OrganizationCaller;
  readonly stored: PoliciesNow;
  readonly clients: NamedClients;
  /** The methods with a field. */
  readonly methods: readonly string[];
}

/** The displayed form, or the review of submitted policies. */
export interface PolicyState {
  readonly form: PolicyForm;
  readonly state: FormState;
  /** The effect of the submitted policies; undefined: the form. */
  readonly review?: DisplayedReview;
}

export interface DisplayedReview {
  readonly review: PolicyReview;
  readonly policiesAt: Date | null;
}

export interface PolicyInput extends ActionInput {
  readonly deps: PolicyPageDeps;
  readonly display: (state: PolicyState) => Promise<Reply>;
}

const { action } = actionsOf<PolicyInput, PolicyState>();
const mayEdit = (input: Omit<PolicyInput, "display">) => readPolicyForm(input, authorizePolicyManager);

/** Displays the submitted values in the form again. */
export const editPolicies = action({
  step: "edit",
  may: mayEdit,
  run: () => ok(undefined),
  reply: ({ caller: form, display, fields }) => display({ form, state: { values: submittedValues(form, fields) } }),
  refused: refusedByMay,
});

export const reviewSubmitted = action({
  step: "review",
  may: mayEdit,
  run: reviewOf,
  reply: ({ caller: form, display, fields }, review) =>
    display({ form, state: { values: submittedValues(form, fields) }, review }),
  refused: ({ caller: form, ...request }, refusal) =>
    form ? refusedFields(request, form, refusal) : refusedByMay(request, refusal),
});

export const savePolicies = action({
  step: "save",
  may: mayEdit,
  async run(request) {
    const review = await reviewOf(request);
    if (!review.ok) return review;
    const { deps, caller: form, client, fields } = request;
    return await replacePolicies(deps, {
      ...submittedIn(request),
      caller: form.caller,
      client,
      confirm: fields.has("confirm"),
      confirmChannels: confirmsChannels(fields),
      revision: Number(fields.text("revision")),
    });
  },
  done: ["saved", ({ t }) => t.policies.saved],
  doneAt: POLICIES,
  async refused({ caller: form, ...request }, refusal) {
    if (!form) return await refusedByMay(request, refusal);
    const { deps, fields, view } = request;
    const review = await reviewOf({ ...request, caller: form });
    if (!review.ok) return refusedFields(request, form, review.error);
    const values = submittedValues(form, fields);
    if (refusal.reason === "changed_meanwhile") {
      return { form, state: changedForm(view, values, storedValues(deps, form.stored)) };
    }
    return { form, state: { values, problem: conflictMessage(view, refusal) }, review: review.value };
  },
});

export const editPolicyActions = { editPolicies, reviewSubmitted, savePolicies };

/** The form for a manager of the policies, or for a reader. */
export async function readPolicyForm(
  { deps, call }: Omit<PolicyInput, "display">,
  authorize: typeof authorizePolicyManager,
): Promise<Result<PolicyForm, Refusal>> {
  const { session } = call.caller;
  const caller = await authorize(deps, { session }, session.organizationId);
  if (!caller.ok) return caller;
  const stored = await readPoliciesNow(deps, caller.value);
  const clients = await readPolicyClients(deps, caller.value, stored.settings.approvedClients);
  const methods = knownMethods(deps, stored.settings);
  return ok({ caller: caller.value, stored, clients, methods });
}

/** The methods of the deployment and of the stored policy: a deleted provider can be unselected. */
function knownMethods({ identityProviders }: PolicyPageDeps, { methods }: PolicySettings): readonly string[] {
  return [...new Set([...OWN_METHODS, ...identityProviders.keys(), ...(methods ?? [])])];
}

export function storedValues(deps: PolicyPageDeps, stored: PoliciesNow): Record<string, string> {
  return valuesOf(stored.settings, isPending(deps, stored));
}

type Submitted = PolicyInput & Submission;

function listsOf({ clients, methods }: PolicyForm): FormLists {
  return { clientIds: [...clients.keys()], methods };
}

function submittedValues(form: PolicyForm, fields: Fields): Record<string, string> {
  return valuesOfForm(fields, listsOf(form));
}

function submittedIn({ deps, caller: form, fields }: Submitted & { readonly caller: PolicyForm }) {
  const policiesAt = startIn(fields, form.stored, deps.clock.now());
  return { settings: settingsIn(fields, listsOf(form)), policiesAt };
}

/** The effect of the submitted policies, without a change. */
async function reviewOf(
  request: Submitted & { readonly caller: PolicyForm },
): Promise<Result<DisplayedReview, Refusal>> {
  const { deps, caller: form, client } = request;
  const submitted = submittedIn(request);
  const review = await reviewPolicies(deps, { ...submitted, caller: form.caller, client });
  return review.ok ? ok({ review: review.value, policiesAt: submitted.policiesAt }) : review;
}

/** A form that was refused for a missing second factor is displayed again with the submitted values. */
async function refusedByMay(request: Submitted & SignedInUser, refusal: Refusal): Promise<PolicyState | undefined> {
  const read = asksStepUp(refusal) ? await readPolicyForm(request, authorizePolicyReader) : undefined;
  if (!read?.ok) return undefined;
  return { form: read.value, state: { values: submittedValues(read.value, request.fields) } };
}

function refusedFields(
  { fields, view }: { readonly fields: Fields; readonly view: View },
  form: PolicyForm,
  refusal: Refusal,
): PolicyState {
  const { badDomains, badNetworks, badNumber } = view.t.policies;
  const texts = {
    allowed_ips: badNetworks,
    invite_domains: badDomains,
    mfa_grace_days: badNumber,
    session_max_hours: badNumber,
    session_idle_minutes: badNumber,
    password_min_length: badNumber,
  };
  return { form, state: refusedForm(view, refusal, submittedValues(form, fields), {}, texts) };
}
