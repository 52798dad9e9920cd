/** The action of `/account/security/review`. */
import type { Refusal } from "../../base/problem.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { closeReview } from "../../flows/credential-review/close.ts";
import { authorizeCredentialChange } from "../../flows/steps/credentials/change-credentials.ts";
import type { Profile } from "../../models/user/profile.ts";
import { type ActionInput, actionsOf } from "../action.ts";
import type { FormState } from "../components/form.tsx";
import { type Fields, seeResult } from "../page.ts";
import { messageOf, refusedForm } from "../problem-messages.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { SECURITY } from "./view-model.ts";

export interface ReviewInput extends ActionInput {
  readonly deps: SignInDeps & SignedInUserDeps & Pick<Deps, "clock">;
}

/** Both buttons press the action, with the field `decision`. */
export const closeOwnReview = actionsOf<ReviewInput>().action({
  step: "close",
  may: ({ deps, call: { caller } }) => authorizeCredentialChange(deps, caller.session),
  run: ({ deps, call, caller: authorized, client, fields }) =>
    closeReview(deps, {
      caller: call.caller.session,
      authorized,
      password: fields.text("password") || undefined,
      client,
      decision: decisionIn(fields),
    }),
  reply: ({ fields }) => seeResult(SECURITY, decisionIn(fields) === "end" ? "review_ended" : "review_confirmed"),
  refused: ({ caller, profile, view }, refusal) => (caller ? stateOf(view, refusal, profile) : {}),
});

export const reviewActions = { closeOwnReview };

function decisionIn(fields: Fields): "confirm" | "end" {
  return fields.text("decision") === "end" ? "end" : "confirm";
}

function stateOf(view: View, refusal: Refusal, { hasPassword }: Profile): FormState {
  const { account, dataExport } = view.t;
  if (refusal.code === "authentication_required" && hasPassword) return { errors: { password: account.wrongPassword } };
  const problem = messageOf(view, refusal, { authentication_required: dataExport.signInAgain });
  return { ...refusedForm(view, refusal, {}), problem };
}
