import type { KeyScope } from "../../vocabulary/key-scope.ts";

/** The forms of a service account and of a key. */

import type { ServiceAccount } from "../../models/service-account/service-account.ts";
import { stepUpPath } from "../addresses.ts";
import { Check } from "../components/check.tsx";
import { Choice } from "../components/choice.tsx";
import { Field, FieldError, type FormState } from "../components/form.tsx";
import { CreationForm } from "../components/question.tsx";
import { StepUpAgain } from "../components/step-up-again.tsx";
import { useView } from "../view.tsx";
import { createAccount, createKey } from "./actions.tsx";
import type { PartProps } from "./parts.tsx";
import { formPath, type ServiceAccountScope } from "./place.ts";
import { type DisplayedPart, type StepUpNeed, scopeField } from "./view-model.ts";

export interface FormProps extends PartProps {
  readonly state: FormState;
}

export function AccountForm({ scope: { basePath }, state }: FormProps) {
  const { t } = useView();
  return (
    <CreationForm
      title={t.serviceAccounts.newAccount}
      lead={t.serviceAccounts.accountsLead}
      action={basePath}
      cancel={basePath}
      submit={[t.serviceAccounts.createAccount, createAccount.step]}
      state={state}
    >
      <Field
        name="name"
        label={t.serviceAccounts.name}
        hint={t.serviceAccounts.nameHint}
        state={state}
        maxlength={120}
        autofocus
      />
    </CreationForm>
  );
}

/** The groups of scopes, by the first part of their names. */
const SCOPE_GROUPS = ["audit", "members", "oauth_clients", "ssf"] as const;

/** The lifetimes in the form, in days. */
const LIFETIMES_DAYS = [30, 90, 180, 365] as const;
const LIFETIME_STANDARD_DAYS = 90;

type KeyFormProps = FormProps & {
  readonly part: Extract<DisplayedPart, { kind: "new-key" }>;
  /** The form was refused for a missing second factor. */
  readonly needsStepUp: boolean;
};

export function KeyForm({ scope: { basePath }, part, state, needsStepUp }: KeyFormProps) {
  const { t } = useView();
  const { account, stepUp } = part;
  const lifetimes = LIFETIMES_DAYS.map((days) => [String(days), t.serviceAccounts.daysOption({ days })]);
  const days = state.values?.days ?? String(LIFETIME_STANDARD_DAYS);
  return (
    <CreationForm
      title={t.serviceAccounts.newKeyFor({ name: account.name })}
      action={basePath}
      cancel={basePath}
      submit={[t.serviceAccounts.makeKey, createKey.step]}
      state={state}
    >
      <StepUpAgain visible={needsStepUp} at={basePath} />
      {stepUp !== "none" && !needsStepUp && <StepUpFirst basePath={basePath} account={account} need={stepUp} />}
      <input type="hidden" name="id" value={account.id} />
      <Field
        name="name"
        label={t.serviceAccounts.name}
        hint={t.serviceAccounts.keyNameHint}
        state={state}
        maxlength={120}
        optional
      />
      <Choice
        name="days"
        label={t.serviceAccounts.days}
        options={Object.fromEntries(lifetimes)}
        state={{ ...state, values: { ...state.values, days } }}
      />
      <Permissions basePath={basePath} state={state} />
    </CreationForm>
  );
}

interface StepUpFirstProps {
  readonly basePath: ServiceAccountScope;
  readonly account: ServiceAccount;
  readonly need: StepUpNeed;
}

/** The step-up before the form, so that no input waits for the step-up. */
function StepUpFirst(props: StepUpFirstProps) {
  const { t } = useView();
  const returnTo = formPath(props.basePath, createKey.step, props.account.id);
  return (
    <p class="note">
      {t.serviceAccounts.keyNeedsStepUp}{" "}
      <a href={stepUpPath(returnTo)}>{props.need === "set-up" ? t.security.setUp : t.clients.stepUp}</a>
    </p>
  );
}

/**
 * A key of the platform acts in no organization, and applications belong to the platform (docs/contract.md, section
 * 25.4): each form offers only the scopes with an effect.
 */
function isOffered(basePath: ServiceAccountScope, group: (typeof SCOPE_GROUPS)[number]): boolean {
  return group !== (basePath === "/machines" ? "oauth_clients" : "members");
}

function Permissions({ basePath, state }: { readonly basePath: ServiceAccountScope; readonly state: FormState }) {
  const { t } = useView();
  const error = state.errors?.scopes;
  const scopes = Object.entries(t.serviceAccounts.scopes) as [KeyScope, string][];
  const groups = SCOPE_GROUPS.filter((group) => isOffered(basePath, group));
  return (
    <fieldset class="stack near" aria-describedby={error ? "scopes-error" : undefined}>
      <legend>{t.serviceAccounts.mayDo}</legend>
      <FieldError id="scopes" text={error} announced />
      {groups.map((group, groupIndex) => (
        <fieldset key={group}>
          <legend class="soft">{t.serviceAccounts.scopeGroups[group]}</legend>
          {scopes
            .filter(([scope]) => scope.startsWith(`${group}.`))
            .map(([scope, text], index) => (
              <Check
                key={scope}
                name={scopeField(scope)}
                label={text}
                detail={scope}
                state={state}
                autofocus={groupIndex + index === 0 && error !== undefined}
              />
            ))}
        </fieldset>
      ))}
    </fieldset>
  );
}
