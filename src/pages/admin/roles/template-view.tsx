import type { TemplateWithUse } from "../../../flows/roles/read-roles.ts";
import { confirmPath } from "../../action.ts";
import type { FormState } from "../../components/form.tsx";
import { ItemHead } from "../../components/item-head.tsx";
import { Row, Rows, Setting } from "../../components/lists.tsx";
import { Problem } from "../../components/notices.tsx";
import { EditAfterStepUp, StepUpAgain } from "../../components/step-up-again.tsx";
import { Details } from "../../components/table.tsx";
import { PermissionList } from "../../roles/permission-boxes.tsx";
import { groupsOf, type PermissionGroup } from "../../roles/permission-groups.ts";
import { RoleForm } from "../../roles/role-form.tsx";
import { useView } from "../../view.tsx";
import type { EditPermission } from "../console.tsx";
import { deleteTemplate, saveTemplate } from "./actions.ts";
import { TEMPLATES, templatePath } from "./paths.ts";
import { templateRefusalOf } from "./template-permissions.ts";
import { templateUsage } from "./template-usage.ts";

interface TemplateProps {
  readonly found: TemplateWithUse;
  readonly groups: readonly PermissionGroup[];
  readonly may: EditPermission;
  readonly state: FormState;
  /** The user must present the second factor again before the form is sent. */
  readonly needsStepUp: boolean;
}

export function TemplateBody(props: TemplateProps) {
  const view = useView();
  const { t } = view;
  const { role, use } = props.found;
  const place = templatePath(role.id);
  const { key, settings } = t.customRoles;
  const { organizations, title, wider } = t.templates;
  return (
    <>
      <ItemHead list={{ path: TEMPLATES, title }} name={role.name} tags={null} />
      {props.may !== "edit" && role.description && <p class="soft">{role.description}</p>}
      <Details
        details={[
          [key, <code>{role.key}</code>],
          [t.customRoles.members, view.dates.number(use.members)],
          [organizations, view.dates.number(use.organizations)],
        ]}
      />
      {props.may === "see" && <EditAfterStepUp at={place} />}
      {props.may === "edit" ? (
        <Setting title={settings} lead={wider}>
          <EditSection {...props} />
        </Setting>
      ) : (
        <PermissionList groups={groupsOf(props.groups, role.permissions)} />
      )}
      {props.may !== "none" && <DeletionSection {...props} />}
    </>
  );
}

function EditSection({ found: { role }, groups, state, needsStepUp }: TemplateProps) {
  const view = useView();
  const place = templatePath(role.id);
  return (
    <>
      <Problem state={state} current={place} />
      <StepUpAgain visible={needsStepUp} at={place} />
      <RoleForm
        action={place}
        cancel={TEMPLATES}
        step={saveTemplate.step}
        stored={role}
        groups={groups}
        refusalOf={templateRefusalOf(view)}
        state={state}
      />
    </>
  );
}

function DeletionSection({ found: { role, use } }: TemplateProps) {
  const view = useView();
  const { t } = view;
  const { remove, removeText } = t.customRoles;
  return (
    <Setting title={t.directory.danger}>
      <div class="box danger">
        <Rows>
          <Row title={remove} details={`${removeText} ${templateUsage(view, use)}`}>
            <a class="button bad" href={confirmPath(templatePath(role.id), deleteTemplate)} data-confirm="yes">
              {remove}
            </a>
          </Row>
        </Rows>
      </div>
    </Setting>
  );
}
