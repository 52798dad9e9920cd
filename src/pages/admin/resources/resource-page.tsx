import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import {
  type AdministerResourcesDeps,
  changeDisplayedResource,
  changeResource,
  readResource,
  removeResource,
} from "../../../flows/oauth-resources/administer-resources.ts";
import type { PlatformCaller } from "../../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeSteppedUpAdmin } from "../../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import { resourceChangeOf } from "../../../http/oauth-resource-settings.ts";
import { bodyValidator } from "../../../http/read-input.ts";
import type { Reply } from "../../../http/reply.ts";
import { ChangeOAuthResource } from "../../../http/schemas/oauth-resources.ts";
import type { OAuthResource } from "../../../models/oauth-resource/oauth-resource.ts";
import type { FormState } from "../../components/form.tsx";
import type { Question } from "../../components/question.tsx";
import { asksStepUp } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { NOTHING_THERE, type Page, seeResult, textAt } from "../../page.ts";
import { refusedParts } from "../../problem-messages.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import type { View } from "../../view.tsx";
import {
  type ConsoleCall,
  confirmationPage,
  consolePage,
  editPermission,
  refuseConsole,
  showConsole,
} from "../console.tsx";
import { displayedVersionIn } from "../displayed-version.ts";
import { RESOURCES } from "./page.tsx";
import { refusedSettings, submittedSettings } from "./settings-form.tsx";
import { DELETE_SCOPE, placeOf, ResourceBody } from "./view.tsx";

const validateChange = bodyValidator(ChangeOAuthResource);

type ResourceDeps = SignedInUserDeps & AdministerResourcesDeps;

function resultOf({ t }: View, done: string): string | undefined {
  const { created, saved, disabledNow, enabledNow, scopeSaved, scopeDeleted } = t.resources;
  const results = { created, saved, disabled: disabledNow, enabled: enabledNow };
  return textAt({ ...results, "scope-saved": scopeSaved, "scope-deleted": scopeDeleted }, done);
}

/** `/admin/resources/:id`: scopes, name, access. Editing needs a step-up, as in the API. */
export function resourcePage(deps: ResourceDeps): Page {
  const show = async (
    call: ConsoleCall,
    resource: OAuthResource,
    state: FormState = {},
    parts: DisplayedParts = {},
  ) => {
    const { view } = call;
    // The submitted values stay in the form.
    const may = state.values ? "edit" : await editPermission(deps, call);
    const needsStepUp = parts.refused?.code === "mfa_required";
    const done = resultOf(view, call.result);
    const body = <ResourceBody resource={resource} may={may} state={state} needsStepUp={needsStepUp} />;
    const islands = ["confirm"] as const;
    return showConsole(call, { at: RESOURCES, inside: true, title: resource.name, body, done, islands, ...parts });
  };
  return consolePage(deps, {
    path: "/admin/resources/:id",
    async get(call) {
      const found = await readResource(deps, call.admin, call.params.id ?? "");
      return found.ok ? await show(call, found.value) : refuseConsole(call, found.error, RESOURCES);
    },
    async post(call) {
      const found = await readResource(deps, call.admin, call.params.id ?? "");
      if (!found.ok) return refuseConsole(call, found.error, RESOURCES);
      const target = found.value;
      const authorized = await authorizeSteppedUpAdmin(deps, call.caller.session);
      const outcome = authorized.ok ? await act({ deps, call, caller: authorized.value, target }) : authorized;
      if (outcome.ok) return outcome.value;
      const { error } = outcome;
      const isForm = call.form.text("step") === "save";
      if (isForm && (error.code === "invalid_input" || error.code === "conflict" || asksStepUp(error))) {
        const state = refusedSettings(call.view, call.form, target, error);
        return await show(call, target, state, refusedParts(error));
      }
      return refuseConsole(call, error, placeOf(target), { conflict: call.view.t.resources.changedMeanwhile });
    },
  });
}

interface Acting {
  readonly deps: ResourceDeps;
  readonly call: ConsoleCall;
  readonly caller: PlatformCaller;
  readonly target: OAuthResource;
}

/** Executes the action of the pressed button. */
async function act({ deps, call, caller, target }: Acting): Promise<Result<Reply, Refusal>> {
  const { form, client } = call;
  const { id, scopes, updatedAt } = target;
  const input = { caller, client, id };
  const after = (outcome: Result<unknown, Refusal>, done: string) =>
    outcome.ok ? ok(seeResult(placeOf(target), done)) : outcome;
  const step = form.text("step");
  if (step.startsWith(DELETE_SCOPE)) {
    const kept = scopes.filter(({ name }) => name !== step.slice(DELETE_SCOPE.length));
    if (kept.length === scopes.length) return err(NOTHING_THERE);
    const change = { scopes: kept };
    return after(await changeDisplayedResource(deps, { ...input, change, displayed: updatedAt }), "scope-deleted");
  }
  switch (step) {
    case "save": {
      const body = validateChange(submittedSettings(form));
      if (!body.ok) return body;
      const change = resourceChangeOf(body.value);
      return after(
        await changeDisplayedResource(deps, { ...input, change, displayed: displayedVersionIn(form) }),
        "saved",
      );
    }
    case "disable":
      return after(await changeResource(deps, { ...input, change: { disabled: true } }), "disabled");
    case "enable":
      return after(await changeResource(deps, { ...input, change: { disabled: false } }), "enabled");
    case "delete": {
      const removed = await removeResource(deps, input);
      return removed.ok ? ok(seeResult(RESOURCES, "deleted")) : removed;
    }
    default:
      return err(NOTHING_THERE);
  }
}

/** `/admin/resources/:id/confirm`: asks before an API is disabled, and before an API or a scope is deleted. */
export function confirmResourcePage(deps: ResourceDeps): Page {
  return consolePage(deps, {
    path: "/admin/resources/:id/confirm",
    async get(call) {
      const found = await readResource(deps, call.admin, call.params.id ?? "");
      if (!found.ok) return refuseConsole(call, found.error, RESOURCES);
      const place = placeOf(found.value);
      const step = call.query.text("step");
      const question = questionOf(call.view, found.value, step);
      if (!question) return refuseConsole(call, NOTHING_THERE, place);
      return confirmationPage(call, { at: RESOURCES, place, step, ...question });
    },
  });
}

function questionOf({ t }: View, { name, scopes }: OAuthResource, step: string): Question | undefined {
  const { disable, disableTitle, disableText, remove, removeTitle, removeText } = t.resources;
  const { deleteScope, deleteScopeTitle, deleteScopeText } = t.resources;
  if (step === "disable") return { title: disableTitle({ name }), text: disableText, action: disable, typedName: name };
  if (step === "delete") return { title: removeTitle({ name }), text: removeText, action: remove, typedName: name };
  const scope = scopes.find((each) => step === `${DELETE_SCOPE}${each.name}`);
  return scope && { title: deleteScopeTitle({ name: scope.name }), text: deleteScopeText, action: deleteScope };
}
