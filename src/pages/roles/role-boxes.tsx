import type { AssignableRole } from "../../flows/roles/assignable-roles.ts";
import { FieldError, type FormState } from "../components/form.tsx";
import { useView } from "../view.tsx";

/** The name of the boxes in a form: ids of roles. */
export const ROLES_FIELD = "role_ids";

interface RoleBoxesProps {
  readonly legend: string;
  readonly roles: readonly AssignableRole[];
  readonly selected: readonly string[];
  readonly state: FormState;
}

/** A box for each role. A role that the reader cannot assign or remove keeps its state, with the reason. */
export function RoleBoxes({ legend, roles, selected, state }: RoleBoxesProps) {
  const { t } = useView();
  const error = state.errors?.[ROLES_FIELD];
  const submitted = state.values?.[ROLES_FIELD];
  const chosen = submitted === undefined ? selected : submitted.split(" ");
  return (
    <fieldset aria-describedby={error ? `${ROLES_FIELD}-error` : undefined}>
      <legend>{legend}</legend>
      <FieldError id={ROLES_FIELD} text={error} announced />
      {roles.length === 0 && <p class="soft">{t.customRoles.noneToAssign}</p>}
      {roles.map(({ role: { id, name, description, key }, refusal }) => (
        <label key={id} class={refusal ? "check soft" : "check"}>
          {refusal && selected.includes(id) && <input type="hidden" name={ROLES_FIELD} value={id} />}
          <input
            type="checkbox"
            name={ROLES_FIELD}
            value={id}
            checked={(refusal ? selected : chosen).includes(id)}
            disabled={refusal !== undefined}
          />
          <span>
            {name}
            <small>{description || <code>{key}</code>}</small>
            {refusal && <small>{t.customRoles.notAssignable[refusal]}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
