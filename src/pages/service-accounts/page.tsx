import { askAction, displayInShell, postAction, shellFrame } from "../action-page.tsx";
import { type AuthenticatedCall, authenticatedPage, type Page } from "../page.ts";
import type { ServiceAccountDeps, ServiceAccountInput } from "./action-parts.ts";
import { partActions, showPart } from "./part-page.tsx";

const MACHINES = "/machines";
const FRAME = shellFrame<ServiceAccountInput>(MACHINES);
const PAGE = partActions(FRAME);

/** `/machines`: service accounts with their keys, and webhooks, of the session's organization. */
export function serviceAccountPages(deps: ServiceAccountDeps): readonly Page[] {
  return [
    authenticatedPage({
      path: MACHINES,
      ofOrganization: true,
      get: (call) => showPart(FRAME, inputOf(deps, call)),
      post: (call) => postAction(PAGE, inputOf(deps, call)),
    }),
    authenticatedPage({
      path: "/machines/confirm",
      boundSession: "served",
      get: (call) => askAction(PAGE, inputOf(deps, call)),
    }),
  ];
}

function inputOf(deps: ServiceAccountDeps, call: AuthenticatedCall): ServiceAccountInput {
  const { organizationId } = call.caller.session;
  const display: ServiceAccountInput["display"] = (user, page) => displayInShell(MACHINES, user, page);
  return { deps, call, basePath: MACHINES, organizationId, canEdit: true, display };
}
