import type { Reply } from "../../http/reply.ts";
import { DevMailLink } from "../components/dev-mail-link.tsx";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { Problem } from "../components/notices.tsx";
import { codeAddress } from "../cookies.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type Fields, type Page, type PageCall, pathWith, publicPage } from "../page.ts";
import { pressedPublicAction } from "../public-action.ts";
import { carried, returnTo } from "../return-to.ts";
import { showBeforeReturn } from "../shared/waiting-application.ts";
import { useView, viewOf } from "../view.tsx";
import { type CodeInput, codeActions, SIGN_IN_CODE, sendCode, verifyCode } from "./code-actions.ts";

interface CodeProps {
  readonly state: FormState;
  readonly to: string;
  readonly email: string;
  /** A code was sent just now: the next request waits (islands/code.ts). */
  readonly isSent: boolean;
}

function CodeBody({ state, to, email, isSent }: CodeProps) {
  const { t } = useView();
  return (
    <Stage after={<a href={pathWith("/sign-in", { return_to: carried(to) })}>{t.signIn.otherWay}</a>}>
      <StageHead title={t.mailCode.title} icon="mail" />
      <p>{t.mailCode.lead({ email })}</p>
      <DevMailLink />
      <Form action={SIGN_IN_CODE}>
        <Problem state={state} />
        <input type="hidden" name="return_to" value={to} />
        <Field name="code" label={t.mailCode.code} state={state} autocomplete="one-time-code" code="digits" autofocus />
        <Button kind="primary" wide busy={t.signIn.busy}>
          {t.signIn.action}
        </Button>
      </Form>
      <Form action={SIGN_IN_CODE}>
        <input type="hidden" name="return_to" value={to} />
        <input type="hidden" name="email" value={email} />
        <input type="hidden" name="again" value="1" />
        <Button
          wide
          name="step"
          value={sendCode.step}
          busy={t.common.sending}
          wait={isSent ? t.mailCode.newCodeIn({ seconds: "%" }) : undefined}
        >
          {t.mailCode.again}
        </Button>
        <p class="soft unscripted">{t.mailCode.noCode}</p>
      </Form>
    </Stage>
  );
}

/**
 * Displays the address field if the address is missing: the user pressed the button of the sign-in before typing an
 * address.
 */
function AddressBody({ state, to }: Pick<CodeProps, "state" | "to">) {
  const { t } = useView();
  return (
    <Stage after={<a href={pathWith("/sign-in", { return_to: carried(to) })}>{t.signIn.otherWay}</a>}>
      <StageHead title={t.mailCode.askTitle} icon="mail" />
      <p>{t.mailCode.askLead}</p>
      <Form action={SIGN_IN_CODE}>
        <Problem state={state} />
        <input type="hidden" name="return_to" value={to} />
        <Field name="email" type="email" label={t.common.email} state={state} autocomplete="username" autofocus />
        <Button kind="primary" wide name="step" value={sendCode.step} busy={t.common.sending}>
          {t.signIn.mailCode}
        </Button>
      </Form>
    </Stage>
  );
}

export function signInCodePage(deps: CodeInput["deps"]): Page {
  return publicPage({
    path: SIGN_IN_CODE,
    limit: "sign_in",
    get: (call) => show(deps, call, { fields: call.query, email: codeAddress(call.cookies), state: {} }),
    post: (call) =>
      (pressedPublicAction(codeActions, call.form) ?? verifyCode).run({
        deps,
        call,
        show: (email, state, parts) => show(deps, call, { fields: call.form, email, state }, parts),
      }),
  });
}

interface Displayed {
  readonly fields: Fields;
  readonly email: string | undefined;
  readonly state: FormState;
}

function show(
  deps: CodeInput["deps"],
  call: PageCall,
  { fields, email, state }: Displayed,
  parts: DisplayedParts = {},
): Promise<Reply> {
  const to = returnTo(fields);
  return showBeforeReturn(deps, call, { view: viewOf(deps, call.client), to }, (view) => {
    const done = call.result === "sent" ? view.t.mailCode.sentAgain : undefined;
    const shared = { state, to };
    const body = email ? (
      <CodeBody {...shared} email={email} isSent={call.request.method === "GET"} />
    ) : (
      <AddressBody {...shared} />
    );
    const title = email ? view.t.mailCode.title : view.t.mailCode.askTitle;
    return showPage(view, { title, body, done, islands: ["code"], ...parts });
  });
}
