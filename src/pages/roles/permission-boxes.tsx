import { FieldError, type FormState } from "../components/form.tsx";
import { Rows, Setting } from "../components/lists.tsx";
import { useView } from "../view.tsx";
import type { DisplayedPermission, PermissionGroup } from "./permission-groups.ts";

/** The name of the boxes in a form. */
export const PERMISSIONS_FIELD = "permissions";

interface BoxesProps {
  readonly groups: readonly PermissionGroup[];
  readonly selected: readonly string[];
  /** Why a permission cannot be chosen; undefined: the permission can be chosen. */
  readonly refusalOf: (permission: string) => string | undefined;
  readonly state: FormState;
}

/** A box for each permission, by area. */
export function PermissionBoxes({ groups, selected, refusalOf, state }: BoxesProps) {
  const { t } = useView();
  const error = state.errors?.[PERMISSIONS_FIELD];
  return (
    <fieldset class="stack near" aria-describedby={error ? `${PERMISSIONS_FIELD}-error` : undefined}>
      <legend>{t.customRoles.permissions}</legend>
      <FieldError id={PERMISSIONS_FIELD} text={error} announced />
      {groups.map(({ title, permissions }) => (
        <fieldset key={title}>
          <legend class="soft">{title}</legend>
          {permissions.map((permission) => (
            <PermissionBox
              key={permission.name}
              permission={permission}
              isSelected={selected.includes(permission.name)}
              refusal={permission.isUnregistered ? t.customRoles.unregisteredHint : refusalOf(permission.name)}
            />
          ))}
        </fieldset>
      ))}
    </fieldset>
  );
}

interface BoxProps {
  readonly permission: DisplayedPermission;
  readonly isSelected: boolean;
  readonly refusal: string | undefined;
}

function PermissionBox({ permission: { name, text }, isSelected, refusal }: BoxProps) {
  return (
    <label class={refusal ? "check soft" : "check"}>
      <input
        type="checkbox"
        name={PERMISSIONS_FIELD}
        value={name}
        checked={isSelected && refusal === undefined}
        disabled={refusal !== undefined}
      />
      <span>
        {text ?? <code>{name}</code>}
        {text && (
          <small>
            <code>{name}</code>
          </small>
        )}
        {refusal && <small>{refusal}</small>}
      </span>
    </label>
  );
}

interface ListProps {
  readonly groups: readonly PermissionGroup[];
  /** The reason for which the permissions cannot be changed. */
  readonly lead?: string | undefined;
}

/** The permissions of a role that the reader cannot change. */
export function PermissionList({ groups, lead }: ListProps) {
  const { t } = useView();
  return (
    <Setting title={t.customRoles.permissions} {...(lead === undefined ? {} : { lead })}>
      {groups.length === 0 && <p class="soft">{t.customRoles.noPermissions}</p>}
      {groups.map(({ title, permissions }) => (
        <section key={title} class="stack near" aria-label={title}>
          <h3>{title}</h3>
          <Rows>
            {permissions.map(({ name, text }) => (
              <li key={name}>
                <div class="what">
                  <div>{text ?? <code>{name}</code>}</div>
                  {text && (
                    <small>
                      <code>{name}</code>
                    </small>
                  )}
                </div>
              </li>
            ))}
          </Rows>
        </section>
      ))}
    </Setting>
  );
}
