/** The buttons of `/sign-in/code`; the sign-in page has the button that sends a code, too. */
import { makeOpaqueToken } from "../../base/opaque-token.ts";
import { refusal } from "../../base/problem.ts";
import { typedDigits } from "../../base/typed-code.ts";
import type { SignInDeps } from "../../deps.ts";
import { requestEmailCode } from "../../flows/email-otp/request.ts";
import { verifyEmailCode } from "../../flows/email-otp/verify.ts";
import { codeBrowserCookie, TRUST_COOKIE } from "../../http/cookies.ts";
import type { Reply } from "../../http/reply.ts";
import { isRegistrationOpen } from "../../vocabulary/registration.ts";
import type { FormState } from "../components/form.tsx";
import { codeAddress, codeCookie } from "../cookies.ts";
import type { DisplayedParts } from "../html.tsx";
import { type PageCall, pathWith, seeOther, seeResult } from "../page.ts";
import { refusedForm, refusedParts } from "../problem-messages.ts";
import { publicActionsOf } from "../public-action.ts";
import { carried, returnTo } from "../return-to.ts";
import { tenantsOf, type WaitingPageDeps, waitingClient } from "../shared/waiting-application.ts";
import { type SiteDeps, viewOf } from "../view.tsx";
import { addressState, isAddress, NO_ADDRESS } from "./address.ts";
import { rememberedAddress, usedMethod } from "./browser-memory.ts";
import { afterFirstFactor } from "./complete.ts";
import { requiredSsoReply } from "./required-sso.ts";

export const SIGN_IN_CODE = "/sign-in/code";

export interface CodeInput {
  readonly deps: SignInDeps & SiteDeps & WaitingPageDeps;
  readonly call: PageCall;
  /** Displays the page: the code of the address, or without an address the field of the address. */
  readonly show: (email: string | undefined, state: FormState, parts?: DisplayedParts) => Promise<Reply>;
}

const CODE_OVER = refusal("authentication_required", "The code has expired.");

const action = publicActionsOf<CodeInput>();

export const sendCode = action({
  step: "send",
  async run({ deps, call, show }) {
    const { form, client } = call;
    const email = form.text("email").trim();
    if (!email) return await show(undefined, {});
    if (!isAddress(email)) {
      return await show(undefined, addressState(viewOf(deps, client), email), refusedParts(NO_ADDRESS));
    }
    const to = returnTo(form);
    const application = await waitingClient(deps, to);
    const settings = deps.registration.settings(application?.registration);
    const browserToken = settings.link ? makeOpaqueToken(deps.random) : undefined;
    const requested = await requestEmailCode(deps, {
      email,
      signUp: isRegistrationOpen(settings, "email_code"),
      application,
      redirectTo: to,
      browserToken,
      tenants: tenantsOf(application),
      client,
    });
    if (!requested.ok) {
      const view = viewOf(deps, client);
      return await show(undefined, refusedForm(view, requested.error, { email }), refusedParts(requested.error));
    }
    const location = pathWith(SIGN_IN_CODE, { return_to: carried(to) });
    const remembered = form.has("remember") ? [rememberedAddress(deps, email)] : [];
    const bound = browserToken ? [codeBrowserCookie(deps.config, browserToken)] : [];
    const cookies = [codeCookie(deps.config, email), ...bound, ...remembered];
    return form.has("again") ? seeResult(location, "sent", cookies) : seeOther(location, cookies);
  },
});

/** The form without a button of its own. The cookie with the address lives as long as the code. */
export const verifyCode = action({
  step: "",
  async run({ deps, call, show }) {
    const { form, cookies, client } = call;
    const view = viewOf(deps, client);
    const email = codeAddress(cookies);
    if (!email) return await show(undefined, { problem: view.t.mailCode.over }, refusedParts(CODE_OVER));
    const code = typedDigits(form.text("code"));
    const outcome = await verifyEmailCode(deps, { email, code, trustToken: cookies[TRUST_COOKIE], client });
    const to = returnTo(form);
    if (outcome.ok) return afterFirstFactor(deps, outcome.value, to, usedMethod(deps.config, "email_code"));
    const required = requiredSsoReply(deps, view, outcome.error, to);
    if (required) return required;
    const state = refusedForm(view, outcome.error, {}, { authentication_required: view.t.mailCode.wrong });
    return await show(email, state, refusedParts(outcome.error));
  },
});

export const codeActions = { sendCode };
