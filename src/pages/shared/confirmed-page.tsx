/** Pages of the account with the order of checks of a credential change: the deletion and the copy of the data. */
import type { VNode } from "preact";
import type { Refusal } from "../../base/problem.ts";
import type { Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { authorizeCredentialChange } from "../../flows/steps/credentials/change-credentials.ts";
import type { Reply } from "../../http/reply.ts";
import { stepUpPath } from "../addresses.ts";
import type { FormState } from "../components/form.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page, seeOther } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { type SignedInUser, type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import type { Texts } from "../texts/catalogue.ts";

/** The form with its problems. Undefined `refusal`: the page refuses the form before the flow. */
export interface FormProblem {
  readonly state: FormState;
  readonly refusal?: Refusal;
}

interface ConfirmedPage {
  readonly path: string;
  /** Also for a session that must set up a second factor first. */
  readonly servesSession?: "enrolment";
  readonly title: (t: Texts) => string;
  /** The sentence of a result of the page. */
  readonly done: (t: Texts, result: string | undefined) => string | undefined;
  readonly body: (call: AuthenticatedCall, user: SignedInUser, state: FormState) => Promise<VNode>;
  readonly submit: (call: AuthenticatedCall, user: SignedInUser) => Promise<Result<Reply, FormProblem>>;
}

/** A refusal for the absent second factor leads through the step-up page back to the form. */
export function confirmedPage(deps: SignedInUserDeps & Pick<Deps, "clock">, page: ConfirmedPage): Page {
  const stepUp = () => seeOther(stepUpPath(page.path));
  const show = async (call: AuthenticatedCall, user: SignedInUser, state: FormState, parts: DisplayedParts = {}) => {
    const { t } = user.view;
    const [title, done] = [page.title(t), page.done(t, call.result)];
    return showPage(user.view, {
      title,
      body: await page.body(call, user, state),
      done,
      islands: ["password"],
      ...parts,
    });
  };
  return authenticatedPage({
    path: page.path,
    ...(page.servesSession && { servesSession: page.servesSession }),
    async get(call) {
      const authorized = await authorizeCredentialChange(deps, call.caller.session);
      if (!authorized.ok && authorized.error.code === "mfa_required") return stepUp();
      return await show(call, await signedInUser(deps, call), {});
    },
    async post(call) {
      const user = await signedInUser(deps, call);
      const outcome = await page.submit(call, user);
      if (outcome.ok) return outcome.value;
      const { state, refusal } = outcome.error;
      if (refusal?.code === "mfa_required") return { ...stepUp(), refused: refusal };
      return await show(call, user, state, refusal ? refusedParts(refusal) : { status: 400 });
    },
  });
}
