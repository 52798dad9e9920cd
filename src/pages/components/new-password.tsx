import { PASSWORD_MIN_CODE_POINTS } from "../../limits/account-limits.ts";
import { useView } from "../view.tsx";
import { Field, type FormState } from "./form.tsx";

/** The scripts of a page with the field. */
export const NEW_PASSWORD_ISLANDS = ["password", "password-strength"] as const;

interface NewPasswordProps {
  readonly name: string;
  readonly label: string;
  readonly state: FormState;
  readonly autofocus?: boolean;
}

/** A field for a new password, with the password rule, and with the strength if scripts run. */
export function NewPassword(props: NewPasswordProps) {
  const { t } = useView();
  return (
    <Field
      {...props}
      type="password"
      autocomplete="new-password"
      minlength={PASSWORD_MIN_CODE_POINTS}
      hint={t.password.rule({ least: PASSWORD_MIN_CODE_POINTS })}
      strength
    />
  );
}
