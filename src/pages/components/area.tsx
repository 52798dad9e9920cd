import { useView } from "../view.tsx";
import { describedBy, type NamedFieldProps } from "./choice.tsx";
import { FieldError, firstErrorOf, StoredNow } from "./form.tsx";

/** Rows of a list without and with many lines; a longer list scrolls. */
const [AREA_ROWS_MIN, AREA_ROWS_MAX] = [3, 12];

interface AreaProps extends NamedFieldProps {
  readonly hint: string;
  readonly optional?: boolean;
}

/** A field of several lines with a label, a hint and an error. */
export function Area({ name, label, hint, state, optional }: AreaProps) {
  const { t } = useView();
  const error = state.errors?.[name];
  const value = state.values?.[name] ?? "";
  return (
    <div class="field">
      <label for={name}>
        {label}
        {optional && <span class="soft"> {t.common.optional}</span>}
      </label>
      <textarea
        id={name}
        name={name}
        rows={Math.min(Math.max(value.split("\n").length + 1, AREA_ROWS_MIN), AREA_ROWS_MAX)}
        class="mono"
        autocomplete="off"
        spellcheck={false}
        autofocus={firstErrorOf(state) === name}
        aria-invalid={error ? "true" : undefined}
        aria-describedby={describedBy(name, state, hint)}
      >
        {value}
      </textarea>
      <FieldError id={name} text={error} />
      <StoredNow id={name} text={state.stored?.[name]} />
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    </div>
  );
}
