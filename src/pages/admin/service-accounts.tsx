import type { ActionFrame } from "../action-page.tsx";
import type { Page } from "../page.ts";
import type { ServiceAccountDeps, ServiceAccountInput } from "../service-accounts/action-parts.ts";
import { partActions, showPart } from "../service-accounts/part-page.tsx";
import { type ConsoleCall, mayAct, refuseConsole, showConsole } from "./console.tsx";
import { type ConsoleInput, consoleFrame, consolePagesOf } from "./console-actions.tsx";

const PLACE = "/admin/machines";

type PlatformInput = ServiceAccountInput & ConsoleInput<ServiceAccountDeps>;

const FRAME: ActionFrame<PlatformInput> = {
  ...consoleFrame<PlatformInput>(PLACE),
  refuse: ({ call }, _, refusal, own) => refuseConsole(call, refusal, PLACE, own),
};

/** `/admin/machines`: service accounts with their keys, and webhooks, of the platform. */
export function platformServiceAccountPages(deps: ServiceAccountDeps): readonly Page[] {
  const page = {
    ...partActions(FRAME),
    path: PLACE,
    confirm: { path: "/admin/machines/confirm" },
    get: (input: PlatformInput) =>
      showPart(FRAME, input, { refuseReader: (refusal) => refuseConsole(input.call, refusal, PLACE) }),
  };
  return consolePagesOf(deps, page, (handle) => (call) => handle(inputOf(deps, call)));
}

function inputOf(deps: ServiceAccountDeps, call: ConsoleCall): PlatformInput {
  const display: PlatformInput["display"] = (_, page) => showConsole(call, { at: PLACE, ...page });
  return { deps, call, basePath: PLACE, organizationId: null, canEdit: mayAct(call.admin), display };
}
