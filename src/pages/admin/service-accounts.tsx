import { authorizeServiceAccountReader, PLATFORM } from "../../flows/steps/authorization/authorize-service-accounts.ts";
import { confirmServiceAccountAction } from "../confirmations.ts";
import { NOTHING_THERE, type Page } from "../page.ts";
import type { ServiceAccountActionDeps } from "../service-accounts/actions.ts";
import { serviceAccountHandlers } from "../service-accounts/handlers.tsx";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import { type ConsoleCall, confirmationPage, consolePage, mayAct, refuseConsole, showConsole } from "./console.tsx";

const PLACE = "/admin/machines";

/** `/admin/machines`: service accounts with their keys, and webhooks, of the platform. */
export function platformServiceAccountsPage(deps: SignedInUserDeps & ServiceAccountActionDeps): Page {
  const handlers = serviceAccountHandlers<ConsoleCall>(deps, {
    basePath: PLACE,
    organizationId: () => null,
    canEdit: ({ admin }) => mayAct(admin),
    user: async (call) => call,
    show: (call, _user, part) => showConsole(call, { at: PLACE, ...part }),
    refuse: (call, _user, refusal, messages) => refuseConsole(call, refusal, PLACE, messages),
    refuseReader: (call, refusal) => refuseConsole(call, refusal, PLACE),
  });
  return consolePage(deps, { path: PLACE, ...handlers });
}

/** `/admin/machines/confirm`: asks before a program or a webhook of the platform loses something. */
export function confirmPlatformServiceAccountsPage(deps: SignedInUserDeps): Page {
  return consolePage(deps, {
    path: "/admin/machines/confirm",
    async get(call) {
      const { admin, query, view } = call;
      const reader = await authorizeServiceAccountReader(deps, admin.session, PLATFORM);
      const question = reader.ok
        ? await confirmServiceAccountAction(deps, reader.value, query, view, PLACE)
        : undefined;
      if (!question) return refuseConsole(call, NOTHING_THERE, PLACE);
      const [step, id] = [query.text("step"), query.text("id")];
      return confirmationPage(call, { at: PLACE, place: PLACE, step, id, ...question });
    },
  });
}
