import type { ComponentChildren } from "preact";
import { CSRF_FIELD, ORGANIZATION_FIELD } from "../../http/form-csrf.ts";
import { useView } from "../view.tsx";

/** What a form is shown with again: what was typed (never a password), and what is wrong, by field. */
export interface FormState {
  readonly values?: Readonly<Record<string, string>>;
  readonly errors?: Readonly<Record<string, string>>;
  /** What is wrong with the form as a whole. */
  readonly problem?: string;
  /** What is stored of the fields in which it differs, after another person has changed it (`changedForm`). */
  readonly stored?: Readonly<Record<string, string>>;
}

interface FormProps {
  /** Default: the address of the page. */
  readonly action?: string;
  readonly id?: string;
  readonly class?: string;
  readonly enctype?: "multipart/form-data";
  readonly children: ComponentChildren;
  readonly [data: `data-${string}`]: string;
}

/** A form by POST with the CSRF value of the session, and the organization that it was shown for. */
export function Form({ children, ...attributes }: FormProps) {
  const { csrf, organizationId } = useView();
  return (
    <form method="post" {...attributes}>
      {csrf && <input type="hidden" name={CSRF_FIELD} value={csrf} />}
      {organizationId && <input type="hidden" name={ORGANIZATION_FIELD} value={organizationId} />}
      {children}
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly state?: FormState;
  readonly type?: "text" | "email" | "password" | "number" | "datetime-local";
  readonly autocomplete?: string;
  readonly hint?: string;
  /** Beside the label, such as a link. */
  readonly aside?: ComponentChildren;
  readonly optional?: boolean;
  /** Does not say that it is optional, such as in a filter. */
  readonly quiet?: boolean;
  readonly autofocus?: boolean;
  readonly value?: string;
  readonly code?: "digits" | "text";
  readonly minlength?: number;
  readonly maxlength?: number;
  readonly min?: number;
  readonly max?: number;
  readonly readonly?: boolean;
  /** A new password: its strength is shown (islands/password.ts). */
  readonly strength?: boolean;
  readonly id?: string;
}

/** Six digits, and the spaces with which mails and apps show them. */
const CODE_PATTERN = "\\s*(?:[0-9]\\s*){6}";
const CODE_MAX_CHARACTERS = 16;

/** The field that has the focus, so that its error is announced. */
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
    <div class={code ? "field code" : "field"}>
      <div class="label">
        <label for={id}>
          {label}
          {optional && !props.quiet && <span class="soft"> {t.common.optional}</span>}
        </label>
        {props.aside}
      </div>
      <input
        id={id}
        name={name}
        type={type as "text"}
        value={value}
        autocomplete={props.autocomplete ?? "off"}
        required={!optional}
        autofocus={firstError ? firstError === name : props.autofocus}
        minLength={props.minlength}
        maxLength={code === "digits" ? CODE_MAX_CHARACTERS : props.maxlength}
        min={props.min}
        max={props.max}
        readOnly={props.readonly}
        inputMode={code === "digits" ? "numeric" : undefined}
        pattern={code === "digits" ? CODE_PATTERN : undefined}
        aria-invalid={error ? "true" : undefined}
        aria-describedby={described || undefined}
        data-show={type === "password" ? t.common.show : undefined}
        data-hide={type === "password" ? t.common.hide : undefined}
        data-strength={props.strength ? t.password.strengths.join("|") : undefined}
      />
      <FieldError id={id} text={error} />
      <StoredNow id={id} text={stored} />
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** `announced`: of a field that the focus does not announce, such as a group of boxes. */
export function FieldError(props: { readonly id: string; readonly text: string | undefined; announced?: boolean }) {
  const { id, text, announced } = props;
  return text ? (
    <p class="error" id={`${id}-error`} role={announced ? "alert" : undefined}>
      {text}
    </p>
  ) : null;
}

/** Beside a field: what another person has stored meanwhile. */
export function StoredNow({ id, text }: { readonly id: string; readonly text: string | undefined }) {
  const { t } = useView();
  return text === undefined ? null : (
    <p class="hint" id={`${id}-stored`}>
      {t.common.storedNow} <span class="mono">{text || "–"}</span>
    </p>
  );
}

interface CheckProps {
  readonly name: string;
  readonly label: string;
  readonly state: FormState;
  readonly checked?: boolean;
  readonly autofocus?: boolean;
}

/** A box to tick: its value is `yes` or missing. `checked`: before something was sent. */
export function Check({ name, label, state, checked = false, autofocus }: CheckProps) {
  const { t } = useView();
  const isOn = state.values ? state.values[name] === "yes" : checked;
  const stored = { yes: t.common.ticked, "": t.common.empty }[state.stored?.[name] ?? "none"];
  return (
    <>
      <label class="check">
        <input type="checkbox" name={name} value="yes" checked={isOn} autofocus={autofocus} />
        {label}
      </label>
      {stored && (
        <div class="field">
          <StoredNow id={name} text={stored} />
        </div>
      )}
    </>
  );
}

/** A refusal of the whole form, announced. `current`: the page with what is stored, if it differs. */
export function Problem({ state, current }: { readonly state: FormState; readonly current?: string }) {
  const { t } = useView();
  return state.problem ? (
    <p class="note bad" role="alert">
      {state.problem} {current && state.stored && <a href={current}>{t.common.loadCurrent}</a>}
    </p>
  ) : null;
}

/** What the islands of passkeys say (islands/passkey.ts). */
export function PasskeyError({ failed }: { readonly failed: string }) {
  const { t } = useView();
  return (
    <p
      class="note bad"
      role="alert"
      hidden
      data-passkey-error=""
      data-failed={failed}
      data-limited={t.problems.rate_limited}
    />
  );
}

/** A result, announced: one line. */
export function Done({ text }: { readonly text: string | undefined }) {
  return text ? (
    <p class="note good" role="status">
      {text}
    </p>
  ) : null;
}

interface ButtonProps {
  readonly kind?: "primary" | "bad" | "plain";
  readonly wide?: boolean;
  readonly name?: string;
  readonly value?: string;
  readonly formaction?: string;
  /** Sends the form without what its required fields ask for. */
  readonly unchecked?: boolean;
  readonly label?: string;
  readonly children: ComponentChildren;
}

export function Button(props: ButtonProps) {
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
    >
      {props.children}
    </button>
  );
}

/** The button of a form, and the way back without it. */
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
