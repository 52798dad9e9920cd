import { disownSignIn } from "../../flows/sessions/disown.ts";
import type { Page } from "../page.ts";
import { type RecoveryPageDeps, recoveryLinkPage } from "./recovery-link.tsx";

/** `/sign-in/not-me`: the target of the link "This was not me" in the notice of a sign-in from a new browser. */
export function notMePage(deps: RecoveryPageDeps): Page {
  return recoveryLinkPage(deps, {
    path: "/sign-in/not-me",
    texts: (t) => t.notMe,
    act: (input) => disownSignIn(deps, input),
  });
}
