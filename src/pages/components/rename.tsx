import type { ComponentChildren } from "preact";
import { NAME_MAX_CHARACTERS } from "../../limits/account-limits.ts";
import { useView } from "../view.tsx";
import { Button, Field, Form } from "./form.tsx";

interface RenameProps {
  /** Id of the field, unique on the page. */
  readonly id: string;
  readonly name: string;
  readonly action: string;
  readonly step: string;
  /** Hidden fields that name the object. */
  readonly children: ComponentChildren;
}

/** The form of a new name, which opens at its button, also without scripts. */
export function Rename({ id, name, action, step, children }: RenameProps) {
  const { t } = useView();
  return (
    <details class="menu form">
      <summary class="button" aria-label={`${t.security.rename}: ${name}`}>
        {t.security.rename}
      </summary>
      <div>
        <Form action={action} class="stack">
          {children}
          <Field id={id} name="name" label={t.security.newName} value={name} maxlength={NAME_MAX_CHARACTERS} />
          <Button name="step" value={step}>
            {t.common.save}
          </Button>
        </Form>
      </div>
    </details>
  );
}
