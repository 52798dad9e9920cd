/** Forms of selected rows on the pages of the organization. */
import { Shell } from "../components/layout.tsx";
import { PartialOutcomeBody } from "../components/selection.tsx";
import { refusedPage } from "../error.tsx";
import { showPage } from "../html.tsx";
import { type AuthenticatedCall, type PageReply, seeResult } from "../page.ts";
import { refusedParts } from "../problem-messages.ts";
import { actOnSelection, type Selection, selectionMessages } from "../selection.ts";
import { type SignedInUserDeps, signedInUser } from "../signed-in-user.ts";

interface Input {
  readonly selection: Selection;
  /** The address of the list. */
  readonly place: string;
}

/** Acts on the rows of the form, and displays the refused rows. */
export async function postSelection(
  deps: SignedInUserDeps,
  call: AuthenticatedCall,
  { selection, place }: Input,
): Promise<PageReply> {
  const outcome = await actOnSelection(call.form, selection);
  if (outcome.ok) return seeResult(place, outcome.value);
  const { profile, view } = await signedInUser(deps, call);
  if ("code" in outcome.error) return refusedPage(view, outcome.error, selectionMessages(view));
  const { refused } = outcome.error;
  const body = (
    <Shell at="/team" inside profile={profile}>
      <PartialOutcomeBody outcome={outcome.error} selection={selection} place={place} />
    </Shell>
  );
  return showPage(view, { title: view.t.selection.partial(refused.length), body, ...refusedParts(refused[0].refused) });
}
