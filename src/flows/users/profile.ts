import type { ClientFacts } from "../../base/client-facts.ts";
import { normalizeName } from "../../base/display-name.ts";
import { NOT_SIGNED_IN, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import type { SessionView } from "../../models/session/session.ts";
import { findProfile, type Profile, renameUser } from "../../models/user/profile.ts";
import { userAuditEvent } from "../steps/audit-event.ts";
import { authorizePlatformRole } from "../steps/authorize-platform-role.ts";

/** GET /v1/users/me (decisions, section 6). */
export async function readOwnProfile(deps: Pick<Deps, "database">, caller: SessionView): Promise<Result<Profile>> {
  const profile = await deps.database.run("user.find_profile", (sql) => findProfile(sql, caller.userId));
  return profile ? ok(profile) : err(NOT_SIGNED_IN);
}

/**
 * GET /v1/users/:id (contract, section 4.1): the user itself, or anybody for the platform's viewers. Refuses with `forbidden`
 * whatever the id of somebody else, so that strangers learn nothing, and `not_found`.
 */
export async function readProfile(
  deps: Pick<Deps, "database">,
  caller: SessionView,
  userId: string,
): Promise<Result<Profile>> {
  const allowed = userId === caller.userId ? ok(undefined) : await authorizePlatformRole(deps, caller, "viewer");
  if (!allowed.ok) return allowed;
  const profile = await deps.database.run("user.find_profile", (sql) => findProfile(sql, userId));
  return profile ? ok(profile) : err(refusal("not_found", "There is no such user."));
}

export interface ProfileChange {
  readonly caller: SessionView;
  /** Undefined: stays. Null: cleared. */
  readonly displayName: string | null | undefined;
  readonly client: ClientFacts;
}

/** PATCH /v1/users/me (decisions, section 6). Refuses with `invalid_input`. */
export async function updateOwnProfile(
  deps: Pick<Deps, "database" | "clock" | "random">,
  { caller, displayName, client }: ProfileChange,
): Promise<Result<Profile>> {
  const name = typeof displayName === "string" ? normalizeName(displayName) : displayName;
  if (typeof displayName === "string" && name === undefined) {
    return err(refusal("invalid_input", "display_name: 1 to 120 printable characters"));
  }
  if (name !== undefined) {
    const at = new Date(deps.clock.now());
    const entry = userAuditEvent(deps, caller, client, {
      action: "user.updated",
      at,
      metadata: { fields: "display_name" },
    });
    await deps.database.run(
      "user.rename",
      (sql) => sql`
        with changed as (${renameUser(sql, caller.userId, name, at)})
        ${insertAudit(sql, entry, sql`from changed`)}`,
    );
  }
  return await readOwnProfile(deps, caller);
}
