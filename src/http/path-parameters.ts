import { type Refusal, refusal } from "../base/problem.ts";
import { isUuid } from "../base/random.ts";
import { err, ok, type Result } from "../base/result.ts";

const NOTHING_HERE = refusal("not_found", "There is nothing here.");

type Params = Readonly<Record<string, string>>;

/** UUIDs in lower case, as Postgres returns UUIDs; any other text is `not_found`. */
export function canonicalUuids(params: Params): Result<Params, Refusal<"not_found">> {
  const canonical: Record<string, string> = {};
  for (const name in params) {
    const value = params[name] ?? "";
    if (!isUuid(value)) return err(NOTHING_HERE);
    canonical[name] = value.toLowerCase();
  }
  return ok(canonical);
}
