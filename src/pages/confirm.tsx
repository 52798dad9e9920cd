import type { Profile } from "../models/user/profile.ts";
import { Actions, Button, Form } from "./components/form.tsx";
import { type Place, Shell } from "./components/layout.tsx";
import { refusedPage } from "./error.tsx";
import { showPage } from "./html.tsx";
import { type Fields, NOTHING_THERE, type Page, personPage } from "./page.ts";
import { type PersonDeps, personOf } from "./person.ts";
import type { Texts } from "./texts/catalogue.ts";

interface Question {
  readonly title: string;
  readonly text: string;
  readonly action: string;
}

/** What is asked once more, by the `step` of the form that it guards. */
export type Questions = (t: Texts, query: Fields) => Readonly<Record<string, Question>>;

interface ConfirmProps {
  readonly profile: Profile;
  readonly at: Place;
  readonly question: Question;
  readonly step: string;
  readonly id: string;
}

/** The same markup as a page and, with scripts, in a dialog (islands/confirm.ts). */
function ConfirmBody({ profile, at, question, step, id }: ConfirmProps) {
  return (
    <Shell at={at} profile={profile}>
      <div class="panel stack" data-question>
        <h1>{question.title}</h1>
        <p>{question.text}</p>
        <Form action={at}>
          <input type="hidden" name="id" value={id} />
          <Actions cancel={at}>
            <Button kind="bad" name="step" value={step}>
              {question.action}
            </Button>
          </Actions>
        </Form>
      </div>
    </Shell>
  );
}

/** `<place>/confirm`: asks before something is lost. The form is that of the place. */
export function confirmPage(deps: PersonDeps, at: Place, questions: Questions): Page {
  return personPage({
    path: `${at}/confirm`,
    async get(call) {
      const { profile, view } = await personOf(deps, call);
      const step = call.query.text("step");
      const asked = questions(view.t, call.query);
      const question = Object.hasOwn(asked, step) ? asked[step] : undefined;
      if (!question) return refusedPage(view, NOTHING_THERE, call.client.requestId ?? "");
      const body = <ConfirmBody profile={profile} at={at} question={question} step={step} id={call.query.text("id")} />;
      return showPage(view, { title: question.title, body });
    },
  });
}

export const SECURITY_QUESTIONS: Questions = ({ security: t, common }) => ({
  "delete-passkey": { title: t.removePasskeyTitle, text: t.removePasskeyText, action: common.remove },
  "revoke-sessions": { title: t.endOthers, text: t.endOthersText, action: t.endOthers },
});

export const MACHINE_QUESTIONS: Questions = ({ machines: t }, query) => {
  const name = query.text("name");
  return {
    "delete-account": { title: t.deleteAccountTitle(name), text: t.deleteAccountText, action: t.deleteAccount },
    "revoke-key": { title: t.revokeKeyTitle(name), text: t.revokeKeyText, action: t.revokeKey },
    "delete-webhook": { title: t.deleteWebhookTitle(name), text: t.deleteWebhookText, action: t.deleteWebhook },
  };
};

export const TEAM_QUESTIONS: Questions = ({ team: t, common }, query) => ({
  remove: { title: t.removeTitle(query.text("name")), text: t.removeText, action: common.remove },
  leave: { title: t.leaveTitle, text: t.leaveText, action: t.leave },
  revoke: { title: t.revokeTitle(query.text("name")), text: t.revokeText, action: t.revoke },
});
