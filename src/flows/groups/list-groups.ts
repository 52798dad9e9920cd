import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import {
  findGroup,
  type GroupMember,
  type ListedGroup,
  listGroupMembers,
  listGroups,
} from "../../models/member-group/member-group.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";

export const NO_SUCH_GROUP = refusal("not_found", "There is no such group.");

interface ListInput {
  /** Has `members.list`. */
  readonly caller: Pick<OrganizationCaller, "organizationId">;
  readonly page: Page;
}

/** GET /v1/orgs/:org_id/groups (docs/contract.md, section 34.1): manual groups and the groups of the directory. */
export async function listMemberGroups(
  deps: Pick<Deps, "database">,
  { caller, page }: ListInput,
): Promise<Listing<ListedGroup>> {
  const found = await deps.database.run("member_group.list", (sql) =>
    listGroups(sql, caller.organizationId, pageBounds(page)),
  );
  return { ...page, ...found };
}

/** GET /v1/orgs/:org_id/groups/:id. */
export async function findMemberGroup(
  deps: Pick<Deps, "database">,
  { organizationId }: Pick<OrganizationCaller, "organizationId">,
  id: string,
): Promise<Result<ListedGroup, Refusal<"not_found">>> {
  const group = await deps.database.run("member_group.find", (sql) => findGroup(sql, organizationId, id));
  return group ? ok(group) : err(NO_SUCH_GROUP);
}

/** GET /v1/orgs/:org_id/groups/:id/members. */
export async function listMembersOfGroup(
  deps: Pick<Deps, "database">,
  { caller, id, page }: ListInput & { readonly id: string },
): Promise<Result<Listing<GroupMember>, Refusal<"not_found">>> {
  const group = await findMemberGroup(deps, caller, id);
  if (!group.ok) return group;
  const found = await deps.database.run("member_group.list_members", (sql) =>
    listGroupMembers(sql, group.value, pageBounds(page)),
  );
  return ok({ ...page, ...found });
}
