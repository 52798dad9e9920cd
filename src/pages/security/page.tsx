import { NAME_RULE, normalizeName } from "../../base/display-name.ts";
import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import type { Result } from "../../base/result.ts";
import type { Deps, SessionDeps } from "../../deps.ts";
import { deleteOwnPasskey } from "../../flows/passkeys/delete.ts";
import { renameOwnPasskey } from "../../flows/passkeys/rename.ts";
import { revokeOwnSession, revokeOwnSessions } from "../../flows/sessions/revoke.ts";

import { revokeOwnTrustedBrowser } from "../../flows/trusted-browsers/revoke.ts";
import { refusedPage } from "../error.tsx";
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
import { SecurityBody } from "./view.tsx";
import { SECURITY, securityViewModel } from "./view-model.ts";

type SecurityDeps = SessionDeps & SignedInUserDeps & Pick<Deps, "geolocation" | "identityProviders" | "reads">;

function resultOf({ t }: View, done: string): string | undefined {
  const texts = {
    passkey_added: t.security.passkeyAdded,
    passkey_removed: t.security.passkeyRemoved,
    passkey_renamed: t.security.passkeyRenamed,
    session: t.security.sessionEnded,
    sessions: t.security.sessionsEnded,
    browser: t.security.browserRemoved,
    factor_off: t.security.factorRemoved,
    factor_on: t.security.factorDone,
    factor_already: t.security.factorAlready,
    codes_renewed: t.security.codesRenewed,
  };
  return textAt(texts, done);
}

/** `/account/security`: second factor, passkeys, trusted browsers, sessions, linked providers. */
export function securityPage(deps: SecurityDeps): Page {
  return authenticatedPage({
    path: SECURITY,
    async get(call) {
      const [{ profile, view }, viewModel] = await Promise.all([
        signedInUser(deps, call),
        securityViewModel(deps, call),
      ]);
      const done = resultOf(view, call.result);
      const body = <SecurityBody profile={profile} viewModel={viewModel} />;
      return showPage(view, { title: view.t.security.title, body, done, islands: ["passkey-add", "confirm"] });
    },
    async post(call) {
      const outcome = await act(deps, call);
      const next = localPath(call.form.text("return_to"));
      if (typeof outcome === "string" && next) return seeOther(next);
      if (typeof outcome === "string") return seeResult(SECURITY, outcome);
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
    case "revoke-session":
      return after(await revokeOwnSession(deps, { ...acting, sessionId: id }), "session");
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
    default:
      return NOTHING_THERE;
  }
}
