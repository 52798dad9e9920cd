import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { findAvatar, hashInFileName } from "../../models/avatar/avatar.ts";

/**
 * GET /avatars/:file (docs/contract.md, section 12.11). Logos of applications with a metadata document are in
 * PostgreSQL, wherever the pictures of users are.
 */
export async function readAvatar(
  deps: Pick<Deps, "database" | "pictures">,
  file: string,
): Promise<Result<Buffer, Refusal<"not_found">>> {
  const hash = hashInFileName(file);
  const content =
    hash === undefined
      ? undefined
      : ((await deps.pictures.get(hash)) ?? (await deps.database.run("avatar.find", (sql) => findAvatar(sql, hash))));
  return content ? ok(content) : err(refusal("not_found", "There is no such picture."));
}
