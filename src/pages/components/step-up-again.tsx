/**
 * The link to the step-up page above a form that was refused for a missing second factor; the form keeps the submitted
 * values.
 */
import type { Refusal } from "../../base/problem.ts";
import { stepUpPath } from "../addresses.ts";
import { useView } from "../view.tsx";

/** Whether a step-up satisfies the refusal. The step-up page offers the set-up of a factor to a user without one. */
export function asksStepUp(refused: Refusal | undefined): boolean {
  return refused?.code === "mfa_required";
}

/** The link to an edit form with more values than wait for a step-up: the step-up comes first. */
export function EditAfterStepUp({ at }: { readonly at: string }) {
  const { t } = useView();
  return (
    <a class="button primary" href={stepUpPath(at)}>
      {t.clients.edit}
    </a>
  );
}

/** The link to the step-up page. `at`: the return path of the step-up page. */
export function StepUpAgain({ visible, at }: { readonly visible: boolean; readonly at: string }) {
  const { t } = useView();
  if (!visible) return null;
  return (
    <p class="note bad" role="alert">
      {t.clients.stepUpAgain}{" "}
      <a href={stepUpPath(at)} target="_blank" rel="noopener">
        {t.clients.stepUp}
      </a>
    </p>
  );
}
