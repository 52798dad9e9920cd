import type { Sql } from "../../../database/database.ts";
import { cte, withParts } from "../../../database/statement.ts";
import { insertAudit, recordAudit } from "../../../models/audit/audit.ts";
import { consumeInvitation, type OpenInvitation } from "../../../models/invitation/invitation.ts";
import { insertMember, insertMemberFrom } from "../../../models/member/member.ts";
import { lockInviter } from "../../../models/member/members.ts";
import { insertControlledUser } from "../../../models/user/user.ts";
import type { MemberRole } from "../../../vocabulary/member-power.ts";
import { liftRemoval } from "../../steps/accounts/member-removal.ts";
import { userAuditEvent } from "../../steps/audit/audit-event.ts";
import { invitedRoleParts } from "../../steps/roles/invited-roles.ts";
import type { SsoDeps } from "./connection.ts";
import { Overtaken } from "./provisioning-context.ts";
import type { ProvisioningInput } from "./provisioning-input.ts";

/** Inserts a user without a password, managed by the organization until the user has another membership. */
export async function insertManagedUser(
  deps: SsoDeps,
  sql: Sql,
  { connection, asserted, client, at }: ProvisioningInput,
  email: string,
): Promise<string> {
  const id = deps.random.uuid();
  const { organizationId } = connection;
  const { displayName = null } = asserted;
  const user = { id, email, passwordHash: null, displayName, locale: client.locale, organizationId, at };
  await insertControlledUser(sql, { ...user, managedBy: organizationId });
  return id;
}

/** A role of the policy, or an invitation with a role. */
export type Admission = { readonly role: MemberRole } | { readonly invitation: OpenInvitation };

/** Inserts a membership, with a role or by the acceptance of an invitation. Returns the role. */
export async function joinMember(
  deps: SsoDeps,
  sql: Sql,
  input: ProvisioningInput,
  userId: string,
  admission: Admission,
): Promise<MemberRole> {
  const { connection, client, at } = input;
  const { organizationId } = connection;
  if ("invitation" in admission) await acceptInvitation(deps, sql, input, userId, admission.invitation);
  else await insertMember(sql, { organizationId, userId, role: admission.role, at });
  const { role } = "invitation" in admission ? admission.invitation : admission;
  const metadata = { source: "sso", role, connection_id: connection.id };
  const event = { action: "member.provisioned", at, metadata } as const;
  await recordAudit(sql, userAuditEvent(deps, { userId, organizationId }, client, event));
  return role;
}

/** Consumes an invitation whose sender may still grant the role (G36). */
async function acceptInvitation(
  deps: SsoDeps,
  sql: Sql,
  { connection: { organizationId }, client, at }: ProvisioningInput,
  userId: string,
  { id, role, roleIds, tokenHash, invitedBy }: OpenInvitation,
): Promise<void> {
  const [inviter, consumed, joined] = [cte(sql, "inviter"), cte(sql, "consumed"), cte(sql, "joined")];
  const entry = userAuditEvent(deps, { userId, organizationId }, client, {
    action: "invitation.accepted",
    at,
    resource: { type: "invitation", id },
  });
  const statement = withParts(sql, {
    inviter: lockInviter(sql, organizationId, invitedBy, role),
    consumed: consumeInvitation(sql, id, tokenHash, at, inviter),
    joined: insertMemberFrom(sql, userId, at, consumed),
    ...invitedRoleParts(deps, sql, { id, organizationId, roleIds, userId, client, at }),
    audit: insertAudit(sql, entry, sql`from ${joined}`),
  });
  const rows = await sql`${statement} select 1 from ${joined}`;
  if (rows.length === 0) throw new Overtaken();
  await liftRemoval(deps, sql, organizationId, userId);
}
