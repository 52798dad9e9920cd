import { Check } from "../components/check.tsx";
import { Problem } from "../components/notices.tsx";
import { StepUpAgain } from "../components/step-up-again.tsx";
import { useView } from "../view.tsx";
import type { ConnectionFormProps } from "./view-model.ts";

/** The refusal of a form of a connection, with the confirmation that the change unlinks all users. */
export function FormProblem({ viewModel, state, needsStepUp, asksUnlink, at }: ConnectionFormProps & { at: string }) {
  const { t } = useView();
  return (
    <>
      <Problem state={state} current={at} />
      <StepUpAgain visible={needsStepUp} at={viewModel.place} />
      {asksUnlink && <Check name="unlink_identities" label={t.ssoConnections.unlink} state={{}} />}
    </>
  );
}
