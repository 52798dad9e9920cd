import { authorizeServiceAccountReader } from "../../flows/steps/authorization/authorize-machines.ts";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import { confirmServiceAccountAction } from "../confirmations.ts";
import type { DisplayedParts } from "../html.tsx";
import { NOTHING_THERE, type Page, pathWith, seeOther } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import {
  type ActDeps,
  changeServiceAccounts,
  problemMessages,
  resultOf,
  serviceAccountFormProblem,
} from "../service-accounts/actions.ts";
import { OneTimeSecretView, ServiceAccountsView } from "../service-accounts/view.tsx";
import { serviceAccountViewModel } from "../service-accounts/view-model.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import { type ConsoleCall, confirmationPage, consolePage, mayAct, refuseConsole, showConsole } from "./console.tsx";

const PLACE = "/admin/machines";

type PlatformServiceAccountDeps = SignedInUserDeps & ActDeps;

/** `/admin/machines`: service accounts with their keys, and webhooks, of the platform. */
export function platformServiceAccountsPage(deps: PlatformServiceAccountDeps): Page {
  const show = async (call: ConsoleCall, state: FormState, parts: DisplayedParts = {}) => {
    const { admin, query, view } = call;
    const reader = await authorizeServiceAccountReader(deps, admin.session, null);
    if (!reader.ok) return refuseConsole(call, reader.error, PLACE);
    const facts = await serviceAccountViewModel(deps, {
      place: PLACE,
      caller: reader.value,
      acts: mayAct(admin),
      query,
    });
    const done = parts.refused === undefined ? resultOf(view, query.text("done")) : undefined;
    const again = asksStepUp(call, parts.refused);
    const body = <ServiceAccountsView facts={facts} state={state} done={done} again={again} />;
    return showConsole(call, { at: PLACE, title: view.t.machines.title, body, islands: ["confirm"], ...parts });
  };
  return consolePage(deps, {
    path: "/admin/machines",
    get: (call) => show(call, {}),
    async post(call) {
      const { view } = call;
      const outcome = await changeServiceAccounts(deps, call, null);
      if (!outcome.ok) {
        const state = serviceAccountFormProblem(call, call, outcome.error);
        if (state) return await show(call, state, refusedParts(outcome.error));
        return refuseConsole(call, outcome.error, PLACE, problemMessages(view, call));
      }
      if ("done" in outcome.value) {
        return seeOther(pathWith(PLACE, { webhook: call.query.text("webhook"), done: outcome.value.done }));
      }
      const title = view.t.machines[outcome.value.title];
      const body = <OneTimeSecretView place={PLACE} title={title} secret={outcome.value.secret} />;
      return showConsole(call, { at: PLACE, inside: true, title, body, islands: ["recovery-codes"] });
    },
  });
}

/** `/admin/machines/confirm`: asks before a program or a webhook of the platform loses something. */
export function confirmPlatformServiceAccountsPage(deps: SignedInUserDeps): Page {
  return consolePage(deps, {
    path: "/admin/machines/confirm",
    async get(call) {
      const { admin, query, view } = call;
      const reader = await authorizeServiceAccountReader(deps, admin.session, null);
      const question = reader.ok ? await confirmServiceAccountAction(deps, reader.value, query, view) : undefined;
      if (!question) return refuseConsole(call, NOTHING_THERE, PLACE);
      const [step, id] = [query.text("step"), query.text("id")];
      return confirmationPage(call, { at: PLACE, place: PLACE, step, id, ...question });
    },
  });
}
