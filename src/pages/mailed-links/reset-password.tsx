import type { Refusal } from "../../base/problem.ts";
import type { SignInDeps } from "../../deps.ts";
import { type PasswordReset, resetPassword } from "../../flows/password/reset.ts";
import { Button, Form, type FormState } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { NewPassword } from "../components/new-password.tsx";
import { Problem } from "../components/notices.tsx";
import { clearedLinkCookie, linkCookie, linkToken } from "../cookies.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type Page, publicPage, seeResult } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { type SiteDeps, useView, type View, viewOf } from "../view.tsx";
import { ANOTHER_LINK, DeadLink, deadParts, isOfAnotherLink, LinkField, NO_LINK, takeToken } from "./mailed-link.tsx";
import { RESET_REVIEW } from "./reset-review.tsx";

const PATH = "/reset-password";

function ResetBody({ state, token }: { readonly state: FormState; readonly token: string }) {
  const { t } = useView();
  return (
    <Stage after={<a href="/sign-in">{t.common.backToSignIn}</a>}>
      <StageHead title={t.reset.title} icon="key" />
      <p>{t.reset.lead}</p>
      <Form action={PATH}>
        <Problem state={state} />
        <LinkField token={token} />
        <NewPassword name="new_password" label={t.reset.password} state={state} autofocus />
        <Button kind="primary" wide>
          {t.reset.action}
        </Button>
      </Form>
    </Stage>
  );
}

function dead(view: View, refused?: Refusal) {
  const { t } = view;
  const body = <DeadLink text={t.reset.dead} action={t.reset.again} href="/forgot-password" />;
  return showPage(view, { title: t.link.dead, body, ...deadParts(view.site.config, PATH, refused) });
}

/** What was set up before the reset is displayed first, then the sign-in. */
function afterReset({ config }: SiteDeps, { reviewToken }: PasswordReset) {
  const cleared = clearedLinkCookie(config, PATH);
  if (reviewToken === undefined) return seeResult("/sign-in?over=1", "reset", [cleared]);
  return seeResult(RESET_REVIEW, "reset", [cleared, linkCookie(config, RESET_REVIEW, reviewToken)]);
}

/** `/reset-password`: where the reset e-mail leads. */
export function resetPasswordPage(deps: SignInDeps & SiteDeps): Page {
  const show = (view: View, token: string, state: FormState, parts: DisplayedParts = {}) =>
    showPage(view, {
      title: view.t.reset.title,
      body: <ResetBody state={state} token={token} />,
      islands: ["password"],
      ...parts,
    });
  return publicPage({
    path: PATH,
    limit: "sign_in",
    get(call) {
      const view = viewOf(deps, call.client);
      const token = linkToken(call.cookies);
      return takeToken(deps, PATH, call) ?? (token ? show(view, token, {}) : dead(view));
    },
    async post(call) {
      const { form, cookies, client } = call;
      const view = viewOf(deps, client);
      const token = linkToken(cookies);
      if (!token) return dead(view, NO_LINK);
      if (isOfAnotherLink(call)) return show(view, token, { problem: view.t.link.another }, refusedParts(ANOTHER_LINK));
      const outcome = await resetPassword(deps, { token, newPassword: form.text("new_password"), client });
      if (outcome.ok) return afterReset(deps, outcome.value);
      const { code, message } = outcome.error;
      if (code === "authentication_required" || code === "not_found" || /^token: /.test(message))
        return dead(view, outcome.error);
      return show(view, token, refusedForm(view, outcome.error, {}), refusedParts(outcome.error));
    },
  });
}
