import { invalidInput } from "../base/invalid-input.ts";
import type { Refusal } from "../base/problem.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { DisplayedVersion } from "../database/statement.ts";
import { parseTimestamp } from "../database/timestamp.ts";

const NOT_A_TIME = invalidInput("updated_at", "format", "not an RFC 3339 time");

/**
 * The version of an object that a caller has read: the member `updated_at` of the response, sent back in a change
 * (docs/contract.md, section 2.4). Undefined: no comparison; null: nothing was stored.
 */
export function readVersion(
  updatedAt: string | null | undefined,
): Result<DisplayedVersion | undefined, Refusal<"invalid_input">> {
  if (updatedAt === undefined) return ok(undefined);
  if (updatedAt === null) return ok("none");
  const at = parseTimestamp(updatedAt);
  return at === undefined ? err(NOT_A_TIME) : ok(at);
}
