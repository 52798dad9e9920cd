import { NAME_RULE, normalizeName } from "../../base/display-name.ts";
import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { deleteOwnPasskey } from "../../flows/passkeys/delete.ts";
import { renameOwnPasskey } from "../../flows/passkeys/rename.ts";
import { renameOwnSession } from "../../flows/sessions/rename.ts";
import { revokeOwnSession, revokeOwnSessions } from "../../flows/sessions/revoke.ts";

import { revokeOwnTrustedBrowser } from "../../flows/trusted-browsers/revoke.ts";
import { PAGE_SIZE_MAX } from "../../limits/limits.ts";
import { stepUpPath } from "../addresses.ts";
import { asksStepUp } from "../components/step-up-again.tsx";
import { refusedPage } from "../error.tsx";
import type { Fields } from "../fields.ts";
import { showPage } from "../html.tsx";
import {
  type AuthenticatedCall,
  authenticatedPage,
  NOTHING_THERE,
  type Page,
  seeOther,
  seeResult,
  textAt,
  uuidIn,
} from "../page.ts";
import { localPath } from "../return-to.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { type CompanyAccountDeps, linkCompanyAccount } from "./company-account.tsx";
import { unlinkCompanyAccount } from "./company-account-actions.ts";
import { linkProvider } from "./link-provider.tsx";
import { SecurityBody } from "./view.tsx";
import { SECURITY, securityViewModel } from "./view-model.ts";

type SecurityDeps = SignInDeps & SignedInUserDeps & CompanyAccountDeps & Pick<Deps, "reads">;

function resultOf({ t }: View, done: string): string | undefined {
  const texts = {
    passkey_added: t.security.passkeyAdded,
    passkey_removed: t.security.passkeyRemoved,
    passkey_renamed: t.security.passkeyRenamed,
    session: t.security.sessionEnded,
    session_renamed: t.security.sessionRenamed,
    unlinked: t.security.unlinked,
    company_linked: t.companyAccounts.linkDone,
    company_unlinked: t.companyAccounts.unlinked,
    review_confirmed: t.credentialReview.confirmed,
    review_ended: t.credentialReview.ended,
    sessions: t.security.sessionsEnded,
    browser: t.security.browserRemoved,
    factor_off: t.security.factorRemoved,
    factor_on: t.security.factorDone,
    factor_already: t.security.factorAlready,
    codes_renewed: t.security.codesRenewed,
  };
  return textAt(texts, done);
}

/** The forms that a session without the factor of its organization may send. */
const ENROLMENT_STEPS: ReadonlySet<string> = new Set(["codes-stored", "passkey-added"]);

/** `/account/security`: second factor, passkeys, trusted browsers, sessions, linked providers. */
export function securityPage(deps: SecurityDeps): Page {
  return authenticatedPage({
    path: SECURITY,
    servesSession: "enrolment",
    async get(call) {
      const [{ profile, view }, viewModel] = await Promise.all([
        signedInUser(deps, call),
        securityViewModel(deps, call),
      ]);
      const done = resultOf(view, call.result);
      const body = <SecurityBody profile={profile} viewModel={viewModel} />;
      return showPage(view, {
        title: view.t.security.title,
        body,
        done,
        islands: ["passkey-add", "passkey-signals", "confirm"],
      });
    },
    async post(call) {
      const isEnrolment = ENROLMENT_STEPS.has(call.form.text("step"));
      if (call.caller.session.enrolmentOnly && !isEnrolment) return seeOther(SECURITY);
      if (call.form.text("step") === "link-company") return await linkCompanyAccount(deps, call);
      if (call.form.text("step") === "link-provider") return await linkProvider(deps, call);
      const outcome = await act(deps, call);
      const next = localPath(call.form.text("return_to"));
      if (typeof outcome === "string" && next) return seeOther(next);
      if (typeof outcome === "string") return seeResult(SECURITY, outcome);
      if (asksStepUp(outcome)) return seeOther(stepUpPath(SECURITY));
      const { view } = await signedInUser(deps, call);
      return refusedPage(view, outcome);
    },
  });
}

/** Executes the action of the pressed button; returns the result to display. */
async function act(deps: SecurityDeps, { caller, form, client }: AuthenticatedCall): Promise<string | Refusal> {
  const acting = { caller: caller.session, client };
  const id = uuidIn(form.text("id"));
  const after = (outcome: Result<unknown, Refusal>, done: string) => (outcome.ok ? done : outcome.error);
  switch (form.text("step")) {
    case "passkey-added":
      return "passkey_added";
    case "codes-stored":
      return form.text("done") === "factor_on" ? "factor_on" : "codes_renewed";
    case "rename-passkey": {
      const name = normalizeName(form.text("name"));
      if (name === undefined) return invalidInput("name", "format", NAME_RULE);
      return after(await renameOwnPasskey(deps, { ...acting, id, name }), "passkey_renamed");
    }
    case "delete-passkey":
      return after(await deleteOwnPasskey(deps, { ...acting, id }), "passkey_removed");
    case "rename-session": {
      const name = normalizeName(form.text("name"));
      if (name === undefined) return invalidInput("name", "format", NAME_RULE);
      return after(
        await forEachId(form, (each) => renameOwnSession(deps, { ...acting, id: each, name })),
        "session_renamed",
      );
    }
    case "revoke-session":
      return after(await forEachId(form, (sessionId) => revokeOwnSession(deps, { ...acting, sessionId })), "session");
    case "forget-browser":
      return after(await revokeOwnTrustedBrowser(deps, { ...acting, id, trustToken: undefined }), "browser");
    case "revoke-sessions": {
      const endApplications = form.text("end_applications") === "yes";
      const revokeKeys = form.text("revoke_api_keys") === "yes";
      return after(
        await revokeOwnSessions(deps, { ...acting, exceptCurrent: true, endApplications, revokeKeys }),
        "sessions",
      );
    }
    case "unlink-company":
      return after(await unlinkCompanyAccount(deps, caller.session, { id, client }), "company_unlinked");
    default:
      return NOTHING_THERE;
  }
}

/** Acts on the sessions of one device, one after the other, up to the first refusal. */
async function forEachId(
  form: Fields,
  work: (id: string) => Promise<Result<unknown, Refusal>>,
): Promise<Result<void, Refusal>> {
  for (const id of form.all("id").slice(0, PAGE_SIZE_MAX)) {
    const outcome = await work(uuidIn(id));
    if (!outcome.ok) return outcome;
  }
  return ok(undefined);
}
