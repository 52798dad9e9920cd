import type { AssignableRole } from "../../flows/roles/assignable-roles.ts";
import type { FormState } from "../components/form.tsx";
import { ROLES_FIELD, RoleBoxes } from "../roles/role-boxes.tsx";
import { useView } from "../view.tsx";

interface FurtherRolesProps {
  readonly roles: readonly AssignableRole[];
  readonly state: FormState;
}

/** The further roles of an invitation, folded until chosen; nothing without a role to assign. */
export function FurtherRoles({ roles, state }: FurtherRolesProps) {
  const { t } = useView();
  const { further } = t.customRoles;
  if (roles.length === 0) return null;
  const isOpen = (state.values?.[ROLES_FIELD] ?? "") !== "" || state.errors?.[ROLES_FIELD] !== undefined;
  return (
    <details class="fold" open={isOpen}>
      <summary>
        <span class="fold-title">{further}</span>
      </summary>
      <RoleBoxes legend={further} roles={roles} selected={[]} state={state} />
    </details>
  );
}
