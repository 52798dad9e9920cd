/** `/admin/roles/new`: creates a template. */
import type { Refusal } from "../../../base/problem.ts";
import type { Deps } from "../../../deps.ts";
import { createRole } from "../../../flows/roles/administer-roles.ts";
import { listApiPermissions } from "../../../flows/roles/api-permissions.ts";
import { authorizeSteppedUpAdmin } from "../../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import type { FormState } from "../../components/form.tsx";
import { SubPageHead } from "../../components/item-head.tsx";
import { Problem } from "../../components/notices.tsx";
import { asksStepUp, StepUpAgain } from "../../components/step-up-again.tsx";
import type { DisplayedParts } from "../../html.tsx";
import { type Page, seeResult } from "../../page.ts";
import { refusedParts } from "../../problem-messages.ts";
import { permissionGroups } from "../../roles/permission-groups.ts";
import { RoleForm, refusedRole, settingsIn } from "../../roles/role-form.tsx";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { type ConsoleCall, consolePage, refuseConsole, showConsole } from "../console.tsx";
import { TEMPLATES, templatePath } from "./paths.ts";
import { templateRefusalOf } from "./template-permissions.ts";

const PATH = "/admin/roles/new";

export function newTemplatePage(deps: SignedInUserDeps & Pick<Deps, "oauthResources">): Page {
  const show = (call: ConsoleCall, state: FormState = {}, parts: DisplayedParts = {}) => {
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
          stored={undefined}
          groups={groups}
          refusalOf={templateRefusalOf(view)}
          state={state}
        />
      </>
    );
    return showConsole(call, { at: TEMPLATES, inside: true, title: create, body, ...parts });
  };
  return consolePage(deps, {
    path: PATH,
    async get(call) {
      const acts = await authorizeSteppedUpAdmin(deps, call.caller.session);
      return acts.ok ? show(call) : refuseConsole(call, acts.error, PATH);
    },
    async post(call) {
      const { form, client, view } = call;
      const acts = await authorizeSteppedUpAdmin(deps, call.caller.session);
      const refuse = (error: Refusal) => show(call, refusedRole(view, error, form, undefined), refusedParts(error));
      if (!acts.ok) return asksStepUp(acts.error) ? refuse(acts.error) : refuseConsole(call, acts.error, PATH);
      const owner = { kind: "platform", caller: acts.value } as const;
      const created = await createRole(deps, { owner, client, settings: settingsIn(form) });
      return created.ok ? seeResult(templatePath(created.value.id), "created") : refuse(created.error);
    },
  });
}
