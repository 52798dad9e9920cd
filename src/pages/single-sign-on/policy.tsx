import type { Reply } from "../../http/reply.ts";
import { resultText } from "../action.ts";
import { type ActionPage, postAction, shellFrame } from "../action-page.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page } from "../page.ts";
import { signedInUser } from "../signed-in-user.ts";
import { ssoMessages } from "./parts.tsx";
import { SSO, SSO_POLICY } from "./paths.ts";
import {
  readSsoPolicy,
  type SsoPolicyInput,
  type SsoPolicyState,
  saveSsoPolicy,
  ssoPolicyActions,
} from "./policy-actions.ts";
import { valuesOfPolicy } from "./policy-form.ts";
import { PolicyBody } from "./policy-view.tsx";

type PolicyDeps = SsoPolicyInput["deps"];

const PAGE: ActionPage<SsoPolicyInput, SsoPolicyState> = {
  frame: shellFrame(SSO),
  actions: ssoPolicyActions,
  defaultStep: saveSsoPolicy.step,
  place: () => SSO_POLICY,
  problems: (view) => ({ ...ssoMessages(view), forbidden: view.t.ssoPolicy.ownersOnly }),
  show: ({ deps, call }, state, parts) => show(deps, call, state, parts),
};

/** `/team/single-sign-on/policy`: the policy of the session's organization; an owner changes the policy. */
export function ssoPolicyPage(deps: PolicyDeps): Page {
  return authenticatedPage({
    path: SSO_POLICY,
    ofOrganization: true,
    get: (call) => show(deps, call),
    post: (call) => postAction(PAGE, { deps, call, display: (state) => show(deps, call, state) }),
  });
}

async function show(
  deps: PolicyDeps,
  call: AuthenticatedCall,
  { state, coverage }: SsoPolicyState = {},
  parts: DisplayedParts = {},
): Promise<Reply> {
  const [{ profile, view }, found] = await Promise.all([signedInUser(deps, call), readSsoPolicy(deps, call)]);
  if (!found.ok) return refusedPage(view, found.error, ssoMessages(view));
  const { policy } = found.value;
  const body = (
    <PolicyBody
      profile={profile}
      state={state ?? { values: valuesOfPolicy(policy) }}
      coverage={coverage}
      needsStepUp={asksStepUp(parts.refused)}
      {...found.value}
    />
  );
  const done = resultText(view, ssoPolicyActions, call.result);
  return showPage(view, { title: view.t.ssoPolicy.title, body, done, ...parts });
}
