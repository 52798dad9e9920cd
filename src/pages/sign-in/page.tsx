import { isUuid } from "../../base/random.ts";
import { listSignInMethods } from "../../flows/sign-in-methods/list.ts";
import { clearedMfaCookie } from "../../http/cookies.ts";
import { loginHintCookie } from "../../http/sso/sso-login-hint.ts";
import type { FormState } from "../components/form.tsx";
import { type WaitingSignIn, waitingSignIn } from "../cookies.ts";
import { showPage } from "../html.tsx";
import { type Fields, type Page, type PageCall, publicPage, seeOther, textAt } from "../page.ts";
import { pressedPublicAction } from "../public-action.ts";
import { returnTo } from "../return-to.ts";
import { showBeforeReturn, type WaitingPageDeps } from "../shared/waiting-application.ts";
import { type View, viewOf } from "../view.tsx";
import { continueWithAddress, type SignInInput, type SignInParts, signInActions } from "./actions.ts";
import { hintedAddress, LANGUAGE_CHANGED } from "./address-hint.ts";
import { browserMemory, usedMethod } from "./browser-memory.ts";
import { CHALLENGE } from "./complete.ts";
import { AddressStep, CompanyStep, MethodStep, type StepProps } from "./view.tsx";

type PageDeps = SignInInput["deps"] & WaitingPageDeps;

/**
 * Whether the waiting second-factor sign-in matches the request: false for another return path, and for a new sign-in.
 */
function isSame(waiting: WaitingSignIn, query: Fields): boolean {
  if (query.has("over") || query.has("again")) return false;
  return !query.has("return_to") || returnTo(query) === waiting.returnTo;
}

/** Results of pages that redirect here. */
function resultOf({ t }: View, done: string): string | undefined {
  const texts = {
    reset: t.signIn.afterReset,
    review_ended: t.credentialReview.ended,
    verified: t.signIn.afterVerified,
    expired: t.challenge.expired,
    session_ended: t.signIn.sessionEnded,
    signed_out: t.signOut.done,
    signed_out_here: t.signOut.doneHere,
    left: t.team.left,
    account_deleted: t.deleteAccount.done,
    account_erased: t.deleteAccount.doneImmediate,
    organization_deleted: t.deleteOrganization.done,
    joined: t.signIn.afterJoined,
  };
  return textAt(texts, done);
}

/**
 * The message of a failed sign-in at an identity provider: `?error=<code>`, at the provider of an organization with the
 * id of the failed request (docs/contract.md, sections 16.3 and 29.11).
 */
function providerProblem({ t }: View, code: string, requestId: string | undefined): FormState {
  if (!code) return {};
  if (requestId !== undefined) return { problem: companyProblem(t.companySignIn, code) };
  if (code === "sso_required") return { problem: t.problems.sso_required };
  return { problem: code === "conflict" ? t.signIn.socialConflict : t.signIn.socialFailed };
}

function companyProblem(texts: View["t"]["companySignIn"], code: string): string {
  if (code === "forbidden" || code === "conflict") return texts.notAllowed;
  return code === "internal_error" ? texts.unreachable : texts.failed;
}

/** The id of the request that failed at the identity provider of an organization. */
function failedRequestIn({ request, query }: PageCall): string | undefined {
  const id = query.text("request_id");
  return request.method === "GET" && isUuid(id) ? id : undefined;
}

/**
 * `/sign-in`: the address first, then the methods of the domain of the address. The address is in forms and cookies, in
 * no URL.
 */
export function signInPage(deps: PageDeps): Page {
  /** `email`: the address of the second step; undefined: the first step. */
  const show = (call: PageCall, email: string | undefined, state: FormState, parts: SignInParts = {}) => {
    const { withMethods = false, ...displayed } = parts;
    const to = returnTo(isForm(call) ? call.form : call.query);
    return showBeforeReturn(deps, call, { view: viewOf(deps, call.client), to }, (view) => {
      const methods = listSignInMethods(deps, email);
      const memory = browserMemory(deps, call.cookies);
      const props = { state, to, methods, memory, failedRequestId: failedRequestIn(call) };
      const body = stepOf(props, email, withMethods);
      return showPage(
        { ...view, typedAddress: email },
        {
          title: view.t.signIn.title,
          body,
          done: resultOf(view, call.result),
          islands: ["passkey-sign-in", "password"],
          ...displayed,
          cookies: [...(displayed.cookies ?? []), ...companyHint(deps, call, email)],
        },
      );
    });
  };
  return publicPage({
    boundSession: "before_factor",
    path: "/sign-in",
    get(call) {
      const { caller, query, cookies, client } = call;
      if (caller && !query.has("again")) return seeOther(returnTo(query), passkeyCookies(deps, call));
      const waiting = waitingSignIn(cookies);
      // The fragment of the redirect replaces the fragment with the mfa_token (docs/contract.md, section 16.3).
      if (waiting && isSame(waiting, query)) return seeOther(`${CHALLENGE}#code`);
      const cleared = waiting || query.has("over") ? [clearedMfaCookie(deps.config)] : [];
      const hint = query.text("login_hint") || hintedAddress(deps, cookies, returnTo(query));
      const state = providerProblem(viewOf(deps, client), query.text("error"), failedRequestIn(call));
      if (hint && isSecondStep(deps, call, hint)) return show(call, hint, state, { cookies: cleared });
      const hinted = { ...state, values: { email: hint } };
      if (hint) return show(call, undefined, hinted, { cookies: cleared });
      return show(call, browserMemory(deps, cookies).email, state, { cookies: cleared });
    },
    post: (call) =>
      (pressedPublicAction(signInActions, call.form) ?? continueWithAddress).run({
        deps,
        call,
        show: (email, state, parts) => show(call, email, state, parts),
      }),
  });
}

/** After a change of the language: the displayed step. An address of a company goes on to its single sign-on. */
function isSecondStep(deps: PageDeps, { result }: PageCall, email: string): boolean {
  return result === LANGUAGE_CHANGED || listSignInMethods(deps, email).company !== undefined;
}

function isForm({ request }: PageCall): boolean {
  return request.method === "POST";
}

/** The typed address, for the identity provider of the only connection. */
function companyHint(deps: PageDeps, call: PageCall, email: string | undefined): string[] {
  if (email === undefined || !isForm(call)) return [];
  const [only, second] = listSignInMethods(deps, email).company?.connections ?? [];
  return only && !second ? [loginHintCookie(deps, only.id, email)] : [];
}

function stepOf(props: StepProps, email: string | undefined, withMethods: boolean) {
  if (email === undefined) return <AddressStep {...props} />;
  const { company } = props.methods;
  return company && !withMethods ? (
    <CompanyStep {...props} company={company} email={email} />
  ) : (
    <MethodStep {...props} email={email} />
  );
}

/** The script of a passkey sign-in leads back to this page, which records the method. */
function passkeyCookies({ config }: PageDeps, { caller }: PageCall): string[] {
  return caller?.session.authMethod === "passkey" ? usedMethod(config, "passkey") : [];
}
