import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { parseTimestamp } from "../../base/timestamp.ts";

export interface Period {
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

/**
 * Years that PostgreSQL reads in the form in which a Date is written. No entry lies outside, so a bound that does is
 * moved to the edge.
 */
const EARLIEST = Date.parse("0001-01-01T00:00:00Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/** The bounds that a client names (contract, sections 4.9 and 4.10), both inclusive. Refuses with `invalid_input`. */
export function readPeriod(from: string | undefined, to: string | undefined): Result<Period> {
  const [begin, end] = [from, to].map((text) => (text === undefined ? undefined : readBound(text)));
  if (from !== undefined && !begin) return err(refusal("invalid_input", "from: not a time in RFC 3339"));
  if (to !== undefined && !end) return err(refusal("invalid_input", "to: not a time in RFC 3339"));
  return ok({ from: begin, to: end });
}

function readBound(text: string): Date | undefined {
  const time = parseTimestamp(text)?.getTime();
  return time === undefined ? undefined : new Date(Math.min(Math.max(time, EARLIEST), LATEST));
}
