import { type Refusal, refusal } from "../../base/problem.ts";
import { isUuid } from "../../base/random.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { open } from "../../base/seal.ts";
import type { Deps } from "../../deps.ts";
import { findPart, findReadyExport, partIdentity } from "../../models/data-export/data-export.ts";
import type { ActingSession } from "../../models/session/acting-session.ts";

type DownloadDeps = Pick<Deps, "database" | "clock" | "sealing">;

/**
 * GET /v1/users/me/exports/:id (docs/contract.md, section 30.5): streams an export of the user, part by part in
 * constant memory. `not_found` covers pending exports, expired exports and exports of other users.
 * `authorized`: the result of `authorizeDownload`.
 */
export async function downloadExport(
  deps: DownloadDeps,
  { authorized, id }: { readonly authorized: ActingSession; readonly id: string },
): Promise<Result<ReadableStream<Uint8Array>, Refusal<"not_found">>> {
  const at = new Date(deps.clock.now());
  const found = isUuid(id)
    ? await deps.database.run("data_export.find", (sql) => findReadyExport(sql, id, authorized.userId, at))
    : undefined;
  return found ? ok(streamParts(deps, id)) : err(refusal("not_found", "There is no such export."));
}

function streamParts({ database, sealing }: DownloadDeps, id: string): ReadableStream<Uint8Array> {
  let part = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const sealed = await database.run("data_export.find_part", (sql) => findPart(sql, id, part));
      if (!sealed) return controller.close();
      const content = open(sealing, partIdentity(id, part), sealed);
      if (!content) return controller.error(new Error("a part of an export cannot be opened"));
      part += 1;
      controller.enqueue(content);
    },
  });
}
