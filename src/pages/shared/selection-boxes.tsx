import { ORGANIZATION_FIELD } from "../../http/form-csrf.ts";
import { Row, Rows } from "../components/lists.tsx";
import { messageOf } from "../problem-messages.ts";
import { type PartialOutcome, type Selection, type SelectionStep, selectionMessages } from "../selection.ts";
import { useView } from "../view.tsx";

/** The id of the form that collects the selected rows of a list. */
export type SelectionForm = "select-members" | "select-invitations" | "select-sessions" | "select-users";

/** Selects a row. `name`: the displayed name of the row. */
export function SelectBox({ form, id, name }: { form: SelectionForm; readonly id: string; readonly name: string }) {
  const { t } = useView();
  return (
    <input type="checkbox" name="id" value={id} form={form} aria-label={t.selection.select({ name })} data-select="" />
  );
}

/** The place of the box in a row that cannot be selected, so that the names of all rows begin at one line. */
export function NoSelectBox() {
  return <span class="unselectable" />;
}

interface BarProps {
  readonly form: SelectionForm;
  /** The confirmation page, which lists the selected rows. */
  readonly action: string;
  readonly actions: readonly { readonly step: SelectionStep }[];
  /** The organization of the list: a user has the same id in every organization. */
  readonly organizationId?: string | undefined;
}

/**
 * The actions on the selected rows, displayed while a row is selected (styles/tables.css). The form leads to the
 * confirmation by GET, so no script is needed.
 */
export function SelectionBar({ form, action, actions, organizationId }: BarProps) {
  const { t } = useView();
  return (
    <form class="selection" id={form} method="get" action={action}>
      {organizationId && <input type="hidden" name={ORGANIZATION_FIELD} value={organizationId} />}
      <span class="soft">
        {t.selection.rows}
        <span data-selected="" />
      </span>
      <button class="button scripted" type="button" data-select-all={form}>
        {t.selection.all}
      </button>
      {actions.map(({ step }) => (
        <button key={step} class="button" type="submit" name="step" value={step}>
          {t.selection.actions[step].action}
        </button>
      ))}
    </form>
  );
}

interface OutcomeProps {
  readonly outcome: PartialOutcome;
  readonly selection: Pick<Selection, "messages" | "step">;
  /** The address of the list. */
  readonly place: string;
}

/** The refused rows of an action on a selection, each with the reason. */
export function PartialOutcomeBody({ outcome: { done, refused }, selection, place }: OutcomeProps) {
  const view = useView();
  const { selection: t } = view.t;
  const messages = { ...selectionMessages(view), ...selection.messages };
  return (
    <div class="stack">
      <h1>{t.partial({ count: refused.length })}</h1>
      {done > 0 && <p>{t.actions[selection.step].done({ count: done })}</p>}
      <Rows>
        {refused.map((row) => (
          <Row key={row.id} title={row.name} details={messageOf(view, row.refused, messages)} />
        ))}
      </Rows>
      <p>
        <a class="button primary" href={place}>
          {t.back}
        </a>
      </p>
    </div>
  );
}
