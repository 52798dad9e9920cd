import type { ClientFacts } from "../../base/client-facts.ts";
import { normalizeName } from "../../base/display-name.ts";
import { NOT_SIGNED_IN, problem } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import type { SessionView } from "../../models/session/session.ts";
import { findProfile, type Profile, renameUser } from "../../models/user/profile.ts";
import { entryBy } from "../steps/audit-entry.ts";
import { requirePlatformRole } from "../steps/require-platform-role.ts";

/** GET /v1/users/me (decisions, section 6). */
export async function readOwnProfile(needs: Pick<Deps, "database">, caller: SessionView): Promise<Result<Profile>> {
  const profile = await needs.database.run("user.find_profile", (sql) => findProfile(sql, caller.userId));
  return profile ? ok(profile) : refuse(NOT_SIGNED_IN);
}

/**
 * GET /v1/users/:id (contract, section 4.1): the user itself, or anybody for the platform's viewers. Refuses with `forbidden`
 * whatever the id of somebody else, so that strangers learn nothing, and `not_found`.
 */
export async function readProfile(
  needs: Pick<Deps, "database">,
  caller: SessionView,
  userId: string,
): Promise<Result<Profile>> {
  const allowed = userId === caller.userId ? ok(undefined) : await requirePlatformRole(needs, caller, "viewer");
  if (!allowed.ok) return allowed;
  const profile = await needs.database.run("user.find_profile", (sql) => findProfile(sql, userId));
  return profile ? ok(profile) : refuse(problem("not_found", "There is no such user."));
}

export interface ProfileChange {
  readonly caller: SessionView;
  /** Undefined: stays. Null: cleared. */
  readonly displayName: string | null | undefined;
  readonly client: ClientFacts;
}

/** PATCH /v1/users/me (decisions, section 6). Refuses with `invalid_input`. */
export async function updateOwnProfile(
  needs: Pick<Deps, "database" | "clock" | "random">,
  { caller, displayName, client }: ProfileChange,
): Promise<Result<Profile>> {
  const name = typeof displayName === "string" ? normalizeName(displayName) : displayName;
  if (typeof displayName === "string" && name === undefined) {
    return refuse(problem("invalid_input", "display_name: 1 to 120 printable characters"));
  }
  if (name !== undefined) {
    const at = new Date(needs.clock.now());
    const entry = entryBy(needs, caller, client, { action: "user.updated", at, metadata: { fields: "display_name" } });
    await needs.database.run(
      "user.rename",
      (sql) => sql`
        with changed as (${renameUser(sql, caller.userId, name, at)})
        ${insertAudit(sql, entry, sql`from changed`)}`,
    );
  }
  return await readOwnProfile(needs, caller);
}
