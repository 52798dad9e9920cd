import { PASSWORD_MIN_CODE_POINTS } from "../../limits/account-limits.ts";
import {
  POLICY_GRACE_DAYS_MAX,
  POLICY_IDLE_MINUTES_MAX,
  POLICY_IDLE_MINUTES_MIN,
  POLICY_PASSWORD_LENGTH_MAX,
  POLICY_SESSION_HOURS_MAX,
} from "../../limits/policy-limits.ts";
import type { Profile } from "../../models/user/profile.ts";
import type { PolicyMethod } from "../../vocabulary/policy-settings.ts";
import { applicationName } from "../components/application.tsx";
import { Area } from "../components/area.tsx";
import { Check } from "../components/check.tsx";
import { Choice } from "../components/choice.tsx";
import { Actions, Button, Field, FieldError, Form, type FormState } from "../components/form.tsx";
import { SubPageHead } from "../components/item-head.tsx";
import { Shell } from "../components/layout.tsx";
import { Setting } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { StepUpAgain } from "../components/step-up-again.tsx";
import { START_DAYS } from "../start-field.ts";
import { useView } from "../view.tsx";
import { reviewSubmitted } from "./edit-actions.ts";
import { clientField, methodField } from "./form.ts";
import { EDIT_POLICIES, POLICIES } from "./paths.ts";
import { methodName, type NamedClients } from "./setting-texts.ts";

interface FormProps {
  readonly profile: Profile;
  readonly state: FormState;
  readonly revision: string;
  /** The start of settings that wait. */
  readonly pendingFrom: Date | undefined;
  /** The methods of the deployment, and the methods of the stored policy. */
  readonly methods: readonly PolicyMethod[];
  readonly clients: NamedClients;
  /** The network address of the user. */
  readonly address: string;
  readonly needsStepUp: boolean;
}

interface PartProps {
  readonly state: FormState;
}

export function EditPoliciesBody(props: FormProps) {
  const { t } = useView();
  const { profile, state, revision, pendingFrom, methods, clients, address, needsStepUp } = props;
  const { change, groups, names, review, title } = t.policies;
  return (
    <Shell at={POLICIES} profile={profile} inside>
      <SubPageHead above={[{ href: POLICIES, text: title }]} title={change} lead={t.policies.lead} />
      <Problem state={state} current={EDIT_POLICIES} />
      <StepUpAgain visible={needsStepUp} at={EDIT_POLICIES} />
      <Form action={EDIT_POLICIES} novalidate>
        <input type="hidden" name="revision" value={revision} />
        <Setting title={groups.signIn}>
          <div class="panel stack">
            <SignInFields state={state} methods={methods} />
          </div>
        </Setting>
        <Setting title={groups.sessions}>
          <div class="panel stack">
            <NumberField
              name="session_max_hours"
              label={names.sessionMaxHours}
              hint={t.policies.hoursHint}
              min={1}
              max={POLICY_SESSION_HOURS_MAX}
              state={state}
            />
            <NumberField
              name="session_idle_minutes"
              label={names.sessionIdleMinutes}
              hint={t.policies.minutesHint}
              min={POLICY_IDLE_MINUTES_MIN}
              max={POLICY_IDLE_MINUTES_MAX}
              state={state}
            />
          </div>
        </Setting>
        <Setting title={groups.network}>
          <div class="panel stack">
            <Area
              name="allowed_ips"
              label={names.allowedIps}
              hint={t.policies.networksHint({ address })}
              state={state}
            />
          </div>
        </Setting>
        <Setting title={groups.members}>
          <div class="panel stack">
            <Area name="invite_domains" label={names.inviteDomains} hint={t.policies.domainsHint} state={state} />
            <Choice name="domain_join" label={names.domainJoin} options={t.policies.domainJoin} state={state} />
          </div>
        </Setting>
        <Setting title={groups.applications}>
          <div class="panel stack">
            <ApplicationFields state={state} clients={clients} />
          </div>
        </Setting>
        <Setting title={groups.passwords}>
          <div class="panel stack">
            <NumberField
              name="password_min_length"
              label={names.passwordMinLength}
              hint={t.policies.lengthHint}
              min={PASSWORD_MIN_CODE_POINTS}
              max={POLICY_PASSWORD_LENGTH_MAX}
              state={state}
            />
            <Choice
              name="password_check"
              label={names.passwordCheck}
              options={t.policies.passwordCheck}
              state={state}
            />
          </div>
        </Setting>
        <Setting title={t.policies.start}>
          <div class="panel stack">
            <StartField state={state} pendingFrom={pendingFrom} />
          </div>
          <Actions cancel={POLICIES}>
            <Button kind="primary" name="step" value={reviewSubmitted.step}>
              {review}
            </Button>
          </Actions>
        </Setting>
      </Form>
    </Shell>
  );
}

function SignInFields({ state, methods }: PartProps & Pick<FormProps, "methods">) {
  const { t, site } = useView();
  const { daysHint, mfa, mfaHint, methodsHint, names, signInNotices, trustedBrowsers } = t.policies;
  return (
    <>
      <Choice name="mfa" label={names.mfa} hint={mfaHint} options={mfa} state={state} />
      <NumberField
        name="mfa_grace_days"
        label={names.mfaGraceDays}
        hint={daysHint}
        min={0}
        max={POLICY_GRACE_DAYS_MAX}
        state={state}
      />
      <fieldset class="stack near" aria-describedby="methods-hint">
        <legend>{names.methods}</legend>
        <FieldError id="methods" text={state.errors?.methods} announced />
        {methods.map((method) => (
          <Check key={method} name={methodField(method)} label={methodName({ t, site }, method)} state={state} />
        ))}
        <p class="hint" id="methods-hint">
          {methodsHint}
        </p>
      </fieldset>
      <Choice name="trusted_browsers" label={names.trustedBrowsers} options={trustedBrowsers} state={state} />
      <Choice name="sign_in_notices" label={names.signInNotices} options={signInNotices} state={state} />
    </>
  );
}

function ApplicationFields({ state, clients }: PartProps & Pick<FormProps, "clients">) {
  const view = useView();
  const { applicationsHint, deviceFlow, names, noApplications, thirdPartyClients } = view.t.policies;
  return (
    <>
      <Choice name="third_party_clients" label={names.thirdPartyClients} options={thirdPartyClients} state={state} />
      <fieldset class="stack near" aria-describedby="approved_clients-hint">
        <legend>{names.approvedClients}</legend>
        {[...clients].map(([id, client]) => (
          <Check key={id} name={clientField(id)} label={applicationName(view, client)} state={state} />
        ))}
        {clients.size === 0 && <p>{noApplications}</p>}
        <p class="hint" id="approved_clients-hint">
          {applicationsHint}
        </p>
      </fieldset>
      <Choice name="device_flow" label={names.deviceFlow} options={deviceFlow} state={state} />
    </>
  );
}

interface NumberProps extends PartProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly min: number;
  readonly max: number;
}

function NumberField(props: NumberProps) {
  return <Field {...props} type="number" optional quiet />;
}

function StartField({ state, pendingFrom }: PartProps & Pick<FormProps, "pendingFrom">) {
  const { t, dates } = useView();
  const { startIn, startKept, startNow } = t.ssoPolicy;
  const starts = {
    ...(pendingFrom && { keep: startKept({ time: dates.minute(pendingFrom) }) }),
    0: startNow,
    ...Object.fromEntries(START_DAYS.map((days) => [days, startIn({ count: days })])),
  };
  return <Choice name="start" label={t.policies.start} hint={t.policies.startHint} options={starts} state={state} />;
}
