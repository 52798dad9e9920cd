import { isUuid, NIL_UUID } from "../../base/random.ts";
import type { Deps } from "../../deps.ts";
import { AUDIT_SEARCHED_USERS_MAX } from "../../limits/audit-limits.ts";
import type { AuditSearch } from "../../models/audit/audit-log.ts";
import { normalizeEmail } from "../../models/user/email-address.ts";
import { findUserIdsContaining } from "../../models/user/profile.ts";
import { findUserIdByEmail } from "../../models/user/user-address.ts";
import type { AuditReader } from "../steps/authorization/authorize-audit-read.ts";

/** The parties of a filter. A blank text filters nothing. */
export interface PartyQuery {
  readonly actorId?: string | undefined;
  /** Email address of a user, or id of a user or API key. */
  readonly actor?: string | undefined;
  /** A text in a value of the entry, or in the address or name of actor or subject. */
  readonly q?: string | undefined;
}

export interface PartyFilter {
  readonly actorId: string | undefined;
  readonly search: AuditSearch | undefined;
}

/**
 * Finds the users of a filter. A key of an organization finds users of the organization alone: a search must not reveal
 * the address of another user, such as a platform administrator who acted in the organization (G188).
 */
export async function findParties(
  { reads }: Pick<Deps, "reads">,
  { reader, organizationIds }: AuditReader,
  { actorId, actor = "", q = "" }: PartyQuery,
): Promise<PartyFilter> {
  const [name, text] = [actor.trim(), q.trim()];
  const email = isUuid(name) ? undefined : normalizeEmail(name);
  const [found, userIds] = await Promise.all([
    email === undefined
      ? undefined
      : reads.run("audit.find_actor", reader, (sql) => findUserIdByEmail(sql, email, organizationIds)),
    text === ""
      ? []
      : reads.run("audit.find_users", reader, (sql) =>
          findUserIdsContaining(sql, text, organizationIds, AUDIT_SEARCHED_USERS_MAX),
        ),
  ]);
  const named = actorIdOf(name, found);
  const isOtherActor = actorId !== undefined && named !== undefined && actorId !== named;
  return {
    actorId: isOtherActor ? NIL_UUID : (actorId ?? named),
    search: text === "" ? undefined : { text, userIds },
  };
}

/** The nil UUID, which no actor has, for a text that names no user. */
function actorIdOf(name: string, found: string | undefined): string | undefined {
  if (name === "") return undefined;
  return isUuid(name) ? name : (found ?? NIL_UUID);
}
