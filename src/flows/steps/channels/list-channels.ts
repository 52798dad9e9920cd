import type { NamedChannel } from "../../../base/problem.ts";
import type { Deps } from "../../../deps.ts";
import type { Channel } from "../../../vocabulary/channels.ts";
import { namedChannels } from "./authorize-grant.ts";
import { FIND_HOLDERS } from "./channels.ts";

/** The channels of an organization with the people responsible, for a page before a grant through the channels. */
export async function listChannels(
  { clock, database }: Pick<Deps, "clock" | "database">,
  organizationId: string,
  channels: readonly Channel[],
): Promise<readonly NamedChannel[]> {
  const scope = { organizationId, userIds: [], at: new Date(clock.now()) };
  const found = await database.run("channel.list", (sql) =>
    Promise.all(channels.map((channel) => FIND_HOLDERS[channel](sql, scope))),
  );
  return namedChannels(found.flat());
}
