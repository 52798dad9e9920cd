/** A form whose refusal asks for the second factor once more: it stands there with what was typed meanwhile. */
import type { Refusal } from "../../base/problem.ts";
import type { Profile } from "../../models/user/profile.ts";
import { pathWith } from "../page.ts";
import { useView } from "../view.tsx";

/** Whether that is so: only a user who has a second factor can show it. */
export function asksStepUp({ profile }: { readonly profile: Profile }, refused: Refusal | undefined): boolean {
  return refused?.code === "mfa_required" && profile.mfaEnabled;
}

/** Where the second factor is to be shown. `at`: where that leads. */
export function StepUpAgain({ visible, at }: { readonly visible: boolean; readonly at: string }) {
  const { t } = useView();
  if (!visible) return null;
  return (
    <p class="note bad" role="alert">
      {t.clients.stepUpAgain}{" "}
      <a href={pathWith("/step-up", { return_to: at })} target="_blank" rel="noopener">
        {t.clients.stepUp}
      </a>
    </p>
  );
}
