import type { Deps } from "../../deps.ts";
import { isSteppedUp } from "../../flows/steps/sessions/step-up.ts";
import { Button, Form } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { CONTINUED_FORM, type ContinuedForm, clearedFormCookie, continuedFormIn } from "../continued-form.ts";
import { showPage } from "../html.tsx";
import { authenticatedPage, type Page, seeOther } from "../page.ts";
import { HOME } from "../return-to.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView } from "../view.tsx";

function ContinueBody({ form }: { readonly form: ContinuedForm }) {
  const { t } = useView();
  return (
    <Stage after={<a href={form.page}>{t.common.cancel}</a>}>
      <StageHead title={t.stepUp.title} icon="shield" />
      <p>{t.stepUp.verified}</p>
      <Form action={form.action} data-continued="">
        {form.fields.map(([name, value], index) => (
          <input key={`${index}/${name}`} type="hidden" name={name} value={value} />
        ))}
        <Button kind="primary" wide>
          {t.common.continue}
        </Button>
      </Form>
    </Stage>
  );
}

/**
 * `/step-up/continue`: sends the form that waited for the step-up; scripts send the form at once. Without the step-up,
 * as after a cancellation, the way back is the page of the form.
 */
export function continueFormPage(deps: SignedInUserDeps & Pick<Deps, "clock" | "config" | "sealing">): Page {
  return authenticatedPage({
    path: CONTINUED_FORM,
    boundSession: "served",
    async get(call) {
      const { session } = call.caller;
      const form = continuedFormIn(deps, call.cookies, session);
      const cookies = [clearedFormCookie(deps.config)];
      if (!form || !isSteppedUp(deps, session)) return seeOther(form?.page ?? HOME, cookies);
      const { view } = await signedInUser(deps, call);
      const { title } = view.t.stepUp;
      return showPage(view, { title, body: <ContinueBody form={form} />, islands: ["continue-form"], cookies });
    },
  });
}
