/** The form of a group: name, description, roles of the members. */
import type { Refusal } from "../../base/problem.ts";
import type { GroupSettings } from "../../flows/groups/edit-group.ts";
import type { AssignableRole } from "../../flows/roles/assignable-roles.ts";
import type { ListedGroup } from "../../models/member-group/member-group.ts";
import { Actions, Button, Form, type FormState } from "../components/form.tsx";
import type { Fields } from "../page.ts";
import { changedForm, refusedForm } from "../problem-messages.ts";
import { NameFields } from "../roles/name-fields.tsx";
import { ROLES_FIELD, RoleBoxes } from "../roles/role-boxes.tsx";
import { displayedVersionIn, versionOf } from "../shared/displayed-version.ts";
import { useView, type View } from "../view.tsx";
import { GROUPS } from "./paths.ts";

interface GroupFormProps {
  readonly action: string;
  /** The step of the button. */
  readonly step: string;
  /** Undefined: a new group. */
  readonly stored: ListedGroup | undefined;
  readonly roles: readonly AssignableRole[];
  readonly state: FormState;
}

export function GroupForm({ action, step, stored, roles, state }: GroupFormProps) {
  const { t } = useView();
  const { createAction, rolesOfMembers } = t.groups;
  return (
    <Form action={action} class="panel stack">
      <NameFields stored={stored} state={state} />
      <RoleBoxes
        legend={rolesOfMembers}
        roles={roles}
        selected={stored?.roles.map(({ id }) => id) ?? []}
        state={state}
      />
      <Actions cancel={GROUPS}>
        <Button kind="primary" name="step" value={step}>
          {stored ? t.common.save : createAction}
        </Button>
      </Actions>
    </Form>
  );
}

export function settingsIn(form: Fields): GroupSettings {
  return { name: form.text("name"), description: form.text("description"), roleIds: form.all(ROLES_FIELD) };
}

/** The form with the submitted values after a refusal. `stored`: the current group, undefined for a new group. */
export function refusedGroup(view: View, refusal: Refusal, form: Fields, stored: ListedGroup | undefined): FormState {
  const { taken, tooManyRoles } = view.t.groups;
  const { badDescription, notAssignable } = view.t.customRoles;
  const values = {
    name: form.text("name"),
    description: form.text("description"),
    version: form.text("version"),
    [ROLES_FIELD]: form.all(ROLES_FIELD).join(" "),
  };
  const isOutdated = stored !== undefined && versionOf(stored.updatedAt) !== versionOf(versionIn(form));
  if (refusal.code === "conflict" && isOutdated) {
    const { name, description } = stored;
    return changedForm(view, values, { name, description });
  }
  const texts = { description: badDescription, role_ids: tooManyRoles };
  return refusedForm(view, refusal, values, { conflict: taken, forbidden: notAssignable.above }, texts);
}

function versionIn(form: Fields): Date | undefined {
  const version = displayedVersionIn(form);
  return version === "none" ? undefined : version;
}
