import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { parseTimestamp } from "../../base/timestamp.ts";

export interface Period {
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

/** The bounds that a client names (contract, sections 4.9 and 4.10), both inclusive. Refuses with `invalid_input`. */
export function readPeriod(from: string | undefined, to: string | undefined): Result<Period> {
  const [begin, end] = [from, to].map((text) => (text === undefined ? undefined : parseTimestamp(text)));
  if (from !== undefined && !begin) return err(refusal("invalid_input", "from: not a time in RFC 3339"));
  if (to !== undefined && !end) return err(refusal("invalid_input", "to: not a time in RFC 3339"));
  return ok({ from: begin, to: end });
}
