import type { NamedChannel } from "../../base/problem.ts";
import type { Coverage, EmergencyCandidate } from "../../models/sso-policy/enforcement.ts";
import type { SsoPolicy } from "../../models/sso-policy/sso-policy.ts";
import type { Profile } from "../../models/user/profile.ts";
import { GrantChannels } from "../channel-question.tsx";
import { Check } from "../components/check.tsx";
import { Choice } from "../components/choice.tsx";
import { Actions, Button, Field, FieldError, Form, type FormState } from "../components/form.tsx";
import { SubPageHead } from "../components/item-head.tsx";
import { Shell } from "../components/layout.tsx";
import { Setting } from "../components/lists.tsx";
import { Problem } from "../components/notices.tsx";
import { StepUpAgain } from "../components/step-up-again.tsx";
import { versionOf } from "../shared/displayed-version.ts";
import { START_DAYS } from "../start-field.ts";
import { useView } from "../view.tsx";
import { SSO, SSO_POLICY } from "./paths.ts";
import { previewSsoPolicy } from "./policy-actions.ts";
import { BREAK_GLASS_LISTED, breakGlassField, ruleCount, ruleField } from "./policy-form.ts";

interface PolicyProps {
  readonly profile: Profile;
  readonly policy: SsoPolicy;
  /** The owners fit for emergency access. */
  readonly candidates: readonly EmergencyCandidate[];
  /** Who is responsible for the ways to the roles. */
  readonly channels: readonly NamedChannel[];
  /** The result of the preview. */
  readonly coverage: Coverage | undefined;
  readonly state: FormState;
  readonly isManager: boolean;
  /** The user must present the second factor again before the form is sent. */
  readonly needsStepUp: boolean;
}

export function PolicyBody(props: PolicyProps) {
  const { t, dates, site } = useView();
  const { profile, policy, candidates, channels, coverage, state, isManager, needsStepUp } = props;
  const { pausedUntil } = policy;
  const { title, signIn, signInLead, roles, rolesLead, ownersOnly } = t.ssoPolicy;
  return (
    <Shell at={SSO} profile={profile} inside>
      <SubPageHead above={[{ href: SSO, text: t.singleSignOn.title }]} title={title} lead={signInLead} />
      {!isManager && <p class="note">{ownersOnly}</p>}
      {pausedUntil !== null && pausedUntil.getTime() > site.clock.now() && (
        <p class="note warn">{t.ssoPolicy.pausedUntil({ time: dates.minute(pausedUntil) })}</p>
      )}
      <Problem state={state} />
      <StepUpAgain visible={needsStepUp} at={SSO_POLICY} />
      <Form action={SSO_POLICY}>
        <input type="hidden" name="version" value={state.values?.version ?? versionOf(policy.updatedAt)} />
        <Setting title={signIn}>
          <div class="panel stack">
            <SignInFields state={state} policy={policy} />
            <EmergencyFields state={state} candidates={candidates} />
            {coverage && <CoverageResult coverage={coverage} />}
            {isManager && (
              <div class="actions">
                <Button name="step" value={previewSsoPolicy.step}>
                  {t.ssoPolicy.preview}
                </Button>
              </div>
            )}
          </div>
        </Setting>
        <Setting title={roles} lead={rolesLead}>
          <div class="panel stack">
            <RoleFields state={state} />
          </div>
          {isManager && <GrantChannels channels={channels} />}
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

function SignInFields({ state, policy: { requiredAt } }: PartProps & Pick<PolicyProps, "policy">) {
  const { t, dates } = useView();
  const { emergency, guests, guestRules, guestsHint, jit, jits, mode, modes } = t.ssoPolicy;
  const { start, startIn, startKept, startNow, ownFactor, ownFactors, ownFactorHint } = t.ssoPolicy;
  const starts = {
    ...(requiredAt && { keep: startKept({ time: dates.minute(requiredAt) }) }),
    0: startNow,
    ...Object.fromEntries(START_DAYS.map((days) => [days, startIn({ count: days })])),
  };
  return (
    <>
      <Choice name="mode" label={mode} hint={emergency} options={modes} state={state} />
      <Choice name="start" label={start} options={starts} state={state} />
      <Choice name="jit" label={jit} options={jits} state={state} />
      <Choice name="guests" label={guests} hint={guestsHint} options={guestRules} state={state} />
      <Choice name="own_factor" label={ownFactor} hint={ownFactorHint} options={ownFactors} state={state} />
    </>
  );
}

function EmergencyFields({ state, candidates }: PartProps & Pick<PolicyProps, "candidates">) {
  const { breakGlass, breakGlassHint, noBreakGlass } = useView().t.ssoPolicy;
  const error = state.errors?.break_glass;
  return (
    <fieldset class="stack near" aria-describedby="break_glass-hint">
      <legend>{breakGlass}</legend>
      <FieldError id="break_glass" text={error} announced />
      {candidates.length > 0 && <input type="hidden" name={BREAK_GLASS_LISTED} value="yes" />}
      {candidates.map(({ userId, email }) => (
        <Check key={userId} name={breakGlassField(userId)} label={email} state={state} />
      ))}
      <p class="hint" id="break_glass-hint">
        {candidates.length === 0 ? noBreakGlass : breakGlassHint}
      </p>
    </fieldset>
  );
}

/** The members whom the submitted settings would cover, and the members without an identity. */
function CoverageResult({ coverage: { covered, withoutIdentity, members } }: { readonly coverage: Coverage }) {
  const t = useView().t.ssoPolicy;
  return (
    <section class="stack near" id="preview">
      <h3 tabIndex={-1} autofocus>
        {t.previewTitle}
      </h3>
      <p>{t.covered({ count: covered })}</p>
      {covered > 0 && withoutIdentity === 0 && <p>{t.allLinked}</p>}
      {withoutIdentity > 0 && (
        <>
          <p>{t.withoutIdentity({ count: withoutIdentity })}</p>
          <ul>
            {members.map(({ userId, email }) => (
              <li key={userId}>{email}</li>
            ))}
          </ul>
          {withoutIdentity > members.length && <p class="soft">{t.firstMembers}</p>}
        </>
      )}
    </section>
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
  // A stored rule can name a custom role, by its key.
  const stored = state.values?.[ruleField(index, "role")] ?? "";
  const builtIn = { member, admin };
  const options = stored === "" || Object.hasOwn(builtIn, stored) ? builtIn : { ...builtIn, [stored]: stored };
  return (
    <fieldset class="cols few">
      <legend class="sr">{rule({ number: dates.number(index + 1) })}</legend>
      <Field name={ruleField(index, "from")} label={from} placeholder="groups" state={state} optional quiet />
      <Field name={ruleField(index, "value")} label={value} state={state} optional quiet />
      <Choice name={ruleField(index, "role")} label={t.team.role} options={options} state={state} />
    </fieldset>
  );
}
