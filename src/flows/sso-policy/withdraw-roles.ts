/** The end of roles by rules for single sign-on that a change of the policy removes (docs/contract.md, chapter 29). */
import type { RequestContext } from "../../base/request-context.ts";
import type { Sql } from "../../database/database.ts";
import type { StoreDeps } from "../../deps.ts";
import { withdrawRoleBySignIn } from "../../models/organization-role/member-role.ts";
import type { PolicySettings } from "../../models/sso-policy/sso-policy.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import type { MemberCaller } from "../steps/authorization/authorize-member.ts";
import { recordEach } from "../steps/credentials/record-ended-credentials.ts";
import { customKeys } from "./authorize-mapped-roles.ts";

interface RemovedRules {
  readonly caller: MemberCaller;
  readonly before: PolicySettings;
  readonly after: PolicySettings;
  readonly client: RequestContext;
  readonly at: Date;
}

/**
 * Withdraws the roles that no rule grants any more, with a record for each member: a member who never signs in by the
 * identity provider again would keep the role. The change of the rules was authorized for each of these roles.
 */
export async function withdrawRemovedRoles(
  deps: Pick<StoreDeps, "random">,
  sql: Sql,
  { caller: { organizationId, actor }, before, after, client, at }: RemovedRules,
): Promise<void> {
  const kept = new Set(customKeys(after.roleRules));
  for (const key of customKeys(before.roleRules).filter((each) => !kept.has(each))) {
    const userIds = await withdrawRoleBySignIn(sql, organizationId, key);
    const metadata = { added: "", removed: key, source: "sso" };
    const entry = userAuditEvent(deps, actor, client, { action: "member.roles_changed", at, metadata });
    const items = userIds.map((id) => ({ id, organizationId, name: null }));
    await recordEach(deps, sql, { ...entry, resourceType: "user" }, items);
  }
}
