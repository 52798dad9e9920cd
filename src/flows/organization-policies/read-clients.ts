import type { Deps } from "../../deps.ts";
import { APPLICATION_MEMBERS_MAX } from "../../limits/console-limits.ts";
import { POLICY_APPROVED_CLIENTS_MAX } from "../../limits/policy-limits.ts";
import { findClientNames } from "../../models/oauth-client/displayed-client.ts";
import { listOrganizationApplications } from "../../models/oauth-grant/oauth-grant.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";

/**
 * The applications that the form of the policies offers, by id: the approved applications, and the third-party
 * applications that members use.
 */
export async function readPolicyClients(
  { clock, reads }: Pick<Deps, "clock" | "reads">,
  { organizationId, reader }: OrganizationCaller,
  approved: readonly string[],
): Promise<Map<string, string>> {
  const search = { organizationId, at: new Date(clock.now()), membersMax: APPLICATION_MEMBERS_MAX };
  const page = { limit: POLICY_APPROVED_CLIENTS_MAX, offset: 0 };
  const [names, used] = await Promise.all([
    reads.run("oauth_client.find_names", reader, (sql) => findClientNames(sql, approved)),
    reads.run("oauth_grant.list_of_organization", reader, (sql) => listOrganizationApplications(sql, search, page)),
  ]);
  const others = used.items.filter(({ firstParty }) => !firstParty);
  return new Map([...names, ...others.map(({ clientId, name }) => [clientId, name] as const)]);
}
