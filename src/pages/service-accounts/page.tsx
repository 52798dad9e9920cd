import { authorizeServiceAccountReader } from "../../flows/steps/authorization/authorize-machines.ts";
import type { FormState } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import { refusedPage } from "../error.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, pathWith, seeOther } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import {
  type ActDeps,
  changeServiceAccounts,
  problemMessages,
  resultOf,
  serviceAccountFormProblem,
} from "./actions.ts";
import { OneTimeSecretView, ServiceAccountsView } from "./view.tsx";
import { serviceAccountViewModel } from "./view-model.ts";

const MACHINES = "/machines";

type ServiceAccountPageDeps = SignedInUserDeps & ActDeps;

async function viewModelOf(deps: ServiceAccountPageDeps, { caller: { session }, query }: AuthenticatedCall) {
  const reader = await authorizeServiceAccountReader(deps, session, session.organizationId);
  return reader.ok
    ? await serviceAccountViewModel(deps, { place: MACHINES, caller: reader.value, acts: true, query })
    : undefined;
}

/** `/machines`: service accounts with their keys, and webhooks, of the session's organization. */
export function serviceAccountsPage(deps: ServiceAccountPageDeps): Page {
  const show = async (call: AuthenticatedCall, state: FormState, parts: DisplayedParts = {}) => {
    const [{ profile, view }, facts] = await Promise.all([signedInUser(deps, call), viewModelOf(deps, call)]);
    const done = parts.refused === undefined ? resultOf(view, call.query.text("done")) : undefined;
    const again = asksStepUp({ profile }, parts.refused);
    const body = (
      <Shell at={MACHINES} profile={profile}>
        <ServiceAccountsView facts={facts} state={state} done={done} again={again} />
      </Shell>
    );
    return showPage(view, { title: view.t.machines.title, body, islands: ["confirm"], ...parts });
  };
  return authenticatedPage({
    path: MACHINES,
    ofOrganization: true,
    get: (call) => show(call, {}),
    async post(call) {
      const outcome = await changeServiceAccounts(deps, call, call.caller.session.organizationId);
      const who = await signedInUser(deps, call);
      const { profile, view } = who;
      if (outcome.ok) {
        if ("done" in outcome.value) {
          return seeOther(pathWith(MACHINES, { webhook: call.query.text("webhook"), done: outcome.value.done }));
        }
        const title = view.t.machines[outcome.value.title];
        const body = (
          <Shell at={MACHINES} profile={profile}>
            <OneTimeSecretView place={MACHINES} title={title} secret={outcome.value.secret} />
          </Shell>
        );
        return showPage(view, { title, body, islands: ["recovery-codes"] });
      }
      const { error } = outcome;
      const state = serviceAccountFormProblem(who, call, error);
      if (state) return await show(call, state, refusedParts(error));
      return refusedPage(view, error, problemMessages(view, call));
    },
  });
}
