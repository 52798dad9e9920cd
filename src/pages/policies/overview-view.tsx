import type { ComponentChildren } from "preact";
import type { Profile } from "../../models/user/profile.ts";
import { Button, Form, type FormState } from "../components/form.tsx";
import { Shell } from "../components/layout.tsx";
import { Problem } from "../components/notices.tsx";
import { StepUpAgain } from "../components/step-up-again.tsx";
import { Facts } from "../components/table.tsx";
import { useView } from "../view.tsx";
import { cancelPending } from "./actions.ts";
import type { DisplayedPolicies } from "./displayed.ts";
import { EDIT_POLICIES, POLICIES } from "./paths.ts";
import { ChangesTable } from "./review-view.tsx";
import { GROUPS, settingText } from "./setting-texts.ts";

interface OverviewProps {
  readonly profile: Profile;
  readonly policies: DisplayedPolicies;
  /** The user holds `policies.manage`. */
  readonly isManager: boolean;
  readonly state: FormState;
  /** The user must present the second factor again before the form is sent. */
  readonly needsStepUp: boolean;
}

export function PoliciesBody({ profile, policies, isManager, state, needsStepUp }: OverviewProps) {
  const { t } = useView();
  return (
    <Shell at={POLICIES} profile={profile}>
      <header class="head">
        <div>
          <h1>{t.policies.title}</h1>
          <p class="soft">{t.policies.lead}</p>
        </div>
        {isManager && (
          <a class="button primary" href={EDIT_POLICIES}>
            {t.policies.change}
          </a>
        )}
      </header>
      {!isManager && <p class="note">{t.policies.ownersOnly}</p>}
      <Problem state={state} />
      <StepUpAgain visible={needsStepUp} at={POLICIES} />
      <Pending policies={policies}>
        {isManager && policies.pending && (
          <Form action={POLICIES}>
            <input type="hidden" name="revision" value={policies.pending.revision} />
            <Button name="step" value={cancelPending.step}>
              {t.policies.cancelPending}
            </Button>
          </Form>
        )}
      </Pending>
      <PolicyGroups policies={policies} />
    </Shell>
  );
}

/** The settings that wait for their start, as changes of the settings in force. */
export function Pending({
  policies: { inForce, pending, clients },
  children,
}: Pick<OverviewProps, "policies"> & { readonly children?: ComponentChildren }) {
  const { t, dates } = useView();
  if (!pending) return null;
  return (
    <section class="stack" aria-labelledby="pending">
      <h2 id="pending">{t.policies.pending({ time: dates.minute(pending.from) })}</h2>
      <ChangesTable from={inForce} to={pending.settings} clients={clients} />
      {children}
    </section>
  );
}

/** Every policy in force, in words. */
export function PolicyGroups({ policies: { inForce, clients } }: Pick<OverviewProps, "policies">) {
  const view = useView();
  const { groups, names } = view.t.policies;
  return (
    <>
      {GROUPS.map(([group, settings]) => (
        <section key={group} class="box" aria-labelledby={`group-${group}`}>
          <header>
            <h2 id={`group-${group}`}>{groups[group]}</h2>
          </header>
          <Facts details={settings.map((each) => [names[each], settingText(view, inForce, each, clients)] as const)} />
        </section>
      ))}
    </>
  );
}
