/** The action of `/admin/emails/:kind`. */
import type { Deps, EmailDeps } from "../../../deps.ts";
import { type EmailKind, emailKindOf, emailLanguages } from "../../../flows/email/preview-email.ts";
import { sendTestEmail } from "../../../flows/email/send-test-email.ts";
import { actionsOf } from "../../action.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import type { View } from "../../view.tsx";
import type { ConsoleCall } from "../console.tsx";
import { platformCaller, type TargetInput } from "../console-actions.tsx";
import { brandIn } from "./brand-choice.tsx";

/** The email of the address: the kind, the language and the brand. */
export interface ChosenEmail extends ReturnType<typeof brandIn> {
  readonly kind: EmailKind;
  readonly language: string;
  readonly languages: readonly string[];
}

export type EmailPreviewInput = TargetInput<EmailDeps & SignedInUserDeps & Pick<Deps, "outbox">, ChosenEmail>;

export const sendTest = actionsOf<EmailPreviewInput>().action({
  step: "test",
  may: platformCaller,
  run: ({ deps, caller, client, target: { kind, language, tenants } }) =>
    sendTestEmail(deps, { caller, kind, language, tenants, client }),
  done: ["test", ({ t }) => t.emailPreviews.testSent],
  problems: ({ t }) => ({ conflict: t.emailPreviews.notConfirmed }),
});

export const emailPreviewActions = { sendTest };

/** Undefined for an unknown kind. */
export function chosenIn(deps: Pick<Deps, "outbox">, call: ConsoleCall): ChosenEmail | undefined {
  const kind = emailKindOf(call.params.kind ?? "");
  const languages = emailLanguages(deps);
  return kind && { kind, languages, language: languageIn(call, call.view, languages), ...brandIn(call) };
}

/** The language of the query if every email has the language, else the language of the reader. */
function languageIn({ query }: ConsoleCall, { language }: View, languages: readonly string[]): string {
  return languages.find((each) => each === query.text("language")) ?? language;
}
