import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { findLogo, logoHashInFileName } from "../../models/brand/brand.ts";

/** GET /logos/:file (docs/contract.md, section 28.4). */
export async function readLogo(
  deps: Pick<Deps, "database">,
  file: string,
): Promise<Result<Buffer, Refusal<"not_found">>> {
  const hash = logoHashInFileName(file);
  const content =
    hash === undefined ? undefined : await deps.database.run("brand.find_logo", (sql) => findLogo(sql, hash));
  return content ? ok(content) : err(refusal("not_found", "There is no such picture."));
}
