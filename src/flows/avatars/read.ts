import { problem } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { hashInFileName } from "../../models/avatar/avatar.ts";

/** GET /avatars/:file (decisions, section 6). Refuses with `not_found`. */
export async function readAvatar(needs: Pick<Deps, "pictures">, file: string): Promise<Result<Buffer>> {
  const hash = hashInFileName(file);
  const content = hash === undefined ? undefined : await needs.pictures.get(hash);
  return content ? ok(content) : refuse(problem("not_found", "There is no such picture."));
}
