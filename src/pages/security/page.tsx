import { resultText } from "../action.ts";
import { type ActionPage, confirmPage, postAction, shellFrame } from "../action-page.tsx";
import { stepUpPath } from "../addresses.ts";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, seeOther, textAt } from "../page.ts";
import { signedInUser } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { codesStored, passkeyAdded, type SecurityInput, securityActions } from "./actions.ts";
import { SecurityBody } from "./view.tsx";
import { SECURITY, securityViewModel } from "./view-model.ts";

/** The results of further pages that lead here. */
function otherResult({ t }: View, done: string): string | undefined {
  const texts = {
    unlinked: t.security.unlinked,
    company_linked: t.companyAccounts.linkDone,
    review_confirmed: t.credentialReview.confirmed,
    review_ended: t.credentialReview.ended,
    factor_off: t.security.factorRemoved,
    factor_on: t.security.factorDone,
    factor_already: t.security.factorAlready,
  };
  return textAt(texts, done);
}

/** The forms that a session without the factor of its organization may send. */
const ENROLMENT_STEPS: ReadonlySet<string> = new Set([codesStored.step, passkeyAdded.step]);

const PAGE: ActionPage<SecurityInput, FormState> = {
  frame: {
    ...shellFrame(SECURITY),
    refuse: (_, { view }, refusal, own) =>
      asksStepUp(refusal) ? seeOther(stepUpPath(SECURITY)) : refusedPage(view, refusal, own),
  },
  actions: securityActions,
  place: () => SECURITY,
};

/** `/account/security`: second factor, passkeys, trusted browsers, sessions, linked providers. */
export function securityPages(deps: SecurityInput["deps"]): readonly Page[] {
  return [
    authenticatedPage({
      path: SECURITY,
      servesSession: "enrolment",
      get: (call) => show({ deps, call }),
      post: (call) => (isRefusedEnrolment(call) ? seeOther(SECURITY) : postAction(PAGE, { deps, call })),
    }),
    confirmPage(deps, PAGE, { path: "/account/security/confirm" }),
  ];
}

function isRefusedEnrolment({ caller, form }: AuthenticatedCall): boolean {
  return caller.session.enrolmentOnly && !ENROLMENT_STEPS.has(form.text("step"));
}

async function show({ deps, call }: SecurityInput) {
  const [{ profile, view }, viewModel] = await Promise.all([signedInUser(deps, call), securityViewModel(deps, call)]);
  const done = resultText(view, securityActions, call.result) ?? otherResult(view, call.result);
  const body = <SecurityBody profile={profile} viewModel={viewModel} />;
  const islands = ["passkey-add", "passkey-signals", "confirm"] as const;
  return showPage(view, { title: view.t.security.title, body, done, islands });
}
