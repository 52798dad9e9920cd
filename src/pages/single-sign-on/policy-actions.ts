/** The actions of `/team/single-sign-on/policy`. */
import type { NamedChannel, Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import { previewPolicy, readEmergencyCandidates, readPolicy, replacePolicy } from "../../flows/sso/policy/replace.ts";
import type { OrganizationCaller } from "../../flows/steps/authorization/authorize-member.ts";
import { authorizeSsoManager, authorizeSsoReader } from "../../flows/steps/authorization/authorize-sso.ts";
import { listChannels } from "../../flows/steps/channels/list-channels.ts";
import type { Reply } from "../../http/reply.ts";
import type { Coverage, EmergencyCandidate } from "../../models/sso-policy/enforcement.ts";
import type { SsoPolicy } from "../../models/sso-policy/sso-policy.ts";
import { holds } from "../../vocabulary/member-power.ts";
import { type ActionInput, actionsOf, type Submission } from "../action.ts";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import { confirmsChannels } from "../fields.ts";
import type { AuthenticatedCall } from "../page.ts";
import { changedForm, refusedForm } from "../problem-messages.ts";
import { presentVersionIn } from "../shared/displayed-version.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { policyIn, valuesOfForm, valuesOfPolicy } from "./policy-form.ts";

/** What the page displays in place of the stored policy. */
export interface SsoPolicyState {
  readonly state?: FormState;
  /** The effect of the submitted settings. */
  readonly coverage?: Coverage;
}

export interface SsoPolicyInput extends ActionInput {
  readonly deps: SignedInUserDeps &
    EmailDeps &
    Pick<Deps, "clock" | "config" | "database" | "random" | "revocations" | "ssoDirectory">;
  readonly display: (state: SsoPolicyState) => Promise<Reply>;
}

type Submitted = SsoPolicyInput & Submission;
type Managed = Submitted & { readonly caller: OrganizationCaller };

const { action } = actionsOf<SsoPolicyInput, SsoPolicyState>();
const mayManage = ({ deps, call: { caller } }: SsoPolicyInput) =>
  authorizeSsoManager(deps, caller, caller.session.organizationId, "policies.manage");

/** Displays the coverage of the submitted settings without a change. */
export const previewSsoPolicy = action({
  step: "preview",
  may: mayManage,
  async run(request: Managed) {
    const settings = await submittedSettings(request);
    if (!settings.ok) return settings;
    return await previewPolicy(request.deps, { caller: request.caller, settings: settings.value });
  },
  reply: async ({ display, ...request }, coverage) =>
    display({ state: { values: await submittedValues(request) }, coverage }),
  refused: refusedPolicy,
});

export const saveSsoPolicy = action({
  step: "save",
  may: mayManage,
  async run(request: Managed) {
    const { deps, caller, client, fields } = request;
    const settings = await submittedSettings(request);
    if (!settings.ok) return settings;
    return await replacePolicy(deps, {
      caller,
      settings: settings.value,
      confirm: confirmsChannels(fields),
      displayed: presentVersionIn(fields),
      client,
    });
  },
  done: ["saved", ({ t }) => t.ssoPolicy.saved],
  refused: refusedPolicy,
});

export const ssoPolicyActions = { previewSsoPolicy, saveSsoPolicy };

async function submittedSettings({ deps, call, caller, fields }: Managed) {
  const [stored, candidates] = await Promise.all([readPolicy(deps, caller), readEmergencyCandidates(deps, caller)]);
  if (!stored.ok) return stored;
  const [ownerId, now] = [call.caller.session.userId, deps.clock.now()];
  return ok(policyIn(fields, { stored: stored.value, candidates, ownerId, now }));
}

async function submittedValues({ deps, call, fields }: Omit<Submitted, "display">) {
  return valuesOfForm(fields, await readEmergencyCandidates(deps, call.caller.session));
}

async function refusedPolicy(
  request: Submitted & { readonly view: View },
  refusal: Refusal,
): Promise<SsoPolicyState | undefined> {
  const { deps, call, view } = request;
  const { badRules, notReady } = view.t.ssoPolicy;
  const values = await submittedValues(request);
  if (asksStepUp(refusal)) return { state: { values } };
  if (refusal.reason === "changed_meanwhile") {
    const stored = await readSsoPolicy(deps, call);
    return { state: changedForm(view, values, stored.ok ? valuesOfPolicy(stored.value.policy) : {}) };
  }
  if (refusal.code === "conflict") return { state: { values, problem: notReady } };
  if (refusal.code !== "invalid_input") return undefined;
  return { state: refusedForm(view, refusal, values, {}, { role_rules: badRules }) };
}

export interface ReadSsoPolicy {
  readonly policy: SsoPolicy;
  /** The role of the user changes the policy. */
  readonly isManager: boolean;
  /** The owners fit for emergency access. */
  readonly candidates: readonly EmergencyCandidate[];
  /** The connections and domains whose users get the roles. */
  readonly channels: readonly NamedChannel[];
}

export async function readSsoPolicy(
  deps: SsoPolicyInput["deps"],
  { caller: { session } }: AuthenticatedCall,
): Promise<Result<ReadSsoPolicy, Refusal>> {
  const caller = await authorizeSsoReader(deps, { session }, session.organizationId);
  if (!caller.ok) return caller;
  const policy = await readPolicy(deps, caller.value);
  if (!policy.ok) return policy;
  const [candidates, channels] = await Promise.all([
    readEmergencyCandidates(deps, caller.value),
    listChannels(deps, session.organizationId, ["role_rule", "claimed_domain"]),
  ]);
  return ok({ policy: policy.value, isManager: holds(caller.value, "policies.manage"), candidates, channels });
}
