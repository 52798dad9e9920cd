/** `/admin/roles/:id`: a template with its use, and its confirmation. Editing needs a step-up, as in the API. */
import { listApiPermissions } from "../../../flows/roles/api-permissions.ts";
import { readTemplate } from "../../../flows/roles/read-roles.ts";
import { resultText } from "../../action.ts";
import type { FormState } from "../../components/form.tsx";
import { asksStepUp } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { type Page, uuidIn } from "../../page.ts";
import { permissionGroups } from "../../roles/permission-groups.ts";
import { editPermission, showConsole } from "../console.tsx";
import { consoleFrame, targetPages } from "../console-actions.tsx";
import { newTemplateActions, type TemplateDeps, type TemplateInput, templateActions } from "./actions.ts";
import { TEMPLATES, templatePath } from "./paths.ts";
import { TemplateBody } from "./template-view.tsx";

export function templatePages(deps: TemplateDeps): readonly Page[] {
  return targetPages(deps, {
    path: "/admin/roles/:id",
    confirm: { path: "/admin/roles/:id/confirm" },
    list: TEMPLATES,
    read: ({ call: { admin, params } }) => readTemplate(deps, admin, uuidIn(params.id ?? "")),
    frame: consoleFrame(TEMPLATES),
    actions: templateActions,
    place: ({ target }) => templatePath(target.role.id),
    get: show,
    show,
  });
}

async function show({ deps, call, target }: TemplateInput, state: FormState = {}, parts: DisplayedParts = {}) {
  const { view } = call;
  // The submitted values stay in the form.
  const may = state.values ? "edit" : await editPermission(deps, call);
  const groups = permissionGroups(view, listApiPermissions(deps, view.language), target.role.permissions);
  const needsStepUp = asksStepUp(parts.refused);
  const body = <TemplateBody found={target} groups={groups} may={may} state={state} needsStepUp={needsStepUp} />;
  const done = resultText(view, { ...templateActions, ...newTemplateActions }, call.result);
  const islands = ["confirm"] as const;
  return showConsole(call, { at: TEMPLATES, inside: true, title: target.role.name, body, done, islands, ...parts });
}
