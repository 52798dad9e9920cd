import type { NamedChannel, Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import { previewPolicy, readEmergencyCandidates, readPolicy, replacePolicy } from "../../flows/sso/policy/replace.ts";
import { authorizeSsoManager, authorizeSsoReader } from "../../flows/steps/authorization/authorize-sso.ts";
import { listChannels } from "../../flows/steps/channels/list-channels.ts";
import type { Coverage, EmergencyCandidate } from "../../models/sso-policy/enforcement.ts";
import type { SsoPolicy } from "../../models/sso-policy/sso-policy.ts";
import { holds } from "../../vocabulary/member-power.ts";
import type { FormState } from "../components/form.tsx";
import { refusedPage } from "../error.tsx";
import { confirmsChannels } from "../fields.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, seeResult, textAt } from "../page.ts";
import { changedForm, refusedForm, refusedParts } from "../problem-messages.ts";
import { presentVersionIn } from "../shared/displayed-version.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { ssoMessages } from "./parts.tsx";
import { SSO_POLICY } from "./paths.ts";
import { policyIn, valuesOfForm, valuesOfPolicy } from "./policy-form.ts";
import { PolicyBody } from "./policy-view.tsx";

type PolicyDeps = SignedInUserDeps &
  EmailDeps &
  Pick<Deps, "clock" | "config" | "database" | "random" | "revocations" | "ssoDirectory">;

/** `/team/single-sign-on/policy`: the policy of the session's organization; an owner changes the policy. */
export function ssoPolicyPage(deps: PolicyDeps): Page {
  const show = async (
    call: AuthenticatedCall,
    state?: FormState,
    parts: DisplayedParts = {},
    coverage: Coverage | undefined = undefined,
  ) => {
    const [{ profile, view }, found] = await Promise.all([signedInUser(deps, call), policyOf(deps, call)]);
    if (!found.ok) return refusedPage(view, found.error, ssoMessages(view));
    const { policy, isManager, candidates, channels } = found.value;
    const body = (
      <PolicyBody
        profile={profile}
        state={state ?? { values: valuesOfPolicy(policy) }}
        policy={policy}
        candidates={candidates}
        channels={channels}
        coverage={coverage}
        isManager={isManager}
        needsStepUp={parts.refused?.code === "mfa_required"}
      />
    );
    const done = textAt({ saved: view.t.ssoPolicy.saved }, call.result);
    return showPage(view, { title: view.t.ssoPolicy.title, body, done, ...parts });
  };
  return authenticatedPage({
    path: SSO_POLICY,
    ofOrganization: true,
    get: (call) => show(call),
    async post(call) {
      const outcome = await save(deps, call);
      const candidates = await readEmergencyCandidates(deps, call.caller.session);
      const values = valuesOfForm(call.form, candidates);
      if (outcome.ok && outcome.value) return await show(call, { values }, {}, outcome.value);
      if (outcome.ok) return seeResult(SSO_POLICY, "saved");
      const { view } = await signedInUser(deps, call);
      if (outcome.error.code === "mfa_required") return await show(call, { values }, refusedParts(outcome.error));
      if (outcome.error.reason === "changed_meanwhile") {
        const stored = await policyOf(deps, call);
        const state = changedForm(view, values, stored.ok ? valuesOfPolicy(stored.value.policy) : {});
        return await show(call, state, refusedParts(outcome.error));
      }
      if (outcome.error.code === "conflict") {
        return await show(call, { values, problem: view.t.ssoPolicy.notReady }, refusedParts(outcome.error));
      }
      if (outcome.error.code !== "invalid_input") {
        return refusedPage(view, outcome.error, { ...ssoMessages(view), forbidden: view.t.ssoPolicy.ownersOnly });
      }
      const texts = { role_rules: view.t.ssoPolicy.badRules };
      return await show(call, refusedForm(view, outcome.error, values, {}, texts), refusedParts(outcome.error));
    },
  });
}

/** Saves the form, or returns the coverage of the submitted settings without a change. */
async function save(
  deps: PolicyDeps,
  { caller: user, form, client }: AuthenticatedCall,
): Promise<Result<Coverage | undefined, Refusal>> {
  const caller = await authorizeSsoManager(deps, user.session, user.session.organizationId, "policies.manage");
  if (!caller.ok) return caller;
  const [stored, candidates] = await Promise.all([
    readPolicy(deps, caller.value),
    readEmergencyCandidates(deps, caller.value),
  ]);
  if (!stored.ok) return stored;
  const [ownerId, now] = [user.session.userId, deps.clock.now()];
  const settings = policyIn(form, { stored: stored.value, candidates, ownerId, now });
  if (form.text("step") === "preview") return await previewPolicy(deps, { caller: caller.value, settings });
  const replaced = await replacePolicy(deps, {
    caller: caller.value,
    settings,
    confirm: confirmsChannels(form),
    displayed: presentVersionIn(form),
    client,
  });
  return replaced.ok ? ok(undefined) : replaced;
}

interface ReadPolicy {
  readonly policy: SsoPolicy;
  /** The role of the user changes the policy. */
  readonly isManager: boolean;
  /** The owners fit for emergency access. */
  readonly candidates: readonly EmergencyCandidate[];
  /** The connections and domains whose users get the roles. */
  readonly channels: readonly NamedChannel[];
}

async function policyOf(
  deps: PolicyDeps,
  { caller: { session } }: AuthenticatedCall,
): Promise<Result<ReadPolicy, Refusal>> {
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
