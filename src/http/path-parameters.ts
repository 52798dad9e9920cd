import { type Refusal, refusal } from "../base/problem.ts";
import { isUuid } from "../base/random.ts";
import { err, ok, type Result } from "../base/result.ts";

type Params = Readonly<Record<string, string>>;

/** UUIDs in lower case, as Postgres returns UUIDs; any other text is `not_found`. */
export function canonicalUuids(params: Params): Result<Params, Refusal<"not_found">> {
  const entries = Object.entries(params);
  if (!entries.every(([, value]) => isUuid(value))) return err(refusal("not_found", "There is nothing here."));
  return ok(Object.fromEntries(entries.map(([name, value]) => [name, value.toLowerCase()])));
}
