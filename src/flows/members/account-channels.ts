import type { NamedChannel } from "../../base/problem.ts";
import type { Deps } from "../../deps.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import { namedChannels } from "../steps/channels/authorize-grant.ts";
import { findAccountHolders } from "../steps/channels/channels.ts";

/** The connections and keys that reach the account of a member, for the page before a grant. */
export async function readAccountChannels(
  { clock, database }: Pick<Deps, "clock" | "database">,
  { organizationId }: Pick<OrganizationCaller, "organizationId">,
  userId: string,
): Promise<readonly NamedChannel[]> {
  const scope = { organizationId, userIds: [userId], at: new Date(clock.now()) };
  return namedChannels(await database.run("channel.list_of_account", (sql) => findAccountHolders(sql, scope)));
}
