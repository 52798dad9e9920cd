/** The forms of a service account and of a key. */

import { REACH_MAX } from "../../limits/machine-limits.ts";
import { isPlatformPermission, type KeyScope } from "../../vocabulary/key-scope.ts";
import { stepUpPath } from "../addresses.ts";
import { Check } from "../components/check.tsx";
import { Choice } from "../components/choice.tsx";
import { Field, FieldError, type FormState } from "../components/form.tsx";
import { CreationForm } from "../components/question.tsx";
import { StepUpAgain } from "../components/step-up-again.tsx";
import type { Texts } from "../texts/catalogue.ts";
import { useView } from "../view.tsx";
import { createAccount, createKey } from "./actions.tsx";
import type { PartProps } from "./parts.tsx";
import { formPath } from "./place.ts";
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

/** The areas of scopes in the form, in order: the first that has the first part of a name. */
const SCOPE_AREAS = {
  users: ["users"],
  organizations: ["organizations"],
  members: ["members"],
  organization: ["organization", "policies", "roles", "sso", "directory", "machines", "webhooks", "applications"],
  platform: ["service_accounts", "webhooks", "resources", "role_templates", "providers", "feature_flags", "requests"],
  oauth_clients: ["oauth_clients"],
  audit: ["audit"],
  ssf: ["ssf"],
} as const;
type ScopeArea = keyof typeof SCOPE_AREAS;

/** Webhooks of the platform are settings of the platform; `webhooks.manage` concerns an organization. */
function areaOf(scope: KeyScope): ScopeArea | undefined {
  const [first = ""] = scope.split(".", 1);
  if (isPlatformPermission(scope) && first === "webhooks") return "platform";
  const areas = Object.entries(SCOPE_AREAS) as [ScopeArea, readonly string[]][];
  return areas.find(([, names]) => names.includes(first))?.[0];
}

/** A scope in words: a permission of an organization as in the editor of roles. */
export function scopeText({ serviceAccounts, customRoles }: Texts, scope: KeyScope): string | undefined {
  const own: Partial<Record<KeyScope, string>> = serviceAccounts.scopes;
  const names: Partial<Record<string, string>> = customRoles.names;
  return own[scope] ?? names[scope];
}

/** The lifetimes in the form, in days. */
const LIFETIMES_DAYS = [30, 90, 180, 365] as const;
const LIFETIME_STANDARD_DAYS = 90;
/** Ids of the greatest number of organizations. */
const REACH_TEXT_MAX = REACH_MAX * 37;

type KeyFormProps = FormProps & {
  readonly part: Extract<DisplayedPart, { kind: "new-key" }>;
  /** The form was refused for a missing second factor. */
  readonly needsStepUp: boolean;
};

export function KeyForm({ scope: { basePath }, part, state, needsStepUp }: KeyFormProps) {
  const { t } = useView();
  const { account, stepUp } = part;
  const lifetimes = LIFETIMES_DAYS.map((days) => [String(days), t.serviceAccounts.daysOption({ days })]);
  const returnTo = formPath(basePath, createKey.step, account.id);
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
      {!needsStepUp && <StepUpFirst text={t.serviceAccounts.keyNeedsStepUp} returnTo={returnTo} need={stepUp} />}
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
      {account.organizationId === null && <ReachField state={state} />}
      <Permissions scopes={part.scopes} state={state} />
    </CreationForm>
  );
}

interface StepUpFirstProps {
  readonly text: string;
  /** The address of the form. */
  readonly returnTo: string;
  readonly need: StepUpNeed;
}

/** The step-up before the form, so that no input waits for the step-up. */
export function StepUpFirst({ text, returnTo, need }: StepUpFirstProps) {
  const { t } = useView();
  if (need === "none") return null;
  return (
    <p class="note">
      {text} <a href={stepUpPath(returnTo)}>{need === "set-up" ? t.security.setUp : t.clients.stepUp}</a>
    </p>
  );
}

/** The organizations in which a key or trust of the platform acts. */
export function ReachField({ state }: { readonly state: FormState }) {
  const { t } = useView();
  return (
    <Field
      name="organizations"
      label={t.serviceAccounts.reach}
      hint={t.serviceAccounts.reachHint}
      state={state}
      maxlength={REACH_TEXT_MAX}
      optional
    />
  );
}

interface PermissionsProps {
  readonly scopes: readonly KeyScope[];
  readonly state: FormState;
}

/** The scopes that the user may give, in words, by area. */
export function Permissions({ scopes, state }: PermissionsProps) {
  const { t } = useView();
  const error = state.errors?.scopes;
  const areas = (Object.keys(SCOPE_AREAS) as ScopeArea[])
    .map((area) => [area, scopes.filter((scope) => areaOf(scope) === area)] as const)
    .filter(([, offered]) => offered.length > 0);
  return (
    <fieldset class="stack near" aria-describedby={error ? "scopes-error" : undefined}>
      <legend>{t.serviceAccounts.mayDo}</legend>
      <FieldError id="scopes" text={error} announced />
      {areas.map(([area, offered], areaIndex) => (
        <fieldset key={area}>
          <legend class="soft">{t.serviceAccounts.scopeGroups[area]}</legend>
          {offered.map((scope, index) => (
            <>
              <Check
                key={scope}
                name={scopeField(scope)}
                label={scopeText(t, scope) ?? scope}
                detail={scope}
                state={state}
                autofocus={areaIndex + index === 0 && error !== undefined}
              />
              {scope === "users.credentials" && <p class="note">{t.serviceAccounts.takesOver}</p>}
            </>
          ))}
        </fieldset>
      ))}
    </fieldset>
  );
}
