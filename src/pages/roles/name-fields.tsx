/** Name and description of a role or group, with the version that the form displays. */
import type { ComponentChildren } from "preact";
import { NAME_MAX_CHARACTERS } from "../../limits/account-limits.ts";
import { OAUTH_SCOPE_DESCRIPTION_MAX_CHARACTERS } from "../../limits/oauth-limits.ts";
import { Field, type FormState } from "../components/form.tsx";
import { versionOf } from "../shared/displayed-version.ts";
import { useView } from "../view.tsx";

interface NameFieldsProps {
  /** Undefined: a new role or group. */
  readonly stored: { readonly name: string; readonly description: string | null; readonly updatedAt: Date } | undefined;
  readonly state: FormState;
  /** Fields between name and description. */
  readonly children?: ComponentChildren;
}

export function NameFields({ stored, state, children }: NameFieldsProps) {
  const { description, name } = useView().t.customRoles;
  return (
    <>
      {stored && <input type="hidden" name="version" value={state.values?.version ?? versionOf(stored.updatedAt)} />}
      <Field
        name="name"
        label={name}
        state={state}
        value={stored?.name ?? ""}
        maxlength={NAME_MAX_CHARACTERS}
        autofocus={stored === undefined}
      />
      {children}
      <Field
        name="description"
        label={description}
        state={state}
        value={stored?.description ?? ""}
        maxlength={OAUTH_SCOPE_DESCRIPTION_MAX_CHARACTERS}
        optional
      />
    </>
  );
}
