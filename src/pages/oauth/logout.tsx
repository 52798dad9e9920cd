/** `/oauth2/logout`: an application asks to sign the user out (OpenID Connect RP-Initiated Logout 1.0). */

import { displayRulesOf, identityOf } from "../../flows/oauth/clients/client-identity.ts";
import {
  type EndSessionDeps,
  endBrowserSession,
  type LogoutRequest,
  mustConfirmLogout,
  readLogoutRequest,
} from "../../flows/oauth/logout/end-session.ts";
import { clearedCookies } from "../../http/cookies.ts";
import type { Caller } from "../../http/guards/caller.ts";
import type { Reply } from "../../http/reply.ts";
import { searchOf } from "../../http/search.ts";
import type { ClientIdentity } from "../../models/conditions/client-identity.ts";
import { ApplicationWarning, applicationName } from "../components/application.tsx";
import { Button, Form } from "../components/form.tsx";
import { Stage, StageHead } from "../components/layout.tsx";
import { showPage } from "../html.tsx";
import { type Page, type PageCall, publicPage, seeOther, seeResult } from "../page.ts";
import { anonymousView, type SignedInUserDeps } from "../signed-in-user.ts";
import { useView, type View } from "../view.tsx";
import { leavePage, oauthErrorPage, passOnPage } from "./response.tsx";

const LOGOUT = "/oauth2/logout";

interface LogoutProps {
  readonly email: string;
  readonly client: ClientIdentity | undefined;
  readonly action: string;
}

function LogoutBody({ email, client, action }: LogoutProps) {
  const view = useView();
  const { t } = view;
  return (
    <Stage>
      <StageHead title={t.signOut.title} icon="signOut" />
      <p>{client ? t.oauth.logoutLead({ name: applicationName(view, client), email }) : t.signOut.lead({ email })}</p>
      {client && <ApplicationWarning client={client} />}
      <Form action={action}>
        <div class="actions spread">
          <Button kind="primary">{t.signOut.action}</Button>
          <a class="button" href="/account">
            {t.common.cancel}
          </a>
        </div>
      </Form>
    </Stage>
  );
}

/** A form of an application becomes a GET, because browsers send the cookies only with a GET. */
export function oauthLogoutPage(deps: EndSessionDeps & SignedInUserDeps): Page {
  return publicPage({
    boundSession: "before_factor",
    path: "/oauth2/logout",
    continues: true,
    limit: "oauth",
    limitsGet: true,
    async get(call) {
      const view = await anonymousView(deps, call);
      const request = await readLogoutRequest(deps, { search: parametersOf(call), requestContext: call.client });
      if (!request.ok) return oauthErrorPage(view, request.error, "sign-out");
      const { caller } = call;
      // No session ends here, so no cookie is cleared: a link of another site could claim that no session exists.
      if (!caller) return leave(view, request.value);
      if (!mustConfirmLogout(request.value, caller.session)) return await end(deps, call, caller, request.value);
      const action = `${LOGOUT}?${parametersOf(call)}`;
      const { client } = request.value;
      const body = <LogoutBody email={caller.session.email} client={client && identityOf(client)} action={action} />;
      return showPage(view, { title: view.t.signOut.title, body });
    },
    async post(call) {
      const request = await readLogoutRequest(deps, { search: parametersOf(call), requestContext: call.client });
      if (!request.ok) return oauthErrorPage(await anonymousView(deps, call), request.error, "sign-out");
      return call.caller
        ? await end(deps, call, call.caller, request.value)
        : leave(await anonymousView(deps, call), request.value);
    },
    foreign: ({ parameters }) => seeOther(`${LOGOUT}?${parameters}`),
  });
}

/** The parameters of the request, without the parameters of the detour for a session. */
function parametersOf({ request }: PageCall): URLSearchParams {
  const search = new URLSearchParams(searchOf(request));
  search.delete("signed_out");
  return search;
}

async function end(
  deps: EndSessionDeps & SignedInUserDeps,
  call: PageCall,
  caller: Caller,
  request: LogoutRequest,
): Promise<Reply> {
  // The view needs the session, which ends below.
  const view = await anonymousView(deps, call);
  await endBrowserSession(deps, caller.session, request, call.client);
  // The ID token of the ended session proves that the user signed in to the application.
  const isKnown = !mustConfirmLogout(request, caller.session);
  return leave(view, request, { cookies: clearedCookies(deps.config), isKnown });
}

interface Leaving {
  readonly cookies?: readonly string[];
  /** Whether the user has signed in to the application of the request. */
  readonly isKnown?: boolean;
}

/** Continues to the application if the request names a target, else to the sign-in. */
function leave(view: View, { location, client }: LogoutRequest, { cookies = [], isKnown }: Leaving = {}): Reply {
  if (location === undefined) return seeResult("/sign-in", "signed_out", cookies);
  const named = { ...view, application: client && identityOf(client) };
  const asks = !isKnown && client !== undefined && displayRulesOf(client).leavesBy === "page";
  return asks ? leavePage(named, { location }, { cookies }) : passOnPage(named, location, cookies);
}
