import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type ItemsAfter, itemsAfter, type Listing, type Page, pageBounds } from "../../database/listing.ts";
import type { Deps } from "../../deps.ts";
import { findMember, listMembers, listMembersAfter, type Member } from "../../models/member/members.ts";
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

/** The lists of members by cursor: members who remain appear exactly once. `after`: null for the first page. */
export async function listMembersByCursor(
  deps: Pick<Deps, "reads">,
  { caller, after, pageSize }: Pick<ListInput, "caller"> & { readonly after: string | null; readonly pageSize: number },
): Promise<Result<ItemsAfter<Member>, never>> {
  const { items, total } = await deps.reads.run("member.list_after", caller.reader, (sql) =>
    listMembersAfter(sql, caller.organizationId, { after, limit: pageSize }),
  );
  return ok(itemsAfter(items, { total, pageSize, idOf: ({ userId }) => userId }));
}

/** A member, for the pages. `caller`: holds `members.list`. */
export async function findOrganizationMember(
  deps: Pick<Deps, "database">,
  { organizationId }: OrganizationCaller,
  userId: string,
): Promise<Member | undefined> {
  return await deps.database.run("member.find_one", (sql) => findMember(sql, organizationId, userId));
}

const NO_MEMBER_WITH_ADDRESS = refusal("not_found", "No member has this address.");

/** The member with a primary address, for the pages. `caller`: holds `members.list` or `members.role`. */
export async function findMemberByAddress(
  deps: Pick<Deps, "database">,
  { organizationId }: OrganizationCaller,
  address: string,
): Promise<Result<Member, Refusal<"not_found">>> {
  const email = address.trim().toLowerCase();
  const page = { limit: MATCHES_MAX, offset: 0 };
  const found = await deps.database.run("member.find_by_address", (sql) =>
    listMembers(sql, organizationId, { q: email }, page),
  );
  const member = found.items.find((each) => each.email.toLowerCase() === email);
  return member ? ok(member) : err(NO_MEMBER_WITH_ADDRESS);
}

/** Members whose address or name contains the address of another member: few. */
const MATCHES_MAX = 50;
