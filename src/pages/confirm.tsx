import type { Deps } from "../deps.ts";
import type { Profile } from "../models/user/profile.ts";
import { Actions, Button, Check, Form } from "./components/form.tsx";
import { type Place, Shell } from "./components/layout.tsx";
import { refusedPage } from "./error.tsx";
import { showPage } from "./html.tsx";
import { NOTHING_THERE, type Page, personPage } from "./page.ts";
import { type PersonDeps, personOf } from "./person.ts";
import type { Ask, Question } from "./questions.ts";

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
          {question.choices?.map(({ name, label }) => (
            <Check key={name} name={name} label={label} state={{}} />
          ))}
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
export function confirmPage(deps: PersonDeps & Pick<Deps, "clock" | "reads">, at: Place, ask: Ask): Page {
  return personPage({
    path: `${at}/confirm`,
    async get(call) {
      const who = await personOf(deps, call);
      const { profile, view } = who;
      const question = await ask(deps, call, who);
      if (!question) return refusedPage(view, NOTHING_THERE);
      const [step, id] = [call.query.text("step"), call.query.text("id")];
      const body = <ConfirmBody profile={profile} at={at} question={question} step={step} id={id} />;
      return showPage(view, { title: question.title, body });
    },
  });
}
