import { Shell } from "../components/layout.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page } from "../page.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";
import type { ServiceAccountActionDeps } from "./actions.ts";
import { serviceAccountHandlers } from "./handlers.tsx";

const MACHINES = "/machines";

/** `/machines`: service accounts with their keys, and webhooks, of the session's organization. */
export function serviceAccountsPage(deps: SignedInUserDeps & ServiceAccountActionDeps): Page {
  const handlers = serviceAccountHandlers<AuthenticatedCall>(deps, {
    basePath: MACHINES,
    organizationId: (call) => call.caller.session.organizationId,
    canEdit: () => true,
    user: (call) => signedInUser(deps, call),
    show(_call, { profile, view }, { body, inside, ...part }) {
      const framed = (
        <Shell at={MACHINES} profile={profile} inside={inside}>
          {body}
        </Shell>
      );
      return showPage(view, { ...part, body: framed });
    },
    refuse: (_call, { view }, refusal, messages) => refusedPage(view, refusal, messages),
  });
  return authenticatedPage({ path: MACHINES, ofOrganization: true, ...handlers });
}
