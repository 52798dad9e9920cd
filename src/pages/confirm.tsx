import type { Deps } from "../deps.ts";
import type { Profile } from "../models/user/profile.ts";
import { Actions, Button, Check, Form } from "./components/form.tsx";
import { type Place, Shell } from "./components/layout.tsx";
import type { Ask, Question } from "./confirmations.ts";
import { refusedPage } from "./error.tsx";
import { showPage } from "./html.tsx";
import { authenticatedPage, NOTHING_THERE, type Page } from "./page.ts";
import { type SignedInUserDeps, signedInUser } from "./signed-in-user.ts";

interface ConfirmProps {
  readonly profile: Profile;
  readonly at: Place;
  readonly question: Question;
  readonly step: string;
  readonly id: string;
}

/** One markup is a page and, with scripts, a dialog (islands/confirm.ts). */
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

/** `<place>/confirm`: requires confirmation before a destructive action. The form posts to `<place>`. */
export function confirmPage(deps: SignedInUserDeps & Pick<Deps, "clock" | "reads">, at: Place, ask: Ask): Page {
  return authenticatedPage({
    path: `${at}/confirm`,
    async get(call) {
      const who = await signedInUser(deps, call);
      const { profile, view } = who;
      const question = await ask(deps, call, who);
      if (!question) return refusedPage(view, NOTHING_THERE);
      const [step, id] = [call.query.text("step"), call.query.text("id")];
      const body = <ConfirmBody profile={profile} at={at} question={question} step={step} id={id} />;
      return showPage(view, { title: question.title, body });
    },
  });
}
