/** `/admin/roles/:id`: a template with its use, and its confirmation. Editing needs a step-up, as in the API. */
import type { Refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { type RoleDeps, removeRole, updateDisplayedRole } from "../../../flows/roles/administer-roles.ts";
import { listApiPermissions } from "../../../flows/roles/api-permissions.ts";
import { readTemplate, type TemplateWithUse } from "../../../flows/roles/read-roles.ts";
import type { PlatformCaller } from "../../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeSteppedUpAdmin } from "../../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import type { FormState } from "../../components/form.tsx";
import { asksStepUp } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { NOTHING_THERE, type Page, seeResult, textAt, uuidIn } from "../../page.ts";
import { refusedParts } from "../../problem-messages.ts";
import { permissionGroups } from "../../roles/permission-groups.ts";
import { refusedRole, settingsIn } from "../../roles/role-form.tsx";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import {
  type ConsoleCall,
  confirmationPage,
  consolePage,
  editPermission,
  refuseConsole,
  showConsole,
} from "../console.tsx";
import { displayedVersionIn } from "../displayed-version.ts";
import { TEMPLATES, templatePath } from "./paths.ts";
import { TemplateBody, templateUsage } from "./template-view.tsx";

type TemplateDeps = SignedInUserDeps & RoleDeps;

const idOf = ({ params }: ConsoleCall) => uuidIn(params.id ?? "");

export function templatePage(deps: TemplateDeps): Page {
  const show = async (call: ConsoleCall, found: TemplateWithUse, state: FormState = {}, parts: DisplayedParts = {}) => {
    const { view } = call;
    const { created, saved } = view.t.templates;
    // The submitted values stay in the form.
    const may = state.values ? "edit" : await editPermission(deps, call);
    const groups = permissionGroups(view, listApiPermissions(deps, view.language), found.role.permissions);
    const needsStepUp = asksStepUp(parts.refused);
    const body = <TemplateBody found={found} groups={groups} may={may} state={state} needsStepUp={needsStepUp} />;
    const done = textAt({ created, saved }, call.result);
    const islands = ["confirm"] as const;
    return showConsole(call, { at: TEMPLATES, inside: true, title: found.role.name, body, done, islands, ...parts });
  };
  return consolePage(deps, {
    path: "/admin/roles/:id",
    async get(call) {
      const found = await readTemplate(deps, call.admin, idOf(call));
      return found.ok ? await show(call, found.value) : refuseConsole(call, found.error, TEMPLATES);
    },
    async post(call) {
      const found = await readTemplate(deps, call.admin, idOf(call));
      if (!found.ok) return refuseConsole(call, found.error, TEMPLATES);
      const { role } = found.value;
      const authorized = await authorizeSteppedUpAdmin(deps, call.caller.session);
      const outcome = authorized.ok ? await act(deps, call, authorized.value) : authorized;
      if (outcome.ok) return seeResult(outcome.value === "deleted" ? TEMPLATES : templatePath(role.id), outcome.value);
      const { error } = outcome;
      if (call.form.text("step") === "save" && error.code !== "forbidden") {
        return await show(call, found.value, refusedRole(call.view, error, call.form, role), refusedParts(error));
      }
      return refuseConsole(call, error, templatePath(role.id), { conflict: call.view.t.customRoles.inUse });
    },
  });
}

/** Executes the action of the pressed button; returns the result to display. */
async function act(deps: TemplateDeps, call: ConsoleCall, caller: PlatformCaller): Promise<Result<string, Refusal>> {
  const { form, client } = call;
  const input = { owner: { kind: "platform", caller }, client, id: idOf(call) } as const;
  switch (form.text("step")) {
    case "save": {
      const { key: _, ...change } = settingsIn(form);
      const changed = await updateDisplayedRole(deps, { ...input, change, displayed: displayedVersionIn(form) });
      return changed.ok ? ok("saved") : changed;
    }
    case "delete": {
      const removed = await removeRole(deps, { ...input, reassign: form.text("reassign") === "yes" });
      return removed.ok ? ok("deleted") : removed;
    }
    default:
      return err(NOTHING_THERE);
  }
}

/** `/admin/roles/:id/confirm`: asks before the deletion, with everything that names the template. */
export function confirmTemplatePage(deps: TemplateDeps): Page {
  return consolePage(deps, {
    path: "/admin/roles/:id/confirm",
    async get(call) {
      const found = await readTemplate(deps, call.admin, idOf(call));
      const step = call.query.text("step");
      if (!found.ok || step !== "delete") return refuseConsole(call, NOTHING_THERE, TEMPLATES);
      const { role, use } = found.value;
      const { reassign, remove, removeText, removeTitle } = call.view.t.customRoles;
      return confirmationPage(call, {
        at: TEMPLATES,
        place: templatePath(role.id),
        step,
        title: removeTitle(role.name),
        text: `${removeText} ${templateUsage(call.view, use)}`,
        action: remove,
        choices: use.members > 0 ? [{ name: "reassign", label: reassign }] : [],
      });
    },
  });
}
