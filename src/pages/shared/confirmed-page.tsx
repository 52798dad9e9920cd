/** Pages of the account with the order of checks of a credential change: the deletion and the copy of the data. */
import type { VNode } from "preact";
import type { Deps } from "../../deps.ts";
import { authorizeCredentialChange } from "../../flows/steps/credentials/change-credentials.ts";
import type { Reply } from "../../http/reply.ts";
import { type Actions, resultText } from "../action.ts";
import { type ActionPage, actionPage, shellFrame } from "../action-page.tsx";
import { stepUpPath } from "../addresses.ts";
import type { FormState } from "../components/form.tsx";
import { asksStepUp } from "../components/step-up-again.tsx";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type AuthenticatedCall, type Page, seeOther } from "../page.ts";
import { type SignedInUser, type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import type { Texts } from "../texts/catalogue.ts";

type CommonDeps = SignedInUserDeps & Pick<Deps, "clock">;

interface Input<Dependencies extends CommonDeps> {
  readonly deps: Dependencies;
  readonly call: AuthenticatedCall;
}

interface ConfirmedPage<Dependencies extends CommonDeps> {
  readonly path: string;
  /** Also for a session that must set up a second factor first. */
  readonly servesSession?: "enrolment";
  readonly title: (t: Texts) => string;
  readonly body: (input: Input<Dependencies>, user: SignedInUser, state: FormState) => Promise<VNode>;
  readonly actions: Actions<Input<Dependencies>>;
  /** The step of a form without a step. */
  readonly defaultStep: string;
}

/** A refusal for the absent second factor leads through the step-up page back to the form. */
export function confirmedPage<Dependencies extends CommonDeps>(
  deps: Dependencies,
  { path, servesSession, title, body, ...spec }: ConfirmedPage<Dependencies>,
): Page {
  const stepUp = () => seeOther(stepUpPath(path));
  const show = async (input: Input<Dependencies>, state: FormState, parts: DisplayedParts = {}): Promise<Reply> => {
    if (parts.refused && asksStepUp(parts.refused)) return { ...stepUp(), refused: parts.refused };
    const { call } = input;
    const user = await signedInUser(deps, call);
    return showPage(user.view, {
      title: title(user.view.t),
      body: await body(input, user, state),
      done: resultText(user.view, spec.actions, call.result),
      islands: ["password"],
      ...parts,
    });
  };
  const page: ActionPage<Input<Dependencies>, FormState> = {
    ...spec,
    frame: shellFrame("/account"),
    place: () => path,
    show,
  };
  return actionPage(deps, page, {
    path,
    ...(servesSession && { servesSession }),
    async get(call) {
      const authorized = await authorizeCredentialChange(deps, call.caller.session);
      if (!authorized.ok && authorized.error.code === "mfa_required") return stepUp();
      return await show({ deps, call }, {});
    },
  });
}
