import type { ComponentChildren } from "preact";
import { useView } from "../view.tsx";
import { Check } from "./check.tsx";
import { Button, Field, Form, type FormState } from "./form.tsx";
import { Problem } from "./notices.tsx";

export interface QuestionList {
  readonly title: string;
  readonly items: readonly string[];
}

export interface QuestionProps {
  readonly title: string;
  /** The loss that the action causes. */
  readonly text: string;
  readonly action: string;
  /** The name of the object, which the user types before an action with a high risk. */
  readonly typedName?: string | undefined;
  /** Checkboxes of the form: further credentials that the action ends. */
  readonly choices?: readonly { readonly name: string; readonly label: string }[] | undefined;
  /** The selected rows of a list (selection.ts). */
  readonly rows?: readonly { readonly id: string; readonly name: string }[] | undefined;
  /** What the action changes, by lists. */
  readonly lists?: readonly QuestionList[] | undefined;
  /** The displayed version of the object, which the action confirms. */
  readonly version?: string | undefined;
  /** The action causes no loss. */
  readonly harmless?: boolean | undefined;
  /** The target of the form, and the way back. */
  readonly place: string;
  readonly step: string;
  /** The id of the object, if `place` does not contain the id. */
  readonly id?: string | undefined;
}

/** The question about an action, for `QuestionForm`. */
export type Question = Pick<
  QuestionProps,
  "title" | "text" | "action" | "choices" | "typedName" | "rows" | "lists" | "version" | "harmless"
> &
  /** The target of the form, if the target is a part of the page. */
  Partial<Pick<QuestionProps, "place">>;

/**
 * The confirmation of a destructive action: one markup is a page and, with scripts, a dialog (islands/confirm.ts).
 * Cancel is first and has the focus, so that Enter alone confirms no loss.
 */
export function QuestionForm(props: QuestionProps) {
  const { t } = useView();
  const { title, text, action, typedName, choices = [], rows = [], lists = [], place, step, id } = props;
  const ids = id === undefined ? rows.map((row) => row.id) : [id];
  return (
    <div class="panel stack" data-question>
      <h1>{title}</h1>
      <p>{text}</p>
      {rows.length > 0 && (
        <ul class="selected">
          {rows.map((row) => (
            <li key={row.id}>{row.name}</li>
          ))}
        </ul>
      )}
      {lists.map(({ title: about, items }) => (
        <section key={about} class="stack near" aria-label={about}>
          <p class="soft">{about}</p>
          <ul class="selected">
            {items.map((item, index) => (
              <li key={`${index} ${item}`}>{item}</li>
            ))}
          </ul>
        </section>
      ))}
      <Form action={place} class="stack">
        {ids.map((each) => (
          <input key={each} type="hidden" name="id" value={each} />
        ))}
        {props.version !== undefined && <input type="hidden" name="version" value={props.version} />}
        {choices.map(({ name, label }) => (
          <Check key={name} name={name} label={label} state={{}} />
        ))}
        {typedName !== undefined && (
          <Field name="typed_name" label={t.common.typeName({ name: typedName })} pattern={exactly(typedName)} />
        )}
        <div class="acts">
          <a class="button" href={place} data-cancel autofocus>
            {t.common.cancel}
          </a>
          <Button kind={props.harmless ? "primary" : "loss"} name="step" value={step}>
            {action}
          </Button>
        </div>
      </Form>
    </div>
  );
}

/** The button of a form with a loss, after the link that leaves the form, as in a confirmation. */
export function LossActions({ cancel, children }: { readonly cancel: string; readonly children: ComponentChildren }) {
  const { t } = useView();
  return (
    <div class="actions">
      <a class="button" href={cancel} data-cancel>
        {t.common.cancel}
      </a>
      {children}
    </div>
  );
}

interface CreationProps {
  readonly title: string;
  readonly lead?: string | undefined;
  /** The target of the form. */
  readonly action: string;
  /** The way back. */
  readonly cancel: string;
  /** Name of the button, and the value of `step`. */
  readonly submit: readonly [text: string, step: string];
  readonly state: FormState;
  readonly children: ComponentChildren;
}

/** A form that creates or changes an object: a page and, with scripts, a dialog. The first field has the focus. */
export function CreationForm({ title, lead, action, cancel, submit, state, children }: CreationProps) {
  const { t } = useView();
  const [text, step] = submit;
  return (
    <div class="panel stack" data-question>
      <h1>{title}</h1>
      {lead && <p class="soft">{lead}</p>}
      <Problem state={state} />
      <Form action={action} class="stack">
        {children}
        <div class="acts">
          <a class="button" href={cancel} data-cancel>
            {t.common.cancel}
          </a>
          <Button kind="primary" name="step" value={step}>
            {text}
          </Button>
        </div>
      </Form>
    </div>
  );
}

/** The pattern of one text. The browser compares; the permission to act is verified by the flow. */
function exactly(text: string): string {
  return text.trim().replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
