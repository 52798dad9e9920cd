/** The action of `/admin`. */
import { ok } from "../../../base/result.ts";
import { actionsOf } from "../../action.ts";
import { hiddenFirstRunCookie } from "../../cookies.ts";
import { seeOther } from "../../page.ts";
import { type ConsoleInput, platformCaller } from "../console-actions.tsx";

export const OVERVIEW = "/admin";

/** Hides the list in this browser. */
export const hideFirstSteps = actionsOf<ConsoleInput>().action({
  step: "hide",
  may: platformCaller,
  run: () => ok(undefined),
  reply: ({ deps }) => seeOther(OVERVIEW, [hiddenFirstRunCookie(deps.config)]),
});

export const overviewActions = { hideFirstSteps };
