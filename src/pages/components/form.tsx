import type { ComponentChildren } from "preact";
import { CSRF_FIELD, ORGANIZATION_FIELD } from "../../http/form-csrf.ts";
import { PRESS_FIELD } from "../presses.ts";
import { useView } from "../view.tsx";
import { Icon } from "./icon.tsx";

/**
 * The state of a form that is displayed again: the submitted values (never a password), and problem messages by field.
 */
export interface FormState {
  readonly values?: Readonly<Record<string, string>>;
  readonly errors?: Readonly<Record<string, string>>;
  /** The problem message of the whole form. */
  readonly problem?: string;
  /** The stored values of the fields that differ after a change by another user (`changedForm`). */
  readonly stored?: Readonly<Record<string, string>>;
}

interface FormProps {
  /** Default: the address of the page. */
  readonly action?: string;
  readonly id?: string;
  readonly class?: string;
  readonly enctype?: "multipart/form-data";
  /** Omits the validation of the browser, which names one wrong field at a time. */
  readonly novalidate?: boolean;
  /** The form has no content of its own: a button elsewhere on the page names the form. */
  readonly hidden?: boolean;
  /** The form may be executed twice, and has no key of the page. */
  readonly repeatable?: boolean;
  readonly children: ComponentChildren;
  readonly [data: `data-${string}`]: string;
}

/** A form by POST with the CSRF value of the session, and the organization of the displayed form. */
export function Form({ children, repeatable, ...attributes }: FormProps) {
  const { csrf, organizationId, press } = useView();
  return (
    <form method="post" {...attributes}>
      {csrf && <input type="hidden" name={CSRF_FIELD} value={csrf} />}
      {organizationId && <input type="hidden" name={ORGANIZATION_FIELD} value={organizationId} />}
      {!repeatable && <input type="hidden" name={PRESS_FIELD} value={press} />}
      {children}
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly state?: FormState;
  readonly type?: "text" | "email" | "password" | "number" | "date" | "datetime-local" | "url";
  readonly placeholder?: string;
  readonly autocomplete?: string;
  readonly hint?: string;
  /** The language of the hint, if not the language of the page. */
  readonly hintLanguage?: string | undefined;
  /** Content beside the label, such as a link. */
  readonly aside?: ComponentChildren;
  readonly optional?: boolean;
  /** Omits the mark "optional", for example in a filter. */
  readonly quiet?: boolean;
  readonly autofocus?: boolean;
  readonly value?: string;
  readonly code?: "digits" | "text";
  readonly minlength?: number;
  /** A regular expression that the value must match. */
  readonly pattern?: string;
  readonly maxlength?: number;
  readonly min?: number;
  readonly max?: number;
  readonly readonly?: boolean;
  /** The id of a `<datalist>` with suggestions. */
  readonly list?: string;
  /** The field takes a new password and displays its strength (islands/password-strength.ts). */
  readonly strength?: boolean;
  readonly id?: string;
}

/** Pattern of a code: six digits of any script, and what people type and paste around (base/typed-code.ts). */
const CODE_PATTERN = "[^\\p{Nd}]*(?:\\p{Nd}[^\\p{Nd}]*){6}";
const CODE_MAX_CHARACTERS = 60;

/** The field with the focus, so that a screen reader announces its problem. */
export function firstErrorOf(state: FormState | undefined): string | undefined {
  return Object.keys(state?.errors ?? {})[0];
}

export function Field(props: FieldProps) {
  const { t } = useView();
  const { name, label, state, type = "text", hint, code, optional } = props;
  const id = props.id ?? name;
  const error = state?.errors?.[name];
  const stored = state?.stored?.[name];
  const firstError = firstErrorOf(state);
  const described = [error && `${id}-error`, stored !== undefined && `${id}-stored`, hint && `${id}-hint`]
    .filter(Boolean)
    .join(" ");
  const value = type === "password" ? undefined : (state?.values?.[name] ?? props.value);
  return (
    <div class={["field", code && "code", code === "digits" && "digits"].filter(Boolean).join(" ")}>
      <div class="label">
        <label for={id}>
          {label}
          {optional && !props.quiet && <span class="soft"> {t.common.optional}</span>}
        </label>
        {props.aside}
      </div>
      <Inset password={type === "password"} id={id}>
        <input
          id={id}
          name={name}
          type={type as "text"}
          value={value}
          autocomplete={props.autocomplete ?? "off"}
          placeholder={props.placeholder}
          required={!optional}
          autofocus={firstError ? firstError === name : props.autofocus}
          minLength={props.minlength}
          maxLength={code === "digits" ? CODE_MAX_CHARACTERS : props.maxlength}
          min={props.min}
          max={props.max}
          readOnly={props.readonly}
          list={props.list}
          inputMode={code === "digits" ? "numeric" : undefined}
          pattern={code === "digits" ? CODE_PATTERN : props.pattern}
          aria-invalid={error ? "true" : undefined}
          aria-describedby={described || undefined}
          data-strength={props.strength ? t.password.strengths.join("|") : undefined}
          data-based-on={props.strength ? t.password.basedOn({ stem: "%" }) : undefined}
        />
      </Inset>
      <FieldError id={id} text={error} />
      <StoredNow id={id} text={stored} />
      {hint && (
        <p class="hint" id={`${id}-hint`} lang={props.hintLanguage}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A password field contains a button that reveals the password (islands/password.ts). */
function Inset(props: { readonly password: boolean; readonly id: string; readonly children: ComponentChildren }) {
  const { t } = useView();
  if (!props.password) return <>{props.children}</>;
  return (
    <div class="inset">
      {props.children}
      <button
        class="button quiet square scripted"
        type="button"
        aria-label={t.common.showPassword}
        aria-pressed="false"
        aria-controls={props.id}
        data-reveal=""
      >
        <Icon name="eye" />
      </button>
    </div>
  );
}

/** `announced`: a screen reader announces the problem of a field that has no focus, such as a group of boxes. */
export function FieldError(props: { readonly id: string; readonly text: string | undefined; announced?: boolean }) {
  const { id, text, announced } = props;
  return text ? (
    <p class="error" id={`${id}-error`} role={announced ? "alert" : undefined}>
      {text}
    </p>
  ) : null;
}

/** The value beside a field that another user has stored since the form was displayed. */
export function StoredNow({ id, text }: { readonly id: string; readonly text: string | undefined }) {
  const { t } = useView();
  return text === undefined ? null : (
    <p class="hint" id={`${id}-stored`}>
      {t.common.storedNow} <span class="mono">{text || "–"}</span>
    </p>
  );
}

interface ButtonProps {
  readonly kind?: "primary" | "bad" | "loss" | "plain";
  readonly wide?: boolean;
  readonly name?: string;
  readonly value?: string;
  readonly formaction?: string;
  /** Sends the form without validation of its required fields. */
  readonly unchecked?: boolean;
  readonly label?: string;
  /** The verb in the present while the form is pending (islands/submit.ts). */
  readonly busy?: string;
  /** The text while the button waits, with `%` in place of the seconds (islands/code.ts). */
  readonly wait?: string | undefined;
  readonly children: ComponentChildren;
}

export function Button(props: ButtonProps) {
  const { t } = useView();
  const { kind = "plain", wide } = props;
  return (
    <button
      class={["button", kind !== "plain" && kind, wide && "wide"].filter(Boolean).join(" ")}
      type="submit"
      name={props.name}
      value={props.value}
      formaction={props.formaction}
      formnovalidate={props.unchecked}
      aria-label={props.label}
      data-wait={props.wait}
      data-busy={props.busy ?? (props.children === t.common.save ? t.common.saving : undefined)}
    >
      {props.children}
    </button>
  );
}

/** The button of a form, and the link that leaves the form. */
export function Actions({ cancel, children }: { readonly cancel: string; readonly children: ComponentChildren }) {
  const { t } = useView();
  return (
    <div class="actions">
      {children}
      <a class="button" href={cancel} data-cancel>
        {t.common.cancel}
      </a>
    </div>
  );
}
