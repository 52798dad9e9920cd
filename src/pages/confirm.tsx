import type { Deps } from "../deps.ts";
import { type Place, Shell } from "./components/layout.tsx";
import { QuestionForm } from "./components/question.tsx";
import type { Ask } from "./confirmations.ts";
import { refusedPage } from "./error.tsx";
import { showPage } from "./html.tsx";
import { type AuthenticatedPageSpec, authenticatedPage, NOTHING_THERE, type Page } from "./page.ts";
import { type SignedInUserDeps, signedInUser } from "./signed-in-user.ts";

/** `<place>/confirm`: requires confirmation before a destructive action. The form posts to `<place>`. */
export function confirmPage(
  deps: SignedInUserDeps & Pick<Deps, "clock" | "reads">,
  at: Place,
  ask: Ask,
  options: Pick<AuthenticatedPageSpec, "boundSession"> = {},
): Page {
  return authenticatedPage({
    path: `${at}/confirm`,
    ...options,
    async get(call) {
      const who = await signedInUser(deps, call);
      const { profile, view } = who;
      const question = await ask(deps, call, who);
      if (!question) return refusedPage(view, NOTHING_THERE);
      const [step, id] = [call.query.text("step"), call.query.text("id")];
      const body = (
        <Shell at={at} profile={profile} below={question.title}>
          <QuestionForm place={at} {...question} step={step} id={id} />
        </Shell>
      );
      return showPage(view, { title: question.title, body });
    },
  });
}
