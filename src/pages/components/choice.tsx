import { FieldError, type FormState, firstErrorOf, StoredNow } from "./form.tsx";

export interface NamedFieldProps {
  readonly state: FormState;
  readonly name: string;
  readonly label: string;
}

/** The ids of the texts below a field. */
export function describedBy(name: string, state: FormState, hint: string | undefined): string | undefined {
  const error = state.errors?.[name] && `${name}-error`;
  const stored = state.stored?.[name] !== undefined && `${name}-stored`;
  return [error, stored, hint && `${name}-hint`].filter(Boolean).join(" ") || undefined;
}

interface ChoiceProps extends NamedFieldProps {
  readonly hint?: string;
  readonly options: Readonly<Record<string, string>>;
}

/** A select box with a label, a hint and an error. */
export function Choice({ name, label, hint, options, state }: ChoiceProps) {
  const error = state.errors?.[name];
  const stored = state.stored?.[name];
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select
        id={name}
        name={name}
        autofocus={firstErrorOf(state) === name}
        aria-invalid={error ? "true" : undefined}
        aria-describedby={describedBy(name, state, hint)}
      >
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value} selected={value === state.values?.[name]}>
            {text}
          </option>
        ))}
      </select>
      <FieldError id={name} text={error} />
      <StoredNow id={name} text={stored === undefined ? undefined : (options[stored] ?? stored)} />
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
