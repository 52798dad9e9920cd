import { type FieldFlaw, hasFlaws, type InputFlaw, invalidFields } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { parseTimestamp } from "../../database/timestamp.ts";

export interface Period {
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

const NOT_A_TIME: InputFlaw = { rule: "format", text: "not a time in RFC 3339" };

/** The names of the query members in problems. */
const PERIOD_MEMBERS = { from: "from", to: "to" };

/**
 * Two query members, both inclusive (docs/contract.md, sections 14.2, 14.5, 17.3 and 17.4). `members`: the names of the
 * query members; default: `from` and `to`.
 */
export function validatePeriod(
  from: string | undefined,
  to: string | undefined,
  members: { readonly from: string; readonly to: string } = PERIOD_MEMBERS,
): Result<Period, Refusal<"invalid_input">> {
  const [begin, end] = [from, to].map((text) => (text === undefined ? undefined : parseTimestamp(text)));
  const flaws: FieldFlaw[] = [];
  if (from !== undefined && !begin) flaws.push({ field: members.from, ...NOT_A_TIME });
  if (to !== undefined && !end) flaws.push({ field: members.to, ...NOT_A_TIME });
  return hasFlaws(flaws) ? err(invalidFields(flaws)) : ok({ from: begin, to: end });
}
