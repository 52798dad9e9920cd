import type { Refusal } from "../../../base/problem.ts";
import {
  type AdministerResourcesDeps,
  changeDisplayedResource,
  readResource,
} from "../../../flows/oauth/resources/administer-resources.ts";
import { authorizeSteppedUpAdmin } from "../../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import { OAUTH_SCOPE_DESCRIPTION_MAX_CHARACTERS, OAUTH_SCOPE_MAX_CHARACTERS } from "../../../limits/oauth-limits.ts";
import { PERMISSION_NAME_MAX_CHARACTERS } from "../../../limits/role-limits.ts";
import type { OAuthResource, ResourceScope } from "../../../models/oauth-resource/oauth-resource.ts";
import {
  DESCRIPTION_LANGUAGES,
  type DescriptionLanguage,
  descriptionMember,
  descriptionsOf,
  eachDescription,
  spokenLanguage,
  tagOf,
} from "../../../vocabulary/languages.ts";
import { Check } from "../../components/check.tsx";
import { Actions, Button, Field, Form, type FormState } from "../../components/form.tsx";
import { SubPageHead } from "../../components/item-head.tsx";
import { Problem } from "../../components/notices.tsx";
import { asksStepUp, StepUpAgain } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { type Fields, NOTHING_THERE, type Page, pathWith, seeResult } from "../../page.ts";
import { changedForm, refusedForm, refusedParts } from "../../problem-messages.ts";
import { displayedVersionIn, versionOf } from "../../shared/displayed-version.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { TEXTS } from "../../texts/catalogue.ts";
import { useView, type View } from "../../view.tsx";
import { type ConsoleCall, consolePage, refuseConsole, showConsole } from "../console.tsx";
import { RESOURCES, resourcePath } from "./paths.ts";

const ACCESS_FIELDS = ["permission", "public", "sensitive"] as const;

interface ScopeProps {
  readonly resource: OAuthResource;
  /** Undefined: a new scope. */
  readonly scope: ResourceScope | undefined;
  readonly state: FormState;
  readonly needsStepUp: boolean;
}

function ScopeBody({ resource, scope, state, needsStepUp }: ScopeProps) {
  const { t } = useView();
  const { title, addScope, scopeName, scopeNameHint } = t.resources;
  const place = resourcePath(resource);
  const version = state.values?.version ?? versionOf(resource.updatedAt);
  return (
    <>
      <SubPageHead
        above={[
          { href: RESOURCES, text: title },
          { href: place, text: resource.name },
        ]}
        title={scope?.name ?? addScope}
        mono={scope !== undefined}
      />
      <Problem state={state} current={pathWith(`${place}/scope`, { name: scope?.name })} />
      <StepUpAgain visible={needsStepUp} at={place} />
      <Form action={pathWith(`${place}/scope`, { name: scope?.name })} class="panel stack">
        <input type="hidden" name="version" value={version} />
        {!scope && (
          <Field
            name="name"
            label={scopeName}
            hint={scopeNameHint}
            state={state}
            maxlength={OAUTH_SCOPE_MAX_CHARACTERS}
            autofocus
          />
        )}
        {DESCRIPTION_LANGUAGES.map((language) => (
          <DescriptionField
            key={language}
            language={language}
            state={state}
            value={scope?.[descriptionMember(language)] ?? ""}
          />
        ))}
        <AccessFields scope={scope} state={state} />
        <Actions cancel={place}>
          <Button kind="primary">{t.common.save}</Button>
        </Actions>
      </Form>
    </>
  );
}

/** Which users and applications receive the scope. */
function AccessFields({ scope, state }: Pick<ScopeProps, "scope" | "state">) {
  const { isPublic, permission, permissionHint, sensitive } = useView().t.resources;
  return (
    <>
      <Field
        name="permission"
        label={permission}
        hint={permissionHint}
        state={state}
        value={scope?.permission ?? ""}
        maxlength={PERMISSION_NAME_MAX_CHARACTERS}
        optional
      />
      <Check name="public" label={isPublic} state={state} checked={scope?.public ?? false} />
      <Check name="sensitive" label={sensitive} state={state} checked={scope?.sensitive ?? false} />
    </>
  );
}

interface DescriptionProps {
  readonly language: DescriptionLanguage;
  readonly state: FormState;
  readonly value: string;
}

/** The hint quotes a sentence of the consent page and is therefore in the language of the description. */
function DescriptionField({ language, state, value }: DescriptionProps) {
  const { t, dates } = useView();
  const spoken = spokenLanguage(language);
  return (
    <Field
      name={descriptionMember(language)}
      label={t.resources.description({ language: dates.languageName(tagOf(language)) })}
      {...(spoken && { hint: TEXTS[spoken].resources.descriptionHint, hintLanguage: tagOf(spoken) })}
      state={state}
      value={value}
      maxlength={OAUTH_SCOPE_DESCRIPTION_MAX_CHARACTERS}
      optional
    />
  );
}

/** `/admin/resources/:id/scope`: the scope of the query `name`, or a new scope. */
export function resourceScopePage(deps: SignedInUserDeps & AdministerResourcesDeps): Page {
  const show = (call: ConsoleCall, target: ScopeTarget, state: FormState = {}, parts: DisplayedParts = {}) => {
    const title = target.scope?.name ?? call.view.t.resources.addScope;
    const body = <ScopeBody {...target} state={state} needsStepUp={parts.refused?.code === "mfa_required"} />;
    return showConsole(call, { at: RESOURCES, inside: true, title, body, ...parts });
  };
  return consolePage(deps, {
    path: "/admin/resources/:id/scope",
    async get(call) {
      const target = await findTarget(deps, call);
      if (!target) return refuseConsole(call, NOTHING_THERE, RESOURCES);
      const acts = await authorizeSteppedUpAdmin(deps, call.caller.session);
      return acts.ok ? show(call, target) : refuseConsole(call, acts.error, resourcePath(target.resource));
    },
    async post(call) {
      const target = await findTarget(deps, call);
      if (!target) return refuseConsole(call, NOTHING_THERE, RESOURCES);
      const { form, client, view } = call;
      const { id } = target.resource;
      const refuse = (error: Refusal) =>
        show(call, target, refusedScope(view, error, form, target), refusedParts(error));
      const acts = await authorizeSteppedUpAdmin(deps, call.caller.session);
      if (!acts.ok) {
        return asksStepUp(acts.error) ? refuse(acts.error) : refuseConsole(call, acts.error, resourcePath({ id }));
      }
      const change = { scopes: scopesWith(target, form) };
      const displayed = displayedVersionIn(form);
      const saved = await changeDisplayedResource(deps, { caller: acts.value, client, id, change, displayed });
      return saved.ok ? seeResult(`${resourcePath({ id })}`, "scope-saved") : refuse(saved.error);
    },
  });
}

type ScopeTarget = Pick<ScopeProps, "resource" | "scope">;

/** Undefined for an unknown API or scope. */
async function findTarget(
  deps: AdministerResourcesDeps,
  { admin, params, query }: ConsoleCall,
): Promise<ScopeTarget | undefined> {
  const found = await readResource(deps, admin, params.id ?? "");
  if (!found.ok) return undefined;
  const resource = found.value;
  const scope = resource.scopes.find(({ name }) => name === query.text("name"));
  return scope || !query.has("name") ? { resource, scope } : undefined;
}

/** The scopes of the API with the submitted scope in its place, or behind the others. */
function scopesWith({ resource: { scopes }, scope }: ScopeTarget, form: Fields): readonly ResourceScope[] {
  const descriptions = descriptionsOf((language) => form.text(descriptionMember(language)).trim() || null);
  const permission = form.text("permission").trim();
  const submitted = {
    name: scope?.name ?? form.text("name").trim(),
    ...(permission === "" ? {} : { permission }),
    public: form.has("public"),
    sensitive: form.has("sensitive"),
    ...descriptions,
  };
  return scope ? scopes.map((each) => (each.name === scope.name ? submitted : each)) : [...scopes, submitted];
}

/** The form with the submitted values and a text beside every invalid field. */
function refusedScope(view: View, refusal: Refusal, form: Fields, { scope }: ScopeTarget): FormState {
  const { scopeExists, scopesFull, scopeRules } = view.t.resources;
  const names = ["name", "version", ...ACCESS_FIELDS, ...DESCRIPTION_LANGUAGES.map(descriptionMember)];
  const values = Object.fromEntries(names.map((name) => [name, form.text(name)]));
  if (refusal.code === "mfa_required") return { values };
  if (refusal.reason === "changed_meanwhile") return changedForm(view, values, storedValues(scope));
  const list = refusal.fields?.find(({ field }) => field === "scopes");
  if (list?.rule === "conflicting") return { values, errors: { name: scopeExists } };
  if (list) return { values, problem: scopesFull };
  const rules = {
    name: scopeRules.name,
    permission: scopeRules.permission,
    ...eachDescription(() => scopeRules.description),
  };
  return refusedForm(view, refusal, values, {}, rules);
}

function storedValues(scope: ResourceScope | undefined): Record<string, string> {
  if (!scope) return {};
  return {
    permission: scope.permission ?? "",
    public: scope.public ? "yes" : "",
    sensitive: scope.sensitive ? "yes" : "",
    ...eachDescription((language) => scope[descriptionMember(language)] ?? ""),
  };
}
