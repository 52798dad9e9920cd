import { useView } from "../view.tsx";
import { type FormState, StoredNow } from "./form.tsx";

interface CheckProps {
  readonly name: string;
  readonly label: string;
  /** The name of the value in the API. */
  readonly detail?: string;
  readonly state: FormState;
  readonly checked?: boolean;
  readonly autofocus?: boolean;
}

/** A checkbox: the form sends `yes` or no value. `checked`: the state before the first submission. */
export function Check({ name, label, detail, state, checked = false, autofocus }: CheckProps) {
  const { t } = useView();
  const isOn = state.values ? state.values[name] === "yes" : checked;
  const stored = { yes: t.common.ticked, "": t.common.empty }[state.stored?.[name] ?? "none"];
  return (
    <>
      <label class="check">
        <input type="checkbox" name={name} value="yes" checked={isOn} autofocus={autofocus} />
        {detail ? <Described text={label} detail={detail} /> : label}
      </label>
      {stored && (
        <div class="field">
          <StoredNow id={name} text={stored} />
        </div>
      )}
    </>
  );
}

/** A text with a name of the API below. */
export function Described({ text, detail }: { readonly text: string; readonly detail: string }) {
  return (
    <span>
      {text}
      <small>
        <code>{detail}</code>
      </small>
    </span>
  );
}
