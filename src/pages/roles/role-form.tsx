/** The form of a role or template: name, description, permissions, and the key of a new role. */
import type { Refusal } from "../../base/problem.ts";
import type { RoleSettings } from "../../flows/roles/role-rules.ts";
import { ROLE_KEY_MAX_CHARACTERS } from "../../limits/role-limits.ts";
import type { OrganizationRole } from "../../models/organization-role/organization-role.ts";
import { Actions, Button, Field, Form, type FormState } from "../components/form.tsx";
import type { Fields } from "../page.ts";
import { changedForm, type ProblemMessages, refusedForm } from "../problem-messages.ts";
import { useView, type View } from "../view.tsx";
import { NameFields } from "./name-fields.tsx";
import { PERMISSIONS_FIELD, PermissionBoxes } from "./permission-boxes.tsx";
import type { PermissionGroup } from "./permission-groups.ts";

interface RoleFormProps {
  readonly action: string;
  readonly cancel: string;
  /** The step of the button. */
  readonly step: string;
  /** The name of the button that creates. Default: of a role. */
  readonly create?: string;
  /** Undefined: a new role. */
  readonly stored: OrganizationRole | undefined;
  readonly groups: readonly PermissionGroup[];
  readonly refusalOf: (permission: string) => string | undefined;
  readonly state: FormState;
}

export function RoleForm({ action, cancel, step, create, stored, groups, refusalOf, state }: RoleFormProps) {
  const { t } = useView();
  const { key, keyHint } = t.customRoles;
  const submitted = state.values?.[PERMISSIONS_FIELD];
  const selected = submitted === undefined ? (stored?.permissions ?? []) : submitted.split(" ");
  return (
    <Form action={action} class="panel stack">
      <NameFields stored={stored} state={state}>
        {!stored && (
          <Field name="key" label={key} hint={keyHint} state={state} maxlength={ROLE_KEY_MAX_CHARACTERS} optional />
        )}
      </NameFields>
      <PermissionBoxes groups={groups} selected={selected} refusalOf={refusalOf} state={state} />
      {state.stored?.[PERMISSIONS_FIELD] !== undefined && (
        <p class="hint">
          {t.common.storedNow} <span class="mono">{state.stored[PERMISSIONS_FIELD] || "–"}</span>
        </p>
      )}
      <Actions cancel={cancel}>
        <Button kind="primary" name="step" value={step}>
          {stored ? t.common.save : (create ?? t.customRoles.createAction)}
        </Button>
      </Actions>
    </Form>
  );
}

/** The settings of a submitted form. */
export function settingsIn(form: Fields): RoleSettings & { readonly key: string } {
  const name = form.text("name");
  return {
    name,
    key: form.text("key").trim() || keyOf(name),
    description: form.text("description"),
    permissions: form.all(PERMISSIONS_FIELD),
  };
}

/** A key from a name: letters without marks, digits and hyphens. */
function keyOf(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "")
    .slice(0, ROLE_KEY_MAX_CHARACTERS);
}

function valuesIn(form: Fields): Record<string, string> {
  return {
    name: form.text("name"),
    key: form.text("key"),
    description: form.text("description"),
    version: form.text("version"),
    [PERMISSIONS_FIELD]: [...form.all(PERMISSIONS_FIELD)].sort().join(" "),
  };
}

/** The form with the submitted values after a refusal. `role`: the stored role, undefined for a new role. */
export function refusedRole(view: View, refusal: Refusal, form: Fields, role: OrganizationRole | undefined): FormState {
  const values = valuesIn(form);
  const { badDescription, badKey, badPermissions, beyondOwn, keyTaken } = view.t.customRoles;
  if (refusal.code === "mfa_required") return { values };
  if (refusal.code === "conflict" && role) {
    const { name, description, permissions } = role;
    return changedForm(view, values, { name, description, [PERMISSIONS_FIELD]: [...permissions].sort().join(" ") });
  }
  const messages: ProblemMessages = { conflict: keyTaken, forbidden: beyondOwn };
  const texts = { key: badKey, description: badDescription, permissions: badPermissions };
  return refusedForm(view, refusal, values, messages, texts);
}
