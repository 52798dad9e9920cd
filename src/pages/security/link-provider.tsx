import type { Deps, SignInDeps } from "../../deps.ts";
import { authorizeLink, beginLink } from "../../flows/social-sign-in/begin-link.ts";
import { PROVIDER_NAMES } from "../../flows/social-sign-in/start.ts";
import { oauthCookie } from "../../http/cookies.ts";
import { STEP_UP } from "../addresses.ts";
import { Stage, StageHead } from "../components/layout.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { type AuthenticatedCall, pathWith, seeOther } from "../page.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { findSecondFactors } from "./second-factors.ts";
import { SECURITY } from "./view-model.ts";

type LinkPageDeps = SignInDeps & SignedInUserDeps & Pick<Deps, "reads">;

/**
 * Begins the link of a provider, and continues to the provider by a page: `form-action` blocks a redirect to another
 * origin after a form (Content Security Policy Level 3, section 6.4.3.1).
 */
export async function linkProvider(deps: LinkPageDeps, call: AuthenticatedCall) {
  const { session } = call.caller;
  const { profile, view } = await signedInUser(deps, call);
  const provider = call.form.text("provider");
  const authorized = await authorizeLink(deps, session);
  if (!authorized.ok) {
    const { authenticator, passkey } = await findSecondFactors(deps, session, profile);
    const confirmAt = authenticator || passkey ? STEP_UP : "/sign-in";
    return authorized.error.code === "mfa_required"
      ? seeOther(pathWith(confirmAt, { return_to: `${SECURITY}#providers` }))
      : refusedPage(view, authorized.error);
  }
  const begun = await beginLink(deps, { sessionId: session.id, provider, redirectTo: SECURITY });
  if (!begun.ok) return refusedPage(view, begun.error);
  const { location, browserToken } = begun.value;
  const name = PROVIDER_NAMES[provider] ?? provider;
  const title = view.t.signIn.continueWith(name);
  const body = (
    <Stage>
      <StageHead title={view.t.security.linkProvider(name)} icon="plug" />
      <a class="button primary wide" href={location} rel="noreferrer">
        {title}
      </a>
    </Stage>
  );
  const headers = { refresh: `0; url=${location}` };
  return showPage(view, { title, body, headers, cookies: [oauthCookie(deps.config, browserToken)] });
}
