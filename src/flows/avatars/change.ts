import type { ClientFacts } from "../../base/client-facts.ts";
import { problem, rateLimited } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import { avatarHash, replaceAvatar } from "../../models/avatar/avatar.ts";
import { encodeAvatar } from "../../models/avatar/picture.ts";
import type { SessionView } from "../../models/session/session.ts";
import { entryBy } from "../steps/audit-entry.ts";

export type AvatarNeeds = Pick<Deps, "database" | "clock" | "random" | "pictures" | "pictureGate" | "log">;

export interface AvatarChange {
  readonly caller: SessionView;
  readonly client: ClientFacts;
}

const NO_PICTURE = problem(
  "invalid_input",
  "file: not a PNG, JPEG, WebP, GIF or AVIF picture of at most 40 megapixels that can be read",
);

/**
 * POST /v1/users/me/avatar (decisions, section 6): re-encoded, stored under the hash of its bytes. Answers that hash. Refuses with
 * `invalid_input` for what is no picture, `rate_limited` when too many are being decoded.
 */
export async function uploadAvatar(
  needs: AvatarNeeds,
  input: AvatarChange & { readonly file: Uint8Array },
): Promise<Result<string>> {
  const encoding = needs.pictureGate.run(() => encodeAvatar(input.file));
  if (!encoding) return refuse(rateLimited(1, "too many pictures are being decoded"));
  const content = await encoding;
  if (!content) return refuse(NO_PICTURE);
  const hash = avatarHash(input.caller.userId, content);
  await needs.pictures.put(hash, content);
  await replace(needs, input, hash);
  return ok(hash);
}

/** DELETE /v1/users/me/avatar: also done when there was none. */
export async function deleteOwnAvatar(needs: AvatarNeeds, input: AvatarChange): Promise<void> {
  await replace(needs, input, null);
}

/** The row first, the old picture after it: a crash in between leaves a picture that nobody refers to, never the reverse. */
async function replace(needs: AvatarNeeds, { caller, client }: AvatarChange, hash: string | null): Promise<void> {
  const at = new Date(needs.clock.now());
  const entry = entryBy(needs, caller, client, { action: "user.updated", at, metadata: { fields: "avatar" } });
  const [changed] = await needs.database.run(
    "avatar.replace",
    (sql) => sql<{ previous: string | null }[]>`
      with changed as (${replaceAvatar(sql, caller.userId, hash, at)}),
      audit as (${insertAudit(sql, entry, sql`from changed`)})
      select previous from changed`,
  );
  if (!changed?.previous) return;
  await needs.pictures
    .remove(changed.previous)
    .catch((error) => needs.log.warn({ err: error }, "avatar: an old picture could not be removed"));
}
