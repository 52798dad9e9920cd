import type { Deps } from "../../deps.ts";
import { APPLICATION_MEMBERS_MAX } from "../../limits/console-limits.ts";
import { POLICY_APPROVED_CLIENTS_MAX } from "../../limits/policy-limits.ts";
import type { ClientIdentity } from "../../models/conditions/client-identity.ts";
import { findClientIdentities } from "../../models/oauth-client/displayed-client.ts";
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
): Promise<Map<string, ClientIdentity>> {
  const search = { organizationId, at: new Date(clock.now()), membersMax: APPLICATION_MEMBERS_MAX };
  const page = { limit: POLICY_APPROVED_CLIENTS_MAX, offset: 0 };
  const [named, used] = await Promise.all([
    reads.run("oauth_client.find_identities", reader, (sql) => findClientIdentities(sql, approved)),
    reads.run("oauth_grant.list_of_organization", reader, (sql) => listOrganizationApplications(sql, search, page)),
  ]);
  const others = used.items.flatMap(({ client }) => (client.firstParty ? [] : [[client.id, client] as const]));
  return new Map([...named, ...others]);
}
