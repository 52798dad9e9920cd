import { isUuid, NIL_UUID } from "../../base/random.ts";
import type { Deps } from "../../deps.ts";
import type { AuditRecord } from "../../models/audit/audit-log.ts";
import { findOrganizationNames } from "../../models/organization/organization.ts";
import { findAddresses } from "../../models/user/user.ts";
import type { AuditReader } from "../steps/authorization/authorize-audit-read.ts";
import type { PlatformCaller } from "../steps/authorization/authorize-platform-role.ts";

/**
 * The names of the actors and subjects on a page of the audit trail, by id. Deleted parties, and parties other than
 * users and organizations, have no name.
 */
export interface Parties {
  readonly users: ReadonlyMap<string, string>;
  readonly organizations: ReadonlyMap<string, string>;
}

/** Names the actors, users and organizations of audit records, in two queries; for the console. */
export async function nameParties(
  deps: Pick<Deps, "reads">,
  caller: PlatformCaller,
  records: readonly AuditRecord[],
): Promise<Parties> {
  return await nameIds(
    deps,
    caller,
    usersOf(records),
    records.map((record) => record.organizationId),
  );
}

/** The names of users and organizations by their ids. */
export async function nameIds(
  { reads }: Pick<Deps, "reads">,
  { reader }: PlatformCaller,
  userIds: readonly (string | null)[],
  organizationIds: readonly (string | null)[],
): Promise<Parties> {
  const [userKeys, organizationKeys] = [idsOf(userIds), idsOf(organizationIds)];
  const [users, organizations] = await Promise.all([
    reads.run("user.find_addresses", reader, (sql) => findAddresses(sql, userKeys)),
    reads.run("organization.find_names", reader, (sql) => findOrganizationNames(sql, organizationKeys)),
  ]);
  return { users, organizations };
}

/**
 * The names of the members of the reader's organization in audit records. Other parties have no name: an address of a
 * platform administrator must not be revealed (G188).
 */
export async function nameMembers(
  { reads }: Pick<Deps, "reads">,
  { reader, organizationIds }: AuditReader,
  userIds: readonly (string | null)[],
): Promise<Parties> {
  const ids = idsOf(userIds);
  const users = await reads.run("user.find_member_addresses", reader, (sql) =>
    findAddresses(sql, ids, organizationIds),
  );
  return { users, organizations: new Map() };
}

/** The users of audit records. */
export function usersOf(records: readonly AuditRecord[]): readonly (string | null)[] {
  return records.flatMap(({ actorId, resourceType, resourceId }) => [
    actorId,
    resourceType === "user" ? resourceId : null,
  ]);
}

function idsOf(ids: readonly (string | null)[]): readonly string[] {
  return [...new Set(ids.filter((id) => id !== null))].filter((id) => isUuid(id) && id !== NIL_UUID);
}
