/**
 * Responses to applications. The content security policy of a page blocks a redirect after a form, so a page continues
 * to the application.
 */
import type { OAuthRefusal } from "../../base/oauth-problem.ts";
import { type AuthorizationResponse, responseLocation } from "../../flows/oauth/authorize/authorization-response.ts";
import { identityOf } from "../../flows/oauth/clients/client-identity.ts";
import { recordedRefusal } from "../../http/oauth-reply.ts";
import type { Reply } from "../../http/reply.ts";
import type { ClientIdentity } from "../../models/conditions/client-identity.ts";
import type { OAuthClient } from "../../models/oauth-client/oauth-client.ts";
import { ApplicationMark, ApplicationWarning, applicationName, hostOf } from "../components/application.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { languageCookie } from "../cookies.ts";
import { type DisplayedParts, showPage } from "../html.tsx";
import { seeOther } from "../page.ts";
import { useView, type View } from "../view.tsx";

function PassOnBody({ location }: { readonly location: string }) {
  const { t, application } = useView();
  if (application && startsProgram(location)) return <OpenBody location={location} application={application} />;
  return (
    <Stage>
      <StageHead title={t.oauth.passOnTitle} />
      <p>{t.oauth.passOn}</p>
      <a class="button primary wide" href={location}>
        {t.common.continue}
      </a>
    </Stage>
  );
}

interface OpenProps {
  readonly location: string;
  readonly application: ClientIdentity;
}

function OpenBody({ location, application }: OpenProps) {
  const view = useView();
  const { t } = view;
  const title = t.oauth.open({ name: applicationName(view, application) });
  return (
    <Stage>
      <header class="stage-head">
        <ApplicationMark client={application} />
        <h1>{title}</h1>
        <ApplicationWarning client={application} />
      </header>
      <p>{t.oauth.openHint}</p>
      <a class="button primary wide" href={location}>
        {title}
      </a>
      <p class="soft">{t.oauth.openClose}</p>
    </Stage>
  );
}

/** Whether an address has a private-use scheme (RFC 8252, section 7.1), so that a program of the device opens it. */
function startsProgram(location: string): boolean {
  return !/^https?:/i.test(location);
}

function FormPostBody({ response }: { readonly response: AuthorizationResponse }) {
  const { t } = useView();
  return (
    <Stage ofOneForm>
      <StageHead title={t.oauth.passOnTitle} />
      <p>{t.oauth.passOn}</p>
      <ResponseForm form={response} text={t.common.continue} isAutomatic />
    </Stage>
  );
}

type PostedForm = Pick<AuthorizationResponse, "parameters" | "target">;

interface ResponseFormProps {
  readonly form: PostedForm;
  readonly text: string;
  /** Whether a script sends the form without the user. */
  readonly isAutomatic?: boolean;
}

function ResponseForm({ form, text, isAutomatic }: ResponseFormProps) {
  return (
    <form method="post" action={form.target.redirectUri} {...(isAutomatic ? { "data-submit": "" } : {})}>
      {Object.entries(form.parameters).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button class="button primary wide" type="submit">
        {text}
      </button>
    </form>
  );
}

/** An address beyond the service: of a link, or of a form. */
type Destination = { readonly location: string } | { readonly form: PostedForm };

/** Displayed in place of a redirect to an address for which no party vouches (RFC 9700, section 4.11.2). */
function LeaveBody({ destination }: { readonly destination: Destination }) {
  const { t } = useView();
  const address = "form" in destination ? destination.form.target.redirectUri : destination.location;
  const text = t.oauth.leaveTo({ host: hostOf(address) });
  return (
    <Stage ofOneForm={"form" in destination}>
      <StageHead title={t.oauth.leaveTitle} icon="warning" />
      <p>{t.oauth.leaveText}</p>
      {"form" in destination ? (
        <ResponseForm form={destination.form} text={text} />
      ) : (
        <a class="button wide" href={destination.location}>
          {text}
        </a>
      )}
    </Stage>
  );
}

/** The interrupted operation. */
type OAuthOperation = "sign-in" | "sign-out";

function messagesOf({ t: { oauth } }: View, what: OAuthOperation) {
  return what === "sign-in"
    ? { title: oauth.errorTitle, text: oauth.errorText }
    : { title: oauth.logoutErrorTitle, text: oauth.logoutErrorText };
}

interface OAuthErrorProps {
  readonly title: string;
  readonly text: string;
  readonly refused: OAuthRefusal;
}

function OAuthErrorBody({ title, text, refused }: OAuthErrorProps) {
  return (
    <Stage>
      <StageHead title={title} icon="warning" />
      <p>{text}</p>
      <p class="soft">
        <code>{refused.oauth}</code> <span lang="en">{refused.description}</span>
      </p>
    </Stage>
  );
}

/** A refusal without a redirect: the request identifies no application that can be trusted. */
export function oauthErrorPage(view: View, refused: OAuthRefusal, what: OAuthOperation = "sign-in"): Reply {
  const { title, text } = messagesOf(view, what);
  const body = <OAuthErrorBody title={title} text={text} refused={refused} />;
  return showPage(view, { title, body, status: 400, refused: recordedRefusal(refused), withRequestId: true });
}

interface OverProps {
  /** The application, if known and with an address of its own. */
  readonly name: string | undefined;
  readonly home: string | null;
}

function OverBody({ name, home }: OverProps) {
  const { t } = useView();
  return (
    <Stage>
      <StageHead title={t.oauth.overTitle} icon="clock" />
      <p>{t.oauth.overText}</p>
      {name !== undefined && home && (
        <a class="button primary wide" href={home} rel="noreferrer">
          {t.oauth.overOpen({ name })}
        </a>
      )}
      <a class={home ? "button wide" : "button primary wide"} href="/account">
        {t.oauth.overAccount}
      </a>
    </Stage>
  );
}

/** A request that has ended, or of another browser: with the ways on to the application and to the account. */
export function overPage(view: View, refused: OAuthRefusal, client: OAuthClient | undefined): Reply {
  const body = <OverBody name={client && applicationName(view, identityOf(client))} home={client?.clientUri ?? null} />;
  return showPage(view, { title: view.t.oauth.overTitle, body, status: 400, refused: recordedRefusal(refused) });
}

/**
 * A page that continues to an address without a script: `form-action` blocks a redirect to another origin after a form
 * (Content Security Policy Level 3, section 6.4.3.1).
 */
export function passOnPage(view: View, location: string, cookies: readonly string[] = []): Reply {
  const body = <PassOnBody location={location} />;
  const headers = { refresh: `0; url=${location}` };
  // A website gets its response once: Back leads to the page before the response.
  return showPage(view, { title: view.t.oauth.passOnTitle, body, headers, cookies, once: !startsProgram(location) });
}

/**
 * `silent`: a request with `prompt=none`, for which no page is displayed. `direct`: no form preceded the request, so a
 * redirect reaches a website without a page; a private-use scheme gets a page, because mobile browsers start a program
 * only after a tap. `page`: after a form.
 */
export type Delivery = "silent" | "direct" | "page";

export function responsePage(view: View, response: AuthorizationResponse, delivery: Delivery): Reply {
  const { refused } = response;
  return { ...carry(view, response, delivery), ...(refused ? { refused: recordedRefusal(refused) } : {}) };
}

function carry(view: View, response: AuthorizationResponse, delivery: Delivery): Reply {
  const isForm = response.target.responseMode === "form_post";
  if (response.leavesBy === "page") {
    const destination = isForm ? { form: response } : { location: responseLocation(response) };
    return leavePage(view, destination, {
      cookies: [languageCookie(view.site.config, "")],
      status: statusOf(delivery),
    });
  }
  if (isForm) return formPostPage(view, response);
  const location = responseLocation(response);
  const redirects = delivery === "silent" || (delivery === "direct" && !startsProgram(location));
  return redirects ? seeOther(location) : passOnPage(view, location, [languageCookie(view.site.config, "")]);
}

/** With `prompt=none` the page is an error: no user of an invisible frame can press the button. */
function statusOf(delivery: Delivery): number {
  return delivery === "silent" ? 400 : 200;
}

/** A page with a button in place of a redirect. No frame displays the page. */
export function leavePage(view: View, destination: Destination, parts: DisplayedParts = {}): Reply {
  const policy = "form" in destination ? FORM_POST_POLICY : {};
  return showPage(view, {
    title: view.t.oauth.leaveTitle,
    body: <LeaveBody destination={destination} />,
    policy,
    ...parts,
  });
}

/**
 * OAuth 2.0 Form Post Response Mode: the only pages whose form may leave this origin. Such a page has a single form,
 * whose action is the redirect URI. A narrower `form-action` would also apply to redirects of the application, and a
 * source cannot name an IPv6 address (Content Security Policy Level 3, sections 2.3.1 and 6.4.3.1).
 */
const FORM_POST_POLICY = { "form-action": ["*"] } as const;

function formPostPage(view: View, response: AuthorizationResponse): Reply {
  return showPage(view, {
    title: view.t.oauth.passOnTitle,
    body: <FormPostBody response={response} />,
    islands: ["form-post"],
    cookies: [languageCookie(view.site.config, "")],
    policy: FORM_POST_POLICY,
    once: true,
  });
}
