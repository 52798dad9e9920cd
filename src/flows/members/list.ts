import { ok, type Result } from "../../base/result.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { findMember, listMembers, type Member } from "../../models/member/members.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";

export interface ListInput {
  /** Holds `members.list`. */
  readonly caller: OrganizationCaller;
  /** A substring of the address or the name. */
  readonly q: string | undefined;
  /** True: also the members whom the directory of the organization has deactivated. Default: false. */
  readonly withDeactivated?: boolean;
  readonly page: Page;
}

/** GET /v1/orgs/:org_id/members (docs/contract.md, section 13.7). */
export async function listOrganizationMembers(
  deps: Pick<Deps, "reads">,
  { caller, q, withDeactivated = false, page }: ListInput,
): Promise<Result<Listing<Member>, never>> {
  const found = await deps.reads.run("member.list", caller.reader, (sql) =>
    listMembers(sql, caller.organizationId, { q, withDeactivated }, pageBounds(page)),
  );
  return ok({ ...page, ...found });
}

/** A member, for the pages. `caller`: holds `members.list`. */
export async function findOrganizationMember(
  deps: Pick<Deps, "database">,
  { organizationId }: OrganizationCaller,
  userId: string,
): Promise<Member | undefined> {
  return await deps.database.run("member.find_one", (sql) => findMember(sql, organizationId, userId));
}
