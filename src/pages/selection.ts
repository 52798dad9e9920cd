/**
 * Actions on the selected rows of a list: one confirmation with the number and the names, then the flow of the single
 * action for each row. A refused row does not stop the remaining rows.
 */
import { invalidInput } from "../base/invalid-input.ts";
import type { Refusal } from "../base/problem.ts";
import { isUuid } from "../base/random.ts";
import { err, ok, type Result } from "../base/result.ts";
import { SELECTION_ROWS_MAX } from "../limits/console-limits.ts";
import type { Question } from "./components/question.tsx";
import type { Fields } from "./fields.ts";
import type { ProblemMessages } from "./problem-messages.ts";
import type { Texts } from "./texts/catalogue.ts";
import type { View } from "./view.tsx";

/** The value of `step` in the forms. */
export type SelectionStep = keyof Texts["selection"]["actions"];

/** An action on rows, for an authorized caller. */
export interface Selection {
  readonly step: SelectionStep;
  /** The displayed name of a row; undefined for a missing row. */
  readonly nameOf: (id: string) => Promise<string | undefined>;
  readonly act: (id: string) => Promise<Result<unknown, Refusal>>;
  /** The problem messages of a refused row, by code. */
  readonly messages?: ProblemMessages;
}

export interface RefusedRow {
  readonly id: string;
  readonly name: string;
  readonly refused: Refusal;
}

/** An action with refused rows: the number of changed rows, and the refused rows in the order of the form. */
export interface PartialOutcome {
  readonly done: number;
  readonly refused: readonly [RefusedRow, ...RefusedRow[]];
}

/** The actions without a loss. */
const HARMLESS: ReadonlySet<SelectionStep> = new Set(["resend-selected"]);
/** The actions on objects of the platform whose confirmation requires typing: the number of rows. */
const TYPED: ReadonlySet<SelectionStep> = new Set(["disable-selected"]);

const OUT_OF_BOUNDS = invalidInput("id", "too_long", `Select 1 to ${SELECTION_ROWS_MAX} rows.`);

/** The messages of a refused selection. */
export function selectionMessages({ t }: View): ProblemMessages {
  return { invalid_input: t.selection.bounds({ count: SELECTION_ROWS_MAX }), not_found: t.selection.missing };
}

/** The ids of a selection, without duplicates. */
function selectedIds(fields: Fields): Result<readonly string[], Refusal> {
  const ids = [...new Set(fields.all("id").map((id) => id.toLowerCase()))];
  const isBounded = ids.length > 0 && ids.length <= SELECTION_ROWS_MAX;
  return isBounded && ids.every(isUuid) ? ok(ids) : err(OUT_OF_BOUNDS);
}

/** The confirmation of the existing rows of a selection; undefined without a row, or with too many. */
export async function askSelection(
  view: View,
  query: Fields,
  { step, nameOf }: Pick<Selection, "step" | "nameOf">,
): Promise<Question | undefined> {
  const ids = selectedIds(query);
  if (!ids.ok) return undefined;
  const rows: { readonly id: string; readonly name: string }[] = [];
  for (const id of ids.value) {
    const name = await nameOf(id);
    if (name !== undefined) rows.push({ id, name });
  }
  if (rows.length === 0) return undefined;
  const { title, text, action } = view.t.selection.actions[step];
  return {
    title: title({ count: rows.length }),
    text,
    action,
    rows,
    harmless: HARMLESS.has(step),
    typedName: TYPED.has(step) ? String(rows.length) : undefined,
  };
}

/** Acts on each row of the form. Returns the result for `seeResult`, or the refused rows by name. */
export async function actOnSelection(
  form: Fields,
  { step, nameOf, act }: Selection,
): Promise<Result<string, Refusal | PartialOutcome>> {
  const ids = selectedIds(form);
  if (!ids.ok) return ids;
  const refused: RefusedRow[] = [];
  for (const id of ids.value) {
    // A removed row has no name afterwards.
    const name = (await nameOf(id)) ?? id;
    const outcome = await act(id);
    if (!outcome.ok) refused.push({ id, name, refused: outcome.error });
  }
  const done = ids.value.length - refused.length;
  const [first, ...others] = refused;
  return first ? err({ done, refused: [first, ...others] }) : ok(`${step}:${done}`);
}

/** The text of the result of `actOnSelection`; undefined for every other result. */
export function selectionResult({ t }: View, result: string): string | undefined {
  const [, step = "", count = ""] = /^([a-z-]+):(\d{1,3})$/.exec(result) ?? [];
  const { actions } = t.selection;
  return Object.hasOwn(actions, step) ? actions[step as SelectionStep].done({ count: Number(count) }) : undefined;
}
