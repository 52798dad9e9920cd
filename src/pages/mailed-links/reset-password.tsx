import type { Refusal } from "../../base/problem.ts";
import type { SignInDeps } from "../../deps.ts";
import { readMailedLink } from "../../flows/email/read-mailed-link.ts";
import { type PasswordReset, resetPassword } from "../../flows/password/reset.ts";
import { Button, Form, type FormState } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { NEW_PASSWORD_ISLANDS, NewPassword } from "../components/new-password.tsx";
import { Problem } from "../components/notices.tsx";
import { clearedLinkCookie, linkCookie, linkToken, resetReturn, resetReturnCookie } from "../cookies.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type Page, pathWith, publicPage, seeResult } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { carried, HOME } from "../return-to.ts";
import { type SiteDeps, useView, type View, viewOf } from "../view.tsx";
import { ANOTHER_LINK, DeadLink, deadParts, isOfAnotherLink, LinkField, NO_LINK, takeToken } from "./mailed-link.tsx";
import { RESET_REVIEW } from "./reset-review.tsx";

const PATH = "/reset-password";

interface ResetProps {
  readonly state: FormState;
  readonly token: string;
  /** The address of the email: a password manager saves the new password with the address. */
  readonly email: string;
  /** The target of the sign-in. */
  readonly to: string;
}

function ResetBody({ state, token, email, to }: ResetProps) {
  const { t } = useView();
  return (
    <Stage after={<a href={pathWith("/sign-in", { return_to: carried(to) })}>{t.common.backToSignIn}</a>}>
      <StageHead title={t.reset.title} icon="key" />
      <p>{t.reset.lead}</p>
      <Form action={PATH}>
        <Problem state={state} />
        <LinkField token={token} />
        <input type="text" name="username" value={email} autocomplete="username" hidden readOnly />
        <NewPassword name="new_password" label={t.reset.password} state={state} autofocus />
        <Button kind="primary" wide>
          {t.reset.action}
        </Button>
      </Form>
    </Stage>
  );
}

function dead(view: View, to: string, refused?: Refusal) {
  const { t } = view;
  const again = pathWith("/forgot-password", { return_to: carried(to) });
  const body = <DeadLink text={t.reset.dead} action={t.reset.again} href={again} />;
  return showPage(view, { title: t.link.dead, body, ...deadParts(view.site.config, PATH, refused) });
}

/** What was set up before the reset is displayed first, then the sign-in. */
function afterReset({ config }: SiteDeps, { reviewToken }: PasswordReset, to: string) {
  const cleared = clearedLinkCookie(config, PATH);
  const signIn = pathWith("/sign-in?over=1", { return_to: carried(to) });
  if (reviewToken === undefined) return seeResult(signIn, "reset", [cleared, resetReturnCookie(config, HOME)]);
  return seeResult(RESET_REVIEW, "reset", [cleared, linkCookie(config, RESET_REVIEW, reviewToken)]);
}

/** `/reset-password`: where the reset email leads. */
export function resetPasswordPage(deps: SignInDeps & SiteDeps): Page {
  const show = (view: View, props: ResetProps, parts: DisplayedParts = {}) =>
    showPage(view, {
      title: view.t.reset.title,
      body: <ResetBody {...props} />,
      islands: NEW_PASSWORD_ISLANDS,
      ...parts,
    });
  return publicPage({
    path: PATH,
    limit: "sign_in",
    readLimit: "public_reads",
    async get(call) {
      const view = viewOf(deps, call.client);
      const token = linkToken(call.cookies);
      const to = resetReturn(call.cookies);
      const taken = takeToken(deps, PATH, call);
      if (taken) return taken;
      // A used link is named before the user thinks of a new password.
      const link = token !== undefined && (await readMailedLink(deps, "password_reset", token));
      return link && link.state === "live" ? show(view, { token, email: link.email, state: {}, to }) : dead(view, to);
    },
    async post(call) {
      const { form, cookies, client } = call;
      const view = viewOf(deps, client);
      const token = linkToken(cookies);
      const to = resetReturn(cookies);
      if (!token) return dead(view, to, NO_LINK);
      const again = async (state: FormState, refused: Refusal) => {
        const link = await readMailedLink(deps, "password_reset", token);
        if (link.state !== "live") return dead(view, to, refused);
        return show(view, { token, email: link.email, state, to }, refusedParts(refused));
      };
      if (isOfAnotherLink(call)) return await again({ problem: view.t.link.another }, ANOTHER_LINK);
      const outcome = await resetPassword(deps, { token, newPassword: form.text("new_password"), client });
      if (outcome.ok) return afterReset(deps, outcome.value, to);
      const { code, message } = outcome.error;
      if (code === "authentication_required" || code === "not_found" || /^token: /.test(message))
        return dead(view, to, outcome.error);
      return await again(refusedForm(view, outcome.error, {}), outcome.error);
    },
  });
}
