/** The choice of an organization on the pages of an application and of a device. */
import type { Deps, SignInDeps } from "../../deps.ts";
import { switchOrganization } from "../../flows/auth/switch-organization.ts";
import type { Reply } from "../../http/reply.ts";
import { freshCookies } from "../../http/signed-in.ts";
import { refusedPage } from "../error.tsx";
import { type AuthenticatedCall, seeOther, uuidIn } from "../page.ts";
import { requiredSsoReply } from "../sign-in/required-sso.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import type { View } from "../view.tsx";
import { SWITCH_FIELD } from "./consent-view.tsx";

/**
 * Moves the session to the chosen organization and displays the page at `location` again: a code is for the
 * organization of the session, and a decision counts for the organization that the page displayed.
 */
export async function switchAndDisplay(
  deps: SignInDeps & SignedInUserDeps & Pick<Deps, "ssoDirectory">,
  { caller, form, client }: AuthenticatedCall,
  view: View,
  location: string,
): Promise<Reply> {
  const organizationId = uuidIn(form.text(SWITCH_FIELD));
  const switched = await switchOrganization(deps, { caller: caller.session, organizationId, client });
  if (!switched.ok) {
    return requiredSsoReply(deps, view, switched.error, location) ?? refusedPage(view, switched.error);
  }
  const { session, tokens } = switched.value;
  return seeOther(location, freshCookies(deps, session.id, tokens));
}
