import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, rateLimited } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { avatarHash, replaceAvatar } from "../../models/avatar/avatar.ts";
import type { SessionView } from "../../models/session/session.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";

export type AvatarDeps = StoreDeps & Pick<Deps, "log" | "pictures" | "pictureDecoder">;

export interface AvatarChange {
  readonly caller: SessionView;
  readonly client: RequestContext;
}

const NOT_A_PICTURE = invalidInput(
  "file",
  "format",
  "not a PNG, JPEG, WebP, GIF or AVIF picture of at most 40 megapixels (AVIF: 4) that can be read",
);

/**
 * POST /v1/users/me/avatar (docs/contract.md, section 12.9): re-encodes the picture and stores it under `avatarHash`.
 * Returns the hash.
 */
export async function uploadAvatar(
  deps: AvatarDeps,
  input: AvatarChange & { readonly file: Uint8Array },
): Promise<Result<string, Refusal<"invalid_input" | "rate_limited">>> {
  const decoded = await deps.pictureDecoder.decode(input.file, input.caller.userId, "avatar");
  if (!decoded.ok) {
    if (decoded.code === "not_a_picture") return err(NOT_A_PICTURE);
    return err(rateLimited("picture_queue", 1, `picture decoder: ${decoded.code}`));
  }
  const hash = avatarHash(input.caller.userId, decoded.picture);
  await deps.pictures.put(hash, decoded.picture);
  await replace(deps, input, hash);
  // Stores the picture again: a concurrent removal of the same picture may have deleted the object before the row
  // referred to the hash.
  await deps.pictures.put(hash, decoded.picture);
  return ok(hash);
}

/** DELETE /v1/users/me/avatar (docs/contract.md, section 12.10). Idempotent. */
export async function deleteOwnAvatar(deps: AvatarDeps, input: AvatarChange): Promise<void> {
  await replace(deps, input, null);
}

/**
 * Updates the row before the removal of the old picture: a crash in between leaves an orphan, never a broken reference.
 */
async function replace(deps: AvatarDeps, { caller, client }: AvatarChange, hash: string | null): Promise<void> {
  const at = new Date(deps.clock.now());
  const entry = userAuditEvent(deps, caller, client, { action: "user.updated", at, metadata: { fields: "avatar" } });
  const [changed] = await deps.database.run(
    "avatar.replace",
    (sql) => sql<{ previous: string | null }[]>`
      with changed as (${replaceAvatar(sql, caller.userId, hash, at)}),
      audit as (${insertAudit(sql, entry, sql`from changed`)})
      select previous from changed`,
  );
  if (!changed?.previous) return;
  await deps.pictures
    .remove(changed.previous)
    .catch((error) => deps.log.warn({ err: error }, "avatar: could not remove the previous picture"));
}
