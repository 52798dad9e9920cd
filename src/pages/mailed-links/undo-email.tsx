import { undoAddressChange } from "../../flows/user-emails/undo.ts";
import type { Page } from "../page.ts";
import { type RecoveryPageDeps, recoveryLinkPage } from "./recovery-link.tsx";

/** `/undo-email`: the target of the undo link in the notice to the former address. */
export function undoEmailPage(deps: RecoveryPageDeps): Page {
  return recoveryLinkPage(deps, {
    path: "/undo-email",
    texts: (t) => t.undoEmail,
    act: (input) => undoAddressChange(deps, input),
  });
}
