import { refusal } from "../../base/problem.ts";
import { typedDigits } from "../../base/typed-code.ts";
import type { SignInDeps } from "../../deps.ts";
import { requestEmailCode } from "../../flows/email-otp/request.ts";
import { verifyEmailCode } from "../../flows/email-otp/verify.ts";
import { TRUST_COOKIE } from "../../http/cookies.ts";
import { DevMailLink } from "../components/dev-mail-link.tsx";
import { Button, Field, Form, type FormState } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { Problem } from "../components/notices.tsx";
import { codeAddress, codeCookie } from "../cookies.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { type Fields, type Page, type PageCall, pathWith, publicPage, seeOther, seeResult } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { carried, returnTo } from "../return-to.ts";
import { showBeforeReturn, type WaitingPageDeps, waitingTenants } from "../shared/waiting-application.ts";
import { type SiteDeps, useView, viewOf } from "../view.tsx";
import { addressState, isAddress, NO_ADDRESS } from "./address.ts";
import { rememberedAddress, usedMethod } from "./browser-memory.ts";
import { afterFirstFactor } from "./complete.ts";
import { requiredSsoReply } from "./required-sso.ts";

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
      <Form action="/sign-in/code">
        <Problem state={state} />
        <input type="hidden" name="return_to" value={to} />
        <Field name="code" label={t.mailCode.code} state={state} autocomplete="one-time-code" code="digits" autofocus />
        <Button kind="primary" wide busy={t.signIn.busy}>
          {t.signIn.action}
        </Button>
      </Form>
      <Form action="/sign-in/code">
        <input type="hidden" name="return_to" value={to} />
        <input type="hidden" name="email" value={email} />
        <input type="hidden" name="again" value="1" />
        <Button
          wide
          name="step"
          value="send"
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
      <Form action="/sign-in/code">
        <Problem state={state} />
        <input type="hidden" name="return_to" value={to} />
        <Field name="email" type="email" label={t.common.email} state={state} autocomplete="username" autofocus />
        <Button kind="primary" wide name="step" value="send" busy={t.common.sending}>
          {t.signIn.mailCode}
        </Button>
      </Form>
    </Stage>
  );
}

const CODE_OVER = refusal("authentication_required", "The code has expired.");

export function signInCodePage(deps: SignInDeps & SiteDeps & WaitingPageDeps): Page {
  const show = (
    call: PageCall,
    fields: Fields,
    email: string | undefined,
    state: FormState,
    parts: DisplayedParts = {},
  ) => {
    const to = returnTo(fields);
    return showBeforeReturn(deps, call, { view: viewOf(deps, call.client), to }, (view) => {
      const done = call.result === "sent" ? view.t.mailCode.sentAgain : undefined;
      const shared = { state, to };
      const body = email ? (
        <CodeBody {...shared} email={email} isSent={call.request.method === "GET"} />
      ) : (
        <AddressBody {...shared} />
      );
      return showPage(view, {
        title: email ? view.t.mailCode.title : view.t.mailCode.askTitle,
        body,
        done,
        islands: ["code"],
        ...parts,
      });
    });
  };
  const send = async (call: PageCall) => {
    const { form, client } = call;
    const email = form.text("email").trim();
    if (!email) return show(call, form, undefined, {});
    if (!isAddress(email)) {
      return show(call, form, undefined, addressState(viewOf(deps, client), email), refusedParts(NO_ADDRESS));
    }
    const to = returnTo(form);
    await requestEmailCode(deps, { email, tenants: await waitingTenants(deps, to), client });
    const location = pathWith("/sign-in/code", { return_to: carried(to) });
    const remembered = form.has("remember") ? [rememberedAddress(deps, email)] : [];
    const cookies = [codeCookie(deps.config, email), ...remembered];
    return form.has("again") ? seeResult(location, "sent", cookies) : seeOther(location, cookies);
  };
  /** The cookie with the address lives as long as the code. */
  const again = (call: PageCall) => {
    const problem = viewOf(deps, call.client).t.mailCode.over;
    return show(call, call.form, undefined, { problem }, refusedParts(CODE_OVER));
  };
  return publicPage({
    path: "/sign-in/code",
    limit: "sign_in",
    get: (call) => show(call, call.query, codeAddress(call.cookies), {}),
    async post(call) {
      const { form, cookies, client } = call;
      const email = codeAddress(cookies);
      if (form.text("step") === "send") return await send(call);
      if (!email) return again(call);
      const code = typedDigits(form.text("code"));
      const outcome = await verifyEmailCode(deps, { email, code, trustToken: cookies[TRUST_COOKIE], client });
      if (outcome.ok)
        return afterFirstFactor(deps, outcome.value, returnTo(form), usedMethod(deps.config, "email_code"));
      const view = viewOf(deps, client);
      const required = requiredSsoReply(deps, view, outcome.error, returnTo(form));
      if (required) return required;
      const state = refusedForm(view, outcome.error, {}, { authentication_required: view.t.mailCode.wrong });
      const parts = refusedParts(outcome.error);
      return show(call, form, email, state, parts);
    },
  });
}
