import type { Deps, SignInDeps } from "../../deps.ts";
import { authorizeLink, beginLink } from "../../flows/social-sign-in/begin-link.ts";
import { bindingCookies, SOCIAL_BINDING } from "../../http/binding-cookies.ts";
import { STEP_UP } from "../addresses.ts";
import { continueElsewhere } from "../continue-elsewhere.tsx";
import { refusedPage } from "../error.tsx";
import { type AuthenticatedCall, pathWith, seeOther } from "../page.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import { findSecondFactors } from "./second-factors.ts";
import { SECURITY } from "./view-model.ts";

type LinkPageDeps = SignInDeps & SignedInUserDeps & Pick<Deps, "reads">;

/** Begins the link of a provider, and continues to the provider. */
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
  const name = deps.identityProviders.name(provider);
  return continueElsewhere(view, {
    title: view.t.security.linkProvider({ provider: name }),
    action: view.t.signIn.continueWith({ provider: name }),
    url: begun.value.location,
    cookies: bindingCookies(deps.config, SOCIAL_BINDING, begun.value, call.cookies),
  });
}
