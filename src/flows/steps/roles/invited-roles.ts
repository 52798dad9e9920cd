import type { RequestContext } from "../../../base/request-context.ts";
import type { Sql } from "../../../database/database.ts";
import { cte, withParts } from "../../../database/statement.ts";
import type { Deps } from "../../../deps.ts";
import { insertAudit } from "../../../models/audit/audit.ts";
import type { Invitation } from "../../../models/invitation/invitation.ts";
import { insertInvitedRoles } from "../../../models/organization-role/member-role.ts";
import { permissionsOf } from "../../../vocabulary/member-power.ts";
import { userAuditEvent } from "../audit/audit-event.ts";

/** A new member by an invitation. */
interface InvitedMember extends Pick<Invitation, "id" | "organizationId" | "roleIds"> {
  readonly userId: string;
  readonly client: RequestContext;
  readonly at: Date;
}

/** CTEs that grant the additional roles of the consumed invitation and record the granted and the dropped roles. */
export function invitedRoleParts(
  deps: Pick<Deps, "random">,
  sql: Sql,
  { id, organizationId, roleIds, userId, client, at }: InvitedMember,
) {
  if (roleIds.length === 0) return {};
  const permissionsOfRoles = { admin: permissionsOf("admin"), member: permissionsOf("member") };
  const [consumed, roles] = [cte(sql, "consumed"), cte(sql, "roles")];
  const entry = userAuditEvent(deps, { userId, organizationId }, client, {
    action: "member.roles_changed",
    at,
    resource: { type: "user", id: userId },
    metadata: { invitation_id: id },
  });
  const metadataOfRow = sql`jsonb_build_object(
    'added', (select coalesce(string_agg(role_id::text, ' '), '') from ${roles}),
    'dropped', (
      select coalesce(string_agg(dropped::text, ' '), '') from unnest(${consumed}.role_ids) dropped
      where dropped not in (select role_id from ${roles})
    )
  )`;
  return {
    roles: insertInvitedRoles(sql, { userId, at, permissionsOfRoles }, consumed),
    roles_audit: insertAudit(sql, { ...entry, metadataOfRow }, sql`from ${consumed}`),
  };
}

/** Grants the roles of an invitation that was accepted before in the transaction of the membership. */
export async function grantInvitedRoles(deps: Pick<Deps, "random">, sql: Sql, member: InvitedMember): Promise<void> {
  if (member.roleIds.length === 0) return;
  const consumed = sql`select organization_id, role_ids, invited_by from invitations where id = ${member.id}`;
  await sql`${withParts(sql, { consumed, ...invitedRoleParts(deps, sql, member) })} select 1`;
}
