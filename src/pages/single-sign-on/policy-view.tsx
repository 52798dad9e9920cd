import type { Profile } from "../../models/user/profile.ts";
import { Choice } from "../components/choice.tsx";
import { Actions, Button, Field, FieldError, Form, type FormState } from "../components/form.tsx";
import { SubPageHead } from "../components/item-head.tsx";
import { Shell } from "../components/layout.tsx";
import { Setting } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { StepUpAgain } from "../components/step-up-again.tsx";
import { useView } from "../view.tsx";
import { SSO, SSO_POLICY } from "./paths.ts";
import { ruleCount, ruleField } from "./policy-form.ts";

interface PolicyProps {
  readonly profile: Profile;
  readonly state: FormState;
  readonly isManager: boolean;
  /** The user must present the second factor again before the form is sent. */
  readonly needsStepUp: boolean;
}

export function PolicyBody({ profile, state, isManager, needsStepUp }: PolicyProps) {
  const { t } = useView();
  const { title, signIn, signInLead, roles, rolesLead, ownersOnly } = t.ssoPolicy;
  return (
    <Shell at={SSO} profile={profile} inside>
      <SubPageHead above={[{ href: SSO, text: t.singleSignOn.title }]} title={title} lead={signInLead} />
      {!isManager && <p class="note">{ownersOnly}</p>}
      <Problem state={state} />
      <StepUpAgain visible={needsStepUp} at={SSO_POLICY} />
      <Form action={SSO_POLICY}>
        <Setting title={signIn}>
          <div class="panel stack">
            <SignInFields state={state} />
          </div>
        </Setting>
        <Setting title={roles} lead={rolesLead}>
          <div class="panel stack">
            <RoleFields state={state} />
          </div>
          {isManager && (
            <Actions cancel={SSO}>
              <Button kind="primary">{t.common.save}</Button>
            </Actions>
          )}
        </Setting>
      </Form>
    </Shell>
  );
}

interface PartProps {
  readonly state: FormState;
}

function SignInFields({ state }: PartProps) {
  const { emergency, guests, guestRules, guestsHint, jit, jits, mode, modes } = useView().t.ssoPolicy;
  return (
    <>
      <Choice name="mode" label={mode} hint={emergency} options={modes} state={state} />
      <Choice name="jit" label={jit} options={jits} state={state} />
      <Choice name="guests" label={guests} hint={guestsHint} options={guestRules} state={state} />
    </>
  );
}

function RoleFields({ state }: PartProps) {
  const { t } = useView();
  const { defaultRole, rules, rulesHint, sync, syncs } = t.ssoPolicy;
  const { admin, member } = t.roles;
  const indexes = Array.from({ length: ruleCount(state.values ?? {}) }, (_, index) => index);
  const error = state.errors?.role_rules;
  return (
    <>
      <Choice name="default_role" label={defaultRole} options={{ member, admin }} state={state} />
      <Choice name="sync" label={sync} options={syncs} state={state} />
      <fieldset class="stack" aria-describedby={error ? "role_rules-error rules-hint" : "rules-hint"}>
        <legend>{rules}</legend>
        <FieldError id="role_rules" text={error} announced />
        {indexes.map((index) => (
          <RuleFields key={index} index={index} state={state} />
        ))}
        <p class="hint" id="rules-hint">
          {rulesHint}
        </p>
      </fieldset>
    </>
  );
}

function RuleFields({ index, state }: PartProps & { readonly index: number }) {
  const { t, dates } = useView();
  const { from, rule, value } = t.ssoPolicy;
  const { admin, member } = t.roles;
  return (
    <fieldset class="cols few">
      <legend class="sr">{rule(dates.number(index + 1))}</legend>
      <Field name={ruleField(index, "from")} label={from} placeholder="groups" state={state} optional quiet />
      <Field name={ruleField(index, "value")} label={value} state={state} optional quiet />
      <Choice name={ruleField(index, "role")} label={t.team.role} options={{ member, admin }} state={state} />
    </fieldset>
  );
}
