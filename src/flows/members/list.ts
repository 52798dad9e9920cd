import { type Listing, type Page, pageBounds } from "../../base/page.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { listMembers, type Member } from "../../models/member/members.ts";
import type { SessionView } from "../../models/session/session.ts";
import { requirePermission } from "../steps/require-permission.ts";

export interface ListInput {
  readonly caller: SessionView;
  readonly organizationId: string;
  /** Part of an address or a name. */
  readonly q: string | undefined;
  readonly page: Page;
}

/** GET /v1/orgs/:org_id/members (decisions, section 7). Refuses with `not_found`, `forbidden`. */
export async function listOrganizationMembers(
  needs: Pick<Deps, "database">,
  { caller, organizationId, q, page }: ListInput,
): Promise<Result<Listing<Member>>> {
  const allowed = await requirePermission(needs, caller, organizationId, "members.list");
  if (!allowed.ok) return allowed;
  const found = await needs.database.run("member.list", (sql) => listMembers(sql, organizationId, q, pageBounds(page)));
  return ok({ ...page, ...found });
}
