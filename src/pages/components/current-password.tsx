import type { ComponentChildren } from "preact";
import { useView } from "../view.tsx";
import { Field, type FormState } from "./form.tsx";

interface CurrentPasswordProps {
  readonly state: FormState;
  /** Default: `password`. */
  readonly name?: string;
  /** Default: the label "Current password". */
  readonly label?: string;
  readonly hint?: string;
  /** Content beside the label, such as a link. */
  readonly aside?: ComponentChildren;
  readonly autofocus?: boolean;
}

/** The field for the user's present password, which confirms a change of a signed-in user. */
export function CurrentPassword({ name = "password", label, ...field }: CurrentPasswordProps) {
  const { t } = useView();
  return (
    <Field
      name={name}
      type="password"
      label={label ?? t.account.currentPassword}
      autocomplete="current-password"
      {...field}
    />
  );
}
