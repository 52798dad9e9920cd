import { type FieldFlaw, hasFlaws, type InputFlaw, invalidFields } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { parseTimestamp } from "../../database/timestamp.ts";

export interface Period {
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

/**
 * PostgreSQL parses the ISO 8601 form of a Date only for these years. No entry lies outside, so bounds are clamped to
 * these years.
 */
export const EARLIEST = Date.parse("0001-01-01T00:00:00Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

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
  const [begin, end] = [from, to].map((text) => (text === undefined ? undefined : validateBound(text)));
  const flaws: FieldFlaw[] = [];
  if (from !== undefined && !begin) flaws.push({ field: members.from, ...NOT_A_TIME });
  if (to !== undefined && !end) flaws.push({ field: members.to, ...NOT_A_TIME });
  return hasFlaws(flaws) ? err(invalidFields(flaws)) : ok({ from: begin, to: end });
}

function validateBound(text: string): Date | undefined {
  const time = parseTimestamp(text)?.getTime();
  return time === undefined ? undefined : new Date(Math.min(Math.max(time, EARLIEST), LATEST));
}
