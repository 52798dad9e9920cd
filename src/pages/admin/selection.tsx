/** Forms of selected rows in the platform console. */

import type { ConsolePlace } from "../components/layout.tsx";
import { PartialOutcomeBody } from "../components/selection.tsx";
import { type PageReply, seeResult } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { actOnSelection, type Selection, selectionMessages } from "../selection.ts";
import { type ConsoleCall, refuseConsole, showConsole } from "./console.tsx";

interface Input {
  readonly selection: Selection;
  readonly at: ConsolePlace;
  /** The address of the list. */
  readonly place: string;
}

/** Acts on the rows of the form, and displays the refused rows. */
export async function postSelection(call: ConsoleCall, { selection, at, place }: Input): Promise<PageReply> {
  const outcome = await actOnSelection(call.form, selection);
  if (outcome.ok) return seeResult(place, outcome.value);
  const { view } = call;
  if ("code" in outcome.error) return refuseConsole(call, outcome.error, place, selectionMessages(view));
  const { refused } = outcome.error;
  const title = view.t.selection.partial(refused.length);
  const body = <PartialOutcomeBody outcome={outcome.error} selection={selection} place={place} />;
  return showConsole(call, { at, inside: true, title, body, ...refusedParts(refused[0].refused) });
}
