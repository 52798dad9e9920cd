/** The input of a form that sends a single file. */
interface FileInputProps {
  readonly id: string;
  readonly accept: string;
  readonly error: string | undefined;
  /** The name for screen readers, if no `<label>` names the input. */
  readonly label?: string;
  /** Default: the error, if any. */
  readonly describedBy?: string | undefined;
}

/** The part is named `file` (`Page.upload`). An input with an error has the focus, so that a screen reader reads it. */
export function FileInput({ id, accept, error, label, describedBy }: FileInputProps) {
  return (
    <input
      id={id}
      type="file"
      name="file"
      accept={accept}
      required
      aria-label={label}
      autofocus={error !== undefined}
      aria-invalid={error ? "true" : undefined}
      aria-describedby={describedBy ?? (error && `${id}-error`)}
    />
  );
}
