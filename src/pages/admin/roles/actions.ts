/** The actions of `/admin/roles/new` and `/admin/roles/:id`. */
import { createRole, removeRole, updateDisplayedRole } from "../../../flows/roles/administer-roles.ts";
import type { TemplateWithUse } from "../../../flows/roles/read-roles.ts";
import type { RoleDeps } from "../../../flows/roles/role-owner.ts";
import { actionsOf } from "../../action.ts";
import { asksStepUp } from "../../components/step-up-again.tsx";
import { seeResult } from "../../page.ts";
import { refusedRole, settingsIn } from "../../roles/role-form.tsx";
import { displayedVersionIn } from "../../shared/displayed-version.ts";
import type { SignedInUserDeps } from "../../signed-in-user.ts";
import { type ConsoleInput, platformCaller, steppedUpAdmin, type TargetInput } from "../console-actions.tsx";
import { TEMPLATES, templatePath } from "./paths.ts";
import { templateUsage } from "./template-usage.ts";

export type TemplateDeps = SignedInUserDeps & RoleDeps;
export type TemplateInput = TargetInput<TemplateDeps, TemplateWithUse>;

const { action, asks, confirmed } = actionsOf<TemplateInput>();

export const saveTemplate = action({
  step: "save",
  may: steppedUpAdmin,
  run({ deps, caller, client, fields, target: { role } }) {
    const { key: _, ...change } = settingsIn(fields);
    const owner = { kind: "platform", caller } as const;
    return updateDisplayedRole(deps, { owner, client, id: role.id, change, displayed: displayedVersionIn(fields) });
  },
  done: ["saved", ({ t }) => t.templates.saved],
  problems: ({ t }) => ({ conflict: t.customRoles.inUse }),
  refused: ({ fields, target, view }, refusal) =>
    refusal.code === "forbidden" ? undefined : refusedRole(view, refusal, fields, target.role),
});

/** The question names everything that names the template. */
export const deleteTemplate = confirmed({
  step: "delete",
  may: steppedUpAdmin,
  question: asks(platformCaller, ({ target: { role, use }, view }) => {
    const { reassign, remove, removeText, removeTitle } = view.t.customRoles;
    return {
      title: removeTitle({ name: role.name }),
      text: `${removeText} ${templateUsage(view, use)}`,
      action: remove,
      choices: use.members > 0 ? [{ name: "reassign", label: reassign }] : [],
    };
  }),
  run({ deps, caller, client, fields, target: { role } }) {
    const owner = { kind: "platform", caller } as const;
    return removeRole(deps, { owner, client, id: role.id, reassign: fields.text("reassign") === "yes" });
  },
  done: ["deleted", ({ t }) => t.templates.deleted],
  doneAt: TEMPLATES,
  problems: ({ t }) => ({ conflict: t.customRoles.inUse }),
});

export const templateActions = { saveTemplate, deleteTemplate };

export const createTemplate = actionsOf<ConsoleInput<TemplateDeps>>().action({
  step: "create",
  may: steppedUpAdmin,
  run: ({ deps, caller, client, fields }) =>
    createRole(deps, { owner: { kind: "platform", caller }, client, settings: settingsIn(fields) }),
  done: ["created", ({ t }) => t.templates.created],
  reply: (_, { id }) => seeResult(templatePath(id), "created"),
  refused: ({ caller, fields, view }, refusal) =>
    caller || asksStepUp(refusal) ? refusedRole(view, refusal, fields, undefined) : undefined,
});

export const newTemplateActions = { createTemplate };
