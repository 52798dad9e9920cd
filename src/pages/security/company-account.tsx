import type { Deps } from "../../deps.ts";
import { beginSsoLink } from "../../flows/sso/links/begin-link.ts";
import { confirmSsoLink } from "../../flows/sso/links/confirm-link.ts";
import { type PendingLink, readSsoLink } from "../../flows/sso/links/read-link.ts";
import type { SsoDeps } from "../../flows/sso/sign-in/connection.ts";
import { bindingCookies, SSO_BINDING } from "../../http/binding-cookies.ts";
import type { Profile } from "../../models/user/profile.ts";
import { STEP_UP } from "../addresses.ts";
import { Actions, Button, Form, type FormState } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { Problem } from "../components/notices.tsx";
import { Details } from "../components/table.tsx";
import { continueElsewhere } from "../continue-elsewhere.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import {
  type AuthenticatedCall,
  authenticatedPage,
  type Page,
  pathWith,
  seeOther,
  seeResult,
  uuidIn,
} from "../page.ts";
import { localPath } from "../return-to.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { useView, type View } from "../view.tsx";
import { findSecondFactors } from "./second-factors.ts";
import { SECURITY } from "./view-model.ts";

export const COMPANY_ACCOUNT = "/account/security/company-account";

export type CompanyAccountDeps = SsoDeps & SignedInUserDeps & Pick<Deps, "reads">;

interface BodyProps {
  readonly profile: Profile;
  readonly link: PendingLink;
}

function LinkBody({ profile, link }: BodyProps) {
  const { t } = useView();
  const { linkTitle, linkText, subject, email, link: action } = t.companyAccounts;
  const details = [
    [subject, link.subject],
    [email, link.email ?? "–"],
  ] as const;
  return (
    <Shell at={SECURITY} profile={profile} below={linkTitle}>
      <h1>{linkTitle}</h1>
      <p class="soft">{linkText({ organization: link.organizationName })}</p>
      <div class="panel stack">
        <Details details={details} />
        <Form action={COMPANY_ACCOUNT} class="stack">
          <input type="hidden" name="link" value={link.id} />
          <input type="hidden" name="return_to" value={link.redirectTo} />
          <Actions cancel={SECURITY}>
            <Button kind="primary">{action}</Button>
          </Actions>
        </Form>
      </div>
    </Shell>
  );
}

interface FailureProps {
  readonly profile: Profile;
  readonly state: FormState;
  readonly requestId: string;
}

function FailureBody({ profile, state, requestId }: FailureProps) {
  const { t } = useView();
  return (
    <Shell at={SECURITY} profile={profile} below={t.companyAccounts.title}>
      <h1>{t.companyAccounts.title}</h1>
      <div class="panel stack">
        <Problem state={state} />
        {requestId && (
          <p class="soft">
            {t.error.requestId} <code class="whole-id">{requestId}</code>
          </p>
        )}
        <a class="button" href={`${SECURITY}#company-accounts`}>
          {t.security.title}
        </a>
      </div>
    </Shell>
  );
}

function problemOf({ t }: View, code: string): string {
  const { linkFailed, linkTaken } = t.companyAccounts;
  if (code === "internal_error") return t.companySignIn.unreachable;
  return code === "conflict" ? linkTaken : linkFailed;
}

/**
 * `/account/security/company-account`: displays the company account that the identity provider reported, and links the
 * account after a form of the user; or displays why a link failed (docs/contract.md, section 29.15).
 */
export function companyAccountPage(deps: CompanyAccountDeps): Page {
  const showFailure = async (call: AuthenticatedCall, code: string, requestId: string) => {
    const { profile, view } = await signedInUser(deps, call);
    const state = { problem: problemOf(view, code) };
    const body = <FailureBody profile={profile} state={state} requestId={requestId} />;
    return showPage(view, { title: view.t.companyAccounts.title, body });
  };
  return authenticatedPage({
    path: COMPANY_ACCOUNT,
    async get(call) {
      const { query, caller } = call;
      const error = query.text("error");
      if (error) return await showFailure(call, error, uuidText(query.text("request_id")));
      const found = await readSsoLink(deps, { caller: caller.session, id: uuidIn(query.text("link")) });
      const { profile, view } = await signedInUser(deps, call);
      if (!found.ok) return refusedPage(view, found.error);
      const body = <LinkBody profile={profile} link={found.value} />;
      return showPage(view, { title: view.t.companyAccounts.linkTitle, body });
    },
    async post(call) {
      const { caller, client, form } = call;
      const linked = await confirmSsoLink(deps, { caller: caller.session, id: uuidIn(form.text("link")), client });
      if (!linked.ok) return await showFailure(call, linked.error.code, "");
      const to = localPath(form.text("return_to")) ?? "/";
      return to === "/" || to === SECURITY ? seeResult(SECURITY, "company_linked") : seeOther(to);
    },
  });
}

function uuidText(text: string): string {
  return text && uuidIn(text) === text.toLowerCase() ? text : "";
}

/** Begins a link at the identity provider of a connection of the session's organization. */
export async function linkCompanyAccount(deps: CompanyAccountDeps, call: AuthenticatedCall) {
  const { session } = call.caller;
  const { profile, view } = await signedInUser(deps, call);
  const connectionId = uuidIn(call.form.text("id"));
  const begun = await beginSsoLink(deps, { session, connectionId, redirectTo: SECURITY });
  if (!begun.ok && begun.error.code === "mfa_required") {
    const { authenticator, passkey } = await findSecondFactors(deps, session, profile);
    const confirmAt = authenticator || passkey ? STEP_UP : "/sign-in";
    return seeOther(pathWith(confirmAt, { return_to: `${SECURITY}#company-accounts` }));
  }
  if (!begun.ok) return refusedPage(view, begun.error, { internal_error: view.t.companySignIn.unreachable });
  const cookies = bindingCookies(deps.config, SSO_BINDING, begun.value, call.cookies);
  const { title } = view.t.companyAccounts;
  const action = view.t.ssoTests.go;
  return continueElsewhere(view, { title, action, url: begun.value.location, cookies });
}
