import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { APPLICATION_MEMBERS_MAX } from "../../limits/console-limits.ts";
import { listOrganizationApplications, type OrganizationApplication } from "../../models/oauth-grant/oauth-grant.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";

/** The applications with access for members of an organization, for the console. */
export async function listApplicationsOf(
  deps: Pick<Deps, "reads" | "clock">,
  { caller, page }: { readonly caller: OrganizationCaller; readonly page: Page },
): Promise<Listing<OrganizationApplication>> {
  const { organizationId } = caller;
  const search = { organizationId, at: new Date(deps.clock.now()), membersMax: APPLICATION_MEMBERS_MAX };
  const found = await deps.reads.run("oauth_grant.list_of_organization", caller.reader, (sql) =>
    listOrganizationApplications(sql, search, pageBounds(page)),
  );
  return { ...page, ...found };
}
