/** The actions of `/account/export`. */
import type { Refusal } from "../../base/problem.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { authorizeDownload } from "../../flows/data-exports/authorize-download.ts";
import { downloadExport } from "../../flows/data-exports/download.ts";
import { requestOwnExport } from "../../flows/data-exports/request.ts";
import { streamReply } from "../../http/reply.ts";
import type { Profile } from "../../models/user/profile.ts";
import { type ActionInput, actionsOf, ownAccount } from "../action.ts";
import type { FormState } from "../components/form.tsx";
import { messageOf, refusedForm } from "../problem-messages.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import type { View } from "../view.tsx";

export interface ExportInput extends ActionInput {
  readonly deps: SignInDeps & SignedInUserDeps & Pick<Deps, "dataRequests">;
}

const { action } = actionsOf<ExportInput>();
const OWN_DATA_HEADERS = { "content-disposition": 'attachment; filename="my-data.json"' };

export const requestExport = action({
  step: "request",
  may: ownAccount,
  run: ({ deps, caller, client, fields }) =>
    requestOwnExport(deps, { caller, password: fields.text("password") || undefined, client }),
  done: ["requested", ({ t }) => t.dataExport.requested],
  refused: ({ profile, view }, refusal) => stateOf(view, refusal, profile),
});

/** A form, so that the step-up continues with the download. */
export const downloadCopy = action({
  step: "download",
  may: ({ deps, call: { caller } }) => authorizeDownload(deps, caller.session),
  run: ({ deps, caller: authorized, fields }) => downloadExport(deps, { authorized, id: fields.text("id") }),
  reply: (_, copy) => streamReply(200, "application/json", copy, { headers: OWN_DATA_HEADERS }),
  refused({ view }, refusal) {
    const { signInAgain } = view.t.dataExport;
    return { problem: messageOf(view, refusal, { authentication_required: signInAgain }) };
  },
});

export const exportActions = { requestExport, downloadCopy };

function stateOf(view: View, refusal: Refusal, { hasPassword }: Profile): FormState {
  const { dataExport: t, account } = view.t;
  const { code, bound, retryAfterSeconds } = refusal;
  if (bound === "data_exports") return { problem: t.limited({ span: view.dates.span(retryAfterSeconds ?? 0) }) };
  if (code === "authentication_required" && hasPassword) return { errors: { password: account.wrongPassword } };
  const problem = messageOf(view, refusal, { authentication_required: t.signInAgain });
  return { ...refusedForm(view, refusal, {}), problem };
}
