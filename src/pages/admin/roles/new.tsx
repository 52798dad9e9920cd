/** `/admin/roles/new`: creates a template. */
import { listApiPermissions } from "../../../flows/roles/api-permissions.ts";
import { authorizeSteppedUpAdmin } from "../../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import type { FormState } from "../../components/form.tsx";
import { SubPageHead } from "../../components/item-head.tsx";
import { Problem } from "../../components/notices.tsx";
import { asksStepUp, StepUpAgain } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import type { Page } from "../../page.ts";
import { permissionGroups } from "../../roles/permission-groups.ts";
import { RoleForm } from "../../roles/role-form.tsx";
import { refuseConsole, showConsole } from "../console.tsx";
import { type ConsoleInput, consoleActionPages, consoleFrame } from "../console-actions.tsx";
import { createTemplate, newTemplateActions, type TemplateDeps } from "./actions.ts";
import { TEMPLATES } from "./paths.ts";
import { templateRefusalOf } from "./template-permissions.ts";

const PATH = "/admin/roles/new";

export function newTemplatePages(deps: TemplateDeps): readonly Page[] {
  return consoleActionPages(deps, {
    path: PATH,
    frame: consoleFrame(TEMPLATES),
    actions: newTemplateActions,
    place: () => PATH,
    defaultStep: createTemplate.step,
    async get(input) {
      const acts = await authorizeSteppedUpAdmin(deps, input.call.caller.session);
      return acts.ok ? await show(input) : refuseConsole(input.call, acts.error, PATH);
    },
    show,
  });
}

async function show({ deps, call }: ConsoleInput<TemplateDeps>, state: FormState = {}, parts: DisplayedParts = {}) {
  const { view } = call;
  const { create, createAction, newLead, title } = view.t.templates;
  const groups = permissionGroups(view, listApiPermissions(deps, view.language));
  const body = (
    <>
      <SubPageHead above={[{ href: TEMPLATES, text: title }]} title={create} lead={newLead} />
      <Problem state={state} />
      <StepUpAgain visible={asksStepUp(parts.refused)} at={TEMPLATES} />
      <RoleForm
        action={PATH}
        cancel={TEMPLATES}
        create={createAction}
        step={createTemplate.step}
        stored={undefined}
        groups={groups}
        refusalOf={templateRefusalOf(view)}
        state={state}
      />
    </>
  );
  return showConsole(call, { at: TEMPLATES, inside: true, title: create, body, ...parts });
}
